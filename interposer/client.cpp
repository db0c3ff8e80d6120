// SPDX-License-Identifier: Apache-2.0
#include "interposer/client.hpp"

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/log.hpp"
#include "interposer/connect.hpp"
#include "interposer/thread.hpp"

namespace weft::interposer {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, microseconds timeout) {
  const timespec limit{timeout.count() / 1000000, timeout.count() % 1000000 * 1000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &limit, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) { ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

int usable_cpus() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

template <typename T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

std::atomic<Client*> Client::instance_{nullptr};

CUresult Client::start() {
  static std::mutex starting;
  static bool fork_handler = false;
  std::lock_guard lock(starting);
  if (Client* running = get()) return running->lost() ? lost_result : CUDA_SUCCESS;
  auto* client = new Client;  // lives as long as the process: its threads and the program's may call it to the end
  if (CUresult result = client->connect(); result != CUDA_SUCCESS) {
    delete client;
    return result;
  }
  if (!fork_handler) pthread_atfork(nullptr, nullptr, &Client::forked);
  fork_handler = true;
  client->wake_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  std::thread([client] { client->io_loop(); }).detach();
  std::thread([client] { client->callback_loop(); }).detach();
  instance_.store(client, std::memory_order_release);
  return CUDA_SUCCESS;
}

// In a forked child CUDA is not initialised, as with the real driver; the parent's connection must not be touched.
void Client::forked() { instance_.store(nullptr, std::memory_order_release); }

CUresult Client::connect() {
  Connected connected = connect_to_server();
  if (!connected.connection) return connected.result;
  connection_ = std::move(connected.connection);
  server_ = connected.server;
  if (read_snapshot()) return CUDA_SUCCESS;
  if (!lost()) lose("it sent no description of its devices");
  return CUDA_ERROR_NO_DEVICE;
}

bool Client::read_snapshot() {
  for (auto deadline = std::chrono::steady_clock::now() + 60s; devices_.empty() && !lost();) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    handle(connection_->poll(100ms));
  }
  return !devices_.empty();
}

CUresult Client::post(std::uint16_t op, CUcontext context, Bytes body, Bytes payload) {
  if (lost()) return lost_result;
  wire::FrameHeader header;
  header.op = op;
  header.length = static_cast<std::uint32_t>(body.size() + payload.size());
  header.context = reinterpret_cast<std::uint64_t>(context);
  std::error_code error;
  {
    std::lock_guard lock(order_);
    header.sequence = sequence_.load(std::memory_order_relaxed) + 1;
    sequence_.store(header.sequence, std::memory_order_relaxed);
    header.acknowledged = seen_;
    const Bytes parts[] = {bytes_of(header), body, payload};
    error = connection_->post(parts);
  }
  statistics_.commands.fetch_add(1, std::memory_order_relaxed);
  if (error) {
    lose(error.message().c_str());
    return lost_result;
  }
  posted_.fetch_add(1, std::memory_order_seq_cst);
  if (io_asleep_.load(std::memory_order_seq_cst)) wake_io();
  return CUDA_SUCCESS;
}

CUresult Client::call(Waiter& waiter, std::uint16_t op, CUcontext context, Bytes body, wire::Reader& reply, Bytes payload) {
  if (lost()) return lost_result;
  Thread& thread = this_thread();
  waiter.body = &thread.reply;
  wire::FrameHeader header;
  header.op = op;
  header.flags = wire::FrameFlags::wants_reply;
  header.length = static_cast<std::uint32_t>(body.size() + payload.size());
  header.context = reinterpret_cast<std::uint64_t>(context);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  std::error_code error;
  {
    std::lock_guard lock(order_);
    header.sequence = waiter.sequence = sequence_.load(std::memory_order_relaxed) + 1;
    sequence_.store(header.sequence, std::memory_order_relaxed);
    header.acknowledged = seen_;
    {
      std::lock_guard waiters(waiters_mutex_);
      waiters_.push_back(&waiter);
    }
    const Bytes parts[] = {bytes_of(header), body, payload};
    error = connection_->post(parts);
  }
  if (!error) error = connection_->flush();
  if (error) lose(error.message().c_str());
  statistics_.commands.fetch_add(1, std::memory_order_relaxed);
  statistics_.round_trips.fetch_add(1, std::memory_order_relaxed);
  wait(waiter);
  waiting_.fetch_sub(1, std::memory_order_seq_cst);
  {
    std::lock_guard waiters(waiters_mutex_);
    std::erase(waiters_, &waiter);
  }
  if (waiter.state.load(std::memory_order_acquire) != Waiter::done) return lost_result;
  reply = wire::Reader(thread.reply);
  const auto result = static_cast<CUresult>(reply.value<std::int32_t>());
  const auto earlier = static_cast<CUresult>(reply.value<std::int32_t>());
  if (!reply.ok()) return CUDA_ERROR_UNKNOWN;
  return result != CUDA_SUCCESS ? result : earlier;
}

CUresult Client::put(Bytes local, std::uint64_t key, std::uint64_t offset) {
  if (lost()) return lost_result;
  if (std::error_code error = connection_->put(local, key, offset)) {
    lose(error.message().c_str());
    return lost_result;
  }
  statistics_.bytes_put.fetch_add(local.size(), std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

// One waiting thread reads the connection for all of them; when it has its own reply another takes over.
void Client::wait(Waiter& waiter) {
  auto finished = [&] {
    return waiter.state.load(std::memory_order_acquire) == Waiter::done || lost() ||
           (waiter.deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > waiter.deadline);
  };
  while (!finished()) {
    if (reader_.try_lock()) {
      while (!finished()) handle(connection_->poll(200ms));
      while (!lost()) {  // nothing may stay in the connection's buffer, where no descriptor tells of it
        transport::Event event = connection_->poll(0us);
        if (event.kind == transport::Event::Kind::none) break;
        handle(event);
      }
      reader_.unlock();
      std::lock_guard lock(waiters_mutex_);
      for (Waiter* other : waiters_) {
        if (other == &waiter) continue;
        std::uint32_t expected = Waiter::waiting;
        if (other->state.compare_exchange_strong(expected, Waiter::poked)) futex_wake(other->state);
      }
      return;
    }
    std::uint32_t poked = Waiter::poked;
    waiter.state.compare_exchange_strong(poked, Waiter::waiting);
    futex_wait(waiter.state, Waiter::waiting, 5ms);
  }
}

void Client::handle(const transport::Event& event) {
  if (event.kind == transport::Event::Kind::message) handle_message(event.message);
  if (event.kind == transport::Event::Kind::closed && !finishing_)
    lose(event.error ? event.error.message().c_str() : "it closed the connection");
}

void Client::handle_message(Bytes message) {
  wire::Reader reader(message);
  const auto header = reader.value<wire::FrameHeader>();
  const Bytes body = reader.remaining();
  if (!reader.ok() || header.version != wire::frame_version || header.length != body.size()) return lose("it sent a malformed frame");
  seen_ = header.sequence;
  if (header.flags != wire::FrameFlags::reply) {
    wire::Reader control(body);
    return handle_control(static_cast<wire::ControlOp>(header.op), control);
  }
  std::lock_guard lock(waiters_mutex_);
  for (Waiter* waiter : waiters_) {
    if (waiter->sequence != header.acknowledged) continue;
    waiter->body->assign(body.begin(), body.end());
    waiter->state.store(Waiter::done, std::memory_order_release);
    futex_wake(waiter->state);
    return;
  }
}

void Client::handle_control(wire::ControlOp op, wire::Reader body) {
  switch (op) {
    case wire::ControlOp::snapshot: {
      snapshot_ = body.value<abi::Snapshot>();
      if (snapshot_.device_count > wire::max_devices) return lose("it offers more devices than a pool may have");
      std::vector<abi::DeviceSnapshot> devices(snapshot_.device_count);
      for (abi::DeviceSnapshot& device : devices) device = body.value<abi::DeviceSnapshot>();
      if (!body.finished()) return lose("it sent a malformed description of its devices");
      devices_ = std::move(devices);
      return;
    }
    case wire::ControlOp::output: {
      FILE* stream = body.value<std::int32_t>() == STDERR_FILENO ? stderr : stdout;
      const Bytes text = body.remaining();
      std::fwrite(text.data(), 1, text.size(), stream);
      return;
    }
    case wire::ControlOp::host_function: {
      std::lock_guard lock(callbacks_mutex_);
      callbacks_.push_back(body.value<std::uint64_t>());
      callbacks_ready_.notify_one();
      return;
    }
    case wire::ControlOp::fatal: {
      const Bytes text = body.remaining();
      return lose(std::string(reinterpret_cast<const char*>(text.data()), text.size()).c_str());
    }
    default: return lose("it sent an unknown message");
  }
}

void Client::lose(const char* why) {
  if (lost_.exchange(true)) return;
  log::error("lost the server %s: %s; every CUDA call of this process fails from now on", server_.c_str(), why);
  connection_->close();
  std::lock_guard lock(waiters_mutex_);
  for (Waiter* waiter : waiters_) futex_wake(waiter->state);
}

void Client::wake_io() {
  const std::uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

// Sends what async calls left behind; while nobody waits for a reply, reads as well.
void Client::io_loop() {
  const auto spin = usable_cpus() > 2 ? 50us : 0us;
  std::uint64_t sent = 0;
  while (!lost()) {
    auto idle_since = std::chrono::steady_clock::now();
    do {
      if (std::uint64_t posted = posted_.load(std::memory_order_seq_cst); posted != sent) {
        sent = posted;
        if (connection_->flush()) break;
        idle_since = std::chrono::steady_clock::now();
      }
    } while (std::chrono::steady_clock::now() - idle_since < spin && !lost());
    io_asleep_.store(true, std::memory_order_seq_cst);
    if (posted_.load(std::memory_order_seq_cst) == sent && !lost()) read_while_idle();
    io_asleep_.store(false, std::memory_order_seq_cst);
  }
}

void Client::read_while_idle() {
  const bool others_read = waiting_.load(std::memory_order_seq_cst) > 0;
  pollfd fds[] = {{wake_.get(), POLLIN, 0}, {connection_->wait_fd(), POLLIN, 0}};
  const int ready = ::poll(fds, others_read ? 1 : 2, others_read ? 2 : -1);
  if (ready <= 0) return;
  if (fds[0].revents) {
    std::uint64_t count;
    [[maybe_unused]] ssize_t got = ::read(wake_.get(), &count, sizeof count);
  }
  if (others_read || !fds[1].revents || !reader_.try_lock()) return;
  while (!lost()) {
    transport::Event event = connection_->poll(0us);
    if (event.kind == transport::Event::Kind::none) break;
    handle(event);
  }
  reader_.unlock();
}

// Host functions of the program may take long and may call CUDA, so they have a thread of their own, as with the real driver.
void Client::callback_loop() {
  for (;;) {
    std::unique_lock lock(callbacks_mutex_);
    callbacks_ready_.wait(lock, [&] { return !callbacks_.empty(); });
    const std::uint64_t token = callbacks_.front();
    callbacks_.pop_front();
    lock.unlock();
    run_host_function(token);
    post(static_cast<std::uint16_t>(wire::ControlOp::host_function_done), nullptr, bytes_of(token));
    connection_->flush();
  }
}

void Client::finish() {
  if (!lost()) {
    wire::Reader reply{{}};
    Waiter waiter;
    waiter.deadline = std::chrono::steady_clock::now() + 2s;  // the GPU may be in a kernel that never ends; natively exit would not wait either
    call(waiter, static_cast<std::uint16_t>(wire::ControlOp::goodbye), nullptr, {}, reply, {});
  }
  finishing_ = true;
  std::fflush(stdout);
  if (!log::wanted("stats")) return;
  std::fprintf(stderr, "weft: %llu commands, %llu round trips (%llu before the first kernel), %llu bytes put; server %s\n",
               static_cast<unsigned long long>(statistics_.commands.load()), static_cast<unsigned long long>(statistics_.round_trips.load()),
               static_cast<unsigned long long>(statistics_.round_trips_before_first_kernel.load()),
               static_cast<unsigned long long>(statistics_.bytes_put.load()), server_.c_str());
}

// After every atexit handler of the program and of the runtimes in it, so that their unloads are still sent.
[[gnu::destructor]] static void at_exit() {
  if (Client* client = Client::get()) client->finish();
}

}  // namespace weft::interposer
