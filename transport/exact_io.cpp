// SPDX-License-Identifier: Apache-2.0
#include "transport/exact_io.hpp"

#include <poll.h>
#include <sys/socket.h>

#include "transport/error.hpp"

namespace weft::transport {
namespace {

std::error_code wait_for(int fd, short events, Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  if (left <= 0) return std::make_error_code(std::errc::timed_out);
  pollfd waiting{fd, events, 0};
  ::poll(&waiting, 1, static_cast<int>(left));
  return {};
}

template <typename Span, typename Transfer>
std::error_code transfer_all(int fd, Span bytes, short events, Deadline deadline, Transfer transfer) {
  while (!bytes.empty()) {
    const ssize_t done = transfer(bytes);
    if (done > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(done));
      continue;
    }
    if (done == 0 || errno == ECONNRESET || errno == EPIPE) return Errc::closed_by_peer;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return {errno, std::system_category()};
    if (std::error_code error = wait_for(fd, events, deadline)) return error;
  }
  return {};
}

}  // namespace

std::error_code read_exactly(int fd, MutableBytes bytes, Deadline deadline) {
  return transfer_all(fd, bytes, POLLIN, deadline, [fd](MutableBytes rest) { return ::recv(fd, rest.data(), rest.size(), MSG_DONTWAIT); });
}

std::error_code write_exactly(int fd, Bytes bytes, Deadline deadline) {
  return transfer_all(fd, bytes, POLLOUT, deadline,
                      [fd](Bytes rest) { return ::send(fd, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL); });
}

}  // namespace weft::transport
