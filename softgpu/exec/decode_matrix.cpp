// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {

bool Decoder::matrix() { return false; }

}  // namespace weft::softgpu::exec
