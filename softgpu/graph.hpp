// SPDX-License-Identifier: Apache-2.0
// Graphs: work that is described once and done often. A node's work is what its call would have put into a stream.
#pragma once

#include <memory>
#include <vector>

#include "softgpu/context.hpp"
#include "softgpu/launch.hpp"

namespace weft::softgpu {

struct Graph;

struct Node {
  Graph* graph = nullptr;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  Queue::Work work;                      // none for an empty node
  std::vector<Node*> after;
  std::shared_ptr<Launch> launch;        // of a kernel's node
  CUDA_KERNEL_NODE_PARAMS kernel{};      // its handles and shape; the parameters are in `launch`
  const Node* original = nullptr;        // in the graph that this one's was cloned from; not to be followed
  std::vector<void*> parameter_pointers; // into `launch`, for cuGraphKernelNodeGetParams
};

struct Graph {
  std::vector<Node*> nodes;  // which the driver's registry owns
};

/// Nodes in an order in which each comes after what it depends on, with what they do.
struct GraphExec {
  struct Step {
    Node* node;
    Queue::Work work;
    bool enabled = true;
  };
  std::vector<Step> steps;
};

/// A stream that doesn't run what it is given, but makes nodes of it.
struct Capture {
  Graph* graph = nullptr;
  Stream* origin = nullptr;
  std::uint64_t id = 0;
  bool ended = false;
};

/// Adds a node; the driver's mutex is held.
Node* add_node(Driver& driver, Graph& graph, CUgraphNodeType type, Queue::Work work, std::vector<Node*> after);

/// What a copy of a box does, once its sides are checked (copy.cpp).
CUresult box_work(Entry& entry, const CUDA_MEMCPY3D& box, Queue::Work* work, bool* pageable);
/// What filling memory does.
CUresult fill_work(Entry& entry, const CUDA_MEMSET_NODE_PARAMS& fill, Queue::Work* work);

}  // namespace weft::softgpu
