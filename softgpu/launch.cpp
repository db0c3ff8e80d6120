// SPDX-License-Identifier: Apache-2.0
#include "softgpu/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "softgpu/exec/warp.hpp"
#include "softgpu/graph.hpp"

namespace weft::softgpu {
namespace {

constexpr std::size_t most_parameter_bytes = 32764;  // of a kernel, since CUDA 12.1

/// What cooperative groups find at %envreg1:2: its size and the word that grid.sync() counts in (cooperative_groups/details/driver_abi.h).
struct Workspace {
  std::uint32_t bytes = sizeof(Workspace);
  std::uint32_t barrier = 0;
};

CUresult check_shape(const Function& function, const Device& device, const CUlaunchConfig& config) {
  const unsigned grid[] = {config.gridDimX, config.gridDimY, config.gridDimZ}, block[] = {config.blockDimX, config.blockDimY, config.blockDimZ};
  for (int axis = 0; axis < 3; ++axis) {
    const auto most = [&](int first) { return static_cast<unsigned>(device.attribute(static_cast<CUdevice_attribute>(first + axis))); };
    if (!grid[axis] || grid[axis] > most(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)) return CUDA_ERROR_INVALID_VALUE;
    if (!block[axis] || block[axis] > most(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)) return CUDA_ERROR_INVALID_VALUE;
  }
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (threads > static_cast<unsigned>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK))) return CUDA_ERROR_INVALID_VALUE;
  const Program& program = *function.module->program;
  int most_threads = 0, most_shared = 0;
  function_attribute(program, *function.code, function.settings, device, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most_threads);
  if (threads > static_cast<unsigned>(most_threads)) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const std::uint32_t* required = function.code->required_threads;
  if (required[0] && (required[0] != block[0] || required[1] != block[1] || required[2] != block[2])) return CUDA_ERROR_INVALID_VALUE;
  function_attribute(program, *function.code, function.settings, device, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &most_shared);
  if (config.sharedMemBytes > static_cast<unsigned>(std::max(most_shared, 0))) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult copy_parameters(const ptx::Function& code, void** parameters, void** extra, std::vector<std::byte>* into) {
  const ParameterLayout layout = layout_of(code);
  into->assign(layout.bytes, std::byte{0});
  if (extra) {
    const void* buffer = nullptr;
    std::size_t size = 0;
    for (void** option = extra; *option != CU_LAUNCH_PARAM_END; option += 2) {
      if (*option == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = option[1];
      else if (*option == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<std::size_t*>(option[1]);
      else return CUDA_ERROR_INVALID_VALUE;
    }
    if (size > most_parameter_bytes || (size && !buffer)) return CUDA_ERROR_INVALID_VALUE;
    if (size < layout.bytes) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::memcpy(into->data(), buffer, layout.bytes);
    return CUDA_SUCCESS;
  }
  if (layout.parameters.empty()) return CUDA_SUCCESS;
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    if (!parameters[i]) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(into->data() + layout.parameters[i].first, parameters[i], layout.parameters[i].second);
  }
  return CUDA_SUCCESS;
}

int blocks_per_multiprocessor(const Function& function, const Device& device, std::uint64_t threads, std::uint64_t dynamic_shared) {
  const std::uint64_t warps = (threads + 31) / 32;
  int shared = 0;
  function_attribute(*function.module->program, *function.code, function.settings, device, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared);
  std::uint64_t blocks = static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)) / (warps * 32);
  blocks = std::min(blocks, static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)));
  const std::uint64_t bytes = static_cast<std::uint64_t>(shared) + dynamic_shared + static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  return static_cast<int>(std::min(blocks, static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)) / bytes));
}

/// Seconds that a kernel may run: WEFT_SOFTGPU_WATCHDOG_SECONDS; no limit if unset.
std::chrono::steady_clock::time_point deadline() {
  static const double seconds = [] {
    const char* text = std::getenv("WEFT_SOFTGPU_WATCHDOG_SECONDS");
    return text ? std::strtod(text, nullptr) : 0.0;
  }();
  if (!(seconds > 0)) return std::chrono::steady_clock::time_point::max();
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

CUresult launch(const CUlaunchConfig& config, bool cooperative, CUfunction handle, void** parameters, void** extra) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, config.hStream, &target); result != CUDA_SUCCESS) return result;
  auto made = std::make_shared<Launch>();
  if (CUresult result = prepare_launch(entry, config, cooperative, handle, parameters, extra, made.get()); result != CUDA_SUCCESS) return result;
  target.type = CU_GRAPH_NODE_TYPE_KERNEL;
  const bool captured = target.captured();
  enqueue(target, [made] { execute(*made); });
  if (captured) describe_kernel(*target.stream->tips.front(), config, handle, made);
  return CUDA_SUCCESS;
}

CUlaunchConfig config_of(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream) {
  return {.gridDimX = gx, .gridDimY = gy, .gridDimZ = gz, .blockDimX = bx, .blockDimY = by, .blockDimZ = bz, .sharedMemBytes = shared, .hStream = stream,
          .attrs = nullptr, .numAttrs = 0};
}

}  // namespace

CUresult prepare_launch(Entry& entry, const CUlaunchConfig& config, bool cooperative, CUfunction handle, void** parameters, void** extra, Launch* launch) {
  if ((config.numAttrs && !config.attrs) || (parameters && extra)) return CUDA_ERROR_INVALID_VALUE;
  Function* function = find_function(entry, handle);
  if (!function) return entry.result;
  const Device& device = *entry.current().device;
  if (CUresult result = check_shape(*function, device, config); result != CUDA_SUCCESS) return result;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = config.attrs[i].value.cooperative != 0;
  const std::uint64_t threads = std::uint64_t{config.blockDimX} * config.blockDimY * config.blockDimZ;
  const std::uint64_t blocks = std::uint64_t{config.gridDimX} * config.gridDimY * config.gridDimZ;
  if (cooperative) {
    const auto together = static_cast<std::uint64_t>(blocks_per_multiprocessor(*function, device, threads, config.sharedMemBytes));
    if (blocks > together * static_cast<std::uint64_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT))) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  if (CUresult result = copy_parameters(*function->code, parameters, extra, &launch->parameters); result != CUDA_SUCCESS) return result;
  launch->context = &entry.current();
  launch->set = function->module->set;
  launch->code = launch->set->functions.find(function->code->name)->second.get();
  const unsigned grid[] = {config.gridDimX, config.gridDimY, config.gridDimZ}, block[] = {config.blockDimX, config.blockDimY, config.blockDimZ};
  std::copy(std::begin(grid), std::end(grid), launch->grid);
  std::copy(std::begin(block), std::end(block), launch->block);
  launch->dynamic_shared_bytes = config.sharedMemBytes;
  launch->cooperative = cooperative;
  const auto& limits = entry.current().limits;
  launch->stack_bytes = limits.at(CU_LIMIT_STACK_SIZE);
  launch->heap_bytes = limits.at(CU_LIMIT_MALLOC_HEAP_SIZE);
  launch->printf_bytes = limits.at(CU_LIMIT_PRINTF_FIFO_SIZE);
  return CUDA_SUCCESS;
}

void describe_kernel(Node& node, const CUlaunchConfig& config, CUfunction function, std::shared_ptr<Launch> launch) {
  node.kernel = {.func = function, .gridDimX = config.gridDimX, .gridDimY = config.gridDimY, .gridDimZ = config.gridDimZ, .blockDimX = config.blockDimX,
                 .blockDimY = config.blockDimY, .blockDimZ = config.blockDimZ, .sharedMemBytes = config.sharedMemBytes, .kernelParams = nullptr, .extra = nullptr,
                 .kern = nullptr, .ctx = nullptr};
  node.parameter_pointers.clear();
  for (const auto& [offset, bytes] : layout_of(*launch->code->source).parameters) node.parameter_pointers.push_back(launch->parameters.data() + offset);
  node.launch = std::move(launch);
}

void execute(const Launch& launch) {
  static std::atomic<std::uint64_t> last_id{0};
  Context& context = *launch.context;
  if (context.error.load() != CUDA_SUCCESS) return;
  Workspace workspace;
  exec::Grid grid;
  grid.code = launch.code;
  std::copy(std::begin(launch.grid), std::end(launch.grid), grid.dimensions);
  std::copy(std::begin(launch.block), std::end(launch.block), grid.block_dimensions);
  grid.threads = launch.block[0] * launch.block[1] * launch.block[2];
  grid.warps = (grid.threads + exec::lanes_per_warp - 1) / exec::lanes_per_warp;
  grid.blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  grid.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  grid.shared_bytes = (launch.code->shared_bytes + launch.dynamic_shared_bytes + 15) / 16 * 16 + exec::reserved_shared_bytes;
  grid.parameters = launch.parameters;
  grid.multiprocessors = static_cast<std::uint32_t>(context.device->attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  grid.context = &context;
  grid.id = ++last_id;
  grid.deadline = deadline();
  grid.stack_bytes = launch.stack_bytes;
  grid.heap_bytes = launch.heap_bytes;
  grid.printf_bytes = launch.printf_bytes;
  if (launch.cooperative) {
    grid.workspace = reinterpret_cast<std::uint64_t>(&workspace);
    Lock lock(driver_mutex());
    Driver::get()->memory.register_host(grid.workspace, sizeof workspace, 0, &context);
  }
  exec::execute(grid);
  if (launch.cooperative) {
    Lock lock(driver_mutex());
    Driver::get()->memory.forget_host(grid.workspace, Allocation::Kind::registered);
  }
  int none_yet = CUDA_SUCCESS;
  if (const int failure = grid.failure.load()) context.error.compare_exchange_strong(none_yet, failure);
}

}  // namespace weft::softgpu

using namespace weft::softgpu;

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
  return launch(config_of(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream), true, f, kernelParams, nullptr);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  if (!numBlocks || blockSize <= 0 || flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  const Function* function = find_function(entry, func);
  if (!function) return entry.result;
  *numBlocks = blocks_per_multiprocessor(*function, *entry.current().device, static_cast<std::uint64_t>(blockSize), dynamicSMemSize);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags) {
  if (!minGridSize || !blockSize || flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  const Function* function = find_function(entry, func);
  if (!function) return entry.result;
  const Device& device = *entry.current().device;
  int most = 0;
  function_attribute(*function->module->program, *function->code, function->settings, device, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
  if (blockSizeLimit > 0) most = std::min(most, blockSizeLimit);
  int best = 0, best_threads = 0, best_blocks = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
    const std::size_t shared = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(threads) : dynamicSMemSize;
    const int blocks = blocks_per_multiprocessor(*function, device, static_cast<std::uint64_t>(threads), shared);
    if (blocks * threads > best) best = blocks * threads, best_threads = threads, best_blocks = blocks;
  }
  *blockSize = best_threads;
  *minGridSize = best_blocks * device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks, int blockSize) {
  if (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  const Function* function = find_function(entry, func);
  if (!function) return entry.result;
  const Device& device = *entry.current().device;
  int shared = 0;
  function_attribute(*function->module->program, *function->code, function->settings, device, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared);
  const int reserved = device.attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const int each = std::min(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / numBlocks - reserved,
                            device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  *dynamicSmemSize = static_cast<size_t>(std::max(each - shared, 0));
  return CUDA_SUCCESS;
}

}  // extern "C"
