// SPDX-License-Identifier: Apache-2.0
// One call on its way: arguments in, results out. What the generated stubs are written in; hand-written bodies use it as well.
#pragma once

#include <cstring>
#include <type_traits>

#include "abi/handle.hpp"
#include "abi/ops.hpp"
#include "interposer/client.hpp"
#include "interposer/objects.hpp"
#include "interposer/thread.hpp"

namespace weft::interposer {

class Command {
 public:
  explicit Command(abi::Op op)
      : op_(static_cast<std::uint16_t>(op)), client_(Client::get()), thread_(this_thread()), start_(thread_.request.size()) {}
  ~Command() { thread_.request.resize(start_); }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Null before cuInit.
  Client* client() { return client_; }
  /// CUDA_SUCCESS, or why no command can be sent now.
  CUresult ready() const { return client_ ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }

  // --- arguments
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void value(const T& v) {
    if constexpr (std::is_same_v<T, CUstream>) {
      raw(abi::from_cuda(resolve_stream(v)).bits);
    } else {
      raw(v);
    }
  }
  template <typename T>
  void array(const T* elements, std::size_t count) {
    if (!elements) return raw(wire::Writer::null_array);
    raw(static_cast<std::uint32_t>(count));
    bytes(elements, sizeof(T) * count);
  }
  void string(const char* text) {
    raw(static_cast<std::uint8_t>(text != nullptr));
    if (!text) return;
    raw(static_cast<std::uint32_t>(std::strlen(text)));
    bytes(text, std::strlen(text));
  }
  void present(const void* pointer) { raw(static_cast<std::uint8_t>(pointer != nullptr)); }
  void bytes(const void* data, std::size_t size) {
    const std::byte* from = static_cast<const std::byte*>(data);
    thread_.request.insert(thread_.request.end(), from, from + size);
  }

  /// Room for `size` zeroed bytes, to be filled at once.
  std::byte* append(std::size_t size) {
    thread_.request.resize(thread_.request.size() + size);
    return thread_.request.data() + thread_.request.size() - size;
  }
  std::size_t size() const { return thread_.request.size() - start_; }
  template <typename T>
  void overwrite(std::size_t at, const T& value) {
    std::memcpy(thread_.request.data() + start_ + at, &value, sizeof value);
  }
  template <typename T>
  const T* peek(std::size_t at) const {
    return reinterpret_cast<const T*>(thread_.request.data() + start_ + at);
  }
  /// The last `size` bytes.
  Bytes tail(std::size_t size) const { return body().last(size); }

  /// Mints the handle that this call creates, into *handle.
  template <abi::CudaHandle H>
  void mint(H* handle) {
    *handle = objects().table<H>().insert();
    raw(abi::from_cuda(*handle).bits);
  }
  /// Takes it back where the call failed.
  template <abi::CudaHandle H>
  void unmint(H* handle) {
    objects().table<H>().erase(*handle);
    *handle = nullptr;
  }
  template <abi::CudaHandle H>
  void destroyed(H handle) {
    objects().table<H>().erase(handle);
  }

  // --- sending
  CUresult post(Bytes payload = {}) { return client_->post(op_, thread_.current(), body(), payload); }
  CUresult call(Bytes payload = {}) { return client_->call(op_, thread_.current(), body(), reply_, payload); }

  // --- results
  template <typename T>
  T result() {
    return reply_.value<T>();
  }
  /// As many elements as came, at most `room`.
  template <typename T>
  void result_array(T* elements, std::size_t room) {
    std::uint32_t count;
    bool there;
    Bytes data = reply_.array(sizeof(T), count, there);
    if (there && elements && count) std::memcpy(elements, data.data(), sizeof(T) * std::min<std::size_t>(count, room));
  }
  void result_array(void* memory, std::size_t room) { result_array(static_cast<std::byte*>(memory), room); }
  wire::Reader& results() { return reply_; }
  /// CUDA_SUCCESS where all results were there.
  CUresult complete() const { return reply_.ok() ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN; }

 private:
  template <typename T>
  void raw(const T& v) {
    bytes(&v, sizeof v);
  }

  Bytes body() const { return Bytes(thread_.request).subspan(start_); }

  std::uint16_t op_;
  Client* client_;
  Thread& thread_;
  std::size_t start_;  // of this command's body in the thread's buffer; one made while another is being built stands behind it
  wire::Reader reply_{{}};
};

}  // namespace weft::interposer
