// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string_view>

#include "softgpu/exec/decode.hpp"

namespace weft::softgpu::exec {

namespace baseline {
Handler find_handler(const Shape& shape);
}
namespace avx2 {
Handler find_handler(const Shape& shape);
}

Handler handler_for(const Shape& shape) {
  static const bool best = [] {
    const char* wanted = std::getenv("WEFT_SOFTGPU_ISA");  // "baseline": for tests of what older machines run
    return !(wanted && std::string_view(wanted) == "baseline") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  }();
  return best ? avx2::find_handler(shape) : baseline::find_handler(shape);
}

}  // namespace weft::softgpu::exec
