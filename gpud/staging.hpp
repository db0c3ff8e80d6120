// SPDX-License-Identifier: Apache-2.0
// Memory into which the client puts the payloads of copies to the device. The client uses it as a ring; tickets tell it what has been read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

#include "gpud/driver_table.hpp"
#include "transport/transport.hpp"

namespace weft::gpud {

class Staging {
 public:
  /// Throws std::runtime_error where there is no memory.
  Staging(const DriverTable& driver, transport::Connection& connection);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::uint64_t key() const { return key_; }
  std::uint64_t size() const { return memory_.size(); }

  /// The bytes that lie at `offset`; null where that is not all inside. Pins the memory at its first use.
  const std::byte* at(std::uint64_t offset, std::uint64_t bytes);
  /// The copy with this ticket has been enqueued on the stream, in the current context.
  void enqueued(std::uint64_t ticket, CUstream stream);
  /// Waits until the copies up to this ticket have read their bytes; answers the highest ticket so done. Any thread.
  std::uint64_t wait(std::uint64_t ticket);

 private:
  struct Piece {
    std::uint64_t ticket;
    CUevent read;  // null where the copy was done at once
  };

  const DriverTable& driver_;
  std::span<std::byte> memory_;
  std::uint64_t key_ = 0;
  bool pinned_ = false;
  std::mutex mutex_;
  std::deque<Piece> pieces_;
  std::uint64_t done_ = 0;
};

}  // namespace weft::gpud
