// SPDX-License-Identifier: Apache-2.0
// The options of a module load: plain values go to the server, log buffers are the program's and are filled from the reply.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "abi/cuda.hpp"
#include "wire/codec.hpp"

namespace weft::interposer {

struct JitOptions {
  std::vector<std::pair<std::int32_t, std::uint64_t>> values;
  char* info_log = nullptr;
  char* error_log = nullptr;
  std::size_t info_room = 0, error_room = 0;
  void** info_size = nullptr;   // where the filled length is written back
  void** error_size = nullptr;

  JitOptions(unsigned count, const CUjit_option* options, void** option_values);
  /// Reads the two logs behind the reply's results and gives them to the program.
  void take_logs(wire::Reader& reply) const;
};

}  // namespace weft::interposer
