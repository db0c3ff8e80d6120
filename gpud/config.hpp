// SPDX-License-Identifier: Apache-2.0
// Settings: defaults, then the file, then flags.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gpud/address_window.hpp"

namespace weft::gpud {

struct Config {
  std::vector<std::string> listen;        // empty: 127.0.0.1 and a unix socket
  std::string token_file;                 // whoever connects must know what its first line says
  std::string driver = "libcuda.so.1";    // a library's name or path; "soft": the software GPU
  std::string devices;                    // offered, as CUDA_VISIBLE_DEVICES would say it; empty: all
  std::filesystem::path image_cache;      // empty: a folder of this user's cache
  std::uint64_t image_cache_mib = 8192;
  unsigned max_clients = 1000;
  std::string log = "info";
  AddressWindow window;

  std::string token;                      // read from token_file
};

/// Reads the file over the settings. Throws std::runtime_error with one line, "FILE:LINE: what": unknown keys and wrong types too.
void read_config(const std::string& file, Config* config);

/// Fills in what was left open, reads the token and checks everything against everything. Throws std::runtime_error with one line.
void complete(Config* config);

}  // namespace weft::gpud
