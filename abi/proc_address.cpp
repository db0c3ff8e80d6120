// SPDX-License-Identifier: Apache-2.0
#include "abi/proc_address.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace weft::abi {

/// Generated from cuda_api.h (proc_table.cpp.in), sorted by base name.
std::span<const ProcEntry> proc_table();

namespace {

bool better(const ProcEntry& candidate, const ProcEntry* best, bool per_thread) {
  if (!best) return true;
  if (candidate.since != best->since) return candidate.since > best->since;
  return candidate.per_thread == per_thread && best->per_thread != per_thread;
}

}  // namespace

CUresult find_proc_address(const char* symbol, void** function, int version, cuuint64_t flags,
                           CUdriverProcAddressQueryResult* status) {
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  if (flags & ~cuuint64_t{CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM})
    return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  const bool per_thread = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  auto by_name = [](const ProcEntry& a, const char* name) { return std::strcmp(a.base, name) < 0; };
  const auto table = proc_table();
  const ProcEntry* best = nullptr;
  bool known = false;
  for (auto entry = std::lower_bound(table.begin(), table.end(), symbol, by_name);
       entry != table.end() && std::strcmp(entry->base, symbol) == 0; ++entry) {
    known = true;
    if (entry->since > version || (entry->per_thread && !per_thread)) continue;
    if (better(*entry, best, per_thread)) best = &*entry;
  }
  if (status)
    *status = best    ? CU_GET_PROC_ADDRESS_SUCCESS
              : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                      : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (!best) return CUDA_ERROR_NOT_FOUND;
  *function = best->function;
  return CUDA_SUCCESS;
}

}  // namespace weft::abi
