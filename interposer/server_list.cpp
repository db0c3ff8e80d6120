// SPDX-License-Identifier: Apache-2.0
#include "interposer/server_list.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace weft::interposer {

transport::Address the_server() {
  if (const char* transport = std::getenv("WEFT_TRANSPORT"); transport && *transport) {
    const std::string name = transport;
    if (name != "auto" && name != "tcp") throw std::invalid_argument("WEFT_TRANSPORT: '" + name + "' is no transport; use auto or tcp");
  }
  const char* servers = std::getenv("WEFT_SERVERS");
  std::string text = servers ? servers : "";
  text.erase(0, text.find_first_not_of(" \t\n"));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  if (text.empty()) return transport::parse_address("127.0.0.1");
  if (text.find_first_of(" \t\n;") != std::string::npos)
    throw std::invalid_argument("WEFT_SERVERS: '" + text + "' names several servers; a pool may have one so far");
  return transport::parse_address(text);
}

}  // namespace weft::interposer
