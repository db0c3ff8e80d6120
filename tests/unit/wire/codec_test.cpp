// SPDX-License-Identifier: Apache-2.0
#include "wire/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace weft::wire {
namespace {

TEST(Codec, WhatIsWrittenIsRead) {
  std::array<std::byte, 256> memory;
  Writer writer(memory);
  const std::uint16_t numbers[] = {1, 2, 3};
  writer.value(std::uint64_t{42});
  writer.string("name");
  writer.string(nullptr);
  writer.string("");
  writer.array(numbers, 3);
  writer.array<int>(nullptr, 7);
  ASSERT_TRUE(writer.ok());
  Reader reader(writer.written());
  EXPECT_EQ(reader.value<std::uint64_t>(), 42u);
  bool present;
  EXPECT_EQ(reader.string(present), "name");
  EXPECT_TRUE(present);
  reader.string(present);
  EXPECT_FALSE(present);
  EXPECT_EQ(reader.string(present), "");
  EXPECT_TRUE(present);
  std::uint32_t count;
  EXPECT_EQ(reader.array(sizeof(std::uint16_t), count, present).size(), 6u);
  EXPECT_EQ(count, 3u);
  reader.array(sizeof(int), count, present);
  EXPECT_FALSE(present);
  EXPECT_TRUE(reader.finished());
}

TEST(Codec, OverflowIsRememberedAndNothingIsWrittenBehindTheEnd) {
  std::array<std::byte, 8> memory{};
  Writer writer{std::span(memory).first(6)};
  writer.value(std::uint32_t{0xffffffff});
  writer.value(std::uint32_t{0xffffffff});
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(memory[6], std::byte{0});
}

TEST(Codec, EveryTruncationFailsAndStaysFailed) {
  std::array<std::byte, 64> memory;
  Writer writer(memory);
  writer.value(std::uint64_t{1});
  writer.string("abc");
  writer.value(std::uint8_t{9});
  for (std::size_t size = 0; size < writer.written().size(); ++size) {
    Reader reader(writer.written().first(size));
    bool present;
    reader.value<std::uint64_t>();
    reader.string(present);
    reader.value<std::uint8_t>();
    EXPECT_FALSE(reader.ok()) << size;
    EXPECT_EQ(reader.value<std::uint8_t>(), 0);
    EXPECT_FALSE(reader.finished());
  }
}

TEST(Codec, LimitsHoldAtTheLimitAndPastIt) {
  for (std::uint32_t over : {0u, 1u}) {
    std::vector<std::byte> memory(max_array_elements + 16 + max_string_bytes);
    Writer writer(memory);
    const std::vector<std::uint8_t> elements(max_array_elements + over);
    writer.array(elements.data(), static_cast<std::uint32_t>(elements.size()));
    Reader reader(writer.written());
    std::uint32_t count;
    bool present;
    reader.array(1, count, present);
    EXPECT_EQ(reader.ok(), over == 0);

    Writer text(memory);
    text.string(std::string(max_string_bytes + over, 'x').c_str());
    Reader text_reader(text.written());
    text_reader.string(present);
    EXPECT_EQ(text_reader.ok(), over == 0);
  }
}

TEST(Codec, AHostileCountTakesNoMemory) {
  std::array<std::byte, 16> memory;
  Writer writer(memory);
  writer.value(std::uint32_t{0xfffffffe});
  Reader reader(writer.written());
  std::uint32_t count;
  bool present;
  EXPECT_TRUE(reader.array(1 << 20, count, present).empty());
  EXPECT_EQ(count, 0u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace weft::wire
