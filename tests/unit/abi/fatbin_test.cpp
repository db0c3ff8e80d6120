// SPDX-License-Identifier: Apache-2.0
#include "abi/fatbin.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace weft::abi {
namespace {

struct MemberSpec {
  std::uint16_t kind;
  std::uint32_t architecture, payload;
  std::uint64_t flags = 0;
};

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::vector<std::byte> region(const std::vector<MemberSpec>& members) {
  std::vector<std::byte> bytes(16);
  for (const MemberSpec& member : members) {
    const std::size_t at = bytes.size();
    bytes.resize(at + 0x40 + member.payload, static_cast<std::byte>(member.architecture));
    std::memset(bytes.data() + at, 0, 0x40);
    put(bytes, at, member.kind);
    put(bytes, at + 4, std::uint32_t{0x40});
    put(bytes, at + 8, std::uint64_t{member.payload});
    put(bytes, at + 0x1c, member.architecture);
    put(bytes, at + 0x28, member.flags);
  }
  put(bytes, 0, std::uint32_t{0xba55ed50});
  put(bytes, 4, std::uint16_t{1});
  put(bytes, 6, std::uint16_t{16});
  put(bytes, 8, std::uint64_t{bytes.size() - 16});
  return bytes;
}

std::vector<std::uint32_t> architectures(std::span<const std::byte> bytes) {
  std::vector<std::uint32_t> all;
  const auto members = members_of(bytes);
  if (!members) return all;
  for (const Member& member : *members) all.push_back(member.architecture);
  return all;
}

TEST(Fatbin, MachineCodeForTheDeviceIsAllThatIsNeeded) {
  const auto whole = region({{2, 80, 64}, {2, 90, 64}, {1, 90, 32}, {2, 100, 64}});
  EXPECT_EQ(architectures(*select_members(whole, 90)), (std::vector<std::uint32_t>{90}));
  EXPECT_EQ(architectures(*select_members(whole, 86)), (std::vector<std::uint32_t>{80}));
}

TEST(Fatbin, WithoutMachineCodeItsPtx) {
  const auto whole = region({{2, 80, 64}, {1, 80, 32}, {1, 100, 32}});
  EXPECT_EQ(architectures(*select_members(whole, 90)), (std::vector<std::uint32_t>{80}));
  EXPECT_EQ(members_of(*select_members(whole, 90))->front().kind, MemberKind::ptx);
}

TEST(Fatbin, EveryTruncationIsRefused) {
  const auto whole = region({{2, 80, 64}, {1, 90, 32}});
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(members_of(std::span(whole).first(size))) << size;
}

TEST(Fatbin, HostileSizesAreRefused) {
  for (std::size_t field : {4u, 8u, 0x10u}) {
    auto whole = region({{2, 80, 64}});
    put(whole, 16 + field, std::uint32_t{0xffffffff});
    EXPECT_FALSE(members_of(whole)) << field;
  }
}

}  // namespace
}  // namespace weft::abi
