// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime's self-test of runtime and driver validity (error 103 where it fails).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "abi/cuda.hpp"

namespace weft::abi {

/// What the runtime calls: its version, the time in seconds since 1970, room for the answer.
CUresult answer_self_test(std::uint32_t version, std::uint64_t unix_seconds, std::uint64_t result[2]);

/// MD2 as in RFC 1319, and HMAC over it; public for the test vectors.
using Md2Digest = std::array<std::uint8_t, 16>;
Md2Digest md2(std::span<const std::uint8_t> message);
Md2Digest hmac_md2(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message);

}  // namespace weft::abi
