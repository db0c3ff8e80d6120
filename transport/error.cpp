// SPDX-License-Identifier: Apache-2.0
#include "transport/error.hpp"

#include <string>

namespace weft::transport {
namespace {

class Category final : public std::error_category {
  const char* name() const noexcept override { return "transport"; }
  std::string message(int value) const override {
    switch (static_cast<Errc>(value)) {
      case Errc::closed: return "the connection was closed here";
      case Errc::closed_by_peer: return "the peer closed the connection";
      case Errc::protocol_error: return "the peer sent something that is no part of the protocol";
      case Errc::no_such_memory: return "the peer named memory that it was not given";
      case Errc::message_too_large: return "a message exceeds the largest size allowed";
    }
    return "unknown error " + std::to_string(value);
  }
};

}  // namespace

const std::error_category& category() {
  static const Category instance;
  return instance;
}

}  // namespace weft::transport
