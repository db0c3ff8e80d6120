// SPDX-License-Identifier: Apache-2.0
// All memory that the software GPU knows: what lies in its devices and what of the host's is pinned. Every access is checked against it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::softgpu {

struct Context;
struct Device;

struct Allocation {
  enum class Kind { device, managed, pool, host, registered };
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  Kind kind = Kind::device;
  Context* context = nullptr;
  std::uint64_t id = 0;
  unsigned flags = 0;

  bool on_host() const { return kind == Kind::host || kind == Kind::registered; }
};

/// The caller holds the driver's mutex.
class Memory {
 public:
  /// Reserves address space for each device's memory. Throws std::system_error.
  void add_device(const Device& device);

  /// Zero where the device is full. Addresses are multiples of 512, for whole multiples of 2 MiB multiples of that, as on hardware.
  std::uint64_t allocate(int device, std::uint64_t bytes, Allocation::Kind kind, Context* context);
  bool free(std::uint64_t base);
  std::uint64_t free_bytes(int device) const { return arenas_[static_cast<std::size_t>(device)].memory_bytes - arenas_[static_cast<std::size_t>(device)].used; }

  /// Pinned memory of the host.
  std::uint64_t allocate_host(std::uint64_t bytes, unsigned flags, Context* context);
  bool register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags, Context* context);
  bool forget_host(std::uint64_t base, Allocation::Kind kind);

  /// The allocation that holds this address; nothing where there is none.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// True where all bytes lie in one allocation.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  void free_all_of(const Context* context);

 private:
  struct Arena {
    std::uint64_t base, bytes, memory_bytes, used;
    std::map<std::uint64_t, std::uint64_t> gaps;  // by address
  };

  Arena* arena_of(std::uint64_t address);
  void give_back(Arena& arena, std::uint64_t base, std::uint64_t bytes);

  std::vector<Arena> arenas_;
  std::map<std::uint64_t, Allocation> allocations_;
  std::uint64_t last_id_ = 0;
};

}  // namespace weft::softgpu
