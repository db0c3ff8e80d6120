// SPDX-License-Identifier: Apache-2.0
// Launches: checked here as far as CUDA reports at once, packed by the kernel's layout, sent and not waited for.
#include "interposer/launch.hpp"

#include "interposer/capture.hpp"
#include "interposer/managed.hpp"

namespace weft::interposer {
namespace {

constexpr unsigned known_attributes = 32;  // more than any launch may carry

CUresult check_shape(const Function& function, const CUlaunchConfig& config, const abi::DeviceSnapshot& device) {
  const unsigned grid[] = {config.gridDimX, config.gridDimY, config.gridDimZ}, block[] = {config.blockDimX, config.blockDimY, config.blockDimZ};
  for (int axis = 0; axis < 3; ++axis) {
    if (!grid[axis] || grid[axis] > static_cast<unsigned>(device.attributes[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + axis])) return CUDA_ERROR_INVALID_VALUE;
    if (!block[axis] || block[axis] > static_cast<unsigned>(device.attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + axis])) return CUDA_ERROR_INVALID_VALUE;
  }
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (threads > static_cast<unsigned>(device.attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK])) return CUDA_ERROR_INVALID_VALUE;
  const int most = function.attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK].load(std::memory_order_relaxed);
  if (most > 0 && threads > static_cast<unsigned>(most)) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const int shared = function.attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES].load(std::memory_order_relaxed);
  if (config.sharedMemBytes > static_cast<unsigned>(std::max(shared, 0))) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/// The parameters as the kernel wants them, appended to the command. Their number of bytes in *bytes.
CUresult append_parameters(Command& command, const Function& function, void** parameters, void** extra, std::uint32_t* bytes) {
  if (extra) {
    const void* buffer = nullptr;
    std::size_t size = 0;
    for (void** option = extra; *option != CU_LAUNCH_PARAM_END; option += 2) {
      if (*option == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = option[1];
      else if (*option == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<std::size_t*>(option[1]);
      else return CUDA_ERROR_INVALID_VALUE;
    }
    if (size > wire::max_kernel_parameter_bytes || (size && !buffer)) return CUDA_ERROR_INVALID_VALUE;
    command.bytes(buffer, size);
    *bytes = static_cast<std::uint32_t>(size);
    return CUDA_SUCCESS;
  }
  *bytes = function.parameter_bytes;
  if (function.parameters.empty()) return CUDA_SUCCESS;
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  std::byte* packed = command.append(function.parameter_bytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    if (!parameters[i]) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(packed + function.parameters[i].first, parameters[i], function.parameters[i].second);
  }
  return CUDA_SUCCESS;
}

CUresult launch(const CUlaunchConfig& config, bool cooperative, CUfunction function_handle, void** parameters, void** extra) {
  Command command(abi::Op::cuLaunchKernelEx);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const CUstream stream = resolve_stream(config.hStream);
  if (stream && stream != CU_STREAM_LEGACY && !objects().streams.find(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult result = append_launch(command, config, cooperative, function_handle, parameters, extra); result != CUDA_SUCCESS) return result;
  const abi::Launch* message = command.peek<abi::Launch>(0);
  before_kernel(command.tail(message->parameter_bytes), stream);
  Statistics& statistics = command.client()->statistics();
  if (!statistics.kernel_launched.load(std::memory_order_relaxed) && !statistics.kernel_launched.exchange(true))
    statistics.round_trips_before_first_kernel = statistics.round_trips.load();
  return command.post();
}

CUlaunchConfig config_of(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream) {
  return {.gridDimX = gx, .gridDimY = gy, .gridDimZ = gz, .blockDimX = bx, .blockDimY = by, .blockDimZ = bz, .sharedMemBytes = shared, .hStream = stream,
          .attrs = nullptr, .numAttrs = 0};
}

}  // namespace

CUresult append_launch(Command& command, const CUlaunchConfig& config, bool cooperative, CUfunction function_handle, void** parameters, void** extra) {
  const Context* context = objects().contexts.find(this_thread().current());
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  const Function* function = objects().functions.find(function_handle);
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  if (config.numAttrs > known_attributes || (config.numAttrs && !config.attrs) || (parameters && extra)) return CUDA_ERROR_INVALID_VALUE;
  const auto& device = command.client()->devices()[static_cast<std::size_t>(context->device)];
  if (CUresult result = check_shape(*function, config, device); result != CUDA_SUCCESS) return result;
  abi::Launch message{.function = abi::from_cuda(function_handle).bits, .stream = abi::from_cuda(resolve_stream(config.hStream)).bits,
                      .grid = {config.gridDimX, config.gridDimY, config.gridDimZ}, .block = {config.blockDimX, config.blockDimY, config.blockDimZ},
                      .shared_bytes = config.sharedMemBytes, .attribute_count = config.numAttrs, .cooperative = cooperative};
  const std::size_t at = command.size();
  command.value(message);
  command.bytes(config.attrs, config.numAttrs * sizeof *config.attrs);
  if (CUresult result = append_parameters(command, *function, parameters, extra, &message.parameter_bytes); result != CUDA_SUCCESS) return result;
  command.overwrite(at, message);
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer

using namespace weft::interposer;

extern "C" {

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void** kernelParams, void** extra) {
  return launch(config_of(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream), false, f, kernelParams, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra) {
  return config ? launch(*config, false, f, kernelParams, extra) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void** kernelParams) {
  const CUlaunchConfig config = config_of(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream);
  int blocks = 0;
  // Too large a grid is reported at once.
  CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, static_cast<int>(blockDimX * blockDimY * blockDimZ), sharedMemBytes);
  if (result != CUDA_SUCCESS) return result;
  const Context* context = objects().contexts.find(this_thread().current());
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  const int processors = Client::get()->devices()[static_cast<std::size_t>(context->device)].attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
  if (std::uint64_t{gridDimX} * gridDimY * gridDimZ > static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(processors))
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return launch(config, true, f, kernelParams, nullptr);
}

}  // extern "C"
