// SPDX-License-Identifier: Apache-2.0
// Values that runtimes in the process keep with a context (export table c693336e): keys and values are pointers of the program's, so this stays in the process.
#pragma once

#include "abi/cuda.hpp"

namespace weft::abi {

using ContextValueDestructor = void (*)(CUcontext context, void* key, void* value);

/// A null context means the current one. Thread-safe.
CUresult context_storage_put(CUcontext context, void* key, void* value, ContextValueDestructor destructor);
CUresult context_storage_delete(CUcontext context, void* key);
/// CUDA_ERROR_INVALID_HANDLE where the key has no value.
CUresult context_storage_get(void** value, CUcontext context, void* key);

/// The context goes: runs the destructors of what is kept with it.
void context_destroyed(CUcontext context);

}  // namespace weft::abi
