// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime's self-test of runtime and driver validity (error 103 where it fails).
#pragma once

#include <cstdint>

#include "abi/cuda.hpp"

namespace weft::abi {

/// What the runtime calls: its version, the time in seconds since 1970, room for the answer.
CUresult answer_self_test(std::uint32_t version, std::uint64_t unix_seconds, std::uint64_t result[2]);

}  // namespace weft::abi
