// SPDX-License-Identifier: Apache-2.0
// What executes: grids of blocks of warps.
//
// Lanes that go different ways become splits of their warp. The split that runs is the one with the lowest rank: deeper calls first, then by the
// order of the code's blocks, in which a block comes after all that lead to it but back edges. So lanes meet again where their ways do. Splits that wait are
// runnable, except at a barrier of the block or at an instruction that needs lanes which are elsewhere.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "softgpu/exec/code.hpp"
#include "softgpu/exec/ranges.hpp"

namespace weft::softgpu {
struct Context;
}

namespace weft::softgpu::exec {

struct Block;
struct Grid;

/// One call of a function by some lanes of a warp.
struct Frame {
  const Code* code = nullptr;
  Frame* caller = nullptr;
  const Op* call = nullptr;                  // the instruction in the caller
  std::uint32_t lanes = 0;                   // that have not returned
  std::uint32_t depth = 0;
  std::uint64_t stack_bytes = 0;             // local memory of a lane, with all callers'
  Buffer registers, local;

  std::byte* local_of(unsigned lane) const { return local.get() + std::size_t{lane} * code->local_bytes; }
};

enum class Wait : std::uint8_t { none, barrier, lanes };

struct Split {
  const Op* pc = nullptr;
  Frame* frame = nullptr;
  std::uint32_t mask = 0;
  Wait wait = Wait::none;
  std::uint8_t barrier = 0;
};

constexpr std::uint64_t no_rank = std::numeric_limits<std::uint64_t>::max();

struct alignas(64) Warp {
  std::byte* base[2] = {nullptr, nullptr};   // the frame's registers, the code's constants
  const Op* pc = nullptr;                    // the next instruction
  std::uint32_t active = 0;                  // lanes that run
  bool running = false;                      // false ends Warp::run
  bool forced = false;                       // nobody else can run: an instruction that waits for lanes goes without them
  std::int32_t budget = 0;                   // of this slice
  std::uint32_t hints = 0;                   // instructions of this slice that wait loops are made of
  std::uint64_t next_rank = no_rank;         // lowest rank among the runnable splits
  std::uint64_t depth_rank = 0;              // the upper half of the running split's rank
  Frame* frame = nullptr;
  Block* block = nullptr;
  Grid* grid = nullptr;
  Ranges* ranges = nullptr;                  // of the thread that runs it
  std::uint32_t alive = 0;                   // lanes that did not exit
  std::uint32_t carry = 0;                   // the condition code, by lane
  unsigned number = 0;                       // in its block
  bool waits = false;                        // the last slice ended in a wait loop
  bool spun = false;                         // the same, with other splits there: the next slice begins with one of them
  std::size_t turn = 0;                      // which split that is
  std::vector<Split> splits;                 // all but the running one
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<std::unique_ptr<Frame>> spare;

  template <typename T>
  const T* in(Ref ref) const {
    return reinterpret_cast<const T*>(base[ref >> 31] + (ref & ~constant_bit));
  }
  template <typename T>
  T* out(Ref ref) const {
    return reinterpret_cast<T*>(base[0] + ref);
  }
  std::uint32_t& predicate(Ref ref) const { return *reinterpret_cast<std::uint32_t*>(base[0] + ref); }

  bool finished() const { return alive == 0; }
};

// --- control.cpp: splits, frames, faults

/// Executes until the slice ends, all lanes wait or are gone. False where there was nothing to execute.
bool run(Warp& warp);
/// All of the block's lanes in the warp begin at the kernel's first instruction.
void begin(Warp& warp, std::uint32_t lanes);
/// The slice is over; the running lanes will go on at pc.
void end_slice(Warp& warp, bool spinning);
/// Called where a way of lanes goes on in a block whose rank isn't below that of a waiting split: runs whichever is first, and joins those that met.
void arrange(Warp& warp);
/// The running lanes stop; another split runs, if any can.
void leave(Warp& warp);
/// The running lanes stop for a reason and will go on at pc.
void park(Warp& warp, Wait wait, std::uint8_t barrier = 0);
/// For instructions that need the lanes of `mask` together. False: the running lanes were parked, the instruction must return at once and will run again.
bool gather(Warp& warp, const Op& op, std::uint32_t mask);
/// These lanes of the running split go on at pc later.
void fork(Warp& warp, std::uint32_t mask, const Op* pc);
/// The running lanes are gone for good.
void exit_lanes(Warp& warp);
/// The running lanes go on in a block of this place in the order; warp.pc is behind the block's first operation, which is this one.
inline void enter(Warp& warp, std::uint32_t order) {
  if ((warp.depth_rank | order) >= warp.next_rank) arrange(warp);
}
Frame* push_frame(Warp& warp, const Code& code, std::uint32_t lanes);
void use_frame(Warp& warp, Frame* frame);
/// The kernel failed. `lane` is the one to name; only the first fault of a grid counts. `result` is a CUresult.
void fault(Warp& warp, const Op& op, int result, unsigned lane, const std::string& what);

// --- blocks and grids

struct Barrier {
  std::uint32_t arrived = 0;                 // lanes, including those that are gone from warps that arrived by count
  std::uint32_t expected = 0;                // 0: all of the block
  std::uint32_t true_lanes = 0, voting_lanes = 0;            // bar.red
  std::uint32_t last_true_lanes = 0, last_voting_lanes = 0;  // of the phase that was completed last
};

constexpr unsigned barriers_per_block = 16;

struct Block {
  Grid* grid = nullptr;
  std::uint32_t index[3] = {0, 0, 0};
  std::uint64_t number = 0;
  Buffer shared_memory;
  std::byte* shared = nullptr;               // the window: shared addresses are offsets in it
  std::vector<std::unique_ptr<Warp>> warps;
  std::uint32_t alive = 0;                   // lanes
  Barrier barriers[barriers_per_block];
  std::uint32_t open_barriers = 0;           // those where somebody has arrived, as bits
};

/// The running lanes arrive at a barrier. `expected`: how many it takes; 0 for all of the block. The caller parks them where they wait.
void arrive(Warp& warp, unsigned barrier, std::uint32_t expected);
/// Lanes are gone: releases what has become complete.
void check_barriers(Block& block);

struct Grid {
  const Code* code = nullptr;
  std::uint32_t dimensions[3] = {1, 1, 1}, block_dimensions[3] = {1, 1, 1};
  std::uint32_t threads = 1, warps = 1;      // of a block
  std::uint32_t shared_bytes = 0, dynamic_shared_bytes = 0;
  std::span<const std::byte> parameters;     // the launch's
  std::uint64_t stack_bytes = 0;             // of a lane: how much recursion may use, at least
  std::uint64_t heap_bytes = 0, printf_bytes = 0;
  std::uint64_t id = 0;
  std::uint64_t workspace = 0;               // address of a cooperative launch's
  std::uint32_t multiprocessors = 1;
  Context* context = nullptr;
  std::uint64_t blocks = 1;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::atomic<int> failure{0};               // a CUresult
  int participants = 0;                      // threads that execute it; guarded by the pool
  alignas(64) std::atomic<std::uint64_t> next_block{0};  // away from what all threads read
};

/// Executes a grid with the help of the pool's threads; returns when all its blocks are done. grid.failure says how it ended. Any thread, without locks.
void execute(Grid& grid);

}  // namespace weft::softgpu::exec
