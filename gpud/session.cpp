// SPDX-License-Identifier: Apache-2.0
#include "gpud/session.hpp"

#include <sched.h>

#include "base/log.hpp"
#include "gpud/call.hpp"
#include "gpud/dispatch.hpp"

namespace weft::gpud {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_threads = 256;  // that many client threads may wait at once; then waits are served in order

thread_local bool leading = false;
struct CurrentContext {
  CUcontext context = nullptr;
  std::uint64_t generation = ~std::uint64_t{0};
};
thread_local CurrentContext current;

std::chrono::microseconds spin_time() {
  cpu_set_t cpus;
  const bool several = ::sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 2;
  return several ? 50us : 0us;
}

template <typename T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

Session::Session(const Driver& driver, std::unique_ptr<transport::Connection> connection, const ImageCache& images, DeviceOutput& output)
    : driver_(driver), connection_(std::move(connection)), images_(images), output_(output), staging_(driver.table, *connection_),
      mirrors_(driver.table, *connection_, driver.occupied), bounce_buffers_(driver.table) {}

bool Session::serve() {
  std::vector<abi::DeviceSnapshot> devices;
  abi::Snapshot snapshot = describe(driver_, &devices);
  snapshot.staging_key = staging_.key();
  snapshot.staging_size = staging_.size();
  send_control(wire::ControlOp::snapshot, bytes_of(snapshot), std::as_bytes(std::span(devices)));
  std::unique_lock lock(threads_mutex_);
  start_thread();
  session_over_.wait(lock, [&] { return over_.load(); });
  return goodbye_;
}

void Session::end() {
  over_ = true;
  connection_->close();
  host_function_ran_.notify_all();
  std::lock_guard lock(threads_mutex_);
  lead_free_.notify_all();
  session_over_.notify_all();
}

// --- who leads

/// threads_mutex_ is held.
void Session::start_thread() {
  threads_.emplace_back([this] { thread_main(); });
}

void Session::thread_main() {
  while (take_lead()) lead();
}

bool Session::take_lead() {
  static const auto spin = spin_time();
  idle_.fetch_add(1);
  bool mine = false;
  for (const auto until = Clock::now() + spin; !(mine = !led_.exchange(true)) && Clock::now() < until && !over_;) {
    while (led_.load(std::memory_order_relaxed) && Clock::now() < until) __builtin_ia32_pause();
  }
  if (!mine) {
    std::unique_lock lock(threads_mutex_);
    asleep_.fetch_add(1);
    lead_free_.wait(lock, [&] { return over_ || (mine = !led_.exchange(true)); });
    asleep_.fetch_sub(1);
  }
  idle_.fetch_sub(1);
  leading = mine;
  return mine && !over_;
}

void Session::hand_over() {
  if (!leading) return;
  if (idle_.load() == 0) {
    std::lock_guard lock(threads_mutex_);
    if (threads_.size() >= most_threads) return;
    start_thread();
  }
  leading = false;
  led_.store(false);
  if (asleep_.load() > 0) {
    std::lock_guard lock(threads_mutex_);
    lead_free_.notify_one();
  }
}

void Session::lead() {
  while (leading && !over_) {
    const transport::Event event = connection_->poll(1s);
    if (event.kind == transport::Event::Kind::message) handle(event.message);
    if (event.kind == transport::Event::Kind::closed) {
      if (event.error && !goodbye_) log::info("the client's connection broke: %s", event.error.message().c_str());
      end();
    }
  }
}

// --- one message

void Session::use_context(std::uint64_t bits) {
  CUcontext context = nullptr;
  handles_.find(bits, &context);  // a primary context may be current before it is retained; calls that need one then say so themselves
  const std::uint64_t generation = contexts_generation_.load();
  if (context == current.context && generation == current.generation) return;
  driver_.table.cuCtxSetCurrent(context);
  current = {context, generation};
}

void Session::handle(Bytes message) {
  wire::Reader reader(message);
  const auto header = reader.value<wire::FrameHeader>();
  const Bytes body = reader.remaining();
  if (message.size() < sizeof header || header.version != wire::frame_version || header.length != body.size()) return fail("a malformed frame");
  Call call(*this, header, body);
  use_context(header.context);
  if (!dispatch(call)) {
    log::warning("the client asks for operation %u, which this version does not know", header.op);
    call.finish(CUDA_ERROR_NOT_SUPPORTED);
  }
  handled_.store(header.sequence, std::memory_order_relaxed);
}

void Session::reply(const wire::FrameHeader& request, CUresult result, Bytes results) {
  wire::FrameHeader header;
  header.op = request.op;
  header.flags = wire::FrameFlags::reply;
  header.acknowledged = request.sequence;
  const std::int32_t results_first[] = {result, failure_.exchange(CUDA_SUCCESS)};
  header.length = static_cast<std::uint32_t>(sizeof results_first + results.size());
  std::lock_guard lock(send_mutex_);
  header.sequence = ++sent_;
  const Bytes parts[] = {bytes_of(header), std::as_bytes(std::span(results_first)), results};
  if (connection_->post(parts) || connection_->flush()) log::debug("a reply could not be sent");
}

void Session::send_control(wire::ControlOp op, Bytes body, Bytes more) {
  wire::FrameHeader header;
  header.op = static_cast<std::uint16_t>(op);
  header.length = static_cast<std::uint32_t>(body.size() + more.size());
  header.acknowledged = handled_.load(std::memory_order_relaxed);
  std::lock_guard lock(send_mutex_);
  header.sequence = ++sent_;
  const Bytes parts[] = {bytes_of(header), body, more};
  if (connection_->post(parts) || connection_->flush()) log::debug("a message could not be sent");
}

void Session::bring_results() {
  mirrors_.deliver_finished();
  output_.forward([this](std::int32_t fd, Bytes text) { send_control(wire::ControlOp::output, bytes_of(fd), text); });
}

void Session::remember_failure(std::uint16_t op, CUresult result) {
  const char* name = abi::op_name(op);
  log::debug("%s failed with %d", name ? name : "an operation", result);
  int none = CUDA_SUCCESS;
  failure_.compare_exchange_strong(none, result);
}

void Session::fail(const std::string& why) {
  const std::string text = "this client sent " + why + "; the session is over";
  log::warning("%s", text.c_str());
  send_control(wire::ControlOp::fatal, std::as_bytes(std::span(text)));
  end();
}

// --- host functions

void Session::run_on_client(std::uint64_t token) {
  {
    std::lock_guard lock(host_functions_mutex_);
    host_functions_.insert(token);
  }
  mirrors_.deliver_before_host_function();
  send_control(wire::ControlOp::host_function, bytes_of(token));
  std::unique_lock lock(host_functions_mutex_);
  host_function_ran_.wait(lock, [&] { return !host_functions_.contains(token) || over_; });
}

void Session::host_function_done(std::uint64_t token) {
  std::lock_guard lock(host_functions_mutex_);
  host_functions_.erase(token);
  host_function_ran_.notify_all();
}

}  // namespace weft::gpud
