// SPDX-License-Identifier: Apache-2.0
// A C library's handle with one owner. Traits has `using Handle`, `static constexpr Handle null` and `static void close(Handle)`.
#pragma once

#include <utility>

namespace weft {

template <typename Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept
      : handle_(std::exchange(other.handle_, Traits::null)) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    reset(std::exchange(other.handle_, Traits::null));
    return *this;
  }
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() { reset(); }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Traits::null; }
  Handle release() { return std::exchange(handle_, Traits::null); }
  void reset(Handle handle = Traits::null) {
    if (Handle old = std::exchange(handle_, handle); old != Traits::null) Traits::close(old);
  }

 private:
  Handle handle_ = Traits::null;
};

}  // namespace weft
