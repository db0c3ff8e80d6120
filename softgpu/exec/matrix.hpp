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
  std::vector<std::uint16_t> places;  // where element i of a lane belongs in the matrix, row by row: [i * 32 + lane]; filled by locate()

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

  void locate() {
    for (unsigned i = 0; i < per_lane(); ++i)
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) places.push_back(static_cast<std::uint16_t>(place_of(lane, i)));
  }

 private:
  /// PTX documents this for mma; wmma's is nobody's business, and here the lanes hold the elements in the order of rows.
  unsigned place_of(unsigned lane, unsigned i) const {
    if (!documented) return lane * per_lane() + i;
    const unsigned group = lane / 4, thread = lane % 4;
    const unsigned in_register = elements_per_register(), reg = i / in_register, part = i % in_register;
    switch (use) {
      case a: return (group + (rows == 16 ? 8 * (reg & 1) : 0)) * columns + thread * in_register + part + (rows == 16 ? reg / 2 : reg) * 4 * in_register;
      case b: return (thread * in_register + part + reg * 4 * in_register) * columns + group;
      default: return (group + 8 * (i / 2)) * columns + thread * 2 + i % 2;
    }
  }
};

/// refs: the registers of d, a, b, c one after the other; for loads and stores those of d.
struct MatrixExtra : Extra {
  Fragment d, a, b, c;
  bool by_rows = true, saturate = false;
};

}  // namespace weft::softgpu::exec
