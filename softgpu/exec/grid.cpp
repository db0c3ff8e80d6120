// SPDX-License-Identifier: Apache-2.0
// Blocks on threads: whoever launches a grid executes it, and the pool's threads help.
#include <condition_variable>
#include <algorithm>
#include <list>
#include <mutex>
#include <thread>

#include <sched.h>

#include "abi/cuda.hpp"
#include "base/log.hpp"
#include "softgpu/exec/control.hpp"
#include "softgpu/exec/warp.hpp"

namespace weft::softgpu::exec {
namespace {

constexpr std::size_t most_waiting_blocks = 4096;  // that one thread keeps at once while they wait for others

void prepare(Block& block, Grid& grid, std::uint64_t number) {
  block.grid = &grid;
  block.number = number;
  block.index[0] = static_cast<std::uint32_t>(number % grid.dimensions[0]);
  block.index[1] = static_cast<std::uint32_t>(number / grid.dimensions[0] % grid.dimensions[1]);
  block.index[2] = static_cast<std::uint32_t>(number / grid.dimensions[0] / grid.dimensions[1]);
  block.alive = grid.threads;
  for (Barrier& barrier : block.barriers) barrier = {};
  block.open_barriers = 0;
  if (!block.shared_memory) {
    constexpr std::size_t alignment = 1024;
    void* memory = std::aligned_alloc(alignment, (grid.shared_bytes + alignment) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    block.shared_memory.reset(static_cast<std::byte*>(memory));
    block.shared = block.shared_memory.get();
  }
  block.warps.resize(grid.warps);
  for (unsigned i = 0; i < grid.warps; ++i) {
    if (!block.warps[i]) block.warps[i] = std::make_unique<Warp>();
    Warp& warp = *block.warps[i];
    warp.block = &block;
    warp.grid = &grid;
    warp.number = i;
    const std::uint32_t lanes = std::min(grid.threads - i * lanes_per_warp, lanes_per_warp);
    begin(warp, lanes == lanes_per_warp ? ~0u : (1u << lanes) - 1);
  }
}

/// One thread's share of a grid.
class Worker {
 public:
  Worker(Grid& grid, Ranges& ranges) : grid_(grid), ranges_(ranges) {}

  void run() {
    while (!grid_.failure.load(std::memory_order_relaxed)) {
      // More blocks than one only where all that are here wait, perhaps for one that nobody has begun.
      if ((blocks_.empty() || (all_wait_ && blocks_.size() < most_waiting_blocks)) && !claim() && blocks_.empty()) return;
      round();
      if (all_wait_ && !blocks_.empty()) ::sched_yield();
    }
  }

 private:
  bool claim() {
    const std::uint64_t number = grid_.next_block.fetch_add(1, std::memory_order_relaxed);
    if (number >= grid_.blocks) return false;
    std::unique_ptr<Block> block;
    if (!spare_.empty()) {
      block = std::move(spare_.back());
      spare_.pop_back();
    } else {
      block = std::make_unique<Block>();
    }
    prepare(*block, grid_, number);
    blocks_.push_back(std::move(block));
    return true;
  }

  /// A slice for each warp of each block.
  void round() {
    all_wait_ = true;
    for (std::size_t b = 0; b < blocks_.size();) {
      Block& block = *blocks_[b];
      bool progress = false, ran = false;
      for (auto& warp : block.warps) {
        if (warp->finished()) continue;
        warp->ranges = &ranges_;
        if (!exec::run(*warp)) continue;
        ran = true;
        progress = progress || !waits(*warp);
        if (grid_.failure.load(std::memory_order_relaxed)) return;
      }
      if (!block.alive) {
        spare_.push_back(std::move(blocks_[b]));
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
        all_wait_ = false;
        continue;
      }
      if (!ran) return stuck(block);
      if (progress) all_wait_ = false;
      ++b;
    }
    if (has_deadline_ && std::chrono::steady_clock::now() > grid_.deadline) fail(CUDA_ERROR_LAUNCH_TIMEOUT, "it ran longer than WEFT_SOFTGPU_WATCHDOG_SECONDS allows");
  }

  static bool waits(const Warp& warp) { return warp.finished() || warp.waits; }

  /// Barriers that nobody will complete.
  void stuck(const Block& block) { fail(CUDA_ERROR_LAUNCH_TIMEOUT, "all threads of block " + std::to_string(block.number) + " wait at barriers that others never reach"); }

  void fail(int result, const std::string& what) {
    int none_yet = 0;
    if (grid_.failure.compare_exchange_strong(none_yet, result)) log::error("kernel %s: %s", grid_.code->name.c_str(), what.c_str());
  }

  Grid& grid_;
  Ranges& ranges_;
  std::vector<std::unique_ptr<Block>> blocks_, spare_;
  bool all_wait_ = false;
  const bool has_deadline_ = grid_.deadline != std::chrono::steady_clock::time_point::max();
};

void work(Grid& grid) {
  thread_local Ranges ranges;
  ranges.clear();
  try {
    Worker(grid, ranges).run();
  } catch (const std::bad_alloc&) {
    int none_yet = 0;
    if (grid.failure.compare_exchange_strong(none_yet, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)) log::error("kernel %s: no memory for its blocks", grid.code->name.c_str());
  }
}

/// Threads beside those that launch: one fewer than cores.
class Pool {
 public:
  void run(Grid& grid) {
    std::unique_lock lock(mutex_);
    const auto entry = grids_.insert(grids_.end(), &grid);
    grid.participants = 1;
    if (grid.blocks > 1) call_helpers(grid.blocks - 1);
    lock.unlock();
    work(grid);
    lock.lock();
    grids_.erase(entry);  // nobody joins any more
    --grid.participants;
    done_.wait(lock, [&] { return grid.participants == 0; });
  }

 private:
  void call_helpers(std::uint64_t wanted) {
    const unsigned most = std::max(cores(), 1u) - 1;
    while (threads_ < most && threads_ < wanted) {
      ++threads_;
      std::thread([this] { help(); }).detach();
    }
    work_.notify_all();
  }

  static unsigned cores() {
    cpu_set_t cpus;
    return ::sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? static_cast<unsigned>(CPU_COUNT(&cpus)) : 1;
  }

  Grid* find_work() {
    for (Grid* grid : grids_)
      if (grid->next_block.load(std::memory_order_relaxed) < grid->blocks && !grid->failure.load(std::memory_order_relaxed)) return grid;
    return nullptr;
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Grid* grid = nullptr;
      work_.wait(lock, [&] { return (grid = find_work()) != nullptr; });
      ++grid->participants;
      lock.unlock();
      work(*grid);
      lock.lock();
      if (--grid->participants == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::list<Grid*> grids_;
  unsigned threads_ = 0;
};

Pool& pool() {
  static auto* const one = new Pool;  // its threads may run to the end of the process
  return *one;
}

}  // namespace

void execute(Grid& grid) { pool().run(grid); }

}  // namespace weft::softgpu::exec
