// SPDX-License-Identifier: Apache-2.0
// The server's half of the handshake.
#pragma once

#include <string>

#include "wire/hello.hpp"

namespace weft::gpud {

/// What a client said, and what the Welcome to it must carry.
struct Introduction {
  wire::ClientHello hello;
  wire::Proof server_proof{};

  /// "program (process N on HOST)"
  std::string client() const;
};

/// Greets the client and checks its proof, within wire::handshake_timeout_ms. Empty on success, or why it is refused (the client has been told, if it can be).
std::string greet(int fd, const std::string& token, Introduction* introduction);

/// The last word: accepted where `why_not` is empty. Nothing is waited for.
void welcome(int fd, const Introduction& introduction, const std::string& why_not);

}  // namespace weft::gpud
