// SPDX-License-Identifier: Apache-2.0
// What the shared code needs of the library that it is compiled into: the interposer and the software GPU define these, each its own way.
#pragma once

#include "abi/cuda.hpp"

namespace weft::abi {

/// The handle of a device's primary context, which need not be active.
CUresult primary_context_handle(CUdevice device, CUcontext* context);

/// Calls back for each function of the module, in any order.
CUresult for_each_function(CUmodule module, void (*visit)(void* user, CUfunction function), void* user);

}  // namespace weft::abi
