// SPDX-License-Identifier: Apache-2.0
// The worker process: one client's driver and session.
#pragma once

#include "gpud/config.hpp"

namespace weft::gpud {

/// Prepares the driver, is given its client over the inherited control socket and serves it. Never returns: where threads still wait for the GPU there is nothing to
/// come back to.
[[noreturn]] void run_worker(const Config& config);

}  // namespace weft::gpud
