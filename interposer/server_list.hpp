// SPDX-License-Identifier: Apache-2.0
// WEFT_SERVERS and WEFT_TRANSPORT: which server this process uses, and how.
#pragma once

#include "transport/address.hpp"

namespace weft::interposer {

/// The server that the environment names, gpud on this machine where it names none. Throws std::invalid_argument with one line for what can't be used.
transport::Address the_server();

}  // namespace weft::interposer
