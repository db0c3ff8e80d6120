// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interposer/command.hpp"

namespace weft::interposer {

/// Appends an abi::Launch with its attributes and parameters, checked, to a command; for launches and for the kernel nodes of graphs.
CUresult append_launch(Command& command, const CUlaunchConfig& config, bool cooperative, CUfunction function, void** parameters, void** extra);

}  // namespace weft::interposer
