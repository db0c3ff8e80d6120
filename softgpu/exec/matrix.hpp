// SPDX-License-Identifier: Apache-2.0
// Fragments of matrices, as decode_matrix.cpp describes them to ops_matrix.cpp.
#pragma once

#include "softgpu/exec/code.hpp"

namespace weft::softgpu::exec {

enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, s8, u8, s32 };

struct Fragment {
  enum Use : std::uint8_t { a, b, c };
  Use use = c;
  Element element = Element::f32;
  bool documented = false;  // the lanes' elements are where PTX says (mma), not where we like (wmma)
  unsigned rows = 0, columns = 0;
  unsigned registers = 0;   // of a lane

  unsigned element_bits() const {
    switch (element) {
      case Element::f16: case Element::bf16: return 16;
      case Element::s8: case Element::u8: return 8;
      case Element::f64: return 64;
      default: return 32;
    }
  }
  unsigned per_lane() const { return rows * columns / lanes_per_warp; }
  unsigned elements_per_register() const { return element_bits() >= 32 ? 1 : 32 / element_bits(); }
};

/// refs: the registers of d, a, b, c one after the other; for loads and stores those of d.
struct MatrixExtra : Extra {
  Fragment d, a, b, c;
  bool by_rows = true, saturate = false;
};

}  // namespace weft::softgpu::exec
