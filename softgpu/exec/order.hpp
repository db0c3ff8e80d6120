// SPDX-License-Identifier: Apache-2.0
// In which order the lanes of a warp visit a function's blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu::exec {

struct BasicBlock {
  std::size_t first = 0, end = 0;          // instructions
  std::vector<std::size_t> successors;     // blocks
  std::size_t predecessors = 0;            // how many ways lead here
  std::uint32_t order = 0;                 // a block comes after all that lead to it, but for ways back; a loop's blocks come before those behind it
};

/// The function's blocks in the order of its text. Throws ptx::Error for a branch to nowhere.
std::vector<BasicBlock> blocks_of(const ptx::Function& function);

}  // namespace weft::softgpu::exec
