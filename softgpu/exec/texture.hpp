// SPDX-License-Identifier: Apache-2.0
// Texture and surface instructions, as decode_texture.cpp describes them to texture_ops.cpp.
#pragma once

#include "softgpu/exec/code.hpp"

namespace weft::softgpu::exec {

/// refs: the values. coordinates: the layer first, where there is one.
struct TextureExtra : Extra {
  std::vector<Ref> coordinates;
  unsigned axes = 1;
  bool layered = false, cube = false, integers = false;
  bool clamps = false, traps = false;  // surfaces out of bounds
};

/// a: the texture's handle.
void tex(Warp& warp, const Op& op);
/// a: the surface's handle. Null for a width that isn't.
Handler surface_handler(unsigned bits, bool is_load);

}  // namespace weft::softgpu::exec
