// SPDX-License-Identifier: Apache-2.0
// Occupancy: asked for once per kernel and shape.
#include <map>
#include <mutex>
#include <tuple>

#include "interposer/launch.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

using Key = std::tuple<Op, CUfunction, int, std::uint64_t, unsigned, int>;  // the last: the function's limit of dynamic shared memory, which changes the answer

std::mutex answers_mutex;
std::map<Key, std::uint64_t> answers;

/// The known answer, or that of ask(command).
template <typename Ask>
CUresult remembered(const Key& key, std::uint64_t* answer, Ask ask) {
  {
    std::lock_guard lock(answers_mutex);
    if (auto known = answers.find(key); known != answers.end()) {
      *answer = known->second;
      return CUDA_SUCCESS;
    }
  }
  Command command(std::get<0>(key));
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (CUresult result = ask(command); result != CUDA_SUCCESS) return result;
  if (CUresult result = command.complete(); result != CUDA_SUCCESS) return result;
  std::lock_guard lock(answers_mutex);
  answers[key] = *answer;
  return CUDA_SUCCESS;
}

int shared_limit(CUfunction handle) {
  const Function* function = objects().functions.find(handle);
  return function ? function->attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES].load() : 0;
}

/// The block size with the most threads resident on a multiprocessor; the largest of several.
CUresult best_block(int* min_grid, int* block, CUfunction func, CUoccupancyB2DSize dynamic_of, size_t dynamic, int limit, unsigned flags) {
  if (!min_grid || !block) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = objects().functions.find(func);
  const Context* context = objects().contexts.find(this_thread().current());
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  const auto& device = Client::get()->devices()[static_cast<size_t>(context->device)];
  const int warp = device.attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE];
  int most = std::min<int>(function->attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK], device.attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK]);
  if (limit > 0) most = std::min(most, limit);
  int best_threads = 0;
  *block = *min_grid = 0;
  for (int aligned = (most + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
    const int size = std::min(aligned, most);
    int blocks = 0;
    CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, func, size, dynamic_of ? dynamic_of(size) : dynamic, flags);
    if (result != CUDA_SUCCESS) return result;
    if (blocks * size > best_threads) {
      best_threads = blocks * size;
      *block = size;
      *min_grid = blocks * device.attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
    }
    if (best_threads == device.attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR]) break;
  }
  return CUDA_SUCCESS;
}

CUresult cluster_answer(Op op, int* answer, CUfunction func, const CUlaunchConfig* config) {
  if (!answer || !config) return CUDA_ERROR_INVALID_VALUE;
  Command command(op);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const Function* function = objects().functions.find(func);
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  weft::abi::Launch message{.function = weft::abi::from_cuda(func).bits, .stream = 0, .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                            .block = {config->blockDimX, config->blockDimY, config->blockDimZ}, .shared_bytes = config->sharedMemBytes,
                            .attribute_count = config->numAttrs};
  command.value(message);
  command.bytes(config->attrs, config->numAttrs * sizeof *config->attrs);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *answer = command.result<std::int32_t>();
  return command.complete();
}

}  // namespace

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  if (!numBlocks || blockSize <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!objects().functions.find(func)) return CUDA_ERROR_INVALID_HANDLE;
  std::uint64_t answer = 0;
  const Key key{Op::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, func, blockSize, dynamicSMemSize, flags, shared_limit(func)};
  CUresult result = remembered(key, &answer, [&](Command& command) {
    command.value(func);
    command.value(blockSize);
    command.value(static_cast<std::uint64_t>(dynamicSMemSize));
    command.value(flags);
    CUresult asked = command.call();
    if (asked == CUDA_SUCCESS) answer = static_cast<std::uint32_t>(command.result<std::int32_t>());
    return asked;
  });
  *numBlocks = static_cast<int>(answer);
  return result;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks, int blockSize) {
  if (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!objects().functions.find(func)) return CUDA_ERROR_INVALID_HANDLE;
  std::uint64_t answer = 0;
  const Key key{Op::cuOccupancyAvailableDynamicSMemPerBlock, func, numBlocks, static_cast<std::uint64_t>(blockSize), 0, shared_limit(func)};
  CUresult result = remembered(key, &answer, [&](Command& command) {
    command.value(func);
    command.value(numBlocks);
    command.value(blockSize);
    CUresult asked = command.call();
    if (asked == CUDA_SUCCESS) answer = command.result<std::uint64_t>();
    return asked;
  });
  *dynamicSmemSize = answer;
  return result;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags) {
  return best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, flags);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
  return best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func, const CUlaunchConfig* config) {
  return cluster_answer(Op::cuOccupancyMaxPotentialClusterSize, clusterSize, func, config);
}

CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config) {
  return cluster_answer(Op::cuOccupancyMaxActiveClusters, numClusters, func, config);
}

}  // extern "C"
