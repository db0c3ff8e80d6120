// SPDX-License-Identifier: Apache-2.0
// From what a program hands to cuModuleLoadData to the PTX text that a device of ours can run.
#pragma once

#include <string>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::softgpu {

/// The PTX texts of the image for a compute capability (90 for 9.0), one for each piece of it (several with -rdc). CUDA_SUCCESS, or what the load answers, with
/// a line for the log.
CUresult find_ptx(const void* image, int capability, std::vector<std::string>* texts, std::string* log);

}  // namespace weft::softgpu
