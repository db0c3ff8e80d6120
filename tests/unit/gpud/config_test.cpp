// SPDX-License-Identifier: Apache-2.0
#include "gpud/config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace weft::gpud {
namespace {

class ConfigFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::string path = testing::TempDir() + "gpud.toml";
    std::ofstream(path) << text;
    return path;
  }
  std::string problem(const std::string& text) {
    Config config;
    try {
      read_config(write(text), &config);
      complete(&config);
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  }
};

TEST_F(ConfigFile, EverySettingIsRead) {
  Config config;
  read_config(write("listen = ['127.0.0.1:1', 'unix:/tmp/x']\ndriver = '/x/libcuda.so.1'\ndevices = '0,1'\nimage_cache = '/tmp/c'\nimage_cache_mib = 7\n"
                    "max_clients = 3\nlog = 'debug'\ntoken_file = '/t'\n"),
              &config);
  EXPECT_EQ(config.listen, (std::vector<std::string>{"127.0.0.1:1", "unix:/tmp/x"}));
  EXPECT_EQ(config.driver, "/x/libcuda.so.1");
  EXPECT_EQ(config.devices, "0,1");
  EXPECT_EQ(config.image_cache, "/tmp/c");
  EXPECT_EQ(config.image_cache_mib, 7u);
  EXPECT_EQ(config.max_clients, 3u);
  EXPECT_EQ(config.log, "debug");
  EXPECT_EQ(config.token_file, "/t");
}

TEST_F(ConfigFile, MistakesAreNamedWithTheirLine) {
  EXPECT_NE(problem("log = 'info'\nlissten = ['x']\n").find(":2: unknown setting 'lissten'"), std::string::npos);
  EXPECT_NE(problem("\n\nmax_clients = 'many'\n").find(":3: max_clients wants a number"), std::string::npos);
  EXPECT_NE(problem("max_clients = 0\n").find(":1: max_clients wants a number"), std::string::npos);
  EXPECT_NE(problem("listen = '127.0.0.1'\n").find(":1: listen wants a list"), std::string::npos);
  EXPECT_NE(problem("log = \n").find(":1: "), std::string::npos);
  EXPECT_NE(problem("log = 'loud'\n").find("'loud'"), std::string::npos);
}

TEST_F(ConfigFile, BeyondLoopbackOnlyWithAToken) {
  const std::string refused = problem("listen = ['0.0.0.0']\n");
  EXPECT_NE(refused.find("token_file"), std::string::npos) << refused;
  const std::string token = testing::TempDir() + "token";
  std::ofstream(token) << "secret\n";
  EXPECT_EQ(problem("listen = ['0.0.0.0']\ntoken_file = '" + token + "'\n"), "");
  std::ofstream(token, std::ios::trunc) << "\n";
  EXPECT_NE(problem("token_file = '" + token + "'\n").find("empty"), std::string::npos);
}

}  // namespace
}  // namespace weft::gpud
