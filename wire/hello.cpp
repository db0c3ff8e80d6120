// SPDX-License-Identifier: Apache-2.0
#include "wire/hello.hpp"

#include <vector>

namespace weft::wire {
namespace {

Proof proof(Hmac hmac, std::string_view token, const Nonce& client, const Nonce& server, std::string_view who) {
  std::vector<std::byte> message;
  auto append = [&](auto bytes) { message.insert(message.end(), bytes.begin(), bytes.end()); };
  append(std::as_bytes(std::span(client)));
  append(std::as_bytes(std::span(server)));
  append(std::as_bytes(std::span(who)));
  return hmac(std::as_bytes(std::span(token)), message);
}

}  // namespace

Proof client_proof(Hmac hmac, std::string_view token, const Nonce& client, const Nonce& server) {
  return proof(hmac, token, client, server, "weft client");
}

Proof server_proof(Hmac hmac, std::string_view token, const Nonce& client, const Nonce& server) {
  return proof(hmac, token, client, server, "weft server");
}

bool same(const Proof& a, const Proof& b) {
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

std::string check_start(const HelloStart& start, std::uint32_t expected_bytes, const char* peer) {
  const std::string who = peer;
  if (start.magic != hello_magic) return "the " + who + " does not speak weft's protocol";
  if (start.version != protocol_version)
    return "the " + who + " speaks version " + std::to_string(start.version) + " of the protocol, this end version " + std::to_string(protocol_version) +
           "; install the same weft on both";
  if (start.bytes != expected_bytes) return "the " + who + " sent a malformed greeting";
  return {};
}

}  // namespace weft::wire
