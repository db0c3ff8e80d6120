// SPDX-License-Identifier: Apache-2.0
#include "abi/md2.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace weft::abi {
namespace {

std::string hex(const Md2Digest& digest) {
  std::string text;
  for (std::uint8_t byte : digest) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    text += two;
  }
  return text;
}

std::string md2_of(std::string_view text) { return hex(md2({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})); }

// RFC 1319, appendix A.5.
TEST(Md2, AsTheRfcHasIt) {
  EXPECT_EQ(md2_of(""), "8350e5a3e24c153df2275c9f80692773");
  EXPECT_EQ(md2_of("a"), "32ec01ec4a6dac72c0ab96fb34c0b5d1");
  EXPECT_EQ(md2_of("abc"), "da853b0d3f88d99b30283a69e6ded6bb");
  EXPECT_EQ(md2_of("message digest"), "ab4f496bfb2a530b219ff33031fe06b0");
  EXPECT_EQ(md2_of("abcdefghijklmnopqrstuvwxyz"), "4e8ddff3650292ab5a4108c3aa47940b");
  EXPECT_EQ(md2_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890"), "d5976f79d83d3a0dc9806c3c66f3efd8");
}

}  // namespace
}  // namespace weft::abi
