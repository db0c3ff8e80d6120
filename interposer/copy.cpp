// SPDX-License-Identifier: Apache-2.0
#include "interposer/copy.hpp"

#include "interposer/capture.hpp"
#include "interposer/command.hpp"
#include "interposer/device_memory.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/managed.hpp"
#include "interposer/staging.hpp"

namespace weft::interposer {
namespace {

using abi::HostSide;
using abi::Op;

Bytes bytes_at(const void* memory, std::size_t bytes) { return {static_cast<const std::byte*>(memory), bytes}; }

CUresult send_to_device(abi::CopyToDevice copy, Bytes payload = {}) {
  Command command(Op::cuMemcpyHtoDAsync_v2);
  command.value(copy);
  return command.post(payload);
}

CUresult copy_through_staging(CUdeviceptr destination, const std::byte* source, std::size_t bytes, std::uint64_t stream) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t size = std::min(bytes - done, staging_chunk_bytes);
    StagingLock ring;
    Staged staged;
    if (CUresult result = ring.stage({source + done, size}, &staged); result != CUDA_SUCCESS) return result;
    CUresult result = send_to_device({.destination = destination + done, .size = size, .stream = stream, .from = HostSide::staging,
                                      .source = staged.offset, .ticket = staged.ticket});
    if (result != CUDA_SUCCESS) return result;
    done += size;
  }
  return CUDA_SUCCESS;
}

CUresult capture_copy_to_device(CUdeviceptr destination, const void* source, std::size_t bytes, CUstream stream) {
  std::optional<HostRegion> mirror = ensure_mirror(source, bytes);
  if (!mirror) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  captured_copy_from_host(capture_of(stream)->id, reinterpret_cast<std::uint64_t>(source), bytes);
  return send_to_device({.destination = destination, .size = bytes, .stream = abi::from_cuda(stream).bits, .from = HostSide::mirror,
                         .source = reinterpret_cast<std::uint64_t>(source)});
}

CUresult send_to_mirror(const HostRegion& mirror, void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  const auto address = reinterpret_cast<std::uint64_t>(destination);
  copy_to_host_pending(address, bytes);
  Command command(Op::cuMemcpyDtoHAsync_v2);
  command.value(abi::CopyFromDevice{.source = source, .size = bytes, .stream = abi::from_cuda(stream).bits, .to = HostSide::mirror,
                                    .destination = address, .key = mirror.client_key, .offset = address - mirror.address});
  return command.post();
}

CUresult fetch_in_reply(void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  Command command(Op::cuMemcpyDtoHAsync_v2);
  command.value(abi::CopyFromDevice{.source = source, .size = bytes, .stream = abi::from_cuda(stream).bits, .to = HostSide::reply});
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const Bytes data = command.results().remaining();
  if (data.size() != bytes) return CUDA_ERROR_UNKNOWN;
  std::memcpy(destination, data.data(), bytes);
  return CUDA_SUCCESS;
}

CUresult fetch_by_put(void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  Command command(Op::cuMemcpyDtoHAsync_v2);
  const std::uint64_t key = command.client()->register_memory({static_cast<std::byte*>(destination), bytes});
  command.value(abi::CopyFromDevice{.source = source, .size = bytes, .stream = abi::from_cuda(stream).bits, .to = HostSide::put, .key = key});
  CUresult result = command.call();
  command.client()->deregister_memory(key);
  return result;
}

/// Host to host, in stream order.
CUresult copy_on_host(void* destination, const void* source, std::size_t bytes, CUstream stream) {
  if (CUresult result = cuStreamSynchronize(stream); result != CUDA_SUCCESS) return result;
  std::memmove(destination, source, bytes);
  return CUDA_SUCCESS;
}

}  // namespace

Side side_of(CUdeviceptr pointer) { return is_device_address(pointer) ? Side::device : Side::host; }

CUresult check_device_range(CUdeviceptr address, std::size_t bytes) {
  if (!this_thread().current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!is_device_address(address)) return find_mirror(reinterpret_cast<void*>(address), bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  const std::optional<Allocation> known = find_allocation(address);
  return known && bytes > known->bytes - (address - known->base) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult copy_to_device(CUdeviceptr destination, const void* source, std::size_t bytes, CUstream stream_argument) {
  Client* client = Client::get();
  if (!client) return CUDA_ERROR_NOT_INITIALIZED;
  if (!bytes) return CUDA_SUCCESS;
  if (!source) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = check_device_range(destination, bytes); result != CUDA_SUCCESS) return result;
  if (side_of(reinterpret_cast<CUdeviceptr>(source)) == Side::device) return copy_on_device(destination, reinterpret_cast<CUdeviceptr>(source), bytes, stream_argument);
  before_device_access(destination, bytes);
  const CUstream stream = resolve_stream(stream_argument);
  const auto address = reinterpret_cast<std::uint64_t>(source);
  if (is_capturing(stream)) return capture_copy_to_device(destination, source, bytes, stream);
  if (CUresult result = finish_copies_to(address, bytes); result != CUDA_SUCCESS) return result;
  const std::uint64_t bits = abi::from_cuda(stream).bits;
  if (bytes <= wire::max_inline_payload_bytes)
    return send_to_device({.destination = destination, .size = bytes, .stream = bits, .from = HostSide::payload}, bytes_at(source, bytes));
  if (std::optional<HostRegion> mirror = find_mirror(source, bytes)) {
    if (CUresult result = push_to_mirror(*mirror, address, bytes); result != CUDA_SUCCESS) return result;
    return send_to_device({.destination = destination, .size = bytes, .stream = bits, .from = HostSide::mirror, .source = address});
  }
  return copy_through_staging(destination, static_cast<const std::byte*>(source), bytes, bits);
}

CUresult copy_from_device(void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream_argument, bool asynchronous) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!bytes) return CUDA_SUCCESS;
  if (!destination) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = check_device_range(source, bytes); result != CUDA_SUCCESS) return result;
  if (side_of(reinterpret_cast<CUdeviceptr>(destination)) == Side::device)
    return copy_on_device(reinterpret_cast<CUdeviceptr>(destination), source, bytes, stream_argument);
  before_device_access(source, bytes);
  const CUstream stream = resolve_stream(stream_argument);
  const bool capturing = is_capturing(stream);
  std::optional<HostRegion> mirror = capturing ? ensure_mirror(destination, bytes) : find_mirror(destination, bytes);
  if (capturing && !mirror) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (mirror && (asynchronous || capturing)) return send_to_mirror(*mirror, destination, source, bytes, stream);
  return bytes <= wire::max_inline_payload_bytes ? fetch_in_reply(destination, source, bytes, stream) : fetch_by_put(destination, source, bytes, stream);
}

CUresult copy_on_device(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  Command command(Op::cuMemcpyDtoDAsync_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!bytes) return CUDA_SUCCESS;
  for (CUdeviceptr side : {destination, source})
    if (CUresult result = check_device_range(side, bytes); result != CUDA_SUCCESS) return result;
  before_device_access(destination, bytes);
  before_device_access(source, bytes);
  command.value(abi::CopyOnDevice{destination, source, bytes, abi::from_cuda(resolve_stream(stream)).bits});
  return command.post();
}

CUresult copy_unified(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream, bool asynchronous) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  const bool from_device = side_of(source) == Side::device, to_device = side_of(destination) == Side::device;
  if (from_device && to_device) return copy_on_device(destination, source, bytes, stream);
  if (to_device) return copy_to_device(destination, reinterpret_cast<const void*>(source), bytes, stream);
  if (from_device) return copy_from_device(reinterpret_cast<void*>(destination), source, bytes, stream, asynchronous);
  return copy_on_host(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), bytes, stream);
}

}  // namespace weft::interposer

using namespace weft::interposer;

extern "C" {

CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  if (CUresult result = refuse_if_stream_captures(nullptr); result != CUDA_SUCCESS) return result;
  return copy_to_device(dstDevice, srcHost, ByteCount, nullptr);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream) {
  return copy_to_device(dstDevice, srcHost, ByteCount, hStream);
}

CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  if (CUresult result = refuse_if_stream_captures(nullptr); result != CUDA_SUCCESS) return result;
  return copy_from_device(dstHost, srcDevice, ByteCount, nullptr, false);
}

CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_from_device(dstHost, srcDevice, ByteCount, hStream, true);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  if (CUresult result = refuse_if_stream_captures(nullptr); result != CUDA_SUCCESS) return result;
  return copy_on_device(dstDevice, srcDevice, ByteCount, nullptr);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_on_device(dstDevice, srcDevice, ByteCount, hStream);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  if (CUresult result = refuse_if_stream_captures(nullptr); result != CUDA_SUCCESS) return result;
  return copy_unified(dst, src, ByteCount, nullptr, false);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) { return copy_unified(dst, src, ByteCount, hStream, true); }

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream) {
  weft::interposer::Command command(weft::abi::Op::cuMemcpyPeerAsync);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!ByteCount) return CUDA_SUCCESS;
  command.value(weft::abi::CopyPeer{dstDevice, weft::abi::from_cuda(dstContext).bits, srcDevice, weft::abi::from_cuda(srcContext).bits, ByteCount,
                                    weft::abi::from_cuda(resolve_stream(hStream)).bits});
  return command.post();
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount) {
  return cuMemcpyPeerAsync(dstDevice, dstContext, srcDevice, srcContext, ByteCount, nullptr);
}

}  // extern "C"
