// SPDX-License-Identifier: Apache-2.0
// Device memory, pinned host memory, memory of other processes, and what is made of memory: texture and surface objects.
#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

/// Arrays travel as handles inside a resource description.
void find_arrays(Call& call, CUDA_RESOURCE_DESC& description) {
  Handles& handles = call.session().handles();
  bool known = true;
  if (description.resType == CU_RESOURCE_TYPE_ARRAY)
    known = handles.find(reinterpret_cast<std::uint64_t>(description.res.array.hArray), &description.res.array.hArray);
  if (description.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    known = handles.find(reinterpret_cast<std::uint64_t>(description.res.mipmap.hMipmappedArray), &description.res.mipmap.hMipmappedArray);
  if (!known) call.set_bad_handle();
}

}  // namespace

void cuMemAlloc_v2(Call& call) {
  const auto bytes = call.value<std::uint64_t>();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  CUresult result = call.driver().cuMemAlloc_v2(&address, bytes);
  call.add(std::uint64_t{address});
  call.finish(result);
}

void cuMemAllocPitch_v2(Call& call) {
  const auto width = call.value<std::uint64_t>(), height = call.value<std::uint64_t>();
  const auto element_bytes = call.value<std::uint32_t>();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  std::size_t pitch = 0;
  CUresult result = call.driver().cuMemAllocPitch_v2(&address, &pitch, width, height, element_bytes);
  call.add(std::uint64_t{address});
  call.add(std::uint64_t{pitch});
  call.finish(result);
}

void cuMemFree_v2(Call& call) {
  const auto address = call.value<std::uint64_t>();
  if (call.ready()) call.finish(call.driver().cuMemFree_v2(address));
}

/// Managed memory is device memory here; the client moves pages to and fro. A program may read it before anyone wrote it, so it starts as zeros.
void cuMemAllocManaged(Call& call) {
  constexpr std::uint64_t granule = 2 << 20;  // so that no page of it is shared with another allocation
  const auto bytes = call.value<std::uint64_t>();
  (void)call.value<std::uint32_t>();  // attached to all streams or none: the same here
  if (!call.ready()) return;
  if (bytes > ~std::uint64_t{0} - granule) return call.finish(CUDA_ERROR_OUT_OF_MEMORY);
  const std::uint64_t rounded = (bytes + granule - 1) / granule * granule;
  CUdeviceptr address = 0;
  CUresult result = call.driver().cuMemAlloc_v2(&address, rounded);
  if (result == CUDA_SUCCESS) result = call.driver().cuMemsetD8_v2(address, 0, rounded);
  call.add(std::uint64_t{address});
  call.finish(result);
}

void cuMemAllocAsync(Call& call) {
  const auto bytes = call.value<std::uint64_t>();
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  CUresult result = call.driver().cuMemAllocAsync(&address, bytes, stream);
  call.add(std::uint64_t{address});
  call.finish(result);
}

void cuMemAllocFromPoolAsync(Call& call) {
  const auto bytes = call.value<std::uint64_t>();
  const auto pool = call.value<CUmemoryPool>();
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  CUresult result = call.driver().cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
  call.add(std::uint64_t{address});
  call.finish(result);
}

void cuMemFreeAsync(Call& call) {
  const auto address = call.value<std::uint64_t>();
  const auto stream = call.value<CUstream>();
  if (call.ready()) call.finish(call.driver().cuMemFreeAsync(address, stream));
}

void cuMemGetAddressRange_v2(Call& call) {
  const auto address = call.value<std::uint64_t>();
  if (!call.ready()) return;
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  CUresult result = call.driver().cuMemGetAddressRange_v2(&base, &bytes, address);
  call.add(std::uint64_t{base});
  call.add(std::uint64_t{bytes});
  call.finish(result);
}

void cuMemHostRegister_v2(Call& call) {
  const auto memory = call.value<abi::HostRegister>();
  if (!call.ready()) return;
  std::uint64_t key = 0;
  CUresult result = call.session().mirrors().add(memory.address, memory.size, memory.flags, memory.client_key, &key);
  call.add(key);
  call.finish(result);
}

void cuMemHostUnregister(Call& call) {
  const auto address = call.value<std::uint64_t>();
  if (call.ready()) call.finish(call.session().mirrors().remove(address));
}

void cuIpcOpenMemHandle_v2(Call& call) {
  const auto handle = call.value<CUipcMemHandle>();
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  CUresult result = call.driver().cuIpcOpenMemHandle_v2(&address, handle, flags);
  call.add(std::uint64_t{address});
  call.finish(result);
}

void cuIpcCloseMemHandle(Call& call) {
  const auto address = call.value<std::uint64_t>();
  if (call.ready()) call.finish(call.driver().cuIpcCloseMemHandle(address));
}

void cuMemPoolSetAttribute(Call& call) {
  const auto pool = call.value<CUmemoryPool>();
  const auto attribute = static_cast<CUmemPool_attribute>(call.value<std::int32_t>());
  auto value = call.value<std::uint64_t>();  // an int attribute reads its lower half
  if (call.ready()) call.finish(call.driver().cuMemPoolSetAttribute(pool, attribute, &value));
}

void cuMemPoolGetAttribute(Call& call) {
  const auto pool = call.value<CUmemoryPool>();
  const auto attribute = static_cast<CUmemPool_attribute>(call.value<std::int32_t>());
  if (!call.ready()) return;
  std::uint64_t value = 0;
  CUresult result = call.driver().cuMemPoolGetAttribute(pool, attribute, &value);
  call.add(value);
  call.finish(result);
}

void cuPointerGetAttribute(Call& call) {
  const auto attribute = static_cast<CUpointer_attribute>(call.value<std::int32_t>());
  const auto address = call.value<std::uint64_t>();
  if (!call.ready()) return;
  std::uint64_t value[8]{};
  CUresult result = call.driver().cuPointerGetAttribute(value, attribute, address);
  if (attribute == CU_POINTER_ATTRIBUTE_CONTEXT) value[0] = call.session().handles().name(reinterpret_cast<CUcontext>(value[0]));
  if (attribute == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) value[0] = call.session().handles().name(reinterpret_cast<CUmemoryPool>(value[0]));
  call.add(value);
  call.finish(result);
}

void cuTexObjectCreate(Call& call) {
  auto resource = call.value<CUDA_RESOURCE_DESC>();
  const bool has_texture = call.value<std::uint8_t>() != 0;
  const auto texture = call.value<CUDA_TEXTURE_DESC>();
  const bool has_view = call.value<std::uint8_t>() != 0;
  const auto view = call.value<CUDA_RESOURCE_VIEW_DESC>();
  find_arrays(call, resource);
  if (!call.ready()) return;
  CUtexObject object = 0;
  CUresult result = call.driver().cuTexObjectCreate(&object, &resource, has_texture ? &texture : nullptr, has_view ? &view : nullptr);
  call.add(std::uint64_t{object});
  call.finish(result);
}

void cuSurfObjectCreate(Call& call) {
  auto resource = call.value<CUDA_RESOURCE_DESC>();
  find_arrays(call, resource);
  if (!call.ready()) return;
  CUsurfObject object = 0;
  CUresult result = call.driver().cuSurfObjectCreate(&object, &resource);
  call.add(std::uint64_t{object});
  call.finish(result);
}

}  // namespace weft::gpud
