// SPDX-License-Identifier: Apache-2.0
// Memory pools: what they are asked and told; their memory is the device's like any other.
#pragma once

#include <map>

#include "softgpu/driver.hpp"

namespace weft::softgpu {

struct Pool {
  Device* device = nullptr;
  bool is_default = false;
  std::map<int, std::uint64_t> settings;        // attributes that the program may set
  std::map<std::uint64_t, std::uint64_t> blocks;  // allocations: address, bytes
  std::uint64_t used = 0, most_used = 0, most_reserved = 0;
};

/// The device's own pool, made at its first use. The driver's mutex is held for all of these.
Pool& default_pool(Driver& driver, Device& device);
/// The pool that cuMemAllocAsync takes from: the default one, or what cuDeviceSetMemPool said.
Pool& current_pool(Driver& driver, Device& device);
/// The pool that has this allocation; null for none.
Pool* pool_of(Driver& driver, std::uint64_t address);

}  // namespace weft::softgpu
