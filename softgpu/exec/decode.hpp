// SPDX-License-Identifier: Apache-2.0
// From parsed PTX to what warps execute.
#pragma once

#include <memory>

#include "softgpu/exec/code.hpp"

namespace weft::softgpu::exec {

/// Where the module's variables in global and constant memory are.
using Addresses = std::map<std::string, std::uint64_t, std::less<>>;

/// The module's functions, without their instructions: what function addresses in initial values need.
std::unique_ptr<CodeSet> declare(const ptx::Module& module);

/// Decodes all functions. Throws ptx::Error for what isn't valid or not supported. `module` must live as long as the set.
void decode(CodeSet& set, const ptx::Module& module, const Addresses& addresses);

/// Bytes of shared memory that a kernel declares, with all functions that it may call.
std::uint64_t shared_bytes_of(const ptx::Module& module, const ptx::Function& kernel);

/// The best handlers for this machine.
Handler handler_for(const Shape& shape);

}  // namespace weft::softgpu::exec
