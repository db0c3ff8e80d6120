// SPDX-License-Identifier: Apache-2.0
// cuGetErrorName and cuGetErrorString for both of our libraries.
#pragma once

#include "abi/cuda.hpp"

namespace weft::abi {

/// CUDA_ERROR_INVALID_VALUE and null for a code that CUDA 13.0 does not have. The strings live for ever. Any thread, before cuInit too.
CUresult error_name(CUresult error, const char** name);
CUresult error_string(CUresult error, const char** text);

}  // namespace weft::abi
