// SPDX-License-Identifier: Apache-2.0
#include "transport/address.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "transport/socket_name.hpp"

namespace weft::transport {
namespace {

using Clock = std::chrono::steady_clock;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses resolve(const Address& address, bool passive, std::string* error) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = passive ? AI_PASSIVE : AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  int code = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (code != 0 && !passive) {  // a machine with loopback alone has no "configured" address
    hints.ai_flags = 0;
    code = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  }
  if (code != 0) *error = "cannot find the host '" + address.host + "': " + ::gai_strerror(code);
  return Addresses(code == 0 ? list : nullptr);
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) throw std::invalid_argument("the path of a unix socket is too long (at most 107 bytes): " + path);
  std::memcpy(name.sun_path, path.data(), path.size());
  return name;
}

/// 0, or the errno of a failed connection.
int connect_within(int fd, const sockaddr* name, socklen_t length, Clock::time_point deadline) {
  if (::connect(fd, name, length) == 0) return 0;
  if (errno != EINPROGRESS && errno != EAGAIN) return errno;
  pollfd waiting{fd, POLLOUT, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  if (::poll(&waiting, 1, static_cast<int>(std::max<long>(left, 0))) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

std::string unreachable(const Address& address, int error) {
  std::string text = "cannot reach " + address.text() + ": " + std::strerror(error);
  if (error == ECONNREFUSED || error == ENOENT) text += "; is gpud running there?";
  return text;
}

std::uint16_t parse_port(std::string_view port, std::string_view whole) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), value);
  if (error != std::errc{} || end != port.data() + port.size() || value == 0 || value > 65535)
    throw std::invalid_argument("'" + std::string(whole) + "': a port is a number from 1 to 65535");
  return static_cast<std::uint16_t>(value);
}

std::string numeric(const sockaddr* name, socklen_t length) {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getnameinfo(name, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) return "?";
  return name->sa_family == AF_INET6 ? "[" + std::string(host) + "]:" + port : std::string(host) + ":" + port;
}

bool is_loopback(const sockaddr* name) {
  if (name->sa_family == AF_INET) return ntohl(reinterpret_cast<const sockaddr_in*>(name)->sin_addr.s_addr) >> 24 == 127;
  return name->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(name)->sin6_addr);
}

}  // namespace

std::string Address::text() const {
  if (!path.empty()) return "unix:" + path;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Address parse_address(std::string_view text) {
  Address address;
  if (text.starts_with("unix:")) {
    address.path = text.substr(5);
    if (address.path.empty() || address.path[0] != '/') throw std::invalid_argument("'" + std::string(text) + "': unix: needs an absolute path");
    return address;
  }
  std::string_view rest = text;
  if (size_t slash = rest.find('/'); slash != std::string_view::npos) {
    address.devices = rest.substr(slash + 1);
    rest = rest.substr(0, slash);
    if (address.devices.empty() || address.devices.find_first_not_of("0123456789,") != std::string::npos)
      throw std::invalid_argument("'" + std::string(text) + "': behind the slash stand device numbers, as in host/0,2");
  }
  if (rest.starts_with('[')) {
    const size_t close = rest.find(']');
    if (close == std::string_view::npos) throw std::invalid_argument("'" + std::string(text) + "': the bracket is not closed");
    address.host = rest.substr(1, close - 1);
    rest = rest.substr(close + 1);
    if (!rest.empty() && rest[0] != ':') throw std::invalid_argument("'" + std::string(text) + "': only a port may follow the bracket");
    if (!rest.empty()) address.port = parse_port(rest.substr(1), text);
  } else if (size_t colon = rest.find(':'); colon != std::string_view::npos && rest.find(':', colon + 1) == std::string_view::npos) {
    address.host = rest.substr(0, colon);
    address.port = parse_port(rest.substr(colon + 1), text);
  } else {
    address.host = rest;  // a name, an IPv4 address, or an IPv6 address without a port
  }
  if (address.host.empty()) throw std::invalid_argument("'" + std::string(text) + "': no host");
  return address;
}

UniqueFd connect_to(const Address& address, std::chrono::milliseconds timeout, std::string* error) {
  const auto deadline = Clock::now() + timeout;
  int failure = ECONNREFUSED;
  if (!address.path.empty()) {
    const sockaddr_un name = unix_address(address.path);
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    failure = connect_within(fd.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name, deadline);
    if (failure == 0) return fd;
    *error = unreachable(address, failure);
    return {};
  }
  const Addresses list = resolve(address, false, error);
  if (!list) return {};
  for (const addrinfo* one = list.get(); one; one = one->ai_next) {
    UniqueFd fd(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    failure = fd ? connect_within(fd.get(), one->ai_addr, one->ai_addrlen, deadline) : errno;
    if (failure == 0) return fd;
  }
  *error = unreachable(address, failure);
  return {};
}

UniqueFd listen_on(const Address& address) {
  auto refuse = [&](int error) { throw std::system_error(error, std::system_category(), "cannot listen on " + address.text()); };
  if (!address.path.empty()) {
    const sockaddr_un name = unix_address(address.path);
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    std::string ignored;
    if (connect_to(address, std::chrono::milliseconds(100), &ignored)) refuse(EADDRINUSE);
    ::unlink(address.path.c_str());
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) < 0 || ::listen(fd.get(), SOMAXCONN) < 0) refuse(errno);
    return fd;
  }
  std::string error;
  const Addresses list = resolve(address, true, &error);
  if (!list) throw std::invalid_argument(error);
  const int on = 1;
  UniqueFd fd(::socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), list->ai_addr, list->ai_addrlen) < 0 || ::listen(fd.get(), SOMAXCONN) < 0) refuse(errno);
  return fd;
}

bool is_loopback(const Address& address) {
  if (!address.path.empty()) return true;
  std::string error;
  const Addresses list = resolve(address, true, &error);
  for (const addrinfo* one = list.get(); one; one = one->ai_next)
    if (!is_loopback(one->ai_addr)) return false;
  return list != nullptr;
}

std::string name_of(int socket) {
  sockaddr_storage here{}, there{};
  socklen_t here_length = sizeof here, there_length = sizeof there;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &here_length) < 0) return "a closed socket";
  if (here.ss_family == AF_UNIX) return "unix socket";
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &there_length) < 0) return "tcp " + numeric(reinterpret_cast<sockaddr*>(&here), here_length);
  return "tcp " + numeric(reinterpret_cast<sockaddr*>(&there), there_length) + " from " + numeric(reinterpret_cast<sockaddr*>(&here), here_length);
}

}  // namespace weft::transport
