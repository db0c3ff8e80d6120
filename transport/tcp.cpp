// SPDX-License-Identifier: Apache-2.0
// On the stream: a Header, and for each kind what belongs to it.
//   message   `length` bytes
//   put       Target, then Target::size bytes for the receiver's memory
//   get       Target, then u64 cookie: the receiver answers with get_data
//   get_data  Target (key: the cookie), then the bytes
// Posted messages gather in a buffer that flush, put and get send; payloads go from the caller's memory to the socket and from the socket to their
// destination.
#include "transport/tcp.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "transport/error.hpp"
#include "transport/limits.hpp"
#include "transport/registrations.hpp"
#include "transport/socket_name.hpp"

namespace weft::transport {
namespace {

using std::chrono::microseconds;
using Clock = std::chrono::steady_clock;

enum class Kind : std::uint32_t { message = 1, put, get, get_data };

struct Header {
  Kind kind;
  std::uint32_t length;  // of what follows, payload not counted
};

struct Target {
  std::uint64_t key, offset, size;
};

// The buffers: several of the largest messages, so that a burst of small ones needs few system calls.
constexpr std::size_t send_buffer_bytes = 2 * max_message_bytes;
constexpr std::size_t receive_buffer_bytes = 2 * max_message_bytes;

template <typename T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// How long a poll spins before it sleeps: about what a wake-up costs, and nothing where the other end needs this core.
microseconds spin_time() {
  cpu_set_t cpus;
  const bool several = ::sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 2;
  return microseconds(several ? 50 : 0);
}

class Tcp final : public Connection {
 public:
  explicit Tcp(UniqueFd socket) : socket_(std::move(socket)), spin_(spin_time()) {
    set_options();
    filling_.reserve(send_buffer_bytes);
    writing_.reserve(send_buffer_bytes);
    received_.resize(receive_buffer_bytes);
  }
  ~Tcp() override { close(); }

  std::error_code post(std::span<const Bytes> parts) override;
  std::error_code put(Bytes local, std::uint64_t key, std::uint64_t offset) override;
  std::error_code get(MutableBytes local, std::uint64_t key, std::uint64_t offset, std::uint64_t cookie) override;
  std::error_code flush() override;
  Event poll(microseconds timeout) override;
  std::uint64_t register_memory(MutableBytes memory) override { return registrations_.add(memory); }
  void deregister_memory(std::uint64_t key) override { registrations_.remove(key); }
  int wait_fd() override { return socket_.get(); }
  void close() override;
  std::string describe() const override { return name_of(socket_.get()); }

 private:
  void set_options();
  std::error_code fail(std::error_code error);
  std::error_code failure() const;
  void append(Bytes bytes) { filling_.insert(filling_.end(), bytes.begin(), bytes.end()); }
  std::error_code send_with(Bytes head, Bytes payload);
  std::error_code send_all(std::span<iovec> pieces);
  bool wait_writable();

  bool parse(Event& event);
  bool parse_target(const Header& header, Event& event);
  void start_payload(MutableBytes destination);
  bool finish_payload(Event& event);
  bool serve_get(const Target& target, std::uint64_t cookie, Event& event);
  bool failed_event(Event& event, std::error_code error);
  std::error_code receive();
  std::size_t buffered() const { return end_ - begin_; }

  UniqueFd socket_;
  const microseconds spin_;
  std::atomic<bool> failed_{false};
  mutable std::mutex failure_mutex_;
  std::error_code failure_;

  std::mutex append_mutex_;  // filling_
  std::vector<std::byte> filling_;
  std::mutex write_mutex_;   // writing_ and the order of the stream; taken before append_mutex_
  std::vector<std::byte> writing_;

  // Only the polling thread:
  std::vector<std::byte> received_;
  std::size_t begin_ = 0, end_ = 0;
  MutableBytes payload_;            // what is still to arrive of the payload under way
  enum class Payload { none, put, get_data } payload_kind_ = Payload::none;
  std::uint64_t payload_key_ = 0;

  Registrations registrations_;
  std::mutex gets_mutex_;
  std::unordered_map<std::uint64_t, MutableBytes> gets_;  // by cookie
};

void Tcp::set_options() {
  const int on = 1, seconds = 5, probes = 2;
  const unsigned user_timeout_ms = 10000;
  // These fail on unix sockets, where they mean nothing.
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPINTVL, &probes, sizeof probes);
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, sizeof user_timeout_ms);
}

std::error_code Tcp::fail(std::error_code error) {
  std::lock_guard lock(failure_mutex_);
  if (!failed_.load()) {
    failure_ = error;
    failed_.store(true);
    ::shutdown(socket_.get(), SHUT_RDWR);
    registrations_.abandon();
  }
  return failure_;
}

std::error_code Tcp::failure() const {
  if (!failed_.load(std::memory_order_acquire)) return {};
  std::lock_guard lock(failure_mutex_);
  return failure_;
}

void Tcp::close() { fail(Errc::closed); }

// --- sending

std::error_code Tcp::post(std::span<const Bytes> parts) {
  std::size_t length = 0;
  for (Bytes part : parts) length += part.size();
  if (length > max_message_bytes) return Errc::message_too_large;
  const Header header{Kind::message, static_cast<std::uint32_t>(length)};
  for (;;) {
    if (std::error_code error = failure()) return error;
    {
      std::lock_guard lock(append_mutex_);
      if (filling_.size() + sizeof header + length <= send_buffer_bytes) {
        append(bytes_of(header));
        for (Bytes part : parts) append(part);
        return {};
      }
    }
    if (std::error_code error = flush()) return error;
  }
}

std::error_code Tcp::flush() { return send_with({}, {}); }

std::error_code Tcp::put(Bytes local, std::uint64_t key, std::uint64_t offset) {
  struct {
    Header header;
    Target target;
  } head{{Kind::put, sizeof(Target)}, {key, offset, local.size()}};
  return send_with(bytes_of(head), local);
}

std::error_code Tcp::get(MutableBytes local, std::uint64_t key, std::uint64_t offset, std::uint64_t cookie) {
  struct {
    Header header;
    Target target;
    std::uint64_t cookie;
  } head{{Kind::get, sizeof(Target) + sizeof cookie}, {key, offset, local.size()}, cookie};
  {
    std::lock_guard lock(gets_mutex_);
    gets_[cookie] = local;
  }
  return send_with(bytes_of(head), {});
}

/// Sends what was posted, then these.
std::error_code Tcp::send_with(Bytes head, Bytes payload) {
  std::lock_guard lock(write_mutex_);
  do {
    if (std::error_code error = failure()) return error;
    {
      std::lock_guard append_lock(append_mutex_);
      writing_.swap(filling_);
    }
    auto piece = [](Bytes bytes) { return iovec{const_cast<std::byte*>(bytes.data()), bytes.size()}; };
    iovec pieces[] = {piece(writing_), piece(head), piece(payload)};
    std::error_code error = send_all(pieces);
    writing_.clear();
    if (error) return error;
    head = payload = {};
    std::lock_guard append_lock(append_mutex_);
    if (filling_.empty()) return {};
  } while (true);
}

std::error_code Tcp::send_all(std::span<iovec> pieces) {
  while (!pieces.empty()) {
    if (pieces.front().iov_len == 0) {
      pieces = pieces.subspan(1);
      continue;
    }
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN && wait_writable()) continue;
      if (std::error_code error = failure()) return error;
      return fail(errno == EPIPE || errno == ECONNRESET ? make_error_code(Errc::closed_by_peer) : std::error_code(errno, std::system_category()));
    }
    for (std::size_t left = static_cast<std::size_t>(sent); left > 0;) {
      const std::size_t taken = std::min(left, pieces.front().iov_len);
      pieces.front().iov_base = static_cast<std::byte*>(pieces.front().iov_base) + taken;
      pieces.front().iov_len -= taken;
      left -= taken;
      if (pieces.front().iov_len == 0) pieces = pieces.subspan(1);
    }
  }
  return {};
}

bool Tcp::wait_writable() {
  pollfd fd{socket_.get(), POLLOUT, 0};
  while (::poll(&fd, 1, -1) < 0)
    if (errno != EINTR) return false;
  return !failed_.load();
}

// --- receiving

Event Tcp::poll(microseconds timeout) {
  Event event;
  if (std::error_code error = failure()) {
    failed_event(event, error);
    return event;
  }
  Clock::time_point started{};
  for (;;) {
    if (parse(event)) return event;
    const std::error_code error = receive();
    if (!error) continue;
    if (error != std::errc::resource_unavailable_try_again) {
      failed_event(event, fail(error));
      return event;
    }
    if (timeout.count() == 0) return event;
    const auto now = Clock::now();
    if (started == Clock::time_point{}) started = now;
    const auto waited = std::chrono::duration_cast<microseconds>(now - started);
    if (timeout.count() > 0 && waited >= timeout) return event;
    if (waited < spin_) {
      __builtin_ia32_pause();
      continue;
    }
    pollfd fd{socket_.get(), POLLIN, 0};
    const auto left = timeout - waited;
    const timespec limit{left.count() / 1000000, left.count() % 1000000 * 1000};
    ::ppoll(&fd, 1, timeout.count() < 0 ? nullptr : &limit, nullptr);
    if (std::error_code closed = failure()) {
      failed_event(event, closed);
      return event;
    }
  }
}

bool Tcp::failed_event(Event& event, std::error_code error) {
  event.kind = Event::Kind::closed;
  event.error = error == Errc::closed_by_peer ? std::error_code{} : error;
  return true;
}

/// One recv: into the payload under way if there is one, else behind what is buffered.
std::error_code Tcp::receive() {
  iovec where;
  if (payload_kind_ != Payload::none) {
    where = {payload_.data(), payload_.size()};
  } else {
    if (begin_ == end_) begin_ = end_ = 0;
    if (received_.size() - end_ < max_message_bytes + 64) {
      std::memmove(received_.data(), received_.data() + begin_, buffered());
      end_ -= begin_;
      begin_ = 0;
    }
    where = {received_.data() + end_, received_.size() - end_};
  }
  const ssize_t got = ::recv(socket_.get(), where.iov_base, where.iov_len, MSG_DONTWAIT);
  if (got == 0) return Errc::closed_by_peer;
  if (got < 0) {
    if (errno == EINTR) return {};
    if (errno == ECONNRESET) return Errc::closed_by_peer;
    return {errno, std::system_category()};
  }
  if (payload_kind_ != Payload::none) payload_ = payload_.subspan(static_cast<std::size_t>(got));
  else end_ += static_cast<std::size_t>(got);
  return {};
}

/// Deals with what is buffered until there is an event (true) or more bytes are needed (false).
bool Tcp::parse(Event& event) {
  for (;;) {
    if (payload_kind_ != Payload::none) {
      if (!payload_.empty()) return false;
      if (finish_payload(event)) return true;
      continue;
    }
    Header header;
    if (buffered() < sizeof header) return false;
    std::memcpy(&header, received_.data() + begin_, sizeof header);
    if (header.length > max_message_bytes) return failed_event(event, fail(Errc::message_too_large));
    if (buffered() < sizeof header + header.length) return false;
    if (header.kind == Kind::message) {
      event.kind = Event::Kind::message;
      event.message = Bytes(received_).subspan(begin_ + sizeof header, header.length);
      begin_ += sizeof header + header.length;
      return true;
    }
    if (parse_target(header, event)) return true;
  }
}

bool Tcp::parse_target(const Header& header, Event& event) {
  const bool is_get = header.kind == Kind::get;
  if ((header.kind != Kind::put && !is_get && header.kind != Kind::get_data) || header.length != sizeof(Target) + (is_get ? sizeof(std::uint64_t) : 0))
    return failed_event(event, fail(Errc::protocol_error));
  Target target;
  std::uint64_t cookie = 0;
  const std::byte* from = received_.data() + begin_ + sizeof header;
  std::memcpy(&target, from, sizeof target);
  if (is_get) std::memcpy(&cookie, from + sizeof target, sizeof cookie);
  begin_ += sizeof header + header.length;
  if (is_get) return serve_get(target, cookie, event);
  MutableBytes destination;
  if (header.kind == Kind::put) {
    destination = registrations_.acquire(target.key, target.offset, target.size);
    if (destination.data() == nullptr) return failed_event(event, fail(Errc::no_such_memory));
    payload_kind_ = Payload::put;
  } else {
    std::lock_guard lock(gets_mutex_);
    auto waiting = gets_.extract(target.key);
    if (waiting.empty() || waiting.mapped().size() != target.size) return failed_event(event, fail(Errc::protocol_error));
    destination = waiting.mapped();
    payload_kind_ = Payload::get_data;
  }
  payload_key_ = target.key;
  start_payload(destination);
  return false;
}

void Tcp::start_payload(MutableBytes destination) {
  const std::size_t here = std::min(buffered(), destination.size());
  if (here) std::memcpy(destination.data(), received_.data() + begin_, here);
  begin_ += here;
  payload_ = destination.subspan(here);
}

bool Tcp::finish_payload(Event& event) {
  const bool was_get = payload_kind_ == Payload::get_data;
  payload_kind_ = Payload::none;
  if (was_get) {
    event.kind = Event::Kind::get_done;
    event.cookie = payload_key_;
    return true;
  }
  registrations_.release(payload_key_);
  return false;
}

bool Tcp::serve_get(const Target& target, std::uint64_t cookie, Event& event) {
  const MutableBytes source = registrations_.acquire(target.key, target.offset, target.size);
  if (source.data() == nullptr) return failed_event(event, fail(Errc::no_such_memory));
  struct {
    Header header;
    Target target;
  } head{{Kind::get_data, sizeof(Target)}, {cookie, 0, target.size}};
  const std::error_code error = send_with(bytes_of(head), source);
  registrations_.release(target.key);
  return error ? failed_event(event, error) : false;
}

}  // namespace

std::unique_ptr<Connection> make_tcp(UniqueFd socket) { return std::make_unique<Tcp>(std::move(socket)); }

}  // namespace weft::transport
