// SPDX-License-Identifier: Apache-2.0
// Which addresses a kernel may use: a small cache in front of the driver's Memory, one for each thread that executes.
#pragma once

#include <cstdint>

namespace weft::softgpu::exec {

struct Range {
  std::uint64_t first = 1, end = 0;
  bool holds(std::uint64_t low, std::uint64_t high) const { return low >= first && high <= end; }
};

class Ranges {
 public:
  /// True where all bytes from low to high are known to lie in one allocation.
  bool known(std::uint64_t low, std::uint64_t high) const {
    for (const Range& range : recent_)
      if (range.holds(low, high)) return true;
    return false;
  }
  /// The same, asking the driver; takes its mutex.
  bool search(std::uint64_t low, std::uint64_t high);
  /// An allocation may be gone: between grids.
  void clear() {
    for (Range& range : recent_) range = {};
  }

 private:
  static constexpr int size = 8;
  Range recent_[size];
};

}  // namespace weft::softgpu::exec
