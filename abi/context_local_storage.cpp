// SPDX-License-Identifier: Apache-2.0
#include "abi/context_local_storage.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace weft::abi {
namespace {

struct Entry {
  void* value;
  ContextValueDestructor destructor;
};

struct Storage {
  std::mutex mutex;
  std::map<std::pair<CUcontext, void*>, Entry> entries;
};

// Never destroyed: runtimes use it while the process exits.
Storage& storage() {
  static Storage* const all = new Storage;
  return *all;
}

CUcontext or_current(CUcontext context) {
  if (!context) ::cuCtxGetCurrent(&context);
  return context;
}

}  // namespace

CUresult context_storage_put(CUcontext context, void* key, void* value, ContextValueDestructor destructor) {
  context = or_current(context);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  std::lock_guard lock(storage().mutex);
  storage().entries[{context, key}] = {value, destructor};
  return CUDA_SUCCESS;
}

CUresult context_storage_delete(CUcontext context, void* key) {
  std::lock_guard lock(storage().mutex);
  return storage().entries.erase({or_current(context), key}) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult context_storage_get(void** value, CUcontext context, void* key) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  context = or_current(context);
  std::lock_guard lock(storage().mutex);
  auto found = storage().entries.find({context, key});
  if (found == storage().entries.end()) return CUDA_ERROR_INVALID_HANDLE;
  *value = found->second.value;
  return CUDA_SUCCESS;
}

void context_destroyed(CUcontext context) {
  std::vector<std::pair<void*, Entry>> going;
  {
    std::lock_guard lock(storage().mutex);
    auto& entries = storage().entries;
    for (auto entry = entries.lower_bound({context, nullptr}); entry != entries.end() && entry->first.first == context; entry = entries.erase(entry))
      going.emplace_back(entry->first.second, entry->second);
  }
  for (auto& [key, entry] : going)
    if (entry.destructor) entry.destructor(context, key, entry.value);
}

}  // namespace weft::abi
