// SPDX-License-Identifier: Apache-2.0
// SHA-256 and HMAC for the interposer, which may link no library: proofs of a token, names of module images. Tested against OpenSSL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

using Sha256Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  void update(std::span<const std::byte> data);
  Sha256Digest finish();

 private:
  void blocks(const std::uint8_t* data, std::size_t count);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> tail_;
  std::size_t tail_size_ = 0;
  std::uint64_t total_ = 0;
};

Sha256Digest sha256(std::span<const std::byte> data);
Sha256Digest hmac_sha256(std::span<const std::byte> key, std::span<const std::byte> message);

}  // namespace weft
