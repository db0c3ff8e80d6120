// SPDX-License-Identifier: Apache-2.0
#include "interposer/connect.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "base/log.hpp"
#include "base/sha256.hpp"
#include "interposer/server_list.hpp"
#include "transport/address.hpp"
#include "transport/exact_io.hpp"
#include "transport/tcp.hpp"
#include "wire/hello.hpp"

namespace weft::interposer {
namespace {

using namespace std::chrono_literals;
using transport::Deadline;

constexpr auto connect_timeout = 5s;

template <std::size_t N>
void copy_text(char (&field)[N], std::string_view text) {
  std::memcpy(field, text.data(), std::min(text.size(), N - 1));
}

std::string this_program() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  std::string_view name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return std::string(name.substr(name.rfind('/') + 1));
}

wire::ClientHello make_hello(const std::string& devices) {
  wire::ClientHello hello;
  hello.process = ::getpid();
  if (::getrandom(hello.nonce.data(), hello.nonce.size(), 0) != static_cast<ssize_t>(hello.nonce.size())) throw std::runtime_error("no random bytes to be had");
  ::gethostname(hello.host, sizeof hello.host - 1);
  copy_text(hello.program, this_program());
  copy_text(hello.devices, devices);
  return hello;
}

template <typename T>
std::error_code send(int fd, const T& value, Deadline deadline) {
  return transport::write_exactly(fd, std::as_bytes(std::span(&value, 1)), deadline);
}

template <typename T>
std::error_code receive(int fd, T& value, Deadline deadline) {
  return transport::read_exactly(fd, std::as_writable_bytes(std::span(&value, 1)), deadline);
}

/// Reads a greeting that may turn out to be no weft's. Empty, or what is wrong.
template <typename T>
std::string receive_greeting(int fd, T& value, Deadline deadline) {
  if (std::error_code error = receive(fd, value.start, deadline)) return error.message();
  if (std::string wrong = wire::check_start(value.start, sizeof value, "server"); !wrong.empty()) return wrong;
  auto rest = std::as_writable_bytes(std::span(&value, 1)).subspan(sizeof value.start);
  if (std::error_code error = transport::read_exactly(fd, rest, deadline)) return error.message();
  return {};
}

/// Empty, or what is wrong.
std::string handshake(int fd, const std::string& devices, const std::string& token, bool probe) {
  wire::ClientHello hello = make_hello(devices);
  hello.probe = probe;
  const Deadline greeting = std::chrono::steady_clock::now() + std::chrono::milliseconds(wire::handshake_timeout_ms);
  if (std::error_code error = send(fd, hello, greeting)) return error.message();
  wire::ServerHello server;
  if (std::string wrong = receive_greeting(fd, server, greeting); !wrong.empty()) return wrong;
  if (server.needs_token && token.empty()) return "it wants a token; name the file that holds it in WEFT_TOKEN_FILE";
  const wire::ClientProof proof{wire::client_proof(&hmac_sha256, token, hello.nonce, server.nonce)};
  if (std::error_code error = send(fd, proof, greeting)) return error.message();
  wire::Welcome welcome;
  const Deadline served = std::chrono::steady_clock::now() + 30s;  // a worker may have to start
  if (std::string wrong = receive_greeting(fd, welcome, served); !wrong.empty()) return wrong;
  if (!welcome.accepted) return std::string(welcome.text, ::strnlen(welcome.text, sizeof welcome.text));
  if (server.needs_token && !wire::same(welcome.proof, wire::server_proof(&hmac_sha256, token, hello.nonce, server.nonce)))
    return "the server does not know the token itself";
  return {};
}

std::string read_token() {
  const char* path = std::getenv("WEFT_TOKEN_FILE");
  if (!path || !*path) return {};
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read the token file ") + path);
  std::string token;
  std::getline(file, token);
  return token;
}

/// The devices asked for: the address's own list, or what CUDA_VISIBLE_DEVICES says, which the server's driver understands as it is.
std::string wanted_devices(const transport::Address& address) {
  if (!address.devices.empty()) return address.devices;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible) return {};
  return *visible ? visible : "none";
}

UniqueFd open_session(const transport::Address& address, bool probe, std::string* wrong) {
  UniqueFd fd = transport::connect_to(address, connect_timeout, wrong);
  if (!fd) return fd;
  *wrong = handshake(fd.get(), wanted_devices(address), read_token(), probe);
  if (wrong->empty()) return fd;
  *wrong = address.text() + " refused: " + *wrong;
  return {};
}

}  // namespace

Connected connect_to_server() {
  Connected connected;
  try {
    const transport::Address address = the_server();
    connected.server = address.text();
    std::string wrong;
    if (UniqueFd fd = open_session(address, false, &wrong))
      connected.connection = transport::make_tcp(std::move(fd));
    else
      log::error("%s", wrong.c_str());
  } catch (const std::exception& error) {
    log::error("%s", error.what());
  }
  if (connected.connection) log::info("connected to %s over %s", connected.server.c_str(), connected.connection->describe().c_str());
  return connected;
}

std::string probe_server() {
  try {
    std::string wrong;
    open_session(the_server(), true, &wrong);
    return wrong;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace weft::interposer
