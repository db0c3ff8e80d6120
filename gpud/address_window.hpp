// SPDX-License-Identifier: Apache-2.0
// Steers a driver's addresses into a window: NVIDIA's driver lays its memory where mmap finds room, from the top down, so a process whose address space is
// occupied everywhere else gets pointers inside the window, for every kind of allocation (measured on driver 580).
#pragma once

#include <cstdint>
#include <vector>

namespace weft::gpud {

struct AddressWindow {
  std::uint64_t base = 0x200000000000, size = 0x40000000000;  // 4 TiB
};

/// [start, end)
struct AddressRange {
  std::uint64_t start, end;
};

/// Before cuInit: occupies all free address space above the window. Answers what it occupied: room for mirrors of the client's memory.
std::vector<AddressRange> occupy_above(const AddressWindow& window);
/// After the first context: all free space below it. (Before cuInit this would make cuInit fail with out of memory.)
std::vector<AddressRange> occupy_below(const AddressWindow& window);

}  // namespace weft::gpud
