// SPDX-License-Identifier: Apache-2.0
// Module images as they came from the client, made into what the driver wants to be given.
#pragma once

#include <vector>

#include "gpud/call.hpp"

namespace weft::gpud {

/// The image that belongs to a LoadImage message: out of the message or out of the cache, checked. Lives for one load; the driver takes a copy.
class LoadedImage {
 public:
  /// `inline_bytes`: what came with the message. CUDA_SUCCESS, or why there is no such image.
  CUresult open(Session& session, const abi::LoadImage& load, Bytes inline_bytes);
  const void* pointer() const { return pointer_; }

 private:
  struct Wrapper {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* region = nullptr;
    const void* const* more = nullptr;
  };

  CUresult wrap(Bytes blob);

  std::vector<std::byte> copy_;  // of an inline image, aligned
  MappedImage cached_;
  Wrapper wrapper_;
  std::vector<const void*> more_;
  const void* pointer_ = nullptr;
};

/// JIT options of a load: the client's plain values and log buffers of ours.
class JitOptions {
 public:
  void read(Call& call, const abi::LoadImage& load);
  unsigned count() const { return static_cast<unsigned>(options_.size()); }
  CUjit_option* options() { return options_.data(); }
  void** values() { return values_.data(); }
  /// The two logs, as strings.
  void add_logs(Call& call) const;

 private:
  void add(CUjit_option option, std::uint64_t value);

  std::vector<CUjit_option> options_;
  std::vector<void*> values_;
  std::vector<char> info_log_, error_log_;
};

}  // namespace weft::gpud
