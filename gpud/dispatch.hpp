// SPDX-License-Identifier: Apache-2.0
// From an operation's number to its function.
#pragma once

namespace weft::gpud {

class Call;

/// Executes the call. False for an operation that is not known.
bool dispatch(Call& call);

}  // namespace weft::gpud
