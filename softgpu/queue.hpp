// SPDX-License-Identifier: Apache-2.0
// What a stream does: one thing after the other, beside all other streams.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace weft::softgpu {

class Queue;

/// A place in a queue: done when everything up to it is. Values; a queue lives as long as anyone waits for a place in it, which is why it is shared.
struct Ticket {
  std::shared_ptr<Queue> queue;
  std::uint64_t number = 0;

  bool done() const;  // the driver's mutex is held
};

/// The driver's mutex is held for all of this; work runs without it.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  using Work = std::function<void()>;

  /// Puts work at the end; it runs once everything before it and everything in `after` is done. Short work on an idle queue runs here and now, others on a thread.
  Ticket add(Work work, std::vector<Ticket> after, bool is_short);
  Ticket last() { return {shared_from_this(), submitted_}; }
  bool idle() const { return completed_ == submitted_; }

 private:
  friend struct Ticket;
  struct Item {
    Work work;
    std::vector<Ticket> after;
  };

  void drain();
  void finish_one();

  std::deque<Item> items_;
  std::uint64_t submitted_ = 0, completed_ = 0;
  bool busy_ = false;
};

/// Waits for all of them; gives the driver's mutex up meanwhile.
void wait_for(const std::vector<Ticket>& tickets);

}  // namespace weft::softgpu
