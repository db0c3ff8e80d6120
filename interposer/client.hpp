// SPDX-License-Identifier: Apache-2.0
// The process's connection to its worker: sends commands in one order, hands replies to the threads that wait for them. Start here for interposer/.
//
// The life of a call: a body (a generated stub, or the function of that name in this folder) builds a Command; async ones are posted and forgotten, sync
// ones are posted, flushed and waited for. There is no thread between the program and the wire: a thread that waits reads the connection itself, and hands
// other threads' replies to them on the way. One thread of our own, started by cuInit, sends what async calls left in the buffer and reads when nobody
// waits (device output, host functions).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "abi/messages.hpp"
#include "base/unique_fd.hpp"
#include "transport/transport.hpp"
#include "wire/codec.hpp"
#include "wire/frame.hpp"

namespace weft::interposer {

using transport::Bytes;

/// Counters for WEFT_LOG=stats.
struct Statistics {
  std::atomic<std::uint64_t> commands{0}, round_trips{0}, bytes_put{0};
  std::atomic<std::uint64_t> round_trips_before_first_kernel{0};
  std::atomic<bool> kernel_launched{false};
};

/// A reply on its way to the thread that waits for it. Lives on that thread's stack.
struct Waiter {
  std::uint64_t sequence = 0;
  std::vector<std::byte>* body = nullptr;
  std::atomic<std::uint32_t> state{waiting};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  static constexpr std::uint32_t waiting = 0, poked = 1, done = 2;
};

class Client {
 public:
  /// The client, or null before cuInit succeeded and in a forked child.
  static Client* get() { return instance_.load(std::memory_order_acquire); }
  /// Connects to the server that the environment names (cuInit). Idempotent. Logs one line when it can't.
  static CUresult start();

  /// Sends a command and does not wait. `payload` is copied behind `body`. Answers CUDA_SUCCESS unless the server is lost.
  CUresult post(std::uint16_t op, CUcontext context, Bytes body, Bytes payload = {});
  /// Sends a command and waits for its answer; on return `reply` reads the results. The answer's own result comes first, an earlier asynchronous failure is
  /// returned where that is CUDA_SUCCESS.
  CUresult call(std::uint16_t op, CUcontext context, Bytes body, wire::Reader& reply, Bytes payload = {}) {
    Waiter waiter;
    return call(waiter, op, context, body, reply, payload);
  }
  /// Writes into memory of the worker's.
  CUresult put(Bytes local, std::uint64_t key, std::uint64_t offset);

  /// Memory of ours that the worker may put into.
  std::uint64_t register_memory(std::span<std::byte> memory) { return connection_->register_memory(memory); }
  void deregister_memory(std::uint64_t key) { connection_->deregister_memory(key); }

  /// Sends everything posted, waits until the worker has dealt with it (at most a second or two) and reports; for the end of the process.
  void finish();

  const abi::Snapshot& snapshot() const { return snapshot_; }
  std::span<const abi::DeviceSnapshot> devices() const { return devices_; }
  std::uint64_t last_sequence() const { return sequence_.load(std::memory_order_relaxed); }
  Statistics& statistics() { return statistics_; }
  const std::string& server() const { return server_; }
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  /// What every call answers once the server is lost.
  static constexpr CUresult lost_result = CUDA_ERROR_DEVICE_UNAVAILABLE;

 private:
  Client() = default;
  CUresult call(Waiter& waiter, std::uint16_t op, CUcontext context, Bytes body, wire::Reader& reply, Bytes payload);
  CUresult connect();
  bool read_snapshot();
  void wait(Waiter& waiter);
  void handle(const transport::Event& event);
  void handle_message(Bytes message);
  void handle_control(wire::ControlOp op, wire::Reader body);
  void lose(const char* why);
  void wake_io();
  void io_loop();
  void read_while_idle();
  void callback_loop();
  static void forked();

  static std::atomic<Client*> instance_;

  std::string server_;
  std::unique_ptr<transport::Connection> connection_;
  abi::Snapshot snapshot_{};
  std::vector<abi::DeviceSnapshot> devices_;
  std::atomic<bool> lost_{false};
  bool finishing_ = false;

  std::mutex order_;  // one command at a time gets its number and its place
  std::atomic<std::uint64_t> sequence_{0};
  std::uint64_t seen_ = 0;  // the last sequence number of the worker's that was handled

  std::mutex reader_;   // who polls the connection
  std::mutex waiters_mutex_;
  std::vector<Waiter*> waiters_;
  std::atomic<int> waiting_{0};

  UniqueFd wake_;
  std::atomic<bool> io_asleep_{false};
  std::atomic<std::uint64_t> posted_{0};

  std::mutex callbacks_mutex_;
  std::condition_variable callbacks_ready_;
  std::deque<std::uint64_t> callbacks_;

  Statistics statistics_;
};

/// The handle of a device's primary context, which need not be active (context.cpp).
CUresult primary_context_handle(CUdevice device, CUcontext* context);

/// Runs the host function of this token on the callback thread (host_function.cpp).
void run_host_function(std::uint64_t token);

}  // namespace weft::interposer
