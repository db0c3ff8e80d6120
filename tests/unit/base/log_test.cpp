// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/unique_fd.hpp"

namespace weft {
namespace {

std::string read_all(int fd) {
  char text[4096];
  ssize_t length = ::read(fd, text, sizeof text);
  return std::string(text, length > 0 ? static_cast<size_t>(length) : 0);
}

TEST(Log, WordsOfTheEnvironmentAreSeparate) {
  ::setenv("WEFT_LOG", "info,stats", 1);
  EXPECT_TRUE(log::wanted("stats"));
  EXPECT_TRUE(log::wanted("info"));
  EXPECT_FALSE(log::wanted("stat"));
  EXPECT_FALSE(log::wanted("calls"));
}

TEST(Log, OneLineAndNothingBelowTheLevel) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  log::set_fd(writer.get());
  log::set_level(log::Level::warning);
  log::info("not %s", "this");
  log::warning("%d of %d", 3, 4);
  log::set_fd(2);
  writer.reset();
  EXPECT_EQ(read_all(reader.get()), "weft: 3 of 4\n");
}

TEST(Log, ALongLineIsCutAndStillEndsInANewline) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  log::set_fd(writer.get());
  log::error("%s", std::string(5000, 'x').c_str());
  log::set_fd(2);
  writer.reset();
  std::string line = read_all(reader.get());
  EXPECT_LE(line.size(), 1024u);
  EXPECT_EQ(line.back(), '\n');
}

}  // namespace
}  // namespace weft
