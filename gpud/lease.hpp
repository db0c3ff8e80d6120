// SPDX-License-Identifier: Apache-2.0
// Which devices a client gets: what it asks for, out of what the server offers.
#pragma once

#include <string>
#include <string_view>

namespace weft::gpud {

/// Both as CUDA_VISIBLE_DEVICES says it: indices or UUIDs with commas. `wanted` counts in the devices offered; empty asks for all of them. As CUDA has it, the
/// list ends at the first that isn't there. Answers what the worker's CUDA_VISIBLE_DEVICES must be; empty for all, "none" for none.
std::string lease_devices(std::string_view offered, std::string_view wanted);

}  // namespace weft::gpud
