// SPDX-License-Identifier: Apache-2.0
// MD2 as in RFC 1319, and HMAC over it: for the runtime's self-test, nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace weft::abi {

using Md2Digest = std::array<std::uint8_t, 16>;
Md2Digest md2(std::span<const std::uint8_t> message);
/// The key has at most 16 bytes, MD2's block.
Md2Digest hmac_md2(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message);

}  // namespace weft::abi
