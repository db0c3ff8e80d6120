// SPDX-License-Identifier: Apache-2.0
// From the environment (WEFT_SERVERS, WEFT_TRANSPORT, WEFT_TOKEN_FILE) to a connection that has passed the handshake.
#pragma once

#include <memory>
#include <string>

#include "abi/cuda.hpp"
#include "transport/transport.hpp"

namespace weft::interposer {

struct Connected {
  std::unique_ptr<transport::Connection> connection;  // null where it failed; the reason has been logged in one line
  std::string server;
  CUresult result = CUDA_ERROR_NO_DEVICE;
};

Connected connect_to_server();

/// Asks the server whether it would serve us, without being served. Empty, or one line that says why not.
std::string probe_server();

}  // namespace weft::interposer
