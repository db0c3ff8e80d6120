// SPDX-License-Identifier: Apache-2.0
// Graphs: the nodes that carry kernels or host memory, and launches. Everything else about graphs is generated.
#include "interposer/copy.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/launch.hpp"
#include "interposer/managed.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

CUfunction function_in(const CUDA_KERNEL_NODE_PARAMS& params) { return params.func ? params.func : reinterpret_cast<CUfunction>(params.kern); }

CUresult append_kernel(Command& command, const CUDA_KERNEL_NODE_PARAMS* params) {
  if (!params) return CUDA_ERROR_INVALID_VALUE;
  const CUlaunchConfig config{.gridDimX = params->gridDimX, .gridDimY = params->gridDimY, .gridDimZ = params->gridDimZ, .blockDimX = params->blockDimX,
                              .blockDimY = params->blockDimY, .blockDimZ = params->blockDimZ, .sharedMemBytes = params->sharedMemBytes, .hStream = CU_STREAM_LEGACY,
                              .attrs = nullptr, .numAttrs = 0};
  return append_launch(command, config, false, function_in(*params), params->kernelParams, params->extra);
}

CUDA_KERNEL_NODE_PARAMS widen(const CUDA_KERNEL_NODE_PARAMS_v1& old) {
  CUDA_KERNEL_NODE_PARAMS params{};
  std::memcpy(&params, &old, sizeof old);
  return params;
}

CUresult append_dependencies(Command& command, const CUgraphNode* dependencies, size_t count) {
  if (count > weft::wire::max_array_elements || (count && !dependencies)) return CUDA_ERROR_INVALID_VALUE;
  command.value(static_cast<std::uint32_t>(count));
  command.bytes(dependencies, count * sizeof *dependencies);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  if (CUresult result = push_for_launch(hGraphExec); result != CUDA_SUCCESS) return result;
  Command command(Op::cuGraphLaunch);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!objects().graph_execs.find(hGraphExec)) return CUDA_ERROR_INVALID_VALUE;
  before_kernel({}, resolve_stream(hStream));
  command.value(hGraphExec);
  command.value(hStream);
  copy_to_host_pending(0, ~std::size_t{0});  // a graph may copy to any pinned memory
  return command.post();
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies,
                                 const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  if (!phGraphNode) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuGraphAddKernelNode_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.mint(phGraphNode);
  command.value(hGraph);
  CUresult result = append_dependencies(command, dependencies, numDependencies);
  if (result == CUDA_SUCCESS) result = append_kernel(command, nodeParams);
  if (result == CUDA_SUCCESS) result = command.call();
  if (result != CUDA_SUCCESS) command.unmint(phGraphNode);
  return result;
}

CUresult cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS wide = widen(*nodeParams);
  return cuGraphAddKernelNode_v2(phGraphNode, hGraph, dependencies, numDependencies, &wide);
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  Command command(Op::cuGraphKernelNodeSetParams_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(hNode);
  CUresult result = append_kernel(command, nodeParams);
  return result == CUDA_SUCCESS ? command.call() : result;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS wide = widen(*nodeParams);
  return cuGraphKernelNodeSetParams_v2(hNode, &wide);
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  Command command(Op::cuGraphExecKernelNodeSetParams_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(hGraphExec);
  command.value(hNode);
  CUresult result = append_kernel(command, nodeParams);
  return result == CUDA_SUCCESS ? command.call() : result;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS wide = widen(*nodeParams);
  return cuGraphExecKernelNodeSetParams_v2(hGraphExec, hNode, &wide);
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuGraphKernelNodeGetParams_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(hNode);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const auto launch = command.result<weft::abi::Launch>();
  const Bytes parameters = command.results().remaining();
  const auto handle = reinterpret_cast<CUfunction>(launch.function);
  const Function* function = objects().functions.find(handle);
  if (CUresult result = command.complete(); result != CUDA_SUCCESS || !function) return result != CUDA_SUCCESS ? result : CUDA_ERROR_NOT_SUPPORTED;
  // The arrays belong to the driver and live as long as the node: here, until the thread's next call of this function.
  static thread_local std::vector<std::byte> bytes;
  static thread_local std::vector<void*> pointers;
  bytes.assign(parameters.begin(), parameters.end());
  pointers.clear();
  for (auto [offset, size] : function->parameters)
    if (offset + size <= bytes.size()) pointers.push_back(bytes.data() + offset);
  *nodeParams = {};
  nodeParams->func = handle;
  nodeParams->gridDimX = launch.grid[0], nodeParams->gridDimY = launch.grid[1], nodeParams->gridDimZ = launch.grid[2];
  nodeParams->blockDimX = launch.block[0], nodeParams->blockDimY = launch.block[1], nodeParams->blockDimZ = launch.block[2];
  nodeParams->sharedMemBytes = launch.shared_bytes;
  nodeParams->kernelParams = pointers.data();
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  CUDA_KERNEL_NODE_PARAMS wide;
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuGraphKernelNodeGetParams_v2(hNode, &wide);
  if (result == CUDA_SUCCESS) std::memcpy(nodeParams, &wide, sizeof *nodeParams);
  return result;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies,
                              const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  if (!phGraphNode || !copyParams) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuGraphAddMemcpyNode);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  weft::abi::CopyBox box{};
  if (CUresult result = box_for_node(*copyParams, hGraph, &box); result != CUDA_SUCCESS) return result;
  command.mint(phGraphNode);
  command.value(hGraph);
  CUresult result = append_dependencies(command, dependencies, numDependencies);
  command.value(box);
  command.value(ctx);
  if (result == CUDA_SUCCESS) result = command.call();
  if (result != CUDA_SUCCESS) command.unmint(phGraphNode);
  return result;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags) {
  CUDA_GRAPH_INSTANTIATE_PARAMS params{.flags = flags};
  return cuGraphInstantiateWithParams(phGraphExec, hGraph, &params);
}

CUresult cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer, size_t bufferSize) {
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  if (logBuffer && bufferSize) *logBuffer = 0;
  CUresult result = cuGraphInstantiateWithParams(phGraphExec, hGraph, &params);
  if (phErrorNode) *phErrorNode = params.hErrNode_out;
  return result;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  if (!phGraphExec || !instantiateParams) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuGraphInstantiateWithParams);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.mint(phGraphExec);
  command.value(hGraph);
  command.value(static_cast<std::uint64_t>(instantiateParams->flags));
  command.value(instantiateParams->hUploadStream);
  CUresult result = command.call();
  instantiateParams->hErrNode_out = reinterpret_cast<CUgraphNode>(command.result<std::uint64_t>());
  instantiateParams->result_out = static_cast<CUgraphInstantiateResult>(command.result<std::int32_t>());
  if (result != CUDA_SUCCESS) {
    command.unmint(phGraphExec);
    return result;
  }
  graph_copies_belong_to(hGraph, *phGraphExec);
  return command.complete();
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  Command command(Op::cuGraphExecDestroy);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!objects().graph_execs.find(hGraphExec)) return CUDA_ERROR_INVALID_VALUE;
  forget_graph_copies(hGraphExec);
  command.value(hGraphExec);
  command.destroyed(hGraphExec);
  return command.post();
}

}  // extern "C"
