// SPDX-License-Identifier: Apache-2.0
// The transport that is always there: one stream socket, TCP over IPv4 or IPv6, or a unix socket.
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace weft::transport {

/// Takes a connected stream socket on which nothing is under way. Throws std::system_error where it can't be set up.
std::unique_ptr<Connection> make_tcp(UniqueFd socket);

}  // namespace weft::transport
