// SPDX-License-Identifier: Apache-2.0
#include "softgpu/queue.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "softgpu/driver.hpp"
#include "softgpu/exec/builtins.hpp"

namespace weft::softgpu {
namespace {

// One for all: waiters are few, and what they wait for is long compared to a wake-up.
std::condition_variable& progress() {
  static auto* const condition = new std::condition_variable;
  return *condition;
}

bool all_done(const std::vector<Ticket>& tickets) {
  return std::all_of(tickets.begin(), tickets.end(), [](const Ticket& ticket) { return ticket.done(); });
}

/// Threads that run queues: as many as there are queues with something to do, since any of them may wait for another.
class Runners {
 public:
  void run(std::function<void()> work) {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    if (idle_ < waiting_.size()) std::thread([this] { loop(); }).detach();
    else ready_.notify_one();
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (waiting_.empty()) {
        ++idle_;
        const bool more = ready_.wait_for(lock, std::chrono::seconds(5), [&] { return !waiting_.empty(); });
        --idle_;
        if (!more) return;
      }
      auto work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
};

Runners& runners() {
  static auto* const all = new Runners;  // never destroyed: its threads may run to the end of the process
  return *all;
}

/// The driver's mutex, which the caller holds, as a lock to wait with.
class Held {
 public:
  Held() : lock(driver_mutex(), std::adopt_lock) {}
  ~Held() { lock.release(); }
  Lock lock;
};

}  // namespace

bool Ticket::done() const { return !queue || queue->completed_ >= number; }

void wait_for(const std::vector<Ticket>& tickets) {
  Held held;
  progress().wait(held.lock, [&] { return all_done(tickets); });
  held.lock.unlock();  // whoever reads stdout may be slow
  exec::flush_printf();
  held.lock.lock();
}

Ticket Queue::add(Work work, std::vector<Ticket> after, bool is_short) {
  std::erase_if(after, [](const Ticket& ticket) { return ticket.done(); });
  const Ticket ticket{shared_from_this(), ++submitted_};
  if (is_short && !busy_ && after.empty()) {
    busy_ = true;
    driver_mutex().unlock();
    if (work) work();
    driver_mutex().lock();
    finish_one();
    busy_ = !items_.empty();
    if (busy_) runners().run([self = shared_from_this()] { self->drain(); });
    return ticket;
  }
  items_.push_back({std::move(work), std::move(after)});
  if (!busy_) {
    busy_ = true;
    runners().run([self = shared_from_this()] { self->drain(); });
  }
  return ticket;
}

void Queue::drain() {
  Lock lock(driver_mutex());
  while (!items_.empty()) {
    Item item = std::move(items_.front());
    items_.pop_front();
    progress().wait(lock, [&] { return all_done(item.after); });
    lock.unlock();
    if (item.work) item.work();
    item = {};  // what it holds may take the mutex to go
    lock.lock();
    finish_one();
  }
  busy_ = false;
}

void Queue::finish_one() {
  ++completed_;
  progress().notify_all();
}

}  // namespace weft::softgpu
