// SPDX-License-Identifier: Apache-2.0
// What only the engine's own files need of control.cpp, and the handlers of instructions that decide where lanes go on (flow_ops.cpp).
#pragma once

#include "softgpu/exec/warp.hpp"

namespace weft::softgpu::exec {

/// The first operation of a block in which ways of lanes meet.
void block_entry(Warp& warp, const Op& op);
/// The running lanes go on in `callee`; the caller copies arguments afterwards. False where the stack is too small; the kernel has failed then.
bool call(Warp& warp, const Op& op, const Code& callee);
/// The running lanes go on behind the call of their frame.
void return_lanes(Warp& warp);
/// Gives the slots of special registers their values; those of a frame that isn't new keep what never changes.
void fill_specials(Warp& warp, Frame& frame, bool is_new);
void thread_index(const Warp& warp, unsigned lane, std::uint32_t (&index)[3]);

/// The handler of an instruction that moves lanes or talks to the block: bra, call, ret, exit, bar and the like; by the decoder's own names. Null for others.
Handler flow_handler(std::string_view name);

}  // namespace weft::softgpu::exec
