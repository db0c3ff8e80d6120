// SPDX-License-Identifier: Apache-2.0
// Products of matrices that a warp holds in fragments.
#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {

Handler matrix_handler(const Shape&) { return nullptr; }

}  // namespace weft::softgpu::exec::WEFT_ISA
