// SPDX-License-Identifier: Apache-2.0
// All handlers of one instruction set.
#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {

Handler find_handler(const Shape& shape) {
  for (auto* family : {&integer_handler, &float_handler, &compare_handler, &convert_handler, &memory_handler, &atomic_handler, &warp_handler, &packed_handler, &barrier_handler,
                       &matrix_handler})
    if (Handler found = family(shape)) return found;
  return nullptr;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
