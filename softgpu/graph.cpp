// SPDX-License-Identifier: Apache-2.0
#include "softgpu/graph.hpp"

#include <algorithm>
#include <map>

namespace weft::softgpu {

Node* add_node(Driver& driver, Graph& graph, CUgraphNodeType type, Queue::Work work, std::vector<Node*> after) {
  auto made = std::make_unique<Node>();
  made->graph = &graph;
  made->type = type;
  made->work = std::move(work);
  made->after = std::move(after);
  Node* node = driver.nodes.insert(std::move(made));
  graph.nodes.push_back(node);
  return node;
}

}  // namespace weft::softgpu

using namespace weft::softgpu;

namespace {

/// Nodes behind what they depend on; nothing where they depend on each other in a circle.
std::optional<std::vector<Node*>> in_order(const Graph& graph) {
  std::vector<Node*> order;
  std::map<const Node*, int> state;  // 1: begun, 2: placed
  const auto place = [&](const auto& self, Node* node) -> bool {
    int& now = state[node];
    if (now) return now == 2;
    now = 1;
    for (Node* before : node->after)
      if (!self(self, before)) return false;
    state[node] = 2;
    order.push_back(node);
    return true;
  };
  for (Node* node : graph.nodes)
    if (!place(place, node)) return std::nullopt;
  return order;
}

/// Reads the nodes that a new one comes after.
CUresult read_nodes(Entry& entry, const Graph& graph, const CUgraphNode* handles, size_t count, std::vector<Node*>* nodes) {
  if (count && !handles) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    Node* node = entry.driver().nodes.find(handles[i]);
    if (!node || node->graph != &graph) return CUDA_ERROR_INVALID_VALUE;
    nodes->push_back(node);
  }
  return CUDA_SUCCESS;
}

/// The part that all calls that add nodes share: make(entry, node) fills it.
template <typename Make>
CUresult add(CUgraphNode* handle, CUgraph hGraph, const CUgraphNode* dependencies, size_t count, CUgraphNodeType type, Make make) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Graph* graph = entry.driver().graphs.find(hGraph);
  if (!graph) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Node*> after;
  if (CUresult result = read_nodes(entry, *graph, dependencies, count, &after); result != CUDA_SUCCESS) return result;
  Node filled;
  if (CUresult result = make(entry, filled); result != CUDA_SUCCESS) return result;
  Node* node = add_node(entry.driver(), *graph, type, std::move(filled.work), std::move(after));
  node->launch = std::move(filled.launch);
  node->kernel = filled.kernel;
  node->parameter_pointers = std::move(filled.parameter_pointers);
  *handle = reinterpret_cast<CUgraphNode>(node);
  return CUDA_SUCCESS;
}

CUresult make_kernel(Entry& entry, const CUDA_KERNEL_NODE_PARAMS& p, Node& node) {
  const CUlaunchConfig config{.gridDimX = p.gridDimX, .gridDimY = p.gridDimY, .gridDimZ = p.gridDimZ, .blockDimX = p.blockDimX, .blockDimY = p.blockDimY,
                              .blockDimZ = p.blockDimZ, .sharedMemBytes = p.sharedMemBytes, .hStream = nullptr, .attrs = nullptr, .numAttrs = 0};
  const CUfunction function = p.func ? p.func : reinterpret_cast<CUfunction>(p.kern);
  auto launch = std::make_shared<Launch>();
  if (CUresult result = prepare_launch(entry, config, false, function, p.kernelParams, p.extra, launch.get()); result != CUDA_SUCCESS) return result;
  node.work = [launch] { execute(*launch); };
  describe_kernel(node, config, function, launch);
  return CUDA_SUCCESS;
}

CUresult make_copy(Entry& entry, const CUDA_MEMCPY3D& box, Node& node) {
  bool pageable;
  return box_work(entry, box, &node.work, &pageable);
}

CUresult make_host(const CUDA_HOST_NODE_PARAMS& p, Node& node) {
  if (!p.fn) return CUDA_ERROR_INVALID_VALUE;
  node.work = [fn = p.fn, data = p.userData] { fn(data); };
  return CUDA_SUCCESS;
}

/// A graph's nodes one after the other, as one piece of work.
CUresult make_child(Entry& entry, CUgraph handle, Node& node) {
  const Graph* graph = entry.driver().graphs.find(handle);
  const auto order = graph ? in_order(*graph) : std::nullopt;
  if (!order) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Queue::Work> all;
  for (const Node* one : *order)
    if (one->work) all.push_back(one->work);
  node.work = [all = std::move(all)] {
    for (const auto& work : all) work();
  };
  return CUDA_SUCCESS;
}

CUresult make_any(Entry& entry, const CUgraphNodeParams& p, Node& node) {
  switch (p.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const CUDA_KERNEL_NODE_PARAMS_v3& k = p.kernel;
      const CUDA_KERNEL_NODE_PARAMS same{.func = k.func, .gridDimX = k.gridDimX, .gridDimY = k.gridDimY, .gridDimZ = k.gridDimZ, .blockDimX = k.blockDimX, .blockDimY = k.blockDimY,
                                         .blockDimZ = k.blockDimZ, .sharedMemBytes = k.sharedMemBytes, .kernelParams = k.kernelParams, .extra = k.extra, .kern = k.kern, .ctx = k.ctx};
      return make_kernel(entry, same, node);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: return make_copy(entry, p.memcpy.copyParams, node);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const CUDA_MEMSET_NODE_PARAMS same{.dst = p.memset.dst, .pitch = p.memset.pitch, .value = p.memset.value, .elementSize = p.memset.elementSize, .width = p.memset.width,
                                         .height = p.memset.height};
      return fill_work(entry, same, &node.work);
    }
    case CU_GRAPH_NODE_TYPE_HOST: return make_host({p.host.fn, p.host.userData}, node);
    case CU_GRAPH_NODE_TYPE_GRAPH: return make_child(entry, p.graph.graph, node);
    case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

/// Gives one step of an executable graph other work: make(entry, node) says which.
template <typename Make>
CUresult update(CUgraphExec hGraphExec, CUgraphNode hNode, Make make) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  GraphExec* exec = entry.driver().graph_execs.find(hGraphExec);
  if (!exec) return CUDA_ERROR_INVALID_VALUE;
  for (auto& step : exec->steps) {
    if (reinterpret_cast<CUgraphNode>(step.node) != hNode) continue;
    Node filled;
    if (CUresult result = make(entry, filled); result != CUDA_SUCCESS) return result;
    step.work = std::move(filled.work);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult instantiate(CUgraphExec* handle, CUgraph hGraph) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* graph = entry.driver().graphs.find(hGraph);
  const auto order = graph ? in_order(*graph) : std::nullopt;
  if (!order) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<GraphExec>();
  for (Node* node : *order) made->steps.push_back({node, node->work});
  *handle = reinterpret_cast<CUgraphExec>(entry.driver().graph_execs.insert(std::move(made)));
  return CUDA_SUCCESS;
}

/// Answers a list: how many there are, or as many as there is room for.
CUresult answer_nodes(const std::vector<Node*>& all, CUgraphNode* nodes, size_t* count) {
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; nodes && i < *count; ++i) nodes[i] = i < all.size() ? reinterpret_cast<CUgraphNode>(all[i]) : nullptr;
  *count = nodes ? std::min(*count, all.size()) : all.size();
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
  if (!phGraph || flags) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result == CUDA_SUCCESS) *phGraph = reinterpret_cast<CUgraph>(entry.driver().graphs.insert(std::make_unique<Graph>()));
  return entry.result;
}

CUresult cuGraphDestroy(CUgraph hGraph) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Graph* graph = entry.driver().graphs.find(hGraph);
  if (!graph) return CUDA_ERROR_INVALID_VALUE;
  for (Node* node : graph->nodes) entry.driver().nodes.erase(node);
  entry.driver().graphs.erase(graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* original = entry.driver().graphs.find(originalGraph);
  if (!phGraphClone || !original) return CUDA_ERROR_INVALID_VALUE;
  Graph* clone = entry.driver().graphs.insert(std::make_unique<Graph>());
  std::map<const Node*, Node*> clones;
  for (const Node* node : original->nodes) {
    Node* made = add_node(entry.driver(), *clone, node->type, node->work, {});
    made->launch = node->launch;
    made->kernel = node->kernel;
    made->parameter_pointers = node->parameter_pointers;
    made->original = node;
    clones[node] = made;
  }
  for (const Node* node : original->nodes)
    for (const Node* before : node->after) clones[node]->after.push_back(clones[before]);
  *phGraphClone = reinterpret_cast<CUgraph>(clone);
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* clone = entry.driver().graphs.find(hClonedGraph);
  if (!phNode || !clone) return CUDA_ERROR_INVALID_VALUE;
  for (Node* node : clone->nodes) {
    if (reinterpret_cast<CUgraphNode>(const_cast<Node*>(node->original)) != hOriginalNode) continue;
    *phNode = reinterpret_cast<CUgraphNode>(node);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_KERNEL, [&](Entry& entry, Node& node) { return make_kernel(entry, *nodeParams, node); });
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext) {
  if (!copyParams) return CUDA_ERROR_INVALID_VALUE;
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_MEMCPY, [&](Entry& entry, Node& node) { return make_copy(entry, *copyParams, node); });
}
CUresult cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                              CUcontext) {
  if (!memsetParams) return CUDA_ERROR_INVALID_VALUE;
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_MEMSET, [&](Entry& entry, Node& node) { return fill_work(entry, *memsetParams, &node.work); });
}
CUresult cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_HOST, [&](Entry&, Node& node) { return make_host(*nodeParams, node); });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, CUgraph childGraph) {
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_GRAPH, [&](Entry& entry, Node& node) { return make_child(entry, childGraph, node); });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies) {
  return add(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_EMPTY, [](Entry&, Node&) { return CUDA_SUCCESS; });
}
CUresult cuGraphAddNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData*, size_t numDependencies, CUgraphNodeParams* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return add(phGraphNode, hGraph, dependencies, numDependencies, nodeParams->type, [&](Entry& entry, Node& node) { return make_any(entry, *nodeParams, node); });
}
CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, CUgraphNodeParams* nodeParams) {
  return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, nullptr, numDependencies, nodeParams);
}

CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*, size_t numDependencies) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* graph = entry.driver().graphs.find(hGraph);
  std::vector<Node*> before, behind;
  if (!graph || read_nodes(entry, *graph, from, numDependencies, &before) != CUDA_SUCCESS || read_nodes(entry, *graph, to, numDependencies, &behind) != CUDA_SUCCESS)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < numDependencies; ++i) behind[i]->after.push_back(before[i]);
  return CUDA_SUCCESS;
}
CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, size_t numDependencies) {
  return cuGraphAddDependencies_v2(hGraph, from, to, nullptr, numDependencies);
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* graph = entry.driver().graphs.find(hGraph);
  return graph ? answer_nodes(graph->nodes, nodes, numNodes) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Graph* graph = entry.driver().graphs.find(hGraph);
  if (!graph) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Node*> roots;
  for (Node* node : graph->nodes)
    if (node->after.empty()) roots.push_back(node);
  return answer_nodes(roots, rootNodes, numRootNodes);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode* dependencies, CUgraphEdgeData* edgeData, size_t* numDependencies) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Node* node = entry.driver().nodes.find(hNode);
  if (!node) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = answer_nodes(node->after, dependencies, numDependencies);
  if (edgeData && result == CUDA_SUCCESS) std::fill_n(edgeData, *numDependencies, CUgraphEdgeData{});
  return result;
}
CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies, size_t* numDependencies) {
  return cuGraphNodeGetDependencies_v2(hNode, dependencies, nullptr, numDependencies);
}
CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Node* node = entry.driver().nodes.find(hNode);
  if (!node || !type) return CUDA_ERROR_INVALID_VALUE;
  *type = node->type;
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Node* node = entry.driver().nodes.find(hNode);
  if (!node || !node->launch || !nodeParams) return CUDA_ERROR_INVALID_VALUE;
  *nodeParams = node->kernel;
  nodeParams->kernelParams = node->parameter_pointers.data();
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Node* node = entry.driver().nodes.find(hNode);
  if (!node || !node->launch || !nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return make_kernel(entry, *nodeParams, *node);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long) { return instantiate(phGraphExec, hGraph); }
CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode*, char*, size_t) { return instantiate(phGraphExec, hGraph); }
CUresult cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode*, char*, size_t) { return instantiate(phGraphExec, hGraph); }
CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  if (!instantiateParams) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = instantiate(phGraphExec, hGraph);
  instantiateParams->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return update(hGraphExec, hNode, [&](Entry& entry, Node& node) { return make_kernel(entry, *nodeParams, node); });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D* copyParams, CUcontext) {
  if (!copyParams) return CUDA_ERROR_INVALID_VALUE;
  return update(hGraphExec, hNode, [&](Entry& entry, Node& node) { return make_copy(entry, *copyParams, node); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext) {
  if (!memsetParams) return CUDA_ERROR_INVALID_VALUE;
  return update(hGraphExec, hNode, [&](Entry& entry, Node& node) { return fill_work(entry, *memsetParams, &node.work); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return update(hGraphExec, hNode, [&](Entry&, Node& node) { return make_host(*nodeParams, node); });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  if (!nodeParams) return CUDA_ERROR_INVALID_VALUE;
  return update(hGraphExec, hNode, [&](Entry& entry, Node& node) { return make_any(entry, *nodeParams, node); });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  GraphExec* exec = entry.driver().graph_execs.find(hGraphExec);
  if (!exec) return CUDA_ERROR_INVALID_VALUE;
  for (auto& step : exec->steps) {
    if (reinterpret_cast<CUgraphNode>(step.node) != hNode) continue;
    step.enabled = isEnabled != 0;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/// Another graph of the same shape: its work takes the place of what was there.
CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo) {
  if (!resultInfo) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  GraphExec* exec = entry.driver().graph_execs.find(hGraphExec);
  const Graph* graph = entry.driver().graphs.find(hGraph);
  const auto order = graph ? in_order(*graph) : std::nullopt;
  if (!exec || !order) return CUDA_ERROR_INVALID_VALUE;
  *resultInfo = {.result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, .errorNode = nullptr, .errorFromNode = nullptr};
  if (order->size() != exec->steps.size()) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  for (size_t i = 0; i < order->size(); ++i) {
    Node* old = entry.driver().nodes.find(exec->steps[i].node);
    if (!old || (old->type == (*order)[i]->type && old->after.size() == (*order)[i]->after.size())) continue;
    resultInfo->result = CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    resultInfo->errorNode = reinterpret_cast<CUgraphNode>((*order)[i]);
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  for (size_t i = 0; i < order->size(); ++i) exec->steps[i].work = (*order)[i]->work;
  resultInfo->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  GraphExec* exec = entry.driver().graph_execs.find(hGraphExec);
  if (!exec) return CUDA_ERROR_INVALID_VALUE;
  entry.driver().graph_execs.erase(exec);  // launches that run have copies of its work
  return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  return entry.driver().graph_execs.find(hGraphExec) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  const GraphExec* exec = entry.driver().graph_execs.find(hGraphExec);
  if (!exec) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Queue::Work> all;
  for (const auto& step : exec->steps)
    if (step.enabled && step.work) all.push_back(step.work);
  target.type = CU_GRAPH_NODE_TYPE_GRAPH;
  enqueue(target, [all = std::move(all)] {
    for (const auto& work : all) work();
  });
  return CUDA_SUCCESS;
}

}  // extern "C"
