// SPDX-License-Identifier: Apache-2.0
// Instructions that decide where lanes go on, and those of barriers and clocks.
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "abi/cuda.hpp"
#include "softgpu/exec/control.hpp"

namespace weft::softgpu::exec {
namespace {

constexpr std::int32_t cost_of_waiting = 64;

std::uint32_t mask_of(const Warp& w, Ref ref) { return *w.in<std::uint32_t>(ref); }

template <typename F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Jumps. imm is 1 for one that goes back; loops are where slices end.
void jump(Warp& w, const Op& op) {
  w.pc = op.target;
  if (op.imm && --w.budget < 0) end_slice(w, w.hints > 0);
}

template <bool negated>
void branch(Warp& w, const Op& op) {
  const std::uint32_t p = mask_of(w, op.a);
  const std::uint32_t taken = w.active & (negated ? ~p : p);
  if (!taken) return;
  if (taken == w.active) return jump(w, op);
  // Both ways: first the one that comes first in the order of blocks. d is 1 where that is the target.
  const std::uint32_t others = w.active & ~taken;
  if (op.d) {
    w.active = taken;
    fork(w, others, w.pc);
    jump(w, op);
  } else {
    w.active = others;
    fork(w, taken, op.target);
  }
}

void branch_indexed(Warp& w, const Op& op) {
  const auto* index = w.in<std::uint32_t>(op.a);
  const auto& targets = op.extra->targets;
  std::uint32_t rest = w.active;
  const std::uint32_t all = w.active;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::uint32_t mask = 0;
    for_lanes(rest, [&](unsigned l) { mask |= index[l] == i ? 1u << l : 0; });
    if (!mask) continue;
    rest &= ~mask;
    if (mask == all) {
      w.pc = targets[i];
      if (--w.budget < 0) end_slice(w, w.hints > 0);
      return;
    }
    fork(w, mask, targets[i]);
  }
  if (rest) return fault(w, op, CUDA_ERROR_ILLEGAL_INSTRUCTION, static_cast<unsigned>(std::countr_zero(rest)), "brx.idx beyond its list of targets");
  leave(w);
}

void exit_op(Warp& w, const Op&) { exit_lanes(w); }

/// What results and arguments are copied by: numbers holds triples of the offsets in the caller's and the callee's local memory and of sizes.
void copy_locals(const Frame& from, const Frame& to, std::uint32_t lanes, const std::uint64_t* triples, std::size_t count, bool to_callee) {
  for (std::size_t i = 0; i < count; ++i, triples += 3) {
    const std::size_t at_from = to_callee ? triples[0] : triples[1], at_to = to_callee ? triples[1] : triples[0];
    for_lanes(lanes, [&](unsigned l) { std::memcpy(to.local_of(l) + at_to, from.local_of(l) + at_from, triples[2]); });
  }
}

/// c: how many of the triples in numbers are arguments; the others are results.
void enter_callee(Warp& w, const Op& op, const Code& callee) {
  const Frame& caller = *w.frame;
  if (!call(w, op, callee)) return;
  copy_locals(caller, *w.frame, w.active, op.extra->numbers.data(), op.c, true);
}

void call_direct(Warp& w, const Op& op) { enter_callee(w, op, *op.extra->callee); }

/// A function's address is that of its Code; anything else in the register is none.
void call_indirect(Warp& w, const Op& op) {
  const auto* address = w.in<std::uint64_t>(op.a);
  const auto first = static_cast<unsigned>(std::countr_zero(w.active));
  std::uint32_t same = 0;
  for_lanes(w.active, [&](unsigned l) { same |= address[l] == address[first] ? 1u << l : 0; });
  const auto& known = w.frame->code->set->addresses;
  const auto found = known.find(address[first]);
  if (found == known.end()) return fault(w, op, CUDA_ERROR_INVALID_PC, first, "a call of what is no function");
  const Code& callee = *found->second;
  // The signature is what the call's prototype says; the function must have it.
  const std::size_t pairs = op.extra->numbers.size() / 3;
  if (callee.parameters.size() != op.c || callee.results.size() != pairs - op.c) return fault(w, op, CUDA_ERROR_INVALID_PC, first, "a call of " + callee.name + " with other arguments than it takes");
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto& [offset, size] = i < op.c ? callee.parameters[i] : callee.results[i - op.c];
    if (op.extra->numbers[3 * i + 1] != offset || op.extra->numbers[3 * i + 2] != size)
      return fault(w, op, CUDA_ERROR_INVALID_PC, first, "a call of " + callee.name + " with other arguments than it takes");
  }
  if (const std::uint32_t others = w.active & ~same; others) {
    w.active = same;
    fork(w, others, &op);
  }
  enter_callee(w, op, callee);
}

void call_builtin(Warp& w, const Op& op) { op.extra->builtin(w, op, *op.extra); }

void ret(Warp& w, const Op&) {
  Frame* frame = w.frame;
  if (!frame->caller) return exit_lanes(w);
  const Extra& extra = *frame->call->extra;
  const std::size_t arguments = frame->call->c;
  copy_locals(*frame, *frame->caller, w.active, extra.numbers.data() + 3 * arguments, extra.numbers.size() / 3 - arguments, false);
  return_lanes(w);
}

// --- guards

void guarded(Warp& w, const Op& op) {
  const std::uint32_t all = w.active, p = mask_of(w, op.extra->guard);
  w.active = all & (op.extra->guard_negated ? ~p : p);
  if (w.active) op.extra->inner(w, op);
  w.active = all;
}

// --- barriers

/// a: the barrier's number, b: the number of threads, or no_ref.
bool barrier_of(Warp& w, const Op& op, unsigned* number, std::uint32_t* expected) {
  const auto first = static_cast<unsigned>(std::countr_zero(w.active));
  *number = w.in<std::uint32_t>(op.a)[first];
  *expected = op.b == no_ref ? 0 : w.in<std::uint32_t>(op.b)[first];
  if (*number < barriers_per_block) return true;
  fault(w, op, CUDA_ERROR_ILLEGAL_INSTRUCTION, first, "a barrier's number beyond 15");
  return false;
}

void bar_sync(Warp& w, const Op& op) {
  unsigned number;
  std::uint32_t expected;
  if (!barrier_of(w, op, &number, &expected)) return;
  arrive(w, number, expected);
  park(w, Wait::barrier, static_cast<std::uint8_t>(number));
}

void bar_arrive(Warp& w, const Op& op) {
  unsigned number;
  std::uint32_t expected;
  if (!barrier_of(w, op, &number, &expected)) return;
  arrive(w, number, expected);
  check_barriers(*w.block);
}

/// c: the predicate, d: 1 where it is negated. The result is read by the instruction behind, when all have arrived.
void bar_red(Warp& w, const Op& op) {
  unsigned number;
  std::uint32_t expected;
  if (!barrier_of(w, op, &number, &expected)) return;
  Barrier& barrier = w.block->barriers[number];
  const std::uint32_t p = mask_of(w, op.c);
  barrier.true_lanes += static_cast<std::uint32_t>(std::popcount(w.active & (op.d ? ~p : p)));
  barrier.voting_lanes += static_cast<std::uint32_t>(std::popcount(w.active));
  arrive(w, number, expected);
  park(w, Wait::barrier, static_cast<std::uint8_t>(number));
}

template <char what>
void bar_result(Warp& w, const Op& op) {
  const auto first = static_cast<unsigned>(std::countr_zero(w.active));
  const Barrier& barrier = w.block->barriers[w.in<std::uint32_t>(op.a)[first] % barriers_per_block];
  if (what == 'c') {
    for_lanes(w.active, [&](unsigned l) { w.out<std::uint32_t>(op.dst)[l] = barrier.last_true_lanes; });
  } else {
    const bool value = what == '&' ? barrier.last_true_lanes == barrier.last_voting_lanes : barrier.last_true_lanes > 0;
    std::uint32_t& p = w.predicate(op.dst);
    p = value ? p | w.active : p & ~w.active;
  }
}

void bar_warp(Warp& w, const Op& op) {
  std::uint32_t wanted = 0;
  const auto* mask = w.in<std::uint32_t>(op.a);
  for_lanes(w.active, [&](unsigned l) { wanted |= mask[l]; });
  gather(w, op, wanted);
}

// --- time and the rest

template <typename T, unsigned shift>
void clock(Warp& w, const Op& op) {
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  ++w.hints;  // loops wait for clocks
  w.budget -= cost_of_waiting;
  for_lanes(w.active, [&](unsigned l) { w.out<T>(op.dst)[l] = static_cast<T>(now >> shift); });
}

/// globaltimer counts from 1970.
template <typename T, unsigned shift>
void global_timer(Warp& w, const Op& op) {
  const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  ++w.hints;
  w.budget -= cost_of_waiting;
  for_lanes(w.active, [&](unsigned l) { w.out<T>(op.dst)[l] = static_cast<T>(now >> shift); });
}

void fence(Warp&, const Op&) { std::atomic_thread_fence(std::memory_order_seq_cst); }

/// Gives others the rest of the slice.
void nanosleep(Warp& w, const Op&) {
  ++w.hints;
  w.budget = 0;
}

void trap(Warp& w, const Op& op) { fault(w, op, CUDA_ERROR_LAUNCH_FAILED, static_cast<unsigned>(std::countr_zero(w.active)), "trap"); }

void nothing(Warp&, const Op&) {}

void activemask(Warp& w, const Op& op) {
  for_lanes(w.active, [&](unsigned l) { w.out<std::uint32_t>(op.dst)[l] = w.active; });
}

}  // namespace

Handler flow_handler(std::string_view name) {
  static const std::map<std::string_view, Handler> all{
      {"jump", &jump}, {"branch", &branch<false>}, {"branch_not", &branch<true>}, {"brx.idx", &branch_indexed}, {"exit", &exit_op}, {"ret", &ret},
      {"call", &call_direct}, {"call_indirect", &call_indirect}, {"call_builtin", &call_builtin}, {"guarded", &guarded}, {"bar.sync", &bar_sync},
      {"bar.arrive", &bar_arrive}, {"bar.red", &bar_red}, {"bar.result.and", &bar_result<'&'>}, {"bar.result.or", &bar_result<'|'>},
      {"bar.result.popc", &bar_result<'c'>}, {"bar.warp", &bar_warp}, {"clock", &clock<std::uint32_t, 0>}, {"clock_hi", &clock<std::uint32_t, 32>},
      {"clock64", &clock<std::uint64_t, 0>}, {"globaltimer", &global_timer<std::uint64_t, 0>}, {"globaltimer_lo", &global_timer<std::uint32_t, 0>},
      {"globaltimer_hi", &global_timer<std::uint32_t, 32>}, {"fence", &fence}, {"nanosleep", &nanosleep}, {"trap", &trap}, {"nothing", &nothing},
      {"activemask", &activemask}, {"entry", &block_entry}};
  auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

namespace {

/// What a special register is in a lane, where it depends on the lane.
std::uint32_t lane_value(const Warp& w, Special special, unsigned l) {
  const std::uint32_t bit = 1u << l;
  switch (special) {
    case Special::laneid: return l;
    case Special::lanemask_eq: return bit;
    case Special::lanemask_lt: return bit - 1;
    case Special::lanemask_le: return bit | (bit - 1);
    case Special::lanemask_gt: return ~(bit | (bit - 1));
    case Special::lanemask_ge: return ~(bit - 1);
    default: {
      std::uint32_t thread[3];
      thread_index(w, l, thread);
      return thread[static_cast<unsigned>(special)];  // tid
    }
  }
}

/// Where it is the same in all lanes.
std::uint64_t common_value(const Warp& w, Special special) {
  const Grid& grid = *w.grid;
  const Block& block = *w.block;
  const auto axis = static_cast<unsigned>(special) % 3;
  switch (special) {
    case Special::ntid_x: case Special::ntid_y: case Special::ntid_z: return grid.block_dimensions[axis];
    case Special::ctaid_x: case Special::ctaid_y: case Special::ctaid_z: return block.index[axis];
    case Special::nctaid_x: case Special::nctaid_y: case Special::nctaid_z: return grid.dimensions[axis];
    case Special::warpid: return w.number;
    case Special::nwarpid: return 64;
    case Special::smid: return block.number % grid.multiprocessors;
    case Special::nsmid: return grid.multiprocessors;
    case Special::gridid: return grid.id;
    case Special::dynamic_smem_size: return grid.dynamic_shared_bytes;
    case Special::total_smem_size: return grid.shared_bytes;
    case Special::reserved_smem: return grid.shared_bytes - reserved_shared_bytes;
    case Special::reserved_smem_end: return grid.shared_bytes;
    case Special::reserved_smem_cap: return reserved_shared_bytes;
    case Special::envreg1: return grid.workspace >> 32;
    case Special::envreg2: return grid.workspace & 0xffffffff;
    case Special::one: return 1;
    case Special::warp_size: return lanes_per_warp;
    default: return 0;
  }
}

bool differs_by_block(Special special) { return (special >= Special::ctaid_x && special <= Special::ctaid_z) || special == Special::smid; }
bool differs_by_lane(Special special) { return special <= Special::tid_z || special == Special::laneid || (special >= Special::lanemask_eq && special <= Special::lanemask_gt); }

}  // namespace

void fill_specials(Warp& w, Frame& frame, bool is_new) {
  for (const auto& [special, ref] : frame.code->specials) {
    // A warp has the same place in all blocks of one grid that it is used for.
    if (!is_new && !differs_by_block(special)) continue;
    std::byte* slot = frame.registers.get() + ref;
    if (differs_by_lane(special)) {
      for (unsigned l = 0; l < lanes_per_warp; ++l) reinterpret_cast<std::uint32_t*>(slot)[l] = lane_value(w, special, l);
    } else if (special == Special::gridid) {
      std::fill_n(reinterpret_cast<std::uint64_t*>(slot), lanes_per_warp, common_value(w, special));
    } else {
      std::fill_n(reinterpret_cast<std::uint32_t*>(slot), lanes_per_warp, static_cast<std::uint32_t>(common_value(w, special)));
    }
  }
  if (!is_new) return;
  for (const auto& [offset, bytes, ref] : frame.code->parameter_slots)
    for (unsigned l = 0; l < lanes_per_warp; ++l) std::memcpy(frame.registers.get() + ref + std::size_t{l} * bytes, w.grid->parameters.data() + offset, bytes);
}

}  // namespace weft::softgpu::exec
