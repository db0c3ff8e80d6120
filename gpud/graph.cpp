// SPDX-License-Identifier: Apache-2.0
// Stream capture and graphs: what carries kernels, host memory or driver-owned arrays; the rest is generated.
#include "gpud/launch.hpp"
#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

/// u32 count, then that many nodes.
std::vector<CUgraphNode> nodes_argument(Call& call) {
  const auto count = call.value<std::uint32_t>();
  std::vector<CUgraphNode> nodes;
  if (count > wire::max_array_elements) {
    call.set_malformed();
    return nodes;
  }
  for (std::uint32_t i = 0; i < count && call.well_formed(); ++i) nodes.push_back(call.value<CUgraphNode>());
  return nodes;
}

/// Bytes that a kernel's parameters take, as the driver lays them out.
std::size_t parameter_bytes(const DriverTable& driver, CUfunction function) {
  std::size_t end = 0, offset = 0, bytes = 0;
  for (std::size_t i = 0; driver.cuFuncGetParamInfo(function, i, &offset, &bytes) == CUDA_SUCCESS; ++i) end = std::max(end, offset + bytes);
  return std::min(end, wire::max_kernel_parameter_bytes);
}

std::vector<std::byte> pack_parameters(const DriverTable& driver, CUfunction function, void** parameters) {
  std::vector<std::byte> packed(parameter_bytes(driver, function));
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; parameters && driver.cuFuncGetParamInfo(function, i, &offset, &bytes) == CUDA_SUCCESS; ++i)
    if (offset + bytes <= packed.size()) std::memcpy(packed.data() + offset, parameters[i], bytes);
  return packed;
}

}  // namespace

/// The client itself refuses what a capture's mode forbids to which thread; here one thread makes the calls of all.
void cuStreamBeginCapture_v2(Call& call) {
  const auto stream = call.value<CUstream>();
  (void)call.value<std::int32_t>();
  if (call.ready()) call.finish(call.driver().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
}

void cuStreamBeginCaptureToGraph(Call& call) {
  const auto stream = call.value<CUstream>();
  const auto graph = call.value<CUgraph>();
  const std::vector<CUgraphNode> nodes = nodes_argument(call);
  (void)call.value<std::int32_t>();
  if (!call.ready()) return;
  call.finish(call.driver().cuStreamBeginCaptureToGraph(stream, graph, nodes.data(), nullptr, nodes.size(), CU_STREAM_CAPTURE_MODE_RELAXED));
}

void cuStreamEndCapture(Call& call) {
  const auto stream = call.value<CUstream>();
  Created<CUgraph> graph(call);
  if (!call.ready()) return;
  CUresult result = call.driver().cuStreamEndCapture(stream, graph.pointer());
  graph.bind(call, result);
  call.finish(result);
}

void cuStreamGetCaptureInfo_v3(Call& call) {
  const auto stream = call.value<CUstream>();
  const bool want_nodes = call.value<std::uint8_t>() != 0;
  if (!call.ready()) return;
  CUstreamCaptureStatus status{};
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  const CUgraphNode* nodes = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  CUresult result = call.driver().cuStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &edges, &count);
  if (!want_nodes || !nodes) count = 0;
  call.add(std::int32_t{status});
  call.add(std::uint64_t{id});
  call.add(call.session().handles().name(graph));
  call.add(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) call.add(call.session().handles().name(nodes[i]));
  for (std::size_t i = 0; i < count; ++i) call.add(edges ? edges[i] : CUgraphEdgeData{});
  call.finish(result);
}

void cuGraphLaunch(Call& call) {
  const auto exec = call.value<CUgraphExec>();
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuGraphLaunch(exec, stream);
  if (result == CUDA_SUCCESS) call.session().mirrors().graph_launched(exec, stream);
  call.finish(result);
}

void cuGraphExecDestroy(Call& call) {
  call.will_destroy();
  const auto exec = call.value<CUgraphExec>();
  if (!call.ready()) return;
  call.session().mirrors().graph_destroyed(exec);
  CUresult result = call.driver().cuGraphExecDestroy(exec);
  call.unbind(exec);
  call.finish(result);
}

void cuGraphInstantiateWithParams(Call& call) {
  Created<CUgraphExec> exec(call);
  const auto graph = call.value<CUgraph>();
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  params.flags = call.value<std::uint64_t>();
  params.hUploadStream = call.value<CUstream>();
  if (!call.ready()) return;
  call.always_send_results();
  CUresult result = call.driver().cuGraphInstantiateWithParams(exec.pointer(), graph, &params);
  exec.bind(call, result);
  if (result == CUDA_SUCCESS) call.session().mirrors().graph_made(*exec.pointer(), graph);
  call.add(call.session().handles().name(params.hErrNode_out));
  call.add(static_cast<std::int32_t>(params.result_out));
  call.finish(result);
}

void cuGraphAddKernelNode_v2(Call& call) {
  Created<CUgraphNode> node(call);
  const auto graph = call.value<CUgraph>();
  const std::vector<CUgraphNode> dependencies = nodes_argument(call);
  LaunchArguments launch(call);
  if (!call.ready()) return;
  const CUDA_KERNEL_NODE_PARAMS params = launch.node();
  CUresult result = call.driver().cuGraphAddKernelNode_v2(node.pointer(), graph, dependencies.data(), dependencies.size(), &params);
  node.bind(call, result);
  call.finish(result);
}

void cuGraphKernelNodeSetParams_v2(Call& call) {
  const auto node = call.value<CUgraphNode>();
  LaunchArguments launch(call);
  if (!call.ready()) return;
  const CUDA_KERNEL_NODE_PARAMS params = launch.node();
  call.finish(call.driver().cuGraphKernelNodeSetParams_v2(node, &params));
}

void cuGraphExecKernelNodeSetParams_v2(Call& call) {
  const auto exec = call.value<CUgraphExec>();
  const auto node = call.value<CUgraphNode>();
  LaunchArguments launch(call);
  if (!call.ready()) return;
  const CUDA_KERNEL_NODE_PARAMS params = launch.node();
  call.finish(call.driver().cuGraphExecKernelNodeSetParams_v2(exec, node, &params));
}

void cuGraphKernelNodeGetParams_v2(Call& call) {
  const auto node = call.value<CUgraphNode>();
  if (!call.ready()) return;
  CUDA_KERNEL_NODE_PARAMS params{};
  CUresult result = call.driver().cuGraphKernelNodeGetParams_v2(node, &params);
  if (result != CUDA_SUCCESS) return call.finish(result);
  // Either may be set; the client knows kernels and functions as one kind.
  CUfunction function = params.func;
  std::uint64_t name = 0;
  if (params.kern) name = call.session().handles().name(reinterpret_cast<CUfunction>(params.kern));
  else name = call.session().handles().name(function);
  if (params.kern && !function) call.driver().cuKernelGetFunction(&function, params.kern);
  const std::vector<std::byte> parameters = pack_parameters(call.driver(), function, params.kernelParams);
  call.add(abi::Launch{.function = name, .stream = 0, .grid = {params.gridDimX, params.gridDimY, params.gridDimZ},
                       .block = {params.blockDimX, params.blockDimY, params.blockDimZ}, .shared_bytes = params.sharedMemBytes,
                       .attribute_count = 0, .parameter_bytes = static_cast<std::uint32_t>(parameters.size()), .cooperative = 0});
  call.append(parameters.data(), parameters.size());
  call.finish(result);
}

void cuGraphAddMemcpyNode(Call& call) {
  Created<CUgraphNode> node(call);
  const auto graph = call.value<CUgraph>();
  const std::vector<CUgraphNode> dependencies = nodes_argument(call);
  auto box = call.value<abi::CopyBox>();
  const auto context = call.value<CUcontext>();
  if (!find_box_memory(call, box)) call.set_bad_handle();
  if (!call.ready()) return;
  CUresult result = call.driver().cuGraphAddMemcpyNode(node.pointer(), graph, dependencies.data(), dependencies.size(), &box.copy, context);
  node.bind(call, result);
  call.finish(result);
}

}  // namespace weft::gpud
