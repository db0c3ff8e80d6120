// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "interposer/connect.hpp"
#include "weft/commands.hpp"

namespace weft::tool {

int run(const std::vector<std::string>& command) {
  if (std::string wrong = interposer::probe_server(); !wrong.empty()) {
    std::fprintf(stderr, "weft: %s\n", wrong.c_str());
    return 1;
  }
  std::string path = libcuda().parent_path().string();
  if (const char* before = std::getenv("LD_LIBRARY_PATH"); before && *before) path += std::string(":") + before;
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  std::fprintf(stderr, "weft: cannot run %s: %s\n", arguments[0], std::strerror(error));
  return error == ENOENT ? 127 : 126;  // as a shell answers
}

}  // namespace weft::tool
