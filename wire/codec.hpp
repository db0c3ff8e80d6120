// SPDX-License-Identifier: Apache-2.0
// Packing and unpacking of message bodies. The reader is the only code that turns bytes of a peer into values: it never reads past the end,
// and once anything was wrong it stays failed and answers zeros, so that callers check once, at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "wire/limits.hpp"

namespace weft::wire {

/// Writes into memory of the caller's. Overflow is remembered, never written.
class Writer {
 public:
  explicit Writer(std::span<std::byte> memory) : memory_(memory) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void value(const T& v) {
    raw(&v, sizeof v);
  }
  /// u32 length, then the bytes.
  void bytes(std::span<const std::byte> data) {
    value(static_cast<std::uint32_t>(data.size()));
    raw(data.data(), data.size());
  }
  /// A C string; null is told from empty.
  void string(const char* text) {
    value(static_cast<std::uint8_t>(text != nullptr));
    if (text) bytes(std::as_bytes(std::span(text, std::strlen(text))));
  }
  /// u32 count, then the elements; null travels as count 0xffffffff.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void array(const T* elements, std::uint32_t count) {
    if (!elements) return value(null_array);
    value(count);
    raw(elements, sizeof(T) * count);
  }
  void raw(const void* data, std::size_t size) {
    if (size > memory_.size() - used_) {
      overflow_ = true;
      return;
    }
    if (size) std::memcpy(memory_.data() + used_, data, size);
    used_ += size;
  }

  std::span<const std::byte> written() const { return memory_.first(used_); }
  bool ok() const { return !overflow_; }

  static constexpr std::uint32_t null_array = 0xffffffff;

 private:
  std::span<std::byte> memory_;
  std::size_t used_ = 0;
  bool overflow_ = false;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> body) : rest_(body) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T value() {
    T v{};
    if (const std::byte* from = take(sizeof v)) std::memcpy(&v, from, sizeof v);
    return v;
  }
  std::span<const std::byte> bytes() {
    std::uint32_t size = value<std::uint32_t>();
    const std::byte* from = take(size);
    return from ? std::span(from, size) : std::span<const std::byte>{};
  }
  /// A string of at most max_string_bytes; `present` is false for a null pointer. Not null-terminated.
  std::string_view string(bool& present) {
    present = value<std::uint8_t>() != 0;
    if (!present) return {};
    std::span<const std::byte> text = bytes();
    if (text.size() > max_string_bytes) failed_ = true;
    return failed_ ? std::string_view{} : std::string_view(reinterpret_cast<const char*>(text.data()), text.size());
  }
  /// The bytes of an array of `element_size`-byte elements; `present` is false for a null pointer.
  std::span<const std::byte> array(std::size_t element_size, std::uint32_t& count, bool& present) {
    count = value<std::uint32_t>();
    present = count != Writer::null_array;
    if (!present) count = 0;
    if (count > max_array_elements) failed_ = true;
    const std::byte* from = failed_ ? nullptr : take(element_size * count);
    if (!from) count = 0;
    return from ? std::span(from, element_size * count) : std::span<const std::byte>{};
  }
  /// All that is left, without a length before it.
  std::span<const std::byte> remaining() {
    std::span<const std::byte> all = rest_;
    rest_ = {};
    return failed_ ? std::span<const std::byte>{} : all;
  }

  /// True while nothing was missing.
  bool ok() const { return !failed_; }
  /// True when all was there and nothing is left over.
  bool finished() const { return !failed_ && rest_.empty(); }

 private:
  const std::byte* take(std::size_t size) {
    if (failed_ || size > rest_.size()) {
      failed_ = true;
      return nullptr;
    }
    const std::byte* from = rest_.data();
    rest_ = rest_.subspan(size);
    return from;
  }

  std::span<const std::byte> rest_;
  bool failed_ = false;
};

}  // namespace weft::wire
