// SPDX-License-Identifier: Apache-2.0
// Copies and memsets.
#include <algorithm>
#include <cstring>

#include "softgpu/graph.hpp"
#include "softgpu/texture.hpp"

using namespace weft::softgpu;

namespace {

constexpr std::size_t short_bytes = 64 << 10;  // done at once on an idle stream, cheaper than waking a thread

constexpr std::uint64_t lowest_address = 4096;       // null, and what is near it

enum class Host { none, source, destination };

/// One copy of bytes: which side is plain memory of the host's decides whether the call waits.
struct Line {
  std::uint64_t to, from;
  std::size_t bytes;
  Host pageable_allowed_at = Host::none;  // the side that need not be memory the driver knows
};

/// A side that must be known is checked; a known one may not run over its end.
bool reachable(const Memory& memory, std::uint64_t address, std::size_t bytes, bool may_be_unknown) {
  if (address < lowest_address) return false;
  if (memory.contains(address, bytes)) return true;
  return may_be_unknown && !memory.find(address);
}

bool is_pageable(const Memory& memory, std::uint64_t address) { return !memory.find(address).has_value(); }

/// Copies in stream order. From pageable memory the bytes are taken at once; to pageable memory the call waits, as it does where \`wait\`.
CUresult copy(const Line& line, CUstream stream, bool wait, bool either_side_unknown = false) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, stream, &target); result != CUDA_SUCCESS) return result;
  if (line.bytes == 0) return CUDA_SUCCESS;
  const Memory& memory = entry.driver().memory;
  const bool from_unknown = either_side_unknown || line.pageable_allowed_at == Host::source;
  const bool to_unknown = either_side_unknown || line.pageable_allowed_at == Host::destination;
  if (!reachable(memory, line.from, line.bytes, from_unknown) || !reachable(memory, line.to, line.bytes, to_unknown)) return CUDA_ERROR_INVALID_VALUE;
  const bool from_pageable = is_pageable(memory, line.from), to_pageable = is_pageable(memory, line.to);
  auto* to = reinterpret_cast<void*>(line.to);
  auto* from = reinterpret_cast<const void*>(line.from);
  const std::size_t bytes = line.bytes;
  if (target.captured()) {
    target.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    enqueue(target, [=] { std::memmove(to, from, bytes); });
    return CUDA_SUCCESS;
  }
  wait |= to_pageable;
  const std::vector<Ticket> after = dependencies(target);
  const bool at_once = target.queue->idle() && std::all_of(after.begin(), after.end(), [](const Ticket& t) { return t.done(); });
  Ticket ticket;
  if (from_pageable && !wait && !at_once) {
    auto staged = std::make_shared<std::vector<std::byte>>(static_cast<const std::byte*>(from), static_cast<const std::byte*>(from) + bytes);
    ticket = enqueue(target, [to, staged] { std::memcpy(to, staged->data(), staged->size()); });
  } else {
    ticket = enqueue(target, [=] { std::memmove(to, from, bytes); }, bytes <= short_bytes || wait || from_pageable);
  }
  if (wait) wait_for({ticket});
  return wait ? with_error(*target.context, CUDA_SUCCESS) : CUDA_SUCCESS;
}

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// One side of a box.
struct Side {
  std::uint64_t first = 0;
  std::size_t pitch = 0, slice = 0;

  std::uint64_t row(std::size_t y, std::size_t z) const { return first + z * slice + y * pitch; }
};

/// A box in an array must lie inside of it.
CUresult find_array_side(const Array* array, std::size_t x, std::size_t y, std::size_t z, const CUDA_MEMCPY3D& box, Side* side) {
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  const std::size_t height = std::max<std::size_t>(array->shape.Height, 1), depth = std::max<std::size_t>(array->shape.Depth, 1);
  if (x > array->pitch || box.WidthInBytes > array->pitch - x || y > height || box.Height > height - y || z > depth || box.Depth > depth - z)
    return CUDA_ERROR_INVALID_VALUE;
  *side = {array->base + x + y * array->pitch + z * array->slice, array->pitch, array->slice};
  return CUDA_SUCCESS;
}

CUresult find_side(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x, std::size_t y, std::size_t z, std::size_t pitch, std::size_t height,
                   const CUDA_MEMCPY3D& box, Side* side) {
  const std::uint64_t base = type == CU_MEMORYTYPE_HOST ? address_of(host) : device;
  if (!pitch) pitch = box.WidthInBytes;
  const std::size_t slice = pitch * (height ? height : box.Height);
  *side = {base + x + y * pitch + z * slice, pitch, slice};
  return pitch < box.WidthInBytes && (box.Height > 1 || box.Depth > 1) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult copy_box(const CUDA_MEMCPY3D* box, CUstream stream, bool wait) {
  if (!box) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, stream, &target); result != CUDA_SUCCESS) return result;
  Queue::Work work;
  bool pageable = false;
  if (CUresult result = box_work(entry, *box, &work, &pageable); result != CUDA_SUCCESS || !work) return result;
  target.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  const bool waits = (wait || pageable) && !target.captured();
  const Ticket ticket = enqueue(target, std::move(work));
  if (waits) wait_for({ticket});
  return CUDA_SUCCESS;
}

CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D& c) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = c.srcXInBytes, box.srcY = c.srcY, box.srcMemoryType = c.srcMemoryType, box.srcHost = c.srcHost;
  box.srcDevice = c.srcDevice, box.srcArray = c.srcArray, box.srcPitch = c.srcPitch;
  box.dstXInBytes = c.dstXInBytes, box.dstY = c.dstY, box.dstMemoryType = c.dstMemoryType, box.dstHost = c.dstHost;
  box.dstDevice = c.dstDevice, box.dstArray = c.dstArray, box.dstPitch = c.dstPitch;
  box.WidthInBytes = c.WidthInBytes, box.Height = c.Height, box.Depth = 1;
  return box;
}

template <typename T>
CUresult make_fill(Entry& entry, CUdeviceptr destination, std::size_t pitch, T value, std::size_t width, std::size_t height, Queue::Work* work) {
  if (destination % sizeof(T) || (height > 1 && pitch % sizeof(T))) return CUDA_ERROR_INVALID_VALUE;
  std::size_t row, span;
  if (__builtin_mul_overflow(width, sizeof(T), &row) || __builtin_mul_overflow(pitch, height - 1, &span) || __builtin_add_overflow(span, row, &span))
    return CUDA_ERROR_INVALID_VALUE;
  if (!entry.driver().memory.contains(destination, span)) return CUDA_ERROR_INVALID_VALUE;
  *work = [=] {
    for (std::size_t y = 0; y < height; ++y) std::fill_n(reinterpret_cast<T*>(destination + y * pitch), width, value);
  };
  return CUDA_SUCCESS;
}

/// Fills `height` rows of `width` elements.
template <typename T>
CUresult fill(CUdeviceptr destination, std::size_t pitch, T value, std::size_t width, std::size_t height, CUstream stream) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, stream, &target); result != CUDA_SUCCESS) return result;
  if (!width || !height) return CUDA_SUCCESS;
  Queue::Work work;
  if (CUresult result = make_fill(entry, destination, pitch, value, width, height, &work); result != CUDA_SUCCESS) return result;
  target.type = CU_GRAPH_NODE_TYPE_MEMSET;
  enqueue(target, std::move(work), width * sizeof(T) * height <= short_bytes);
  return CUDA_SUCCESS;
}

}  // namespace

namespace weft::softgpu {

CUresult box_work(Entry& entry, const CUDA_MEMCPY3D& box, Queue::Work* work, bool* pageable) {
  if (!box.WidthInBytes || !box.Height || !box.Depth) return CUDA_SUCCESS;
  Side from, to;
  const auto& arrays = entry.driver().arrays;
  CUresult result = box.srcMemoryType == CU_MEMORYTYPE_ARRAY
                        ? find_array_side(arrays.find(box.srcArray), box.srcXInBytes, box.srcY, box.srcZ, box, &from)
                        : find_side(box.srcMemoryType, box.srcHost, box.srcDevice, box.srcXInBytes, box.srcY, box.srcZ, box.srcPitch, box.srcHeight, box, &from);
  if (result != CUDA_SUCCESS) return result;
  result = box.dstMemoryType == CU_MEMORYTYPE_ARRAY
               ? find_array_side(arrays.find(box.dstArray), box.dstXInBytes, box.dstY, box.dstZ, box, &to)
               : find_side(box.dstMemoryType, box.dstHost, box.dstDevice, box.dstXInBytes, box.dstY, box.dstZ, box.dstPitch, box.dstHeight, box, &to);
  if (result != CUDA_SUCCESS) return result;
  const Memory& memory = entry.driver().memory;
  const std::size_t from_span = from.row(box.Height - 1, box.Depth - 1) + box.WidthInBytes - from.first;
  const std::size_t to_span = to.row(box.Height - 1, box.Depth - 1) + box.WidthInBytes - to.first;
  const auto may_be_unknown = [](CUmemorytype type) { return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_UNIFIED; };
  if (!reachable(memory, from.first, from_span, may_be_unknown(box.srcMemoryType)) || !reachable(memory, to.first, to_span, may_be_unknown(box.dstMemoryType)))
    return CUDA_ERROR_INVALID_VALUE;
  *pageable = is_pageable(memory, from.first) || is_pageable(memory, to.first);
  *work = [from, to, width = box.WidthInBytes, height = box.Height, depth = box.Depth] {
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < height; ++y) std::memmove(reinterpret_cast<void*>(to.row(y, z)), reinterpret_cast<const void*>(from.row(y, z)), width);
  };
  return CUDA_SUCCESS;
}

CUresult fill_work(Entry& entry, const CUDA_MEMSET_NODE_PARAMS& fill, Queue::Work* work) {
  if (!fill.width || !fill.height) return CUDA_ERROR_INVALID_VALUE;
  switch (fill.elementSize) {
    case 1: return make_fill(entry, fill.dst, fill.pitch, static_cast<std::uint8_t>(fill.value), fill.width, fill.height, work);
    case 2: return make_fill(entry, fill.dst, fill.pitch, static_cast<std::uint16_t>(fill.value), fill.width, fill.height, work);
    case 4: return make_fill(entry, fill.dst, fill.pitch, fill.value, fill.width, fill.height, work);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace weft::softgpu

extern "C" {

CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return copy({dstDevice, address_of(srcHost), ByteCount, Host::source}, nullptr, true);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream) {
  return copy({dstDevice, address_of(srcHost), ByteCount, Host::source}, hStream, false);
}
CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy({address_of(dstHost), srcDevice, ByteCount, Host::destination}, nullptr, true);
}
CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy({address_of(dstHost), srcDevice, ByteCount, Host::destination}, hStream, false);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) { return copy({dstDevice, srcDevice, ByteCount}, nullptr, false); }
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy({dstDevice, srcDevice, ByteCount}, hStream, false);
}
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) { return copy({dst, src, ByteCount}, nullptr, true, true); }
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) { return copy({dst, src, ByteCount}, hStream, false, true); }
CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext, CUdeviceptr srcDevice, CUcontext, size_t ByteCount) {
  return copy({dstDevice, srcDevice, ByteCount}, nullptr, false);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext, CUdeviceptr srcDevice, CUcontext, size_t ByteCount, CUstream hStream) {
  return copy({dstDevice, srcDevice, ByteCount}, hStream, false);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  if (!pCopy) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = box_of(*pCopy);
  return copy_box(&box, hStream, false);
}
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) {
  if (!pCopy) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D box = box_of(*pCopy);
  return copy_box(&box, nullptr, true);
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) { return cuMemcpy2D_v2(pCopy); }
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) { return copy_box(pCopy, nullptr, true); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) { return copy_box(pCopy, hStream, false); }

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) { return fill(dstDevice, 0, uc, N, 1, hStream); }
CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) { return fill(dstDevice, 0, us, N, 1, hStream); }
CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) { return fill(dstDevice, 0, ui, N, 1, hStream); }
CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) { return fill(dstDevice, 0, uc, N, 1, nullptr); }
CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) { return fill(dstDevice, 0, us, N, 1, nullptr); }
CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) { return fill(dstDevice, 0, ui, N, 1, nullptr); }
CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, uc, Width, Height, hStream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, us, Width, Height, hStream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, ui, Width, Height, hStream);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, uc, Width, Height, nullptr);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, us, Width, Height, nullptr);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, ui, Width, Height, nullptr);
}

}  // extern "C"
