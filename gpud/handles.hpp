// SPDX-License-Identifier: Apache-2.0
// From the client's handles to the driver's, and back. Only the thread that leads the session touches the table.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/handle.hpp"

namespace weft::gpud {

class Handles {
 public:
  /// Binds a handle that the client minted; a hostile one that isn't is refused.
  template <abi::CudaHandle H>
  bool bind(std::uint64_t bits, H driver_handle) {
    const abi::Handle handle{bits};
    if (!handle.valid() || handle.kind() != abi::HandleKindOf<H>::kind || handle.by_worker()) return false;
    set(handle, driver_handle);
    return true;
  }

  /// The driver's handle. Null for null; for streams 1 and 2 stand for themselves. False for anything unknown.
  template <abi::CudaHandle H>
  bool find(std::uint64_t bits, H* driver_handle) const {
    if (bits == 0 || (abi::HandleKindOf<H>::kind == abi::HandleKind::stream && bits <= 2)) {
      *driver_handle = reinterpret_cast<H>(bits);
      return true;
    }
    if (abi::Handle{bits}.kind() != abi::HandleKindOf<H>::kind) return false;
    auto found = to_driver_.find(bits);
    if (found == to_driver_.end()) return false;
    *driver_handle = static_cast<H>(found->second);
    return true;
  }

  /// The client's name for a handle of the driver's; made up where it has none yet.
  template <abi::CudaHandle H>
  std::uint64_t name(H driver_handle) {
    if (!driver_handle) return 0;
    if (auto found = to_client_.find(driver_handle); found != to_client_.end()) return found->second;
    const abi::Handle fresh = abi::Handle::make(abi::HandleKindOf<H>::kind, next_ % abi::max_handle_index, next_ / abi::max_handle_index, true);
    ++next_;
    set(fresh, driver_handle);
    return fresh.bits;
  }

  /// The child goes when the owner does: a function with its module.
  void belongs_to(std::uint64_t child, std::uint64_t owner) { children_[owner].push_back(child); }

  void unbind(std::uint64_t bits) {
    if (auto children = children_.extract(bits); !children.empty())
      for (std::uint64_t child : children.mapped()) unbind(child);
    auto found = to_driver_.find(bits);
    if (found == to_driver_.end()) return;
    if (auto back = to_client_.find(found->second); back != to_client_.end() && back->second == bits) to_client_.erase(back);
    to_driver_.erase(found);
  }

 private:
  void set(abi::Handle handle, void* driver_handle) {
    to_driver_[handle.bits] = driver_handle;
    to_client_[driver_handle] = handle.bits;
  }

  std::unordered_map<std::uint64_t, void*> to_driver_;
  std::unordered_map<void*, std::uint64_t> to_client_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> children_;
  std::uint32_t next_ = 0;
};

}  // namespace weft::gpud
