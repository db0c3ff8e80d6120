// SPDX-License-Identifier: Apache-2.0
#include "interposer/jit_options.hpp"

#include <algorithm>
#include <cstring>

namespace weft::interposer {
namespace {

void give(std::span<const std::byte> log, char* buffer, std::size_t room, void** size) {
  const std::size_t length = buffer && room ? std::min(log.size(), room - 1) : 0;
  if (buffer && room) {
    std::memcpy(buffer, log.data(), length);
    buffer[length] = 0;
  }
  if (size) *size = reinterpret_cast<void*>(length);
}

}  // namespace

JitOptions::JitOptions(unsigned count, const CUjit_option* options, void** option_values) {
  for (unsigned i = 0; i < count && options && option_values; ++i) {
    void* value = option_values[i];
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER: info_log = static_cast<char*>(value); break;
      case CU_JIT_ERROR_LOG_BUFFER: error_log = static_cast<char*>(value); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_room = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value));
        info_size = &option_values[i];
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_room = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value));
        error_size = &option_values[i];
        break;
      case CU_JIT_WALL_TIME:  // comes back as a float; not measured over a wire
      case CU_JIT_GLOBAL_SYMBOL_NAMES:
      case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
      case CU_JIT_GLOBAL_SYMBOL_COUNT: break;
      default: values.emplace_back(options[i], static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(value)));
    }
  }
}

void JitOptions::take_logs(wire::Reader& reply) const {
  const auto info = reply.bytes(), error = reply.bytes();
  if (!reply.ok()) return;
  give(info, info_log, info_room, info_size);
  give(error, error_log, error_room, error_size);
}

}  // namespace weft::interposer
