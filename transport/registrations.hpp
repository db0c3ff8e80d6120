// SPDX-License-Identifier: Apache-2.0
// Which of our memory the peer may write and read, by key.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "transport/transport.hpp"

namespace weft::transport {

/// Thread-safe.
class Registrations {
 public:
  std::uint64_t add(MutableBytes memory) {
    std::lock_guard lock(mutex_);
    regions_[++last_key_] = {memory, 0};
    return last_key_;
  }

  /// Waits while a payload is arriving there.
  void remove(std::uint64_t key) {
    std::unique_lock lock(mutex_);
    auto found = regions_.find(key);
    if (found == regions_.end()) return;
    idle_.wait(lock, [&] { return found->second.users == 0 || abandoned_; });
    regions_.erase(found);
  }

  /// The bytes at `offset`, held against removal until release(key); an empty span with a null pointer where they are not all registered.
  MutableBytes acquire(std::uint64_t key, std::uint64_t offset, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    auto found = regions_.find(key);
    if (found == regions_.end()) return {};
    const MutableBytes memory = found->second.memory;
    if (offset > memory.size() || size > memory.size() - offset) return {};
    ++found->second.users;
    return memory.subspan(offset, size);
  }

  void release(std::uint64_t key) {
    std::lock_guard lock(mutex_);
    if (auto found = regions_.find(key); found != regions_.end()) --found->second.users;
    idle_.notify_all();
  }

  /// The link is gone: nothing arrives any more.
  void abandon() {
    std::lock_guard lock(mutex_);
    abandoned_ = true;
    idle_.notify_all();
  }

 private:
  struct Region {
    MutableBytes memory;
    int users = 0;
  };
  std::mutex mutex_;
  std::condition_variable idle_;
  std::unordered_map<std::uint64_t, Region> regions_;
  std::uint64_t last_key_ = 0;
  bool abandoned_ = false;
};

}  // namespace weft::transport
