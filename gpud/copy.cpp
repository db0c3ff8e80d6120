// SPDX-License-Identifier: Apache-2.0
// Copies and memsets. Copies to the device are enqueued in order; copies back to pageable memory wait for the GPU beside the ordered stream.
#include <algorithm>

#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

using abi::HostSide;

CUstream stream_argument(Call& call, std::uint64_t bits) {
  CUstream stream = nullptr;
  if (!call.session().handles().find(bits, &stream)) call.set_bad_handle();
  return stream;
}

/// An event of this scope.
class Event {
 public:
  explicit Event(const DriverTable& driver) : driver_(driver) { driver_.cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING); }
  ~Event() {
    if (event_) driver_.cuEventDestroy_v2(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  CUresult record(CUstream stream) { return event_ ? driver_.cuEventRecord(event_, stream) : driver_.cuStreamSynchronize(stream); }
  CUresult wait() { return event_ ? driver_.cuEventSynchronize(event_) : CUDA_SUCCESS; }

 private:
  const DriverTable& driver_;
  CUevent event_ = nullptr;
};

/// Copies piece by piece: while one is being sent the next is being copied.
CUresult copy_by_put(Call& call, const abi::CopyFromDevice& copy, CUstream stream) {
  const DriverTable& driver = call.driver();
  BounceBuffers::Buffer buffers[] = {BounceBuffers::Buffer(call.session().bounce_buffers()), BounceBuffers::Buffer(call.session().bounce_buffers())};
  Event copied[] = {Event(driver), Event(driver)};
  if (!buffers[0].memory() || !buffers[1].memory()) return CUDA_ERROR_OUT_OF_MEMORY;
  auto length = [&](std::uint64_t at) { return std::min<std::uint64_t>(bounce_bytes, copy.size - at); };
  auto start = [&](std::uint64_t at) {
    const std::size_t which = at / bounce_bytes % 2;
    CUresult result = driver.cuMemcpyDtoHAsync_v2(buffers[which].memory(), copy.source + at, length(at), stream);
    return result == CUDA_SUCCESS ? copied[which].record(stream) : result;
  };
  CUresult result = start(0);
  for (std::uint64_t at = 0; at < copy.size && result == CUDA_SUCCESS; at += bounce_bytes) {
    const std::size_t which = at / bounce_bytes % 2;
    CUresult next = at + bounce_bytes < copy.size ? start(at + bounce_bytes) : CUDA_SUCCESS;
    result = copied[which].wait();
    if (result != CUDA_SUCCESS) break;
    if (call.session().connection().put({buffers[which].memory(), length(at)}, copy.key, copy.offset + at)) break;  // the client has gone
    result = next;
  }
  return result;
}

bool stream_is_idle(Call& call, CUstream stream) { return call.driver().cuStreamQuery(stream) != CUDA_ERROR_NOT_READY; }

bool is_capturing(Call& call, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return call.driver().cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// Where a host side's rows lie in mirrored memory; nothing where it isn't all one mirror's.
bool find_rows(Call& call, const CUDA_MEMCPY3D& c, bool source, MirrorRows* rows) {
  const std::uint64_t pitch = source ? c.srcPitch : c.dstPitch, height = source ? c.srcHeight : c.dstHeight;
  const auto base = reinterpret_cast<std::uint64_t>(source ? c.srcHost : c.dstHost);
  std::uint64_t slice, rows_before, slices_before;
  if (__builtin_mul_overflow(pitch, height ? height : c.Height, &slice)) return false;
  if (__builtin_mul_overflow(source ? c.srcY : c.dstY, pitch, &rows_before) || __builtin_mul_overflow(source ? c.srcZ : c.dstZ, slice, &slices_before)) return false;
  *rows = {.address = base + (source ? c.srcXInBytes : c.dstXInBytes) + rows_before + slices_before, .width = c.WidthInBytes, .height = c.Height, .depth = c.Depth,
           .pitch = pitch, .slice = slice};
  return rows->span() != 0 && call.session().mirrors().contains(rows->address, rows->span());
}

bool packed_bytes(const CUDA_MEMCPY3D& c, std::uint64_t* bytes) {
  std::uint64_t rows;
  return !__builtin_mul_overflow(c.Height, c.Depth, &rows) && !__builtin_mul_overflow(rows, c.WidthInBytes, bytes) && *bytes > 0;
}

void set_packed_source(CUDA_MEMCPY3D& c, const void* memory) {
  c.srcMemoryType = CU_MEMORYTYPE_HOST;
  c.srcHost = memory;
  c.srcXInBytes = c.srcY = c.srcZ = 0;
  c.srcPitch = c.WidthInBytes;
  c.srcHeight = c.Height;
}

void set_packed_destination(CUDA_MEMCPY3D& c, void* memory) {
  c.dstMemoryType = CU_MEMORYTYPE_HOST;
  c.dstHost = memory;
  c.dstXInBytes = c.dstY = c.dstZ = 0;
  c.dstPitch = c.WidthInBytes;
  c.dstHeight = c.Height;
}

bool find_arrays(Call& call, CUDA_MEMCPY3D& c) {
  Handles& handles = call.session().handles();
  if (c.srcMemoryType == CU_MEMORYTYPE_ARRAY && !handles.find(reinterpret_cast<std::uint64_t>(c.srcArray), &c.srcArray)) return false;
  if (c.dstMemoryType == CU_MEMORYTYPE_ARRAY && !handles.find(reinterpret_cast<std::uint64_t>(c.dstArray), &c.dstArray)) return false;
  c.reserved0 = c.reserved1 = nullptr;
  return true;
}

/// Gives the host side that is a source its memory here. False where the message does not fit itself.
bool find_source(Call& call, abi::CopyBox& box, Bytes payload) {
  std::uint64_t bytes;
  MirrorRows rows;
  switch (box.from) {
    case HostSide::none: return box.copy.srcMemoryType != CU_MEMORYTYPE_HOST && payload.empty();
    case HostSide::mirror: return payload.empty() && find_rows(call, box.copy, true, &rows);
    case HostSide::payload:
      if (!packed_bytes(box.copy, &bytes) || bytes != payload.size()) return false;
      set_packed_source(box.copy, payload.data());
      return true;
    case HostSide::staging: {
      const std::byte* staged = packed_bytes(box.copy, &bytes) && payload.empty() ? call.session().staging().at(box.offset, bytes) : nullptr;
      if (!staged) return false;
      set_packed_source(box.copy, staged);
      return true;
    }
    default: return false;
  }
}

void copy_box_back(Call& call, abi::CopyBox& box, CUstream stream) {
  std::uint64_t bytes;
  if (!packed_bytes(box.copy, &bytes) || bytes > bounce_bytes) return call.finish(CUDA_ERROR_INVALID_VALUE);
  BounceBuffers::Buffer buffer(call.session().bounce_buffers());
  if (!buffer.memory()) return call.finish(CUDA_ERROR_OUT_OF_MEMORY);
  set_packed_destination(box.copy, buffer.memory());
  if (!stream_is_idle(call, stream)) call.hand_over();
  Event copied(call.driver());
  CUresult result = call.driver().cuMemcpy3DAsync_v2(&box.copy, stream);
  if (result == CUDA_SUCCESS) result = copied.record(stream);
  if (result == CUDA_SUCCESS) result = copied.wait();
  if (result == CUDA_SUCCESS) (void)call.session().connection().put({buffer.memory(), bytes}, box.key, box.key_offset);
  call.finish_synchronised(result);
}

}  // namespace

void cuMemcpyHtoDAsync_v2(Call& call) {
  const auto copy = call.value<abi::CopyToDevice>();
  const Bytes payload = call.remaining();
  const CUstream stream = stream_argument(call, copy.stream);
  if (!call.ready()) return;
  const void* source = nullptr;
  switch (copy.from) {
    case HostSide::payload: source = payload.size() == copy.size ? payload.data() : nullptr; break;
    case HostSide::staging: source = call.session().staging().at(copy.source, copy.size); break;
    case HostSide::mirror:
      if (call.session().mirrors().contains(copy.source, copy.size)) source = reinterpret_cast<const void*>(copy.source);
      break;
    default: break;
  }
  if (!source) return call.session().fail("a copy to the device without its bytes");
  CUresult result = call.driver().cuMemcpyHtoDAsync_v2(copy.destination, source, copy.size, stream);
  if (copy.from == HostSide::staging) call.session().staging().enqueued(copy.ticket, stream);
  call.finish(result);
}

void cuMemcpyDtoHAsync_v2(Call& call) {
  const auto copy = call.value<abi::CopyFromDevice>();
  const CUstream stream = stream_argument(call, copy.stream);
  if (!call.ready()) return;
  if (copy.to == HostSide::mirror) {
    if (!call.session().mirrors().contains(copy.destination, copy.size)) return call.finish(CUDA_ERROR_INVALID_VALUE);
    void* destination = reinterpret_cast<void*>(copy.destination);
    CUresult result = call.driver().cuMemcpyDtoHAsync_v2(destination, copy.source, copy.size, stream);
    if (result == CUDA_SUCCESS && !is_capturing(call, stream)) call.session().mirrors().deliver_after(stream, {{.address = copy.destination, .width = copy.size}});
    return call.finish(result);
  }
  const bool small = copy.to == HostSide::reply && copy.size <= wire::max_inline_payload_bytes;
  if ((!small && copy.to != HostSide::put) || copy.size == 0) return call.finish(CUDA_ERROR_INVALID_VALUE);
  if (!small || !stream_is_idle(call, stream)) call.hand_over();
  if (!small) return call.finish_synchronised(copy_by_put(call, copy, stream));
  std::byte* bytes = call.append_room(copy.size);
  // To pageable memory: returns when the bytes are there.
  call.finish_synchronised(call.driver().cuMemcpyDtoHAsync_v2(bytes, copy.source, copy.size, stream));
}

void cuMemcpyDtoDAsync_v2(Call& call) {
  const auto copy = call.value<abi::CopyOnDevice>();
  const CUstream stream = stream_argument(call, copy.stream);
  if (call.ready()) call.finish(call.driver().cuMemcpyDtoDAsync_v2(copy.destination, copy.source, copy.size, stream));
}

void cuMemcpyPeerAsync(Call& call) {
  const auto copy = call.value<abi::CopyPeer>();
  const CUstream stream = stream_argument(call, copy.stream);
  CUcontext from = nullptr, to = nullptr;
  Handles& handles = call.session().handles();
  if (!handles.find(copy.source_context, &from) || !handles.find(copy.destination_context, &to)) call.set_bad_handle();
  if (call.ready()) call.finish(call.driver().cuMemcpyPeerAsync(copy.destination, to, copy.source, from, copy.size, stream));
}

void cuMemcpy3DAsync_v2(Call& call) {
  auto box = call.value<abi::CopyBox>();
  const Bytes payload = call.remaining();
  const CUstream stream = stream_argument(call, box.stream);
  if (!find_arrays(call, box.copy)) call.set_bad_handle();
  if (!call.ready()) return;
  if (!find_source(call, box, payload)) return call.session().fail("a copy of a box without its bytes");
  if (box.to == HostSide::put) return copy_box_back(call, box, stream);
  MirrorRows rows;
  const bool to_mirror = box.to == HostSide::mirror && find_rows(call, box.copy, false, &rows);
  if (!to_mirror && (box.to != HostSide::none || box.copy.dstMemoryType == CU_MEMORYTYPE_HOST)) return call.finish(CUDA_ERROR_INVALID_VALUE);
  CUresult result = call.driver().cuMemcpy3DAsync_v2(&box.copy, stream);
  if (box.from == HostSide::staging) call.session().staging().enqueued(box.ticket, stream);
  if (to_mirror && result == CUDA_SUCCESS && !is_capturing(call, stream)) call.session().mirrors().deliver_after(stream, {rows});
  call.finish(result);
}

bool find_box_memory(Call& call, abi::CopyBox& box) {
  MirrorRows rows;
  if (box.from != HostSide::none && box.from != HostSide::mirror) return false;
  if (box.copy.dstMemoryType == CU_MEMORYTYPE_HOST && !find_rows(call, box.copy, false, &rows)) return false;
  return find_arrays(call, box.copy) && find_source(call, box, {});
}

void cuMemsetD2D8Async(Call& call) {
  const auto set = call.value<abi::Memset>();
  const CUstream stream = stream_argument(call, set.stream);
  if (!call.ready()) return;
  const DriverTable& driver = call.driver();
  const auto byte = static_cast<unsigned char>(set.value);
  const auto half = static_cast<unsigned short>(set.value);
  const bool line = set.height <= 1;
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  switch (set.element_bytes) {
    case 1:
      result = line ? driver.cuMemsetD8Async(set.destination, byte, set.width, stream)
                    : driver.cuMemsetD2D8Async(set.destination, set.pitch, byte, set.width, set.height, stream);
      break;
    case 2:
      result = line ? driver.cuMemsetD16Async(set.destination, half, set.width, stream)
                    : driver.cuMemsetD2D16Async(set.destination, set.pitch, half, set.width, set.height, stream);
      break;
    case 4:
      result = line ? driver.cuMemsetD32Async(set.destination, set.value, set.width, stream)
                    : driver.cuMemsetD2D32Async(set.destination, set.pitch, set.value, set.width, set.height, stream);
      break;
    default: break;
  }
  call.finish(result);
}

void staging_wait(Call& call) {
  const auto ticket = call.value<std::uint64_t>();
  if (!call.ready()) return;
  call.hand_over();
  call.add(call.session().staging().wait(ticket));
  call.finish(CUDA_SUCCESS);
}

}  // namespace weft::gpud
