// SPDX-License-Identifier: Apache-2.0
// What a pointer is: answered from what was allocated; only addresses that came about in other ways (variables of modules, mapped memory) are asked for.
#include "interposer/command.hpp"
#include "interposer/device_memory.hpp"
#include "interposer/host_memory.hpp"

using namespace weft::interposer;

namespace {

constexpr std::size_t largest_attribute = 64;

/// What is known of an address.
struct Pointer {
  CUmemorytype type{};
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  CUcontext context = nullptr;
  std::uint64_t id = 0;
  bool host = false, managed = false, mapped = false, from_pool = false;
};

bool describe(CUdeviceptr address, Pointer* pointer) {
  if (const std::optional<Allocation> found = find_allocation(address)) {
    *pointer = {.type = CU_MEMORYTYPE_DEVICE, .base = found->base, .bytes = found->bytes, .context = found->context, .id = found->id,
                .host = found->kind == Allocation::Kind::managed, .managed = found->kind == Allocation::Kind::managed, .mapped = true,
                .from_pool = found->kind == Allocation::Kind::async};
    return true;
  }
  const std::optional<HostRegion> region = find_host_region(address);
  if (!region || region->implicit) return false;
  *pointer = {.type = CU_MEMORYTYPE_HOST, .base = region->address, .bytes = region->bytes, .context = region->context, .id = region->address, .host = true,
              .mapped = region->mirrored};
  return true;
}

template <typename T>
CUresult give(void* data, T value) {
  std::memcpy(data, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUdevice device_of(CUcontext handle) {
  const Context* context = objects().contexts.find(handle);
  return context ? context->device : 0;
}

CUresult answer(void* data, CUpointer_attribute attribute, CUdeviceptr address, const Pointer& pointer) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(data, pointer.context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return give(data, static_cast<unsigned>(pointer.type));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: return pointer.host ? give(data, address) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(data, 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return give(data, static_cast<unsigned long long>(pointer.id));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return give(data, static_cast<unsigned>(pointer.managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(data, device_of(pointer.context));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: return give(data, static_cast<unsigned>(!pointer.host && !pointer.from_pool));
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(data, pointer.base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(data, pointer.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return give(data, static_cast<unsigned>(pointer.mapped));
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return give(data, 0ull);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return give(data, static_cast<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return pointer.from_pool ? CUDA_ERROR_NOT_SUPPORTED : give<CUmemoryPool>(data, nullptr);
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: return give(data, pointer.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: return give(data, pointer.base);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: return give(data, static_cast<unsigned long long>(pointer.id));
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: return give(data, 0u);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

std::size_t size_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: return 4;
    default: return 8;
  }
}

CUresult ask(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  Command command(weft::abi::Op::cuPointerGetAttribute);
  command.value(static_cast<std::int32_t>(attribute));
  command.value(address);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const Bytes bytes = command.results().remaining();
  if (bytes.size() != largest_attribute) return CUDA_ERROR_UNKNOWN;
  std::memcpy(data, bytes.data(), size_of(attribute));
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (Pointer pointer; describe(ptr, &pointer)) return answer(data, attribute, ptr, pointer);
  return is_device_address(ptr) ? ask(data, attribute, ptr) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr) {
  if (!attributes || !data || !numAttributes) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  // As documented, an address that CUDA does not know is no error here: the values are zero, and the device is -2.
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (cuPointerGetAttribute(data[i], attributes[i], ptr) == CUDA_SUCCESS) continue;
    std::memset(data[i], 0, size_of(attributes[i]));
    if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(data[i]) = -2;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void* data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr, size_t count) {
  if (!data || !dataSize || !count) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  const std::optional<Allocation> found = find_allocation(devPtr);
  if (!found || found->kind != Allocation::Kind::managed) return CUDA_ERROR_INVALID_VALUE;
  // No hint is kept, so none is reported: not read-mostly, no preferred location (-2, invalid), accessed by nobody in particular.
  std::memset(data, 0, dataSize);
  if (attribute != CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY)
    for (size_t i = 0; i + sizeof(int) <= dataSize; i += sizeof(int)) static_cast<int*>(data)[i / sizeof(int)] = -2;
  return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes, CUmem_range_attribute* attributes, size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  if (!data || !dataSizes || !attributes) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < numAttributes; ++i)
    if (CUresult result = cuMemRangeGetAttribute(data[i], dataSizes[i], attributes[i], devPtr, count); result != CUDA_SUCCESS) return result;
  return CUDA_SUCCESS;
}

}  // extern "C"
