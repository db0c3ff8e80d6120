// SPDX-License-Identifier: Apache-2.0
// Where a server is: host[:port][/gpu,gpu], [v6]:port, unix:/path.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/unique_fd.hpp"

namespace weft::transport {

inline constexpr std::uint16_t default_port = 9277;

struct Address {
  std::string host;     // empty for a unix socket
  std::uint16_t port = default_port;
  std::string path;     // of a unix socket
  std::string devices;  // what stands behind the slash: "0,2"; empty for all

  /// As one would write it, without the devices.
  std::string text() const;
};

/// Throws std::invalid_argument with one line that says what is wrong with which text.
Address parse_address(std::string_view text);

/// Connects within `timeout`, trying every address that the name has. Where it can't, the descriptor is empty and `*error` is one line: what, where, what to do.
UniqueFd connect_to(const Address& address, std::chrono::milliseconds timeout, std::string* error);

/// A listening, non-blocking socket; a stale unix socket file is replaced. Throws std::system_error or std::invalid_argument with the address in its text.
UniqueFd listen_on(const Address& address);

/// True where every address that the name has is a loopback address, or it is a unix socket.
bool is_loopback(const Address& address);

}  // namespace weft::transport
