// SPDX-License-Identifier: Apache-2.0
// One operation being executed: arguments out of the message, results into the reply. What the generated dispatcher is written in; hand-written operations use it
// as well. Everything that comes out of the message is checked here.
#pragma once

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "abi/ops.hpp"
#include "gpud/session.hpp"

namespace weft::gpud {

/// An array that came with the message.
template <typename T>
class Array {
 public:
  T* pointer() { return present_ ? elements_.data() : nullptr; }
  std::size_t size() const { return elements_.size(); }
  T first() const { return elements_.empty() ? T{} : elements_.front(); }

 private:
  friend class Call;
  std::vector<T> elements_;
  bool present_ = false;
};

class Call {
 public:
  Call(Session& session, const wire::FrameHeader& header, Bytes body) : session_(session), header_(header), reader_(body) {}

  Session& session() { return session_; }
  const DriverTable& driver() const { return session_.driver(); }
  std::uint16_t op() const { return header_.op; }
  bool wants_reply() const { return header_.flags == wire::FrameFlags::wants_reply; }
  std::uint64_t context_bits() const { return header_.context; }

  // --- arguments
  template <typename T>
  T value() {
    if constexpr (abi::CudaHandle<T>) {
      T handle = nullptr;
      if (!session_.handles().find(reader_.value<std::uint64_t>(), &handle)) bad_handle_ = true;
      return handle;
    } else {
      return reader_.value<T>();
    }
  }
  /// Null for a null pointer; lives as long as the call.
  const char* string() {
    bool present;
    const std::string_view text = reader_.string(present);
    return present ? strings_.emplace_back(text).c_str() : nullptr;
  }
  template <typename T>
  Array<T> array() {
    Array<T> array;
    std::uint32_t count;
    constexpr std::size_t element = abi::CudaHandle<T> ? sizeof(std::uint64_t) : sizeof(T);
    const Bytes bytes = reader_.array(element, count, array.present_);
    array.elements_.resize(count);
    if constexpr (abi::CudaHandle<T>) {
      wire::Reader handles(bytes);
      for (T& handle : array.elements_)
        if (!session_.handles().find(handles.value<std::uint64_t>(), &handle)) bad_handle_ = true;
    } else if (count) {
      std::memcpy(array.elements_.data(), bytes.data(), bytes.size());
    }
    return array;
  }
  /// The driver will read this many elements.
  template <typename T>
  void check_count(Array<T>& array, std::size_t count) {
    if (array.present_ && array.size() != count) malformed_ = true;
  }
  /// Everything behind what was read.
  Bytes remaining() { return reader_.remaining(); }
  void set_bad_handle() { bad_handle_ = true; }
  void set_malformed() { malformed_ = true; }
  bool well_formed() const { return reader_.ok() && !malformed_; }

  /// True where all arguments were there and good; else the call has been answered.
  bool ready() {
    if (!reader_.finished() || malformed_) {
      const char* name = abi::op_name(header_.op);
      session_.fail(std::string("malformed arguments of ") + (name ? name : "an operation"));
      return false;
    }
    if (bad_handle_) finish(CUDA_ERROR_INVALID_HANDLE);
    return !bad_handle_;
  }

  // --- results
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void add(const T& value) {
    append(&value, sizeof value);
  }
  template <typename T>
  void add_array(const T* elements, std::uint32_t count) {
    if (!elements) return add(wire::Writer::null_array);
    add(count);
    if constexpr (abi::CudaHandle<T>) {
      for (std::uint32_t i = 0; i < count; ++i) add(session_.handles().name(elements[i]));
    } else {
      append(elements, sizeof(T) * count);
    }
  }
  void add_bytes(Bytes bytes) {
    add(static_cast<std::uint32_t>(bytes.size()));
    append(bytes.data(), bytes.size());
  }
  /// Room at the end of the results, zeroed.
  std::byte* append_room(std::size_t size) {
    results_.resize(results_.size() + size);
    return results_.data() + results_.size() - size;
  }
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    results_.insert(results_.end(), from, from + size);
  }
  template <typename T>
  void result(Array<T>& array) {
    add_array(array.pointer(), static_cast<std::uint32_t>(array.size()));
  }
  template <typename Out>
  void result(Out& output) {
    output.add_to(*this);
  }
  template <typename Out, typename Count>
  void result(Out& output, Count count) {
    output.add_to(*this, static_cast<std::size_t>(count));
  }
  template <abi::CudaHandle H>
  void unbind(H) {
    session_.handles().unbind(destroyed_);
  }
  void belongs_to(std::uint64_t child, std::uint64_t owner) { session_.handles().belongs_to(child, owner); }
  /// Remembers which handle a destroying call named, before it is translated.
  std::uint64_t peek_handle() const {
    wire::Reader copy = reader_;
    return copy.value<std::uint64_t>();
  }
  void will_destroy() { destroyed_ = peek_handle(); }

  void hand_over() { session_.hand_over(); }

  /// Answers, or for a call that nobody waits for remembers a failure. Once.
  void finish(CUresult result) {
    if (wants_reply()) session_.reply(header_, result, result == CUDA_SUCCESS || always_results_ ? Bytes(results_) : Bytes{});
    else if (result != CUDA_SUCCESS) session_.remember_failure(header_.op, result);
  }
  /// As finish, for a call whose return tells the program that work is done.
  void finish_synchronised(CUresult result) {
    session_.bring_results();
    finish(result);
  }
  /// Results that count even where the call fails.
  void always_send_results() { always_results_ = true; }

 private:
  Session& session_;
  const wire::FrameHeader header_;
  wire::Reader reader_;
  std::deque<std::string> strings_;
  std::vector<std::byte> results_;
  std::uint64_t destroyed_ = 0;
  bool bad_handle_ = false, malformed_ = false, always_results_ = false;
};

/// A handle that the call creates, under the name that the client minted.
template <abi::CudaHandle H>
class Created {
 public:
  explicit Created(Call& call) : bits_(call.value<std::uint64_t>()) {}
  H* pointer() { return &handle_; }
  void bind(Call& call, CUresult result) {
    if (result == CUDA_SUCCESS && !call.session().handles().bind(bits_, handle_)) call.session().fail("a handle that it may not mint");
  }

 private:
  std::uint64_t bits_;
  H handle_ = nullptr;
};

/// Something that comes back; absent where the client passed null.
template <typename T>
class Output {
 public:
  explicit Output(Call& call) : present_(call.value<std::uint8_t>() != 0), elements_(1) {}
  T* pointer() { return present_ ? elements_.data() : nullptr; }
  void resize(Call& call, std::size_t count) {
    if (count > wire::max_array_elements) return call.set_bad_handle();
    elements_.assign(count, T{});
  }
  void add_to(Call& call) { call.add_array(pointer(), static_cast<std::uint32_t>(elements_.size())); }
  void add_to(Call& call, std::size_t count) { call.add_array(pointer(), static_cast<std::uint32_t>(std::min(count, elements_.size()))); }

 private:
  bool present_;
  std::vector<T> elements_;
};

}  // namespace weft::gpud
