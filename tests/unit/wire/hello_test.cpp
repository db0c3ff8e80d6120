// SPDX-License-Identifier: Apache-2.0
#include "wire/hello.hpp"

#include <gtest/gtest.h>

#include "base/sha256.hpp"

namespace weft::wire {
namespace {

TEST(Hello, AnotherVersionIsRefusedInWords) {
  HelloStart start{.bytes = sizeof(ClientHello)};
  EXPECT_EQ(check_start(start, sizeof(ClientHello), "client"), "");
  start.version = protocol_version + 1;
  const std::string wrong = check_start(start, sizeof(ClientHello), "client");
  EXPECT_NE(wrong.find("version " + std::to_string(protocol_version + 1)), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("install the same weft"), std::string::npos) << wrong;
}

TEST(Hello, WhatIsNotWeftIsSaidToBeNot) {
  HelloStart start{.magic = 0x2f31'2e31'5054'5448, .bytes = sizeof(ClientHello)};
  EXPECT_NE(check_start(start, sizeof(ClientHello), "server").find("server does not speak weft"), std::string::npos);
}

TEST(Hello, ProofsDependOnTokenNoncesAndRole) {
  Nonce client{1}, server{2};
  const Proof proof = client_proof(&hmac_sha256, "token", client, server);
  EXPECT_TRUE(same(proof, client_proof(&hmac_sha256, "token", client, server)));
  EXPECT_FALSE(same(proof, client_proof(&hmac_sha256, "token2", client, server)));
  EXPECT_FALSE(same(proof, client_proof(&hmac_sha256, "token", server, client)));
  EXPECT_FALSE(same(proof, server_proof(&hmac_sha256, "token", client, server)));
}

}  // namespace
}  // namespace weft::wire
