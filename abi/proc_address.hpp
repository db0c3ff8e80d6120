// SPDX-License-Identifier: Apache-2.0
// cuGetProcAddress: from a name, a CUDA version and flags to a variant.
#pragma once

#include <cstdint>

#include "abi/cuda.hpp"

namespace weft::abi {

/// One exported variant of a function. `base` is the name without _v2, _ptsz or _ptds.
struct ProcEntry {
  const char* base;
  int since;
  bool per_thread;
  void* function;
};

/// As documented for cuGetProcAddress_v2: of the variants with this base name that are at most as new as `version` the newest, and among those the one
/// for per-thread default streams where `flags` asks for it and one exists. Missing: CUDA_ERROR_NOT_FOUND, *function null, *status says why (`status`
/// may be null). Works before cuInit, from any thread.
CUresult find_proc_address(const char* symbol, void** function, int version, cuuint64_t flags,
                           CUdriverProcAddressQueryResult* status);

}  // namespace weft::abi
