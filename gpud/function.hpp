// SPDX-License-Identifier: Apache-2.0
// What the client keeps of a kernel: name, attributes, parameters.
#pragma once

#include "gpud/call.hpp"

namespace weft::gpud {

/// Adds the record of the function or kernel, which the client knows by `bits`, to the results.
void add_function(Call& call, std::uint64_t bits, CUfunction function);
void add_kernel(Call& call, std::uint64_t bits, CUkernel kernel);

}  // namespace weft::gpud
