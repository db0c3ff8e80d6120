// SPDX-License-Identifier: Apache-2.0
// The client's handles of one kind, and what it knows about each. Finding is lock-free: an index, then a check of the generation.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "abi/handle.hpp"

namespace weft::interposer {

/// T must be default-constructible; a slot's T is made anew for each handle and stays in place until the handle is erased. The table is never destroyed.
template <abi::CudaHandle H, typename T>
class HandleTable {
 public:
  /// Mints a handle for a fresh T, or null when there are max_handle_index of the kind alive.
  H insert() {
    std::lock_guard lock(mutex_);
    std::uint32_t index;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      if (used_ == abi::max_handle_index) return nullptr;
      index = used_++;
      if (!chunks_[index / chunk_slots].load(std::memory_order_relaxed))
        chunks_[index / chunk_slots].store(new Chunk, std::memory_order_release);
    }
    Slot& slot = (*chunks_[index / chunk_slots].load(std::memory_order_relaxed))[index % chunk_slots];
    slot.value = std::make_unique<T>();
    const std::uint32_t generation = ++slot.generations & 0xfffff;
    slot.live.store(generation + 1, std::memory_order_release);
    return abi::to_cuda<H>(abi::Handle::make(kind, index, generation, false));
  }

  /// What belongs to the handle, or null where it is none of ours, of another kind or erased.
  T* find(H handle) const {
    const abi::Handle bits = abi::from_cuda(handle);
    if (!bits.valid() || bits.kind() != kind || bits.by_worker()) return nullptr;
    const Chunk* chunk = chunks_[bits.index() / chunk_slots].load(std::memory_order_acquire);
    if (!chunk) return nullptr;
    const Slot& slot = (*chunk)[bits.index() % chunk_slots];
    return slot.live.load(std::memory_order_acquire) == bits.generation() + 1 ? slot.value.get() : nullptr;
  }

  bool erase(H handle) {
    if (!find(handle)) return false;
    const std::uint32_t index = abi::from_cuda(handle).index();
    std::lock_guard lock(mutex_);
    Slot& slot = (*chunks_[index / chunk_slots].load(std::memory_order_relaxed))[index % chunk_slots];
    slot.live.store(0, std::memory_order_release);
    retired_ = std::move(slot.value);  // a racing reader may still hold it for a moment
    free_.push_back(index);
    return true;
  }

  /// Calls visit(handle, T&) for each live handle.
  template <typename Visit>
  void for_each(Visit visit) {
    std::lock_guard lock(mutex_);
    for (std::uint32_t index = 0; index < used_; ++index) {
      Slot& slot = (*chunks_[index / chunk_slots].load(std::memory_order_relaxed))[index % chunk_slots];
      if (std::uint32_t live = slot.live.load(std::memory_order_relaxed))
        visit(abi::to_cuda<H>(abi::Handle::make(kind, index, live - 1, false)), *slot.value);
    }
  }

 private:
  static constexpr abi::HandleKind kind = abi::HandleKindOf<H>::kind;
  static constexpr std::uint32_t chunk_slots = 1024;
  struct Slot {
    std::atomic<std::uint32_t> live{0};  // generation + 1, or 0
    std::uint32_t generations = 0;
    std::unique_ptr<T> value;
  };
  using Chunk = std::array<Slot, chunk_slots>;

  std::array<std::atomic<Chunk*>, abi::max_handle_index / chunk_slots> chunks_{};
  std::mutex mutex_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
  std::unique_ptr<T> retired_;
};

}  // namespace weft::interposer
