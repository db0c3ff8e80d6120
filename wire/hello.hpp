// SPDX-License-Identifier: Apache-2.0
// The handshake: four fixed structs, each end's first bytes on the connection. Whoever can't read further than the first sixteen bytes still learns whether the
// other end is weft, and which version it speaks.
//
//   client  ClientHello
//   server  ServerHello         says whether a token is needed
//   client  ClientProof         HMAC-SHA256(token, client nonce | server nonce | "weft client")
//   server  Welcome             accepted, or why not; HMAC-SHA256(token, client nonce | server nonce | "weft server")
//
// Without a token both proofs are made with an empty key. Then the worker's first message follows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace weft::wire {

inline constexpr std::uint64_t hello_magic = 0x6b72'6f77'2174'6677;  // "wft!work"
/// Raised when something changes that an older peer would misread. Both ends must have the same.
inline constexpr std::uint32_t protocol_version = 1;
/// How long either end waits for the other's next step.
inline constexpr int handshake_timeout_ms = 5000;

using Nonce = std::array<std::uint8_t, 32>;
using Proof = std::array<std::uint8_t, 32>;

struct HelloStart {
  std::uint64_t magic = hello_magic;
  std::uint32_t version = protocol_version;
  std::uint32_t bytes = 0;  // of the whole struct
};

struct ClientHello {
  HelloStart start{.bytes = sizeof(ClientHello)};
  std::uint64_t features = 0;     // none defined yet; the common ones are used
  std::uint64_t window_base = 0;  // the address window this client wants the server to use; 0: the server chooses
  std::int32_t process = 0;
  std::uint32_t probe = 0;        // 1: only asks whether it would be served; no worker is started
  Nonce nonce{};
  char host[64]{}, program[64]{}, devices[256]{};
};

struct ServerHello {
  HelloStart start{.bytes = sizeof(ServerHello)};
  std::uint64_t features = 0;
  std::uint32_t needs_token = 0, padding = 0;
  Nonce nonce{};
};

struct ClientProof {
  Proof proof{};
};

struct Welcome {
  HelloStart start{.bytes = sizeof(Welcome)};
  std::uint32_t accepted = 0, padding = 0;
  Proof proof{};
  char text[256]{};  // why not
};

static_assert(std::is_trivially_copyable_v<ClientHello> && std::is_trivially_copyable_v<ServerHello> && std::is_trivially_copyable_v<Welcome>);

/// HMAC-SHA256; gpud gives OpenSSL's, the interposer base/sha256's.
using Hmac = Proof (*)(std::span<const std::byte> key, std::span<const std::byte> message);

Proof client_proof(Hmac hmac, std::string_view token, const Nonce& client, const Nonce& server);
Proof server_proof(Hmac hmac, std::string_view token, const Nonce& client, const Nonce& server);
/// In constant time.
bool same(const Proof& a, const Proof& b);

/// Empty where the start is one that this end can go on with, else what is wrong, in words; `peer` is "client" or "server".
std::string check_start(const HelloStart& start, std::uint32_t expected_bytes, const char* peer);

}  // namespace weft::wire
