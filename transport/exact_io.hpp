// SPDX-License-Identifier: Apache-2.0
// Whole structs over a stream socket within a deadline: for handshakes, before there is a Connection.
#pragma once

#include <chrono>
#include <system_error>

#include "transport/transport.hpp"

namespace weft::transport {

using Deadline = std::chrono::steady_clock::time_point;

/// All of `bytes`, or why not: std::errc::timed_out, Errc::closed_by_peer or errno.
std::error_code read_exactly(int fd, MutableBytes bytes, Deadline deadline);
std::error_code write_exactly(int fd, Bytes bytes, Deadline deadline);

}  // namespace weft::transport
