// SPDX-License-Identifier: Apache-2.0
#include "interposer/device_memory.hpp"

#include <map>
#include <shared_mutex>

#include "interposer/capture.hpp"
#include "interposer/command.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/managed.hpp"

namespace weft::interposer {
namespace {

std::shared_mutex allocations_mutex;
std::map<CUdeviceptr, Allocation> allocations;
std::uint64_t next_buffer_id = 1;

CUresult allocate(Command& command, CUdeviceptr* dptr, std::size_t bytes, Allocation::Kind kind) {
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *dptr = command.result<std::uint64_t>();
  remember_allocation(*dptr, bytes, kind);
  return command.complete();
}

}  // namespace

void remember_allocation(CUdeviceptr base, std::size_t bytes, Allocation::Kind kind) {
  std::unique_lock lock(allocations_mutex);
  allocations[base] = {base, bytes, kind, this_thread().current(), next_buffer_id++};
}

std::optional<Allocation> find_allocation(CUdeviceptr address) {
  std::shared_lock lock(allocations_mutex);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return std::nullopt;
  const Allocation& candidate = std::prev(after)->second;
  if (address - candidate.base >= candidate.bytes && address != candidate.base) return std::nullopt;
  return candidate;
}

bool forget_allocation(CUdeviceptr base, Allocation* was) {
  std::unique_lock lock(allocations_mutex);
  auto found = allocations.find(base);
  if (found == allocations.end()) return false;
  if (was) *was = found->second;
  allocations.erase(found);
  return true;
}

bool is_device_address(CUdeviceptr address) {
  const Client* client = Client::get();
  if (!client) return false;
  const abi::Snapshot& snapshot = client->snapshot();
  if (snapshot.window_size) return address - snapshot.window_base < snapshot.window_size;
  return find_allocation(address).has_value();
}

}  // namespace weft::interposer

using namespace weft::interposer;
using weft::abi::Op;

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
  if (!dptr || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemAlloc_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (CUresult result = refuse_while_capturing(); result != CUDA_SUCCESS) return result;
  command.value(static_cast<std::uint64_t>(bytesize));
  return allocate(command, dptr, bytesize, Allocation::Kind::plain);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes) {
  if (!dptr || !pPitch || !WidthInBytes || !Height) return CUDA_ERROR_INVALID_VALUE;
  if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemAllocPitch_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (CUresult result = refuse_while_capturing(); result != CUDA_SUCCESS) return result;
  command.value(static_cast<std::uint64_t>(WidthInBytes));
  command.value(static_cast<std::uint64_t>(Height));
  command.value(ElementSizeBytes);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *dptr = command.result<std::uint64_t>();
  *pPitch = command.result<std::uint64_t>();
  remember_allocation(*dptr, *pPitch * Height, Allocation::Kind::plain);
  return command.complete();
}

CUresult cuMemFree_v2(CUdeviceptr dptr) {
  Command command(Op::cuMemFree_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!dptr) return CUDA_SUCCESS;
  if (CUresult result = refuse_while_capturing(); result != CUDA_SUCCESS) return result;
  Allocation was;
  if (!forget_allocation(dptr, &was)) return CUDA_ERROR_INVALID_VALUE;
  if (was.kind == Allocation::Kind::managed) forget_managed(dptr);
  command.value(dptr);
  return command.post();
}

CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  if (!dptr || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemAllocAsync);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(static_cast<std::uint64_t>(bytesize));
  command.value(hStream);
  return allocate(command, dptr, bytesize, Allocation::Kind::async);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  if (!dptr || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemAllocFromPoolAsync);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(static_cast<std::uint64_t>(bytesize));
  command.value(pool);
  command.value(hStream);
  return allocate(command, dptr, bytesize, Allocation::Kind::async);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  Command command(Op::cuMemFreeAsync);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!dptr) return CUDA_ERROR_INVALID_VALUE;
  if (!forget_allocation(dptr) && !is_capturing(hStream)) return CUDA_ERROR_INVALID_VALUE;
  command.value(dptr);
  command.value(hStream);
  return command.post();
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (std::optional<Allocation> found = find_allocation(dptr)) {
    if (pbase) *pbase = found->base;
    if (psize) *psize = found->bytes;
    return CUDA_SUCCESS;
  }
  if (const std::optional<HostRegion> host = find_host_region(dptr)) {
    if (pbase) *pbase = host->address;
    if (psize) *psize = host->bytes;
    return CUDA_SUCCESS;
  }
  Command command(Op::cuMemGetAddressRange_v2);
  command.value(dptr);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const auto base = command.result<std::uint64_t>();
  const auto size = command.result<std::uint64_t>();
  if (pbase) *pbase = base;
  if (psize) *psize = size;
  return command.complete();
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
  if (!pdptr) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuIpcOpenMemHandle_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(handle);
  command.value(Flags);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *pdptr = command.result<std::uint64_t>();
  return command.complete();
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  Command command(Op::cuIpcCloseMemHandle);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(dptr);
  return command.call();
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemPoolSetAttribute);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const bool is_int = attr <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
  command.value(pool);
  command.value(static_cast<std::int32_t>(attr));
  command.value(is_int ? static_cast<std::uint64_t>(*static_cast<int*>(value)) : *static_cast<std::uint64_t*>(value));
  return command.call();
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuMemPoolGetAttribute);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const bool is_int = attr <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
  command.value(pool);
  command.value(static_cast<std::int32_t>(attr));
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const auto got = command.result<std::uint64_t>();
  if (is_int) *static_cast<int*>(value) = static_cast<int>(got);
  else *static_cast<std::uint64_t*>(value) = got;
  return command.complete();
}

}  // extern "C"
