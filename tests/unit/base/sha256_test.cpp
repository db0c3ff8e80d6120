// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <random>
#include <vector>

namespace weft {
namespace {

std::vector<std::byte> random_bytes(std::size_t size) {
  static std::mt19937 random(1);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Sha256, EveryLengthOverThreeBlocksAsOpenSslHasIt) {
  for (std::size_t size = 0; size < 200; ++size) {
    const auto bytes = random_bytes(size);
    Sha256Digest expected;
    ::EVP_Digest(bytes.data(), size, expected.data(), nullptr, ::EVP_sha256(), nullptr);
    EXPECT_EQ(sha256(bytes), expected) << size;
  }
}

TEST(Sha256, PiecesGiveWhatTheWholeGives) {
  const auto bytes = random_bytes(1000);
  for (std::size_t piece : {1, 7, 63, 64, 65, 500}) {
    Sha256 hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece) hash.update(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    EXPECT_EQ(hash.finish(), sha256(bytes)) << piece;
  }
}

TEST(Sha256, HmacAsOpenSslHasItForShortAndLongKeys) {
  for (std::size_t key_size : {0, 1, 32, 64, 65, 200}) {
    const auto key = random_bytes(key_size), message = random_bytes(77);
    Sha256Digest expected;
    unsigned length = 0;
    ::HMAC(::EVP_sha256(), key.empty() ? "" : static_cast<const void*>(key.data()), static_cast<int>(key_size),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), expected.data(), &length);
    EXPECT_EQ(hmac_sha256(key, message), expected) << key_size;
  }
}

}  // namespace
}  // namespace weft
