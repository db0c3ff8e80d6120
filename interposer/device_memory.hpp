// SPDX-License-Identifier: Apache-2.0
// Device memory as the client knows it: what was allocated, so that a bad free is refused at once and pointer attributes need no round trip.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/cuda.hpp"

namespace weft::interposer {

struct Allocation {
  enum class Kind { plain, async, managed, imported };
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::plain;
  CUcontext context = nullptr;
  std::uint64_t id = 0;  // CU_POINTER_ATTRIBUTE_BUFFER_ID
};

void remember_allocation(CUdeviceptr base, std::size_t bytes, Allocation::Kind kind);
/// The allocation that this address lies in.
std::optional<Allocation> find_allocation(CUdeviceptr address);
/// Removes the allocation that starts here; false where none does.
bool forget_allocation(CUdeviceptr base, Allocation* was = nullptr);

/// True for an address of the server's: in its window, or where it has none in a known allocation.
bool is_device_address(CUdeviceptr address);

}  // namespace weft::interposer
