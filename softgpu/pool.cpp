// SPDX-License-Identifier: Apache-2.0
// Allocation in stream order. Memory is there at once, for any stream, and goes when its stream comes to the free; nothing is kept back, so that release
// thresholds and rules of reuse are remembered, not needed.
#include "softgpu/pool.hpp"

#include <algorithm>

#include "softgpu/context.hpp"

namespace weft::softgpu {

Pool& default_pool(Driver& driver, Device& device) {
  if (!device.default_pool) {
    auto made = std::make_unique<Pool>();
    made->device = &device;
    made->is_default = true;
    device.default_pool = driver.pools.insert(std::move(made));
  }
  return *device.default_pool;
}

Pool& current_pool(Driver& driver, Device& device) { return device.current_pool ? *device.current_pool : default_pool(driver, device); }

Pool* pool_of(Driver& driver, std::uint64_t address) {
  Pool* found = nullptr;
  driver.pools.for_each([&](Pool& pool) {
    if (pool.blocks.contains(address)) found = &pool;
  });
  return found;
}

namespace {

constexpr CUmemPool_attribute reuse_rules[] = {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
                                               CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES};

bool is_reuse_rule(CUmemPool_attribute attribute) { return std::find(std::begin(reuse_rules), std::end(reuse_rules), attribute) != std::end(reuse_rules); }

CUresult allocate_from(Entry& entry, Pool& pool, Context* context, std::size_t bytes, CUdeviceptr* address) {
  *address = entry.driver().memory.allocate(pool.device->ordinal, bytes, Allocation::Kind::pool, context);
  if (!*address) return CUDA_ERROR_OUT_OF_MEMORY;
  pool.blocks[*address] = bytes;
  pool.used += bytes;
  pool.most_used = std::max(pool.most_used, pool.used);
  pool.most_reserved = std::max(pool.most_reserved, pool.used);
  return CUDA_SUCCESS;
}

/// Runs in stream order.
void free_block(std::uint64_t address) {
  Lock lock(driver_mutex());
  Driver& driver = *Driver::get();
  if (Pool* pool = pool_of(driver, address)) {
    pool->used -= pool->blocks[address];
    pool->blocks.erase(address);
  }
  driver.memory.free(address);
}

}  // namespace
}  // namespace weft::softgpu

using namespace weft::softgpu;

extern "C" {

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool handle, CUstream hStream) {
  if (!dptr || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;  // nodes for memory are not there
  Pool* pool = entry.driver().pools.find(handle);
  return pool ? allocate_from(entry, *pool, target.context, bytesize, dptr) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  if (!dptr || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return allocate_from(entry, current_pool(entry.driver(), *target.context->device), target.context, bytesize, dptr);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  const std::optional<Allocation> found = entry.driver().memory.find(dptr);
  if (!found || found->base != dptr || found->on_host()) return CUDA_ERROR_INVALID_VALUE;
  enqueue(target, [dptr] { free_block(dptr); });
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  if (!pool_out) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  *pool_out = reinterpret_cast<CUmemoryPool>(&default_pool(entry.driver(), *device));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  if (!pool) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  *pool = reinterpret_cast<CUmemoryPool>(&current_pool(entry.driver(), *device));
  return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool handle) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  Pool* pool = entry.driver().pools.find(handle);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  if (!pool || pool->device != device) return CUDA_ERROR_INVALID_VALUE;
  device->current_pool = pool;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  if (!pool || !poolProps || poolProps->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (poolProps->handleTypes != CU_MEM_HANDLE_TYPE_NONE || poolProps->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(poolProps->location.id);
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<Pool>();
  made->device = device;
  *pool = reinterpret_cast<CUmemoryPool>(entry.driver().pools.insert(std::move(made)));
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Pool* pool = entry.driver().pools.find(handle);
  if (!pool || pool->is_default) return CUDA_ERROR_INVALID_VALUE;
  for (auto& device : entry.driver().devices)
    if (device->current_pool == pool) device->current_pool = nullptr;
  entry.driver().pools.erase(pool);  // what it gave stays valid until it is freed
  return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attr, void* value) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Pool* pool = entry.driver().pools.find(handle);
  if (!pool || !value) return CUDA_ERROR_INVALID_VALUE;
  if (is_reuse_rule(attr)) {
    pool->settings[attr] = *static_cast<const int*>(value) != 0;
    return CUDA_SUCCESS;
  }
  const std::uint64_t number = *static_cast<const cuuint64_t*>(value);
  if (attr == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
    pool->settings[attr] = number;
    return CUDA_SUCCESS;
  }
  // The high-water marks can be set to 0 alone.
  if (number != 0) return CUDA_ERROR_INVALID_VALUE;
  if (attr == CU_MEMPOOL_ATTR_USED_MEM_HIGH) pool->most_used = pool->used;
  else if (attr == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) pool->most_reserved = pool->used;
  else return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attr, void* value) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Pool* pool = entry.driver().pools.find(handle);
  if (!pool || !value) return CUDA_ERROR_INVALID_VALUE;
  const auto set = pool->settings.find(attr);
  if (is_reuse_rule(attr)) {
    *static_cast<int*>(value) = set == pool->settings.end() ? 1 : static_cast<int>(set->second);
    return CUDA_SUCCESS;
  }
  cuuint64_t& number = *static_cast<cuuint64_t*>(value);
  switch (attr) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: number = set == pool->settings.end() ? 0 : set->second; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: number = pool->used; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: number = pool->most_reserved; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: number = pool->most_used; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

// Every device reaches all memory.
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (!entry.driver().pools.find(pool) || (count && !map)) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i)
    if (map[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || !entry.driver().device(map[i].location.id)) return CUDA_ERROR_INVALID_DEVICE;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (!flags || !location || !entry.driver().pools.find(memPool)) return CUDA_ERROR_INVALID_VALUE;
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  Entry entry(Entry::driver_only);
  return entry.result == CUDA_SUCCESS && !entry.driver().pools.find(pool) ? CUDA_ERROR_INVALID_VALUE : entry.result;
}

}  // extern "C"
