// SPDX-License-Identifier: Apache-2.0
// A client's session in its worker: one ordered stream of operations, executed on the driver. Start here for gpud/.
//
// Threads take turns to lead. The leader takes the next message off the connection and executes it, so operations happen in the order in which the client sent
// them. An operation that waits for the GPU (a synchronisation, a copy back) first does what must be in order, then hands the lead over to another thread and waits
// on its own; its reply goes out when it is done. So no client thread's wait delays another's launch, and a wait costs no change of threads on its own path.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gpud/bounce_buffers.hpp"
#include "gpud/device_output.hpp"
#include "gpud/driver.hpp"
#include "gpud/handles.hpp"
#include "gpud/image_cache.hpp"
#include "gpud/mirrors.hpp"
#include "gpud/staging.hpp"
#include "transport/transport.hpp"
#include "wire/codec.hpp"
#include "wire/frame.hpp"

namespace weft::gpud {

using transport::Bytes;
using transport::MutableBytes;

class Session {
 public:
  Session(const Driver& driver, std::unique_ptr<transport::Connection> connection, const ImageCache& images, DeviceOutput& output);

  /// Serves until the client has gone. True where it said goodbye. Threads may still wait for the GPU then: the process must end without destroying the session.
  bool serve();

  // --- for operations, on the leading thread
  const DriverTable& driver() const { return driver_.table; }
  Handles& handles() { return handles_; }
  transport::Connection& connection() { return *connection_; }
  Staging& staging() { return staging_; }
  Mirrors& mirrors() { return mirrors_; }
  const ImageCache& images() { return images_; }
  BounceBuffers& bounce_buffers() { return bounce_buffers_; }

  /// Lets another thread go on with the next message. Afterwards the message's memory and the handles must not be used any more.
  void hand_over();

  // --- from any thread
  /// Before the program learns that work is done: brings it what the device printed and what was copied into its pinned memory.
  void bring_results();
  void reply(const wire::FrameHeader& request, CUresult result, Bytes results);
  void send_control(wire::ControlOp op, Bytes body, Bytes more = {});
  /// An asynchronous operation failed; the next reply tells.
  void remember_failure(std::uint16_t op, CUresult result);
  /// The client sent what no client sends: says so and ends the session.
  void fail(const std::string& why);

  void client_says_goodbye() { goodbye_ = true; }
  /// Host functions: blocks until the client has run the one with this token, or is gone.
  void run_on_client(std::uint64_t token);
  void host_function_done(std::uint64_t token);
  /// The images that the client is putting, by hash.
  std::map<ImageHash, PendingImage>& pending_images() { return pending_images_; }
  /// A context was destroyed, so its address may come back as another one.
  void contexts_changed() { contexts_generation_.fetch_add(1); }

 private:
  void thread_main();
  bool take_lead();
  void lead();
  void handle(Bytes message);
  void start_thread();
  void use_context(std::uint64_t bits);
  void end();

  const Driver& driver_;
  std::unique_ptr<transport::Connection> connection_;
  const ImageCache& images_;
  DeviceOutput& output_;
  Handles handles_;
  Staging staging_;
  Mirrors mirrors_;
  BounceBuffers bounce_buffers_;
  std::map<ImageHash, PendingImage> pending_images_;

  std::atomic<bool> led_{false}, over_{false};
  std::atomic<int> idle_{0}, asleep_{0};
  std::mutex threads_mutex_;
  std::condition_variable lead_free_, session_over_;
  std::vector<std::jthread> threads_;

  std::mutex send_mutex_;
  std::uint64_t sent_ = 0;
  std::atomic<std::uint64_t> handled_{0};
  std::atomic<int> failure_{CUDA_SUCCESS};
  std::atomic<bool> goodbye_{false};
  std::atomic<std::uint64_t> contexts_generation_{0};

  std::mutex host_functions_mutex_;
  std::condition_variable host_function_ran_;
  std::set<std::uint64_t> host_functions_;
};

}  // namespace weft::gpud
