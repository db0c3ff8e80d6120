// SPDX-License-Identifier: Apache-2.0
// Allocation: of devices, managed, pinned on the host; and what a pointer is.
#include <cstring>

#include "softgpu/context.hpp"
#include "softgpu/pool.hpp"

using namespace weft::softgpu;

namespace {

CUresult allocate(CUdeviceptr* dptr, size_t bytes, Allocation::Kind kind) {
  if (!dptr || !bytes) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  *dptr = entry.driver().memory.allocate(entry.current().device->ordinal, bytes, kind, &entry.current());
  return *dptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

template <typename T>
void give(void* data, T value) {
  std::memcpy(data, &value, sizeof value);
}

CUresult answer(void* data, CUpointer_attribute attribute, CUdeviceptr address, const Allocation& found) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: give(data, reinterpret_cast<CUcontext>(found.context)); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: give(data, unsigned{found.on_host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE}); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: give(data, address); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!found.on_host() && found.kind != Allocation::Kind::managed) return CUDA_ERROR_INVALID_VALUE;
      give(data, address);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: give(data, 0u); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: give(data, static_cast<unsigned long long>(found.id)); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: give(data, unsigned{found.kind == Allocation::Kind::managed}); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: give(data, found.context->device->ordinal); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: give(data, 0u); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: give(data, CUdeviceptr{found.base}); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: give(data, size_t{found.bytes}); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED: give(data, 1u); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: give(data, 0ull); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: give(data, 0u); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: give(data, unsigned{CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE}); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      give(data, reinterpret_cast<CUmemoryPool>(found.kind == Allocation::Kind::pool ? pool_of(*Driver::get(), found.base) : nullptr));
      return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) { return allocate(dptr, bytesize, Allocation::Kind::device); }

CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate(dptr, bytesize, Allocation::Kind::managed);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes) {
  if (!pPitch || !WidthInBytes || !Height || WidthInBytes > size_t{1} << 31) return CUDA_ERROR_INVALID_VALUE;
  if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16) return CUDA_ERROR_INVALID_VALUE;
  *pPitch = (WidthInBytes + 511) / 512 * 512;
  size_t bytes;
  if (__builtin_mul_overflow(*pPitch, Height, &bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  return cuMemAlloc_v2(dptr, bytes);
}

CUresult cuMemFree_v2(CUdeviceptr dptr) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (!dptr) return CUDA_SUCCESS;
  const std::optional<Allocation> found = entry.driver().memory.find(dptr);
  if (!found || found->base != dptr || found->on_host()) return CUDA_ERROR_INVALID_VALUE;
  wait_for(everything(*found->context));  // kernels may still use it
  return entry.driver().memory.free(dptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Device& device = *entry.current().device;
  if (free) *free = entry.driver().memory.free_bytes(device.ordinal);
  if (total) *total = device.memory_bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const std::optional<Allocation> found = entry.driver().memory.find(dptr);
  if (!found) return CUDA_ERROR_NOT_FOUND;
  if (pbase) *pbase = found->base;
  if (psize) *psize = found->bytes;
  return CUDA_SUCCESS;
}

// --- of the host

CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  constexpr unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (!pp || !bytesize || Flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  *pp = reinterpret_cast<void*>(entry.driver().memory.allocate_host(bytesize, Flags, &entry.current()));
  return *pp ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) { return cuMemHostAlloc(pp, bytesize, 0); }

CUresult cuMemFreeHost(void* p) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (!p) return CUDA_SUCCESS;
  const std::optional<Allocation> found = entry.driver().memory.find(reinterpret_cast<std::uint64_t>(p));
  if (!found || found->base != reinterpret_cast<std::uint64_t>(p)) return CUDA_ERROR_INVALID_VALUE;
  wait_for(everything(*found->context));
  return entry.driver().memory.forget_host(found->base, Allocation::Kind::host) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  constexpr unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
  if (!p || !bytesize || Flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const bool fresh = entry.driver().memory.register_host(reinterpret_cast<std::uint64_t>(p), bytesize, Flags, &entry.current());
  return fresh ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult cuMemHostUnregister(void* p) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const std::optional<Allocation> found = entry.driver().memory.find(reinterpret_cast<std::uint64_t>(p));
  if (!found || found->base != reinterpret_cast<std::uint64_t>(p)) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  wait_for(everything(*found->context));
  const bool known = entry.driver().memory.forget_host(found->base, Allocation::Kind::registered);
  return known ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  if (!pdptr || Flags) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const std::optional<Allocation> found = entry.driver().memory.find(reinterpret_cast<std::uint64_t>(p));
  if (!found || !found->on_host()) return CUDA_ERROR_INVALID_VALUE;
  *pdptr = reinterpret_cast<CUdeviceptr>(p);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  if (!pFlags) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const std::optional<Allocation> found = entry.driver().memory.find(reinterpret_cast<std::uint64_t>(p));
  if (!found || found->kind != Allocation::Kind::host) return CUDA_ERROR_INVALID_VALUE;
  *pFlags = found->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

// --- pointers

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const std::optional<Allocation> found = entry.driver().memory.find(ptr);
  return found ? answer(data, attribute, ptr, *found) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr) {
  if (!numAttributes || !attributes || !data) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < numAttributes; ++i)
    if (data[i] && cuPointerGetAttribute(data[i], attributes[i], ptr) == CUDA_ERROR_NOT_INITIALIZED) return CUDA_ERROR_NOT_INITIALIZED;
  return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation, unsigned int, CUstream) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  return entry.driver().memory.contains(devPtr, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;  // it is here already
}

CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise, CUmemLocation) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  return entry.driver().memory.contains(devPtr, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
