// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace weft::transport {

/// The largest message; wire/limits.hpp has the reason (the two are held equal by a test).
inline constexpr std::size_t max_message_bytes = 1 << 20;

}  // namespace weft::transport
