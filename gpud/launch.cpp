// SPDX-License-Identifier: Apache-2.0
// Launches, and what may be known about one before it.
#include "gpud/launch.hpp"

#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

constexpr std::uint32_t most_attributes = 64;

/// Events travel as handles inside an attribute.
bool find_event(Handles& handles, CUlaunchAttribute& attribute) {
  CUevent* event = nullptr;
  if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) event = &attribute.value.programmaticEvent.event;
  if (attribute.id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) event = &attribute.value.launchCompletionEvent.event;
  return !event || handles.find(reinterpret_cast<std::uint64_t>(*event), event);
}

template <typename Query>
void cluster_answer(Call& call, Query query) {
  LaunchArguments launch(call);
  if (!call.ready()) return;
  int answer = 0;
  CUresult result = query(&answer, launch.function(), &launch.config());
  call.add(std::int32_t{answer});
  call.finish(result);
}

}  // namespace

LaunchArguments::LaunchArguments(Call& call) {
  const auto launch = call.value<abi::Launch>();
  Handles& handles = call.session().handles();
  if (!handles.find(launch.function, &function_) || !handles.find(launch.stream, &config_.hStream)) call.set_bad_handle();
  if (launch.attribute_count > most_attributes || launch.parameter_bytes > wire::max_kernel_parameter_bytes) {
    call.set_malformed();
    return;
  }
  for (std::uint32_t i = 0; i < launch.attribute_count; ++i) {
    attributes_.push_back(call.value<CUlaunchAttribute>());
    if (!find_event(handles, attributes_.back())) call.set_bad_handle();
  }
  if (launch.cooperative) {
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    attributes_.push_back(cooperative);
  }
  const Bytes parameters = call.remaining();
  if (parameters.size() != launch.parameter_bytes) call.set_malformed();
  parameters_.assign(parameters.begin(), parameters.end());  // aligned
  parameter_bytes_ = parameters_.size();
  config_.gridDimX = launch.grid[0], config_.gridDimY = launch.grid[1], config_.gridDimZ = launch.grid[2];
  config_.blockDimX = launch.block[0], config_.blockDimY = launch.block[1], config_.blockDimZ = launch.block[2];
  config_.sharedMemBytes = launch.shared_bytes;
  config_.attrs = attributes_.data();
  config_.numAttrs = static_cast<unsigned>(attributes_.size());
  void* const extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters_.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &parameter_bytes_, CU_LAUNCH_PARAM_END};
  std::copy(std::begin(extra), std::end(extra), extra_);
}

CUDA_KERNEL_NODE_PARAMS LaunchArguments::node() {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = function_;
  node.gridDimX = config_.gridDimX, node.gridDimY = config_.gridDimY, node.gridDimZ = config_.gridDimZ;
  node.blockDimX = config_.blockDimX, node.blockDimY = config_.blockDimY, node.blockDimZ = config_.blockDimZ;
  node.sharedMemBytes = config_.sharedMemBytes;
  node.extra = extra();
  return node;
}

void cuLaunchKernelEx(Call& call) {
  LaunchArguments launch(call);
  if (call.ready()) call.finish(call.driver().cuLaunchKernelEx(&launch.config(), launch.function(), nullptr, launch.extra()));
}

void cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(Call& call) {
  const auto function = call.value<CUfunction>();
  const auto block = call.value<std::int32_t>();
  const auto dynamic_bytes = call.value<std::uint64_t>();
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  int blocks = 0;
  CUresult result = call.driver().cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, block, dynamic_bytes, flags);
  call.add(std::int32_t{blocks});
  call.finish(result);
}

void cuOccupancyAvailableDynamicSMemPerBlock(Call& call) {
  const auto function = call.value<CUfunction>();
  const auto blocks = call.value<std::int32_t>(), block = call.value<std::int32_t>();
  if (!call.ready()) return;
  std::size_t bytes = 0;
  CUresult result = call.driver().cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, blocks, block);
  call.add(std::uint64_t{bytes});
  call.finish(result);
}

void cuOccupancyMaxPotentialClusterSize(Call& call) { cluster_answer(call, call.driver().cuOccupancyMaxPotentialClusterSize); }

void cuOccupancyMaxActiveClusters(Call& call) { cluster_answer(call, call.driver().cuOccupancyMaxActiveClusters); }

}  // namespace weft::gpud
