// SPDX-License-Identifier: Apache-2.0
// A kernel launch as it comes off the wire.
#pragma once

#include "gpud/call.hpp"

namespace weft::gpud {

/// A Launch message, its attributes and its packed parameters, in the form that the driver takes. Borrows the message.
class LaunchArguments {
 public:
  /// Reads what is left of the message; what is wrong the call remembers.
  explicit LaunchArguments(Call& call);
  LaunchArguments(const LaunchArguments&) = delete;
  LaunchArguments& operator=(const LaunchArguments&) = delete;

  CUfunction function() const { return function_; }
  const CUlaunchConfig& config() const { return config_; }
  /// Null for a kernel without parameters.
  void** extra() { return parameter_bytes_ ? extra_ : nullptr; }
  CUDA_KERNEL_NODE_PARAMS node();

 private:
  CUfunction function_ = nullptr;
  CUlaunchConfig config_{};
  std::vector<CUlaunchAttribute> attributes_;
  std::vector<std::byte> parameters_;
  std::size_t parameter_bytes_ = 0;
  void* extra_[5];
};

}  // namespace weft::gpud
