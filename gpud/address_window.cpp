// SPDX-License-Identifier: Apache-2.0
#include "gpud/address_window.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace weft::gpud {
namespace {

constexpr std::uint64_t lowest = 0x10000000, highest = 0x7ffff0000000;

std::vector<AddressRange> mapped_ranges() {
  std::vector<AddressRange> ranges;
  if (std::FILE* maps = std::fopen("/proc/self/maps", "re")) {
    AddressRange range;
    while (std::fscanf(maps, "%" SCNx64 "-%" SCNx64 "%*[^\n]", &range.start, &range.end) == 2) ranges.push_back(range);
    std::fclose(maps);
  }
  return ranges;
}

/// Reserves every gap between `from` and `to`; nothing is committed.
std::vector<AddressRange> occupy(std::uint64_t from, std::uint64_t to) {
  std::vector<AddressRange> occupied;
  auto reserve = [&](std::uint64_t start, std::uint64_t end) {
    if (start >= end) return;
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (::mmap(reinterpret_cast<void*>(start), end - start, PROT_NONE, flags, -1, 0) != MAP_FAILED) occupied.push_back({start, end});
  };
  std::uint64_t at = from;
  for (const auto& [start, end] : mapped_ranges()) {
    if (end <= at) continue;
    if (start >= to) break;
    reserve(at, std::min(start, to));
    at = end;
  }
  reserve(at, to);
  return occupied;
}

}  // namespace

std::vector<AddressRange> occupy_above(const AddressWindow& window) { return occupy(window.base + window.size, highest); }

std::vector<AddressRange> occupy_below(const AddressWindow& window) { return occupy(lowest, window.base); }

}  // namespace weft::gpud
