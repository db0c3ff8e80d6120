// SPDX-License-Identifier: Apache-2.0
// What can go wrong with a link, beyond what errno says.
#pragma once

#include <system_error>

namespace weft::transport {

enum class Errc {
  closed = 1,         // by this end
  closed_by_peer,
  protocol_error,     // the peer sent something that no correct peer sends
  no_such_memory,     // a put or get outside registered memory
  message_too_large,
};

const std::error_category& category();

inline std::error_code make_error_code(Errc error) { return {static_cast<int>(error), category()}; }

}  // namespace weft::transport

template <>
struct std::is_error_code_enum<weft::transport::Errc> : std::true_type {};
