// SPDX-License-Identifier: Apache-2.0
#include "gpud/address_window.hpp"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdio>
#include <utility>
#include <vector>

namespace weft::gpud {
namespace {

constexpr std::uint64_t lowest = 0x10000000, highest = 0x7ffff0000000;

using Range = std::pair<std::uint64_t, std::uint64_t>;

std::vector<Range> mapped_ranges() {
  std::vector<Range> ranges;
  if (std::FILE* maps = std::fopen("/proc/self/maps", "re")) {
    std::uint64_t start, end;
    while (std::fscanf(maps, "%" SCNx64 "-%" SCNx64 "%*[^\n]", &start, &end) == 2) ranges.emplace_back(start, end);
    std::fclose(maps);
  }
  return ranges;
}

/// Reserves every gap between `from` and `to`; nothing is committed.
void occupy(std::uint64_t from, std::uint64_t to) {
  auto reserve = [](std::uint64_t start, std::uint64_t end) {
    if (start < end) ::mmap(reinterpret_cast<void*>(start), end - start, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  };
  std::uint64_t at = from;
  for (const auto& [start, end] : mapped_ranges()) {
    if (end <= at) continue;
    if (start >= to) break;
    reserve(at, std::min(start, to));
    at = end;
  }
  if (at < to) reserve(at, to);
}

}  // namespace

void occupy_above(const AddressWindow& window) { occupy(window.base + window.size, highest); }

void occupy_below(const AddressWindow& window) { occupy(lowest, window.base); }

}  // namespace weft::gpud
