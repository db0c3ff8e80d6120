// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "weft/commands.hpp"

namespace weft::tool {

std::filesystem::path libcuda() {
  namespace fs = std::filesystem;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path candidates[] = {here / "../interposer/libcuda.so.1", here / ".." / WEFT_LIBDIR / "weft/libcuda.so.1"};
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate)) return fs::canonical(candidate.parent_path()) / "libcuda.so.1";
  throw std::runtime_error(fmt::format("no libcuda.so.1 of weft's at {} or {}", candidates[0].string(), candidates[1].string()));
}

}  // namespace weft::tool
