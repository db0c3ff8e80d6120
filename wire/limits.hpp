// SPDX-License-Identifier: Apache-2.0
// Every limit on what crosses the wire, each with its reason. Tests try each at the limit and past it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::wire {

/// A message with its header. Large enough for a kernel with the most parameters CUDA allows (32,764 bytes), for the snapshot of a pool of
/// devices and for small payloads inline; small enough that a hostile length can't take much memory.
inline constexpr std::size_t max_message_bytes = 1 << 20;

/// A copy up to this size travels inside its command: one system call instead of two beats one copy of the bytes less.
inline constexpr std::size_t max_inline_payload_bytes = 64 << 10;

/// Devices in one snapshot: the largest boxes have 16, virtual functions included fewer than 64.
inline constexpr std::uint32_t max_devices = 64;

/// A C string in a message (file names, kernel names: mangled C++ names reach several thousand characters).
inline constexpr std::size_t max_string_bytes = 64 << 10;

/// Elements of one array argument (graph nodes, attributes, memory operations).
inline constexpr std::uint32_t max_array_elements = 1 << 16;

/// A module image: cuBLASLt's largest fatbin for one architecture is a few hundred MiB.
inline constexpr std::uint64_t max_image_bytes = std::uint64_t{2} << 30;

/// Kernel parameters, as CUDA limits them since 12.1.
inline constexpr std::size_t max_kernel_parameter_bytes = 32764;

/// Objects of one kind (streams, events, modules...) a client may have alive: one million, far above any program seen (1,212 events).
inline constexpr std::uint32_t max_handles = 1 << 20;

}  // namespace weft::wire
