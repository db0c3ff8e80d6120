// SPDX-License-Identifier: Apache-2.0
// Pinned memory through which copies to the client's pageable memory go, one piece being copied while another is being sent.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <mutex>
#include <vector>

#include "gpud/driver_table.hpp"

namespace weft::gpud {

inline constexpr std::size_t bounce_bytes = 4 << 20;  // long enough that neither the copy engine nor the wire notices the seams

class BounceBuffers {
 public:
  explicit BounceBuffers(const DriverTable& driver) : driver_(driver) {}

  /// Pinned memory of bounce_bytes that goes back when this ends; null where there is none. Any thread with a current context.
  class Buffer {
   public:
    explicit Buffer(BounceBuffers& pool) : pool_(pool), memory_(pool.take()) {}
    ~Buffer() {
      if (memory_) pool_.give_back(memory_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::byte* memory() const { return memory_; }

   private:
    BounceBuffers& pool_;
    std::byte* memory_;
  };

 private:
  std::byte* take() {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::byte* memory = free_.back();
        free_.pop_back();
        return memory;
      }
    }
    void* memory = ::mmap(nullptr, bounce_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    // Unpinned, because there is no more to be had or the context that pinned it has gone, it still serves, only slower.
    driver_.cuMemHostRegister_v2(memory, bounce_bytes, CU_MEMHOSTREGISTER_PORTABLE);
    return static_cast<std::byte*>(memory);
  }
  void give_back(std::byte* memory) {
    std::lock_guard lock(mutex_);
    free_.push_back(memory);
  }

  const DriverTable& driver_;
  std::mutex mutex_;
  std::vector<std::byte*> free_;
};

}  // namespace weft::gpud
