// SPDX-License-Identifier: Apache-2.0
// Kernels and functions: what a look-up brings, kept for all later calls.
#pragma once

#include "interposer/command.hpp"

namespace weft::interposer {

/// Reads a FunctionRecord with its name and layout into the object of `handle`.
CUresult read_function(wire::Reader& reply, CUfunction handle);

/// The CUfunction of a kernel in the current context; asked for once.
CUresult function_of_kernel(CUkernel kernel, CUfunction* function);

}  // namespace weft::interposer
