// SPDX-License-Identifier: Apache-2.0
// 2-D and 3-D copies, and all copies of arrays. On the wire a host side is packed: only the bytes that are copied travel, never those between rows.
#include "interposer/capture.hpp"
#include "interposer/command.hpp"
#include "interposer/copy.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/managed.hpp"
#include "interposer/staging.hpp"

namespace weft::interposer {
namespace {

using abi::CopyBox;
using abi::HostSide;

/// Rows of host memory.
struct Rows {
  std::byte* first;
  std::size_t pitch, slice;  // bytes from row to row and from slice to slice

  std::byte* row(std::size_t y, std::size_t z) const { return first + z * slice + y * pitch; }
};

Rows source_rows(const CUDA_MEMCPY3D& c) {
  const std::size_t slice = c.srcPitch * (c.srcHeight ? c.srcHeight : c.Height);
  return {static_cast<std::byte*>(const_cast<void*>(c.srcHost)) + c.srcXInBytes + c.srcY * c.srcPitch + c.srcZ * slice, c.srcPitch, slice};
}

Rows destination_rows(const CUDA_MEMCPY3D& c) {
  const std::size_t slice = c.dstPitch * (c.dstHeight ? c.dstHeight : c.Height);
  return {static_cast<std::byte*>(c.dstHost) + c.dstXInBytes + c.dstY * c.dstPitch + c.dstZ * slice, c.dstPitch, slice};
}

/// From the first byte to behind the last.
std::size_t span_of(const Rows& rows, const CUDA_MEMCPY3D& c) { return rows.row(c.Height - 1, c.Depth - 1) + c.WidthInBytes - rows.first; }

/// Replaces UNIFIED by what the pointer is; refuses what can't be.
CUresult normalise(CUDA_MEMCPY3D& c) {
  if (c.srcMemoryType == CU_MEMORYTYPE_UNIFIED || (c.srcMemoryType == CU_MEMORYTYPE_HOST && side_of(reinterpret_cast<CUdeviceptr>(c.srcHost)) == Side::device)) {
    if (c.srcMemoryType == CU_MEMORYTYPE_HOST) c.srcDevice = reinterpret_cast<CUdeviceptr>(c.srcHost);
    c.srcMemoryType = side_of(c.srcDevice) == Side::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    c.srcHost = reinterpret_cast<void*>(c.srcDevice);
  }
  if (c.dstMemoryType == CU_MEMORYTYPE_UNIFIED || (c.dstMemoryType == CU_MEMORYTYPE_HOST && side_of(reinterpret_cast<CUdeviceptr>(c.dstHost)) == Side::device)) {
    if (c.dstMemoryType == CU_MEMORYTYPE_HOST) c.dstDevice = reinterpret_cast<CUdeviceptr>(c.dstHost);
    c.dstMemoryType = side_of(c.dstDevice) == Side::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    c.dstHost = reinterpret_cast<void*>(c.dstDevice);
  }
  for (CUmemorytype type : {c.srcMemoryType, c.dstMemoryType})
    if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  const bool rows = c.Height > 1 || c.Depth > 1;
  if (c.srcMemoryType != CU_MEMORYTYPE_ARRAY && rows && c.srcPitch < c.WidthInBytes + c.srcXInBytes) return CUDA_ERROR_INVALID_VALUE;
  if (c.dstMemoryType != CU_MEMORYTYPE_ARRAY && rows && c.dstPitch < c.WidthInBytes + c.dstXInBytes) return CUDA_ERROR_INVALID_VALUE;
  if ((c.srcMemoryType == CU_MEMORYTYPE_HOST && !c.srcHost) || (c.dstMemoryType == CU_MEMORYTYPE_HOST && !c.dstHost)) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/// Calls visit(piece) for boxes that together are the whole and have at most staging_chunk_bytes each.
template <typename Visit>
CUresult for_each_piece(const CUDA_MEMCPY3D& whole, Visit visit) {
  const std::size_t width = std::min(whole.WidthInBytes, staging_chunk_bytes);
  const std::size_t height = std::min(whole.Height, std::max<std::size_t>(1, staging_chunk_bytes / width));
  const std::size_t depth = std::min(whole.Depth, std::max<std::size_t>(1, staging_chunk_bytes / (width * height)));
  for (std::size_t z = 0; z < whole.Depth; z += depth) {
    for (std::size_t y = 0; y < whole.Height; y += height) {
      for (std::size_t x = 0; x < whole.WidthInBytes; x += width) {
        CUDA_MEMCPY3D piece = whole;
        piece.srcXInBytes += x, piece.srcY += y, piece.srcZ += z;
        piece.dstXInBytes += x, piece.dstY += y, piece.dstZ += z;
        if (!piece.srcHeight) piece.srcHeight = whole.Height;
        if (!piece.dstHeight) piece.dstHeight = whole.Height;
        piece.WidthInBytes = std::min(width, whole.WidthInBytes - x);
        piece.Height = std::min(height, whole.Height - y);
        piece.Depth = std::min(depth, whole.Depth - z);
        if (CUresult result = visit(piece); result != CUDA_SUCCESS) return result;
      }
    }
  }
  return CUDA_SUCCESS;
}

CUresult post_box(const CopyBox& box, Bytes payload = {}) {
  Command command(abi::Op::cuMemcpy3DAsync_v2);
  command.value(box);
  return command.post(payload);
}

void packed_source(CUDA_MEMCPY3D& c) {
  c.srcXInBytes = c.srcY = c.srcZ = 0;
  c.srcPitch = c.WidthInBytes;
  c.srcHeight = c.Height;
  c.srcHost = nullptr;
}

void packed_destination(CUDA_MEMCPY3D& c) {
  c.dstXInBytes = c.dstY = c.dstZ = 0;
  c.dstPitch = c.WidthInBytes;
  c.dstHeight = c.Height;
  c.dstHost = nullptr;
}

/// The rows one behind the other; borrowed where they lie so already.
Bytes pack(const CUDA_MEMCPY3D& c, std::vector<std::byte>& buffer) {
  const Rows rows = source_rows(c);
  const std::size_t total = c.WidthInBytes * c.Height * c.Depth;
  if (span_of(rows, c) == total) return {rows.first, total};
  buffer.resize(total);
  std::byte* to = buffer.data();
  for (std::size_t z = 0; z < c.Depth; ++z)
    for (std::size_t y = 0; y < c.Height; ++y, to += c.WidthInBytes) std::memcpy(to, rows.row(y, z), c.WidthInBytes);
  return buffer;
}

CUresult host_to_device(const CUDA_MEMCPY3D& whole, CUstream stream) {
  std::vector<std::byte> buffer;
  return for_each_piece(whole, [&](CUDA_MEMCPY3D piece) {
    const Bytes bytes = pack(piece, buffer);
    CopyBox box{.copy = piece, .stream = abi::from_cuda(stream).bits, .from = HostSide::payload, .to = HostSide::none};
    packed_source(box.copy);
    if (bytes.size() <= wire::max_inline_payload_bytes) return post_box(box, bytes);
    StagingLock ring;
    Staged staged;
    if (CUresult result = ring.stage(bytes, &staged); result != CUDA_SUCCESS) return result;
    box.from = HostSide::staging;
    box.offset = staged.offset;
    box.ticket = staged.ticket;
    return post_box(box);
  });
}

CUresult device_to_host(const CUDA_MEMCPY3D& whole, CUstream stream) {
  std::vector<std::byte> buffer;
  return for_each_piece(whole, [&](CUDA_MEMCPY3D piece) {
    const Rows rows = destination_rows(piece);
    const std::size_t total = piece.WidthInBytes * piece.Height * piece.Depth;
    const bool dense = span_of(rows, piece) == total;
    if (!dense) buffer.resize(total);
    std::byte* to = dense ? rows.first : buffer.data();
    Command command(abi::Op::cuMemcpy3DAsync_v2);
    const std::uint64_t key = command.client()->register_memory({to, total});
    CopyBox box{.copy = piece, .stream = abi::from_cuda(stream).bits, .from = HostSide::none, .to = HostSide::put, .key = key};
    packed_destination(box.copy);
    command.value(box);
    CUresult result = command.call();
    command.client()->deregister_memory(key);
    if (result != CUDA_SUCCESS || dense) return result;
    for (std::size_t z = 0; z < piece.Depth; ++z)
      for (std::size_t y = 0; y < piece.Height; ++y, to += piece.WidthInBytes) std::memcpy(rows.row(y, z), to, piece.WidthInBytes);
    return CUDA_SUCCESS;
  });
}

/// Captured, or asynchronous and pinned: the worker copies from or to the mirror, with the program's own pitches.
CUresult through_mirror(const CUDA_MEMCPY3D& c, CUstream stream, bool capturing, bool* possible) {
  const bool from_host = c.srcMemoryType == CU_MEMORYTYPE_HOST;
  const Rows rows = from_host ? source_rows(c) : destination_rows(c);
  const std::size_t span = span_of(rows, c);
  const std::optional<HostRegion> mirror = capturing ? ensure_mirror(rows.first, span) : find_mirror(rows.first, span);
  *possible = mirror.has_value();
  if (!mirror) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  const auto address = reinterpret_cast<std::uint64_t>(rows.first);
  CopyBox box{.copy = c, .stream = abi::from_cuda(stream).bits, .from = from_host ? HostSide::mirror : HostSide::none,
              .to = from_host ? HostSide::none : HostSide::mirror, .key = mirror->client_key, .key_offset = address - mirror->address};
  if (!from_host) {
    copy_to_host_pending(address, span);
    return post_box(box);
  }
  if (capturing) {
    captured_copy_from_host(capture_of(stream)->id, address, span);
  } else {
    if (CUresult result = finish_copies_to(address, span); result != CUDA_SUCCESS) return result;
    if (CUresult result = push_to_mirror(*mirror, address, span); result != CUDA_SUCCESS) return result;
  }
  return post_box(box);
}

CUresult host_to_host(const CUDA_MEMCPY3D& c, CUstream stream) {
  if (CUresult result = cuStreamSynchronize(stream); result != CUDA_SUCCESS) return result;
  const Rows from = source_rows(c), to = destination_rows(c);
  for (std::size_t z = 0; z < c.Depth; ++z)
    for (std::size_t y = 0; y < c.Height; ++y) std::memcpy(to.row(y, z), from.row(y, z), c.WidthInBytes);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult copy_box(const CUDA_MEMCPY3D& given, CUstream stream_argument, bool asynchronous) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!this_thread().current()) return CUDA_ERROR_INVALID_CONTEXT;
  CUDA_MEMCPY3D c = given;
  if (!c.WidthInBytes || !c.Height || !c.Depth) return CUDA_SUCCESS;
  if (CUresult result = normalise(c); result != CUDA_SUCCESS) return result;
  if (c.srcMemoryType == CU_MEMORYTYPE_DEVICE) before_device_access(c.srcDevice, 1);
  if (c.dstMemoryType == CU_MEMORYTYPE_DEVICE) before_device_access(c.dstDevice, 1);
  const CUstream stream = resolve_stream(stream_argument);
  const bool from_host = c.srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c.dstMemoryType == CU_MEMORYTYPE_HOST;
  if (from_host && to_host) return host_to_host(c, stream);
  if (!from_host && !to_host) return post_box({.copy = c, .stream = abi::from_cuda(stream).bits, .from = HostSide::none, .to = HostSide::none});
  const bool capturing = is_capturing(stream);
  if (capturing || (asynchronous && to_host)) {
    bool possible;
    CUresult result = through_mirror(c, stream, capturing, &possible);
    if (possible || capturing) return result;
  }
  return from_host ? host_to_device(c, stream) : device_to_host(c, stream);
}

CUresult box_for_node(const CUDA_MEMCPY3D& given, CUgraph graph, CopyBox* box) {
  CUDA_MEMCPY3D c = given;
  if (CUresult result = normalise(c); result != CUDA_SUCCESS) return result;
  *box = {.copy = c, .stream = 0, .from = HostSide::none, .to = HostSide::none};
  const bool from_host = c.srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c.dstMemoryType == CU_MEMORYTYPE_HOST;
  if (from_host && to_host) return CUDA_ERROR_NOT_SUPPORTED;
  if (!from_host && !to_host) return CUDA_SUCCESS;
  const Rows rows = from_host ? source_rows(c) : destination_rows(c);
  const std::size_t span = span_of(rows, c);
  const std::optional<HostRegion> mirror = ensure_mirror(rows.first, span);
  if (!mirror) return CUDA_ERROR_NOT_SUPPORTED;
  const auto address = reinterpret_cast<std::uint64_t>(rows.first);
  (from_host ? box->from : box->to) = HostSide::mirror;
  box->key = mirror->client_key;
  box->key_offset = address - mirror->address;
  if (from_host) graph_copy_from_host(graph, address, span);
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer

using namespace weft::interposer;

namespace {

CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D& c) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = c.srcXInBytes, box.srcY = c.srcY, box.srcMemoryType = c.srcMemoryType, box.srcHost = c.srcHost;
  box.srcDevice = c.srcDevice, box.srcArray = c.srcArray, box.srcPitch = c.srcPitch;
  box.dstXInBytes = c.dstXInBytes, box.dstY = c.dstY, box.dstMemoryType = c.dstMemoryType, box.dstHost = c.dstHost;
  box.dstDevice = c.dstDevice, box.dstArray = c.dstArray, box.dstPitch = c.dstPitch;
  box.WidthInBytes = c.WidthInBytes, box.Height = c.Height, box.Depth = 1;
  return box;
}

CUDA_MEMCPY3D box_of(const CUDA_MEMCPY3D_PEER& c) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = c.srcXInBytes, box.srcY = c.srcY, box.srcZ = c.srcZ, box.srcLOD = c.srcLOD, box.srcMemoryType = c.srcMemoryType;
  box.srcHost = c.srcHost, box.srcDevice = c.srcDevice, box.srcArray = c.srcArray, box.srcPitch = c.srcPitch, box.srcHeight = c.srcHeight;
  box.dstXInBytes = c.dstXInBytes, box.dstY = c.dstY, box.dstZ = c.dstZ, box.dstLOD = c.dstLOD, box.dstMemoryType = c.dstMemoryType;
  box.dstHost = c.dstHost, box.dstDevice = c.dstDevice, box.dstArray = c.dstArray, box.dstPitch = c.dstPitch, box.dstHeight = c.dstHeight;
  box.WidthInBytes = c.WidthInBytes, box.Height = c.Height, box.Depth = c.Depth;
  return box;
}

struct End {
  CUmemorytype type;
  void* host = nullptr;
  CUdeviceptr device = 0;
  CUarray array = nullptr;
  size_t offset = 0;
};

CUresult copy_line(const End& to, const End& from, size_t bytes, CUstream stream, bool asynchronous) {
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = from.type, box.srcHost = from.host, box.srcDevice = from.device, box.srcArray = from.array, box.srcXInBytes = from.offset;
  box.dstMemoryType = to.type, box.dstHost = to.host, box.dstDevice = to.device, box.dstArray = to.array, box.dstXInBytes = to.offset;
  box.WidthInBytes = bytes, box.Height = 1, box.Depth = 1;
  return copy_box(box, stream, asynchronous);
}

End array_end(CUarray array, size_t offset) { return {.type = CU_MEMORYTYPE_ARRAY, .array = array, .offset = offset}; }
End host_end(const void* host) { return {.type = CU_MEMORYTYPE_HOST, .host = const_cast<void*>(host)}; }
End device_end(CUdeviceptr device) { return {.type = CU_MEMORYTYPE_DEVICE, .device = device}; }

}  // namespace

extern "C" {

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) { return pCopy ? copy_box(box_of(*pCopy), nullptr, false) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) { return cuMemcpy2D_v2(pCopy); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return pCopy ? copy_box(box_of(*pCopy), hStream, true) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) { return pCopy ? copy_box(*pCopy, nullptr, false) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) { return pCopy ? copy_box(*pCopy, hStream, true) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy) { return pCopy ? copy_box(box_of(*pCopy), nullptr, false) : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return pCopy ? copy_box(box_of(*pCopy), hStream, true) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_line(array_end(dstArray, dstOffset), device_end(srcDevice), ByteCount, nullptr, false);
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_line(device_end(dstDevice), array_end(srcArray, srcOffset), ByteCount, nullptr, false);
}
CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount) {
  return copy_line(array_end(dstArray, dstOffset), host_end(srcHost), ByteCount, nullptr, false);
}
CUresult cuMemcpyAtoH_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_line(host_end(dstHost), array_end(srcArray, srcOffset), ByteCount, nullptr, false);
}
CUresult cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_line(array_end(dstArray, dstOffset), array_end(srcArray, srcOffset), ByteCount, nullptr, false);
}
CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, CUstream hStream) {
  return copy_line(array_end(dstArray, dstOffset), host_end(srcHost), ByteCount, hStream, true);
}
CUresult cuMemcpyAtoHAsync_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream) {
  return copy_line(host_end(dstHost), array_end(srcArray, srcOffset), ByteCount, hStream, true);
}

}  // extern "C"
