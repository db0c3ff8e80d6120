// SPDX-License-Identifier: Apache-2.0
// Device functions that the driver provides: vprintf, malloc, free, __assertfail.
#pragma once

#include <string_view>

#include "softgpu/exec/warp.hpp"

namespace weft::softgpu::exec {

using Builtin = void (*)(Warp&, const Op&, const Extra&);
/// Null for what is none.
Builtin builtin_named(std::string_view name);

/// Writes what kernels printed to stdout. Called by what waits for the device; any thread.
void flush_printf();

}  // namespace weft::softgpu::exec
