// SPDX-License-Identifier: Apache-2.0
// What a software GPU pretends to be. Set by the environment: WEFT_SOFTGPU_DEVICES (1), WEFT_SOFTGPU_MEMORY_MIB (half of this machine's memory over all of them),
// WEFT_SOFTGPU_COMPUTE_CAPABILITY (8.0 or 9.0; 9.0).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::softgpu {

struct Context;
struct Pool;

struct Device {
  int number = 0;   // among all of this machine
  int ordinal = 0;  // among those that the program sees: its CUdevice
  std::string name;
  CUuuid uuid{};
  std::string pci_bus_id;
  std::uint64_t memory_bytes = 0;
  int capability = 90;  // 10 * major + minor
  std::map<int, int> attributes;
  Context* primary = nullptr;
  unsigned primary_flags = 0;
  Pool* default_pool = nullptr;
  Pool* current_pool = nullptr;  // null: the default one

  int attribute(CUdevice_attribute which) const {
    auto found = attributes.find(which);
    return found == attributes.end() ? 0 : found->second;
  }
};

/// The devices that the environment asks for, after CUDA_VISIBLE_DEVICES. Throws std::invalid_argument with one line for a setting that is none.
std::vector<std::unique_ptr<Device>> make_devices();

}  // namespace weft::softgpu
