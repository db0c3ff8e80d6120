// SPDX-License-Identifier: Apache-2.0
// The subcommands of `weft`, one file each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::tool {

/// Replaces this process by the program, with our libcuda.so.1 before any other. Returns only where that fails: the exit status.
int run(const std::vector<std::string>& command);
/// Prints the pool's devices. The exit status.
int devices();

/// Our libcuda.so.1, in the build folder or where both are installed. Throws std::runtime_error.
std::filesystem::path libcuda();

}  // namespace weft::tool
