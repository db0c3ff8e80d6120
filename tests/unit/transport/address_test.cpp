// SPDX-License-Identifier: Apache-2.0
#include "transport/address.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace weft::transport {
namespace {

TEST(Address, HostPortAndDevices) {
  const Address address = parse_address("gpu1:9000/0,2");
  EXPECT_EQ(address.host, "gpu1");
  EXPECT_EQ(address.port, 9000);
  EXPECT_EQ(address.devices, "0,2");
  EXPECT_EQ(address.text(), "gpu1:9000");
  EXPECT_EQ(parse_address("gpu1").port, default_port);
}

TEST(Address, Ipv6AndUnixSockets) {
  EXPECT_EQ(parse_address("[::1]:9000").host, "::1");
  EXPECT_EQ(parse_address("[::1]").port, default_port);
  EXPECT_EQ(parse_address("unix:/run/a.sock").path, "/run/a.sock");
  EXPECT_TRUE(parse_address("unix:/run/a.sock").host.empty());
}

TEST(Address, WhatIsNoneIsNamed) {
  for (const char* text : {"", ":9000", "host:", "host:0", "host:65536", "host:12x", "[::1", "[::1]x", "unix:", "host/"}) {
    try {
      parse_address(text);
      ADD_FAILURE() << "'" << text << "' was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST(Address, Loopback) {
  EXPECT_TRUE(is_loopback(parse_address("127.0.0.1")));
  EXPECT_TRUE(is_loopback(parse_address("[::1]")));
  EXPECT_TRUE(is_loopback(parse_address("unix:/tmp/x")));
  EXPECT_FALSE(is_loopback(parse_address("0.0.0.0")));
  EXPECT_FALSE(is_loopback(parse_address("[::]")));
}

TEST(Address, ConnectingToNobodySaysWhat) {
  std::string error;
  EXPECT_FALSE(connect_to(parse_address("127.0.0.1:1"), std::chrono::seconds(2), &error));
  EXPECT_NE(error.find("127.0.0.1:1"), std::string::npos) << error;
  EXPECT_FALSE(connect_to(parse_address("unix:/nowhere/x"), std::chrono::seconds(2), &error));
  EXPECT_NE(error.find("/nowhere/x"), std::string::npos) << error;
}

}  // namespace
}  // namespace weft::transport
