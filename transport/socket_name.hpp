// SPDX-License-Identifier: Apache-2.0
// A connected or listening socket in words.
#pragma once

#include <string>

namespace weft::transport {

/// "tcp 127.0.0.1:9277 from 127.0.0.1:51234", "unix /run/weft/gpud.sock"; for logs.
std::string name_of(int socket);

}  // namespace weft::transport
