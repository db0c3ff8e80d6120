// SPDX-License-Identifier: Apache-2.0
// Kernel launches, checked as far as CUDA reports at once.
#pragma once

#include <memory>
#include <vector>

#include "softgpu/context.hpp"
#include "softgpu/module.hpp"

namespace weft::softgpu {

struct Node;

/// A launch with all that its kernel needs; may be executed more than once.
struct Launch {
  Context* context = nullptr;
  const exec::Code* code = nullptr;
  std::shared_ptr<const exec::CodeSet> set;  // keeps the code
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  bool cooperative = false;
  std::uint64_t stack_bytes = 0, heap_bytes = 0, printf_bytes = 0;  // the context's limits at the launch
};

/// Fills `launch` from what the program gives; the driver's mutex is held.
CUresult prepare_launch(Entry& entry, const CUlaunchConfig& config, bool cooperative, CUfunction function, void** parameters, void** extra, Launch* launch);

/// What cuGraphKernelNodeGetParams will say of a node that launches this.
void describe_kernel(Node& node, const CUlaunchConfig& config, CUfunction function, std::shared_ptr<Launch> launch);

/// Executes it on the calling thread and the pool. A failure becomes the context's sticky error. Without locks.
void execute(const Launch& launch);

}  // namespace weft::softgpu
