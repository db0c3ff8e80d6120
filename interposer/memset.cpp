// SPDX-License-Identifier: Apache-2.0
// Memsets: one operation on the wire, asynchronous whatever the name says, as natively for device memory.
#include "interposer/capture.hpp"
#include "interposer/command.hpp"
#include "interposer/copy.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/managed.hpp"

using namespace weft::interposer;
using weft::abi::Memset;

namespace {

/// On pinned memory the CPU does it: a memset by the GPU would have to be fetched.
template <typename T>
CUresult memset_host(CUdeviceptr destination, size_t pitch, T value, size_t width, size_t height, CUstream stream) {
  if (CUresult result = cuStreamSynchronize(stream); result != CUDA_SUCCESS) return result;
  for (size_t row = 0; row < height; ++row) std::fill_n(reinterpret_cast<T*>(destination + row * pitch), width, value);
  return CUDA_SUCCESS;
}

template <typename T>
CUresult memset(CUdeviceptr destination, size_t pitch, T value, size_t width, size_t height, CUstream stream) {
  Command command(weft::abi::Op::cuMemsetD2D8Async);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (destination % sizeof(T) || (height > 1 && pitch < width * sizeof(T))) return CUDA_ERROR_INVALID_VALUE;
  if (!width || !height) return CUDA_SUCCESS;
  const size_t span = (height - 1) * pitch + width * sizeof(T);
  if (CUresult result = check_device_range(destination, span); result != CUDA_SUCCESS) return result;
  if (side_of(destination) == Side::host && !is_capturing(stream)) return memset_host(destination, pitch, value, width, height, stream);
  before_device_access(destination, span);
  command.value(Memset{.destination = destination, .pitch = pitch, .width = width, .height = height,
                       .stream = weft::abi::from_cuda(resolve_stream(stream)).bits, .value = value, .element_bytes = sizeof(T)});
  return command.post();
}

/// The forms without a stream use the default one, which must not be entangled with a capture.
template <typename T>
CUresult memset_default(CUdeviceptr destination, size_t pitch, T value, size_t width, size_t height) {
  if (CUresult result = refuse_if_stream_captures(nullptr); result != CUDA_SUCCESS) return result;
  return memset(destination, pitch, value, width, height, nullptr);
}

}  // namespace

extern "C" {

CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) { return memset_default(dstDevice, 0, uc, N, 1); }
CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) { return memset_default(dstDevice, 0, us, N, 1); }
CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) { return memset_default(dstDevice, 0, ui, N, 1); }

CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return memset_default(dstDevice, dstPitch, uc, Width, Height);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
  return memset_default(dstDevice, dstPitch, us, Width, Height);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return memset_default(dstDevice, dstPitch, ui, Width, Height);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) { return memset(dstDevice, 0, uc, N, 1, hStream); }
CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) { return memset(dstDevice, 0, us, N, 1, hStream); }
CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) { return memset(dstDevice, 0, ui, N, 1, hStream); }

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream) {
  return memset(dstDevice, dstPitch, uc, Width, Height, hStream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, CUstream hStream) {
  return memset(dstDevice, dstPitch, us, Width, Height, hStream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream) {
  return memset(dstDevice, dstPitch, ui, Width, Height, hStream);
}

}  // extern "C"
