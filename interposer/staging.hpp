// SPDX-License-Identifier: Apache-2.0
// The worker's staging memory, used as a ring: pageable bytes on their way to the device are put there, and each piece is free again when the device has
// read it.
#pragma once

#include <cstdint>

#include "interposer/client.hpp"

namespace weft::interposer {

/// A piece of the ring that has been filled: name it in the command that reads it.
struct Staged {
  std::uint64_t offset = 0;
  std::uint64_t ticket = 0;
};

/// The most that is staged at once: large enough for full wire and PCIe speed, small enough that both overlap.
inline constexpr std::size_t staging_chunk_bytes = 4 << 20;

/// Holds the order of the ring: pieces are taken, filled and named in commands one after another. Keep one for each piece, from stage() until the command
/// that names it has been posted.
class StagingLock {
 public:
  StagingLock();
  ~StagingLock();
  StagingLock(const StagingLock&) = delete;
  StagingLock& operator=(const StagingLock&) = delete;

  /// Takes room for `bytes` (at most staging_chunk_bytes), waiting for the device to read older pieces if need be, and puts them there.
  CUresult stage(Bytes bytes, Staged* staged);
};

}  // namespace weft::interposer
