// SPDX-License-Identifier: Apache-2.0
#include "gpud/handshake.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include <cstring>

#include "transport/exact_io.hpp"

namespace weft::gpud {
namespace {

using transport::Deadline;

wire::Proof hmac(std::span<const std::byte> key, std::span<const std::byte> message) {
  wire::Proof proof{};
  unsigned length = 0;
  ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(message.data()), message.size(), proof.data(), &length);
  return proof;
}

template <typename T>
std::error_code send(int fd, const T& value, Deadline deadline) {
  return transport::write_exactly(fd, std::as_bytes(std::span(&value, 1)), deadline);
}

Deadline soon() { return std::chrono::steady_clock::now() + std::chrono::milliseconds(wire::handshake_timeout_ms); }

/// A field that the client filled: printable, and ended.
template <std::size_t N>
std::string text_of(const char (&field)[N]) {
  std::string text(field, ::strnlen(field, N));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

}  // namespace

std::string Introduction::client() const { return fmt::format("{} (process {} on {})", text_of(hello.program), hello.process, text_of(hello.host)); }

std::string greet(int fd, const std::string& token, Introduction* introduction) {
  const Deadline deadline = soon();
  wire::ClientHello& hello = introduction->hello;
  if (auto error = transport::read_exactly(fd, std::as_writable_bytes(std::span(&hello.start, 1)), deadline)) return error.message();
  wire::ServerHello server;
  server.needs_token = !token.empty();
  if (::getrandom(server.nonce.data(), server.nonce.size(), 0) != static_cast<ssize_t>(server.nonce.size())) return "no random bytes to be had";
  if (std::string wrong = wire::check_start(hello.start, sizeof hello, "client"); !wrong.empty()) {
    if (hello.start.magic == wire::hello_magic) (void)send(fd, server, deadline);  // so that it sees our version
    return wrong;
  }
  auto rest = std::as_writable_bytes(std::span(&hello, 1)).subspan(sizeof hello.start);
  if (auto error = transport::read_exactly(fd, rest, deadline)) return error.message();
  if (auto error = send(fd, server, deadline)) return error.message();
  wire::ClientProof proof;
  if (auto error = transport::read_exactly(fd, std::as_writable_bytes(std::span(&proof, 1)), deadline)) return error.message();
  introduction->server_proof = wire::server_proof(&hmac, token, hello.nonce, server.nonce);
  if (!token.empty() && !wire::same(proof.proof, wire::client_proof(&hmac, token, hello.nonce, server.nonce))) {
    introduction->server_proof = {};
    welcome(fd, *introduction, "the token is not this server's");
    return "the token is wrong";
  }
  return {};
}

void welcome(int fd, const Introduction& introduction, const std::string& why_not) {
  wire::Welcome message;
  message.accepted = why_not.empty();
  message.proof = introduction.server_proof;
  std::memcpy(message.text, why_not.data(), std::min(why_not.size(), sizeof message.text - 1));
  (void)send(fd, message, soon());
}

}  // namespace weft::gpud
