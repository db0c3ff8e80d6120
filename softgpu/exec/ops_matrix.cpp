// SPDX-License-Identifier: Apache-2.0
// Products of matrices that a warp holds in fragments: wmma, mma, ldmatrix. decode_matrix.cpp says in Extra::numbers what a fragment is.
#include <vector>

#include "softgpu/exec/address.hpp"
#include "softgpu/exec/matrix.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

struct Place {
  unsigned row, column;
};

/// Where element i of a lane's part belongs. PTX documents this for mma; wmma's is nobody's business, and here the elements in the order of rows.
Place place_of(const Fragment& f, unsigned lane, unsigned i) {
  if (!f.documented) {
    const unsigned at = lane * f.per_lane() + i;
    return {at / f.columns, at % f.columns};
  }
  const unsigned group = lane / 4, thread = lane % 4;
  const unsigned in_register = f.element_bits() >= 32 ? 1 : 32 / f.element_bits(), reg = i / in_register, part = i % in_register;
  switch (f.use) {
    case Fragment::a: return {group + (f.rows == 16 ? 8 * (reg & 1) : 0), thread * in_register + part + (f.rows == 16 ? reg / 2 : reg) * 4 * in_register};
    case Fragment::b: return {thread * in_register + part + reg * 4 * in_register, group};
    default: return {group + 8 * (i / 2), thread * 2 + i % 2};
  }
}

/// The raw bits of element i.
std::uint64_t get(const Warp& w, const Fragment& f, const Ref* refs, unsigned lane, unsigned i) {
  const unsigned bits_each = f.element_bits();
  if (bits_each == 64) return w.in<std::uint64_t>(refs[i])[lane];
  if (bits_each == 32) return w.in<std::uint32_t>(refs[i])[lane];
  const unsigned in_register = 32 / bits_each;
  return w.in<std::uint32_t>(refs[i / in_register])[lane] >> (bits_each * (i % in_register)) & ((1u << bits_each) - 1);
}
void put(Warp& w, const Fragment& f, const Ref* refs, unsigned lane, unsigned i, std::uint64_t value) {
  const unsigned bits_each = f.element_bits();
  if (bits_each == 64) {
    w.out<std::uint64_t>(refs[i])[lane] = value;
  } else if (bits_each == 32) {
    w.out<std::uint32_t>(refs[i])[lane] = static_cast<std::uint32_t>(value);
  } else {
    const unsigned in_register = 32 / bits_each, shift = bits_each * (i % in_register);
    const std::uint32_t field = ((1u << bits_each) - 1) << shift;
    std::uint32_t& word = w.out<std::uint32_t>(refs[i / in_register])[lane];
    word = (word & ~field) | (static_cast<std::uint32_t>(value) << shift & field);
  }
}

double number(Element e, std::uint64_t raw) {
  switch (e) {
    case Element::f16: return static_cast<double>(to_float(std::bit_cast<half>(static_cast<std::uint16_t>(raw))));
    case Element::bf16: return static_cast<double>(to_float(brain{static_cast<std::uint16_t>(raw)}));
    case Element::tf32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw) & 0xffffe000));
    case Element::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    case Element::f64: return std::bit_cast<double>(raw);
    case Element::s8: return static_cast<std::int8_t>(raw);
    case Element::u8: return static_cast<std::uint8_t>(raw);
    case Element::s32: return static_cast<std::int32_t>(raw);
  }
  return 0;
}
std::uint64_t raw_of(Element e, double value) {
  switch (e) {
    case Element::f16: return std::bit_cast<std::uint16_t>(static_cast<half>(static_cast<float>(value)));
    case Element::f64: return std::bit_cast<std::uint64_t>(value);
    case Element::s32: return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    default: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
}

/// A matrix of the whole warp, row by row.
template <typename T>
void collect(const Warp& w, const Fragment& f, const Ref* refs, T* into) {
  for (unsigned lane = 0; lane < W; ++lane) {
    for (unsigned i = 0; i < f.per_lane(); ++i) {
      const Place p = place_of(f, lane, i);
      into[p.row * f.columns + p.column] = static_cast<T>(number(f.element, get(w, f, refs, lane, i)));
    }
  }
}

/// T is what products are summed in: f32 for the floats, with the products themselves exact; f64; 64-bit integers.
template <typename T>
void multiply(Warp& w, const Op& op) {
  if (!gather(w, op, ~0u)) return;
  const auto& p = static_cast<const MatrixExtra&>(*op.extra);
  const unsigned m = p.d.rows, n = p.d.columns, k = p.a.columns;
  alignas(64) T a[16 * 32], b[32 * 32], c[32 * 32];
  const Ref* refs = p.refs.data();
  collect(w, p.a, refs + p.d.registers, a);
  collect(w, p.b, refs + p.d.registers + p.a.registers, b);
  collect(w, p.c, refs + p.d.registers + p.a.registers + p.b.registers, c);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned l = 0; l < k; ++l)
      for (unsigned j = 0; j < n; ++j) c[i * n + j] += a[i * k + l] * b[l * n + j];
  for (unsigned lane = 0; lane < W; ++lane) {
    if (!(w.active >> lane & 1)) continue;
    for (unsigned i = 0; i < p.d.per_lane(); ++i) {
      const Place at = place_of(p.d, lane, i);
      double value = static_cast<double>(c[at.row * n + at.column]);
      if (p.saturate && p.d.element == Element::s32) value = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
      put(w, p.d, refs, lane, i, raw_of(p.d.element, value));
    }
  }
}

/// wmma.load and wmma.store. a: address (u64) with imm as offset, b: the leading dimension (u32).
template <bool is_load, bool shared>
void transfer(Warp& w, const Op& op) {
  if (!gather(w, op, ~0u)) return;
  const auto& p = static_cast<const MatrixExtra&>(*op.extra);
  const Fragment& f = p.d;
  const auto first = static_cast<unsigned>(std::countr_zero(w.active));
  const std::uint64_t base = w.in<std::uint64_t>(op.a)[first] + op.imm, stride = w.in<std::uint32_t>(op.b)[first], bytes = f.element_bits() / 8;
  for (unsigned i = 0; i < f.registers * f.elements_per_register(); ++i) {
    std::uint64_t addresses[W];
    const bool surplus = i >= f.per_lane();  // registers that hardware fills twice
    for (unsigned lane = 0; lane < W; ++lane) {
      const Place at = surplus ? Place{0, 0} : place_of(f, lane, i);
      addresses[lane] = base + (p.by_rows ? at.row * stride + at.column : at.column * stride + at.row) * bytes;
    }
    if (surplus) {
      for (unsigned lane = 0; is_load && lane < W; ++lane) put(w, f, p.refs.data(), lane, i, 0);
      continue;
    }
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (std::uint64_t address : addresses) low = std::min(low, address), high = std::max(high, address);
    const bool fine = shared ? high + bytes <= w.grid->shared_bytes : w.ranges->known(low, high + bytes);
    if (!fine && !check_each(w, op, shared ? Where::shared : Where::host, addresses, bytes, bytes)) return;
    each_active(w.active, [&](unsigned lane) {
      std::byte* memory = pointer<shared ? Where::shared : Where::host>(w, addresses[lane]);
      std::uint64_t value = 0;
      if (is_load) {
        std::memcpy(&value, memory, bytes);
        put(w, f, p.refs.data(), lane, i, value);
      } else {
        value = get(w, f, p.refs.data(), lane, i);
        std::memcpy(memory, &value, bytes);
      }
    });
  }
}

/// ldmatrix: matrices of 8 by 8 16-bit elements, a row's address from each of eight lanes. imm: the offset, c: 1 for transposed.
void load_matrices(Warp& w, const Op& op) {
  if (!gather(w, op, ~0u)) return;
  const auto* a = w.in<std::uint64_t>(op.a);
  const auto& refs = op.extra->refs;
  std::uint16_t rows[32][8] = {};
  const auto lanes = static_cast<unsigned>(8 * refs.size());
  std::uint64_t addresses[W] = {};
  for (unsigned l = 0; l < lanes; ++l) addresses[l] = a[l] + op.imm;
  const std::uint32_t all = w.active;
  w.active &= lanes == W ? ~0u : (1u << lanes) - 1;
  const bool fine = check_each(w, op, Where::shared, addresses, 16, 16);
  if (fine) each_active(w.active, [&](unsigned l) { std::memcpy(rows[l], w.block->shared + addresses[l], 16); });
  w.active = all;
  if (!fine) return;
  for (unsigned k = 0; k < refs.size(); ++k) {
    auto* d = w.out<std::uint32_t>(refs[k]);
    each_active(w.active, [&](unsigned l) {
      const unsigned row = l / 4, pair = l % 4 * 2;
      const std::uint32_t low = op.c ? rows[8 * k + pair][row] : rows[8 * k + row][pair], high = op.c ? rows[8 * k + pair + 1][row] : rows[8 * k + row][pair + 1];
      d[l] = low | high << 16;
    });
  }
}

}  // namespace

Handler matrix_handler(const Shape& s) {
  const bool shared = s.space == ptx::Space::shared;
  if (s.opcode == "matrix.load") return shared ? &transfer<true, true> : &transfer<true, false>;
  if (s.opcode == "matrix.store") return shared ? &transfer<false, true> : &transfer<false, false>;
  if (s.opcode == "matrix.load8x8") return &load_matrices;
  if (s.opcode != "matrix.multiply") return nullptr;
  if (!s.type.is_float()) return &multiply<std::int64_t>;
  return s.type.bits == 64 ? &multiply<double> : &multiply<float>;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
