// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/ranges.hpp"

#include <algorithm>

#include "softgpu/driver.hpp"

namespace weft::softgpu::exec {

bool Ranges::search(std::uint64_t low, std::uint64_t high) {
  Lock lock(driver_mutex());
  const Driver* driver = Driver::get();
  const auto found = driver ? driver->memory.find(low) : std::nullopt;
  if (!found || high > found->base + found->bytes) return false;
  std::rotate(recent_, recent_ + size - 1, recent_ + size);
  recent_[0] = {found->base, found->base + found->bytes};
  return true;
}

}  // namespace weft::softgpu::exec
