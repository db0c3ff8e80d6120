// SPDX-License-Identifier: Apache-2.0
// Splits, frames and faults: see warp.hpp.
#include <algorithm>
#include <cstring>

#include "abi/cuda.hpp"
#include "base/log.hpp"
#include "softgpu/exec/control.hpp"
#include "softgpu/exec/warp.hpp"

namespace weft::softgpu::exec {
namespace {

constexpr std::int32_t slice_budget = 4096;
/// What calls may need on top of the program's stack limit: the limit counts what NVIDIA's compiler would use, which isn't what we do.
constexpr std::uint64_t spare_stack_bytes = 256 << 10;

std::uint64_t depth_rank_of(const Frame& frame) { return std::uint64_t{~frame.depth} << 32; }

std::uint64_t rank_of(const Split& split) { return depth_rank_of(*split.frame) | split.frame->code->orders[split.frame->code->index_of(split.pc)]; }

void find_next_rank(Warp& w) {
  w.next_rank = no_rank;
  for (const Split& split : w.splits)
    if (split.wait == Wait::none) w.next_rank = std::min(w.next_rank, rank_of(split));
}

/// Makes the split at `at` the running one, with all that wait at the same place. A split that waits for lanes tries again.
void resume(Warp& w, std::size_t at) {
  const Split chosen = w.splits[at];
  w.splits.erase(w.splits.begin() + static_cast<std::ptrdiff_t>(at));
  w.active = chosen.mask;
  if (!w.splits.empty()) {
    std::erase_if(w.splits, [&](const Split& other) {
      const bool same = other.pc == chosen.pc && other.frame == chosen.frame && other.wait != Wait::barrier;
      if (same) w.active |= other.mask;
      return same;
    });
  }
  w.pc = chosen.pc;
  if (w.pc->run == &block_entry) ++w.pc;
  if (w.frame != chosen.frame) use_frame(w, chosen.frame);
}

constexpr std::size_t none = ~std::size_t{0};

/// The runnable split of the lowest rank.
std::size_t first_runnable(const Warp& w) {
  std::size_t best = none;
  std::uint64_t lowest = no_rank;
  for (std::size_t i = 0; i < w.splits.size(); ++i) {
    if (w.splits[i].wait != Wait::none) continue;
    if (const std::uint64_t rank = rank_of(w.splits[i]); rank < lowest) lowest = rank, best = i;
  }
  return best;
}

/// After a slice that ended in a wait loop: whichever other split is next in turn.
std::size_t in_turn(Warp& w) {
  for (std::size_t i = 0; i < w.splits.size(); ++i) {
    const std::size_t at = (w.turn + i) % w.splits.size();
    if (w.splits[at].wait == Wait::none) return at;
  }
  return none;
}

/// Something that can run, or else lanes that wait for others in vain. False where all wait at barriers.
bool choose(Warp& w) {
  if (w.splits.size() == 1 && w.splits[0].wait == Wait::none) {
    w.spun = false;
    resume(w, 0);
    w.next_rank = no_rank;
    return true;
  }
  std::size_t at = w.spun ? in_turn(w) : first_runnable(w);
  const bool in_order = !w.spun;
  w.spun = false;
  if (at == none) {
    for (std::size_t i = 0; i < w.splits.size() && at == none; ++i)
      if (w.splits[i].wait == Wait::lanes) at = i;
    if (at == none) return false;
    w.forced = true;
  }
  resume(w, at);
  if (in_order) find_next_rank(w);
  else w.next_rank = no_rank;  // it has this slice for itself
  return true;
}

}  // namespace

Buffer make_buffer(std::size_t bytes) {
  void* memory = std::aligned_alloc(64, std::max<std::size_t>((bytes + 63) / 64 * 64, 64));
  if (!memory) throw std::bad_alloc();
  return Buffer(static_cast<std::byte*>(memory));
}

void block_entry(Warp& w, const Op& op) { enter(w, static_cast<std::uint32_t>(op.imm)); }

bool run(Warp& w) {
  w.budget = slice_budget;
  w.hints = 0;
  w.waits = false;
  if (!choose(w)) return false;
  w.running = true;
  while (w.running) {
    const Op* op = w.pc++;
    op->run(w, *op);
  }
  return true;
}

void end_slice(Warp& w, bool spinning) {
  if (w.active) w.splits.push_back({w.pc, w.frame, w.active, Wait::none, 0});
  w.waits = spinning;
  w.spun = spinning && w.splits.size() > 1;
  if (w.spun) w.turn = (w.turn + 1) % w.splits.size();
  w.active = 0;
  w.running = false;
}

void arrange(Warp& w) {
  w.splits.push_back({w.pc - 1, w.frame, w.active, Wait::none, 0});
  resume(w, first_runnable(w));
  find_next_rank(w);
}

void leave(Warp& w) {
  w.active = 0;
  if (const std::size_t at = first_runnable(w); at != none) {
    resume(w, at);
    find_next_rank(w);
  } else {
    w.running = false;
  }
}

void park(Warp& w, Wait wait, std::uint8_t barrier) {
  w.splits.push_back({w.pc, w.frame, w.active, wait, barrier});
  if (wait == Wait::barrier) check_barriers(*w.block);
  leave(w);
}

bool gather(Warp& w, const Op& op, std::uint32_t mask) {
  const std::uint32_t missing = mask & w.alive & ~w.active;
  if (!missing || w.forced) {
    w.forced = false;
    return true;
  }
  w.pc = &op;
  park(w, Wait::lanes);
  return false;
}

void fork(Warp& w, std::uint32_t mask, const Op* pc) {
  w.splits.push_back({pc, w.frame, mask, Wait::none, 0});
  w.next_rank = std::min(w.next_rank, rank_of(w.splits.back()));
}

void exit_lanes(Warp& w) {
  w.alive &= ~w.active;
  w.block->alive -= static_cast<std::uint32_t>(std::popcount(w.active));
  for (Frame* frame = w.frame; frame; frame = frame->caller) frame->lanes &= ~w.active;
  check_barriers(*w.block);
  leave(w);
}

// --- frames

void use_frame(Warp& w, Frame* frame) {
  w.frame = frame;
  w.base[0] = frame->registers.get();
  w.base[1] = const_cast<std::byte*>(frame->code->constants.get());
  w.depth_rank = depth_rank_of(*frame);
}

Frame* push_frame(Warp& w, const Code& code, std::uint32_t lanes) {
  auto found = std::find_if(w.spare.rbegin(), w.spare.rend(), [&](const auto& frame) { return frame->code == &code; });
  std::unique_ptr<Frame> made;
  const bool is_new = found == w.spare.rend();
  if (!is_new) {
    made = std::move(*found);
    w.spare.erase(std::next(found).base());
  } else {
    made = std::make_unique<Frame>();
    made->code = &code;
    made->registers = make_buffer(code.register_bytes);
    made->local = make_buffer(std::size_t{code.local_bytes} * lanes_per_warp);
    std::memset(made->registers.get(), 0, code.register_bytes);
  }
  made->caller = nullptr;
  made->call = nullptr;
  made->lanes = lanes;
  made->depth = 0;
  made->stack_bytes = code.local_bytes;
  Frame* frame = made.get();
  w.frames.push_back(std::move(made));
  fill_specials(w, *frame, is_new);
  return frame;
}

namespace {

/// The kernel's frame, of which a warp keeps one from block to block.
Frame* first_frame(Warp& w, std::uint32_t lanes) {
  const Code& code = *w.grid->code;
  if (w.frames.size() != 1 || w.frames[0]->code != &code) {
    while (!w.frames.empty()) {
      w.spare.push_back(std::move(w.frames.back()));
      w.frames.pop_back();
    }
    return push_frame(w, code, lanes);
  }
  Frame& frame = *w.frames[0];
  frame.lanes = lanes;
  fill_specials(w, frame, false);
  return &frame;
}

}  // namespace

namespace {

void drop_frame(Warp& w, Frame* frame) {
  auto found = std::find_if(w.frames.begin(), w.frames.end(), [&](const auto& one) { return one.get() == frame; });
  w.spare.push_back(std::move(*found));
  w.frames.erase(found);
}

}  // namespace

void begin(Warp& w, std::uint32_t lanes) {
  w.splits.clear();
  w.alive = lanes;
  w.active = 0;
  w.carry = 0;
  w.forced = w.spun = false;
  w.frame = nullptr;
  Frame* frame = first_frame(w, lanes);
  w.splits.push_back({frame->code->ops.data(), frame, lanes, Wait::none, 0});
}

bool call(Warp& w, const Op& op, const Code& callee) {
  Frame* caller = w.frame;
  const std::uint64_t stack = caller->stack_bytes + callee.local_bytes + 64;
  if (stack > w.grid->stack_bytes + spare_stack_bytes) {
    fault(w, op, CUDA_ERROR_ILLEGAL_ADDRESS, static_cast<unsigned>(std::countr_zero(w.active)), "stack overflow: calls need more than cudaLimitStackSize");
    return false;
  }
  Frame* frame = push_frame(w, callee, w.active);
  frame->caller = caller;
  frame->call = &op;
  frame->depth = caller->depth + 1;
  frame->stack_bytes = stack;
  use_frame(w, frame);
  w.pc = callee.ops.data();
  return true;
}

void return_lanes(Warp& w) {
  Frame* frame = w.frame;
  const Op* call = frame->call;
  frame->lanes &= ~w.active;
  use_frame(w, frame->caller);
  w.pc = call + 1;
  if (!frame->lanes) drop_frame(w, frame);
  // Lanes that are still inside go first.
  if ((w.depth_rank | w.frame->code->orders[w.frame->code->index_of(w.pc)]) >= w.next_rank) {
    ++w.pc;  // arrange() goes on one before
    arrange(w);
  }
}

// --- faults

namespace {

/// The first frame from the innermost that is the kernel's.
const Frame& outermost(const Frame& frame) {
  const Frame* at = &frame;
  while (at->caller) at = at->caller;
  return *at;
}

}  // namespace

void thread_index(const Warp& w, unsigned lane, std::uint32_t (&index)[3]) {
  const std::uint32_t thread = w.number * lanes_per_warp + lane;
  const std::uint32_t* size = w.grid->block_dimensions;
  index[0] = thread % size[0];
  index[1] = thread / size[0] % size[1];
  index[2] = thread / (size[0] * size[1]);
}

void fault(Warp& w, const Op& op, int result, unsigned lane, const std::string& what) {
  w.running = false;
  int none_yet = 0;
  if (!w.grid->failure.compare_exchange_strong(none_yet, result)) return;
  const Code& code = *w.frame->code;
  std::uint32_t thread[3];
  thread_index(w, lane, thread);
  const std::uint32_t* block = w.block->index;
  const std::string& kernel = outermost(*w.frame).code->name;
  log::error("kernel %s: %s, in %s at PTX line %d, block (%u,%u,%u), thread (%u,%u,%u)", kernel.c_str(), what.c_str(), code.name.c_str(), code.lines[code.index_of(&op)],
             block[0], block[1], block[2], thread[0], thread[1], thread[2]);
}

// --- barriers

namespace {

void release(Block& block, unsigned number) {
  block.open_barriers &= ~(1u << number);
  Barrier& barrier = block.barriers[number];
  barrier = {.arrived = 0, .expected = 0, .true_lanes = 0, .voting_lanes = 0, .last_true_lanes = barrier.true_lanes, .last_voting_lanes = barrier.voting_lanes};
  for (auto& warp : block.warps)
    for (Split& split : warp->splits)
      if (split.wait == Wait::barrier && split.barrier == number) split.wait = Wait::none;
}

}  // namespace

void arrive(Warp& w, unsigned number, std::uint32_t expected) {
  Barrier& barrier = w.block->barriers[number];
  // A count is one of whole warps: lanes that are gone count with those that arrive.
  const std::uint32_t lanes = expected && w.active == w.alive ? std::min(w.grid->threads - w.number * lanes_per_warp, lanes_per_warp)
                                                              : static_cast<std::uint32_t>(std::popcount(w.active));
  barrier.arrived += lanes;
  barrier.expected = expected;
  w.block->open_barriers |= 1u << number;
}

void check_barriers(Block& block) {
  for (std::uint32_t open = block.open_barriers; open; open &= open - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(open));
    const Barrier& barrier = block.barriers[i];
    if (barrier.arrived >= (barrier.expected ? barrier.expected : block.alive)) release(block, i);
  }
}

}  // namespace weft::softgpu::exec
