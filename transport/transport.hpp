// SPDX-License-Identifier: Apache-2.0
// The link between a client and its worker: ordered messages beside one-sided put and get on registered memory. Start here for transport/.
//
// Messages are small (commands, replies) and arrive whole and in the order in which they were posted. Bulk goes by put and get, straight
// between the memory of both ends; a put is visible to the peer before any message posted after it. What a transport can't do natively,
// its own file emulates: every transport implements all of this.
//
// Threads: post, put, get, flush, register_memory, deregister_memory and close may be called from any thread at any time; poll from one
// thread at a time. The order of calls made by different threads is the order in which they got in. A put may block until the peer takes
// the bytes, so some thread of each end must go on polling while others put.
//
// Errors: std::error_code; once a connection has failed every call answers the same code and poll answers Event::Kind::closed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "base/unique_fd.hpp"

namespace weft::transport {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

/// What poll saw. `message` borrows the connection's memory until the next poll.
struct Event {
  enum class Kind {
    none,      // the time-out passed
    message,   // `message` is one whole message
    get_done,  // the get with this `cookie` has written its destination
    closed,    // the link is gone; `error` says why (success: the peer closed it in order)
  };
  Kind kind = Kind::none;
  Bytes message;
  std::uint64_t cookie = 0;
  std::error_code error;
};

class Connection {
 public:
  virtual ~Connection() = default;

  /// Queues one message made of these parts (together at most max_message_bytes, limits.hpp). The parts are copied before it returns. It may
  /// stay in a buffer until flush, until the buffer fills or until a put or get goes out.
  virtual std::error_code post(std::span<const Bytes> parts) = 0;

  /// Writes `local` into the peer's registered memory `key` at `offset` bytes. `local` may be reused when it returns.
  virtual std::error_code put(Bytes local, std::uint64_t key, std::uint64_t offset) = 0;

  /// Reads the peer's registered memory `key` at `offset` into `local`, which must stay valid until poll answers get_done with `cookie`.
  virtual std::error_code get(MutableBytes local, std::uint64_t key, std::uint64_t offset,
                              std::uint64_t cookie) = 0;

  /// Sends whatever post left in a buffer.
  virtual std::error_code flush() = 0;

  /// Waits at most `timeout` for the next event: spins a little, then sleeps. Zero never sleeps; a negative time-out waits for ever.
  virtual Event poll(std::chrono::microseconds timeout) = 0;

  /// Lets the peer put into and get from this memory; answers the key that the peer must name. The memory must outlive the registration.
  /// Keys are never used again. Any put or get beyond the registered bytes fails the connection of the peer that tried.
  virtual std::uint64_t register_memory(MutableBytes memory) = 0;

  /// Ends a registration. When it returns no byte is being written there any more.
  virtual void deregister_memory(std::uint64_t key) = 0;

  /// A descriptor that is readable whenever poll(0) would find something after it had found nothing.
  virtual int wait_fd() = 0;

  /// Ends the link now; a poll or put under way in another thread returns. May be called more than once.
  virtual void close() = 0;

  /// One phrase for logs: transport, addresses, what makes this path special.
  virtual std::string describe() const = 0;
};

}  // namespace weft::transport
