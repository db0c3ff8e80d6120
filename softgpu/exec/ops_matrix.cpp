// SPDX-License-Identifier: Apache-2.0
// Products of matrices that a warp holds in fragments: wmma, mma, ldmatrix. decode_matrix.cpp says in Extra::numbers what a fragment is.
#include <vector>

#include "softgpu/exec/address.hpp"
#include "softgpu/exec/matrix.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

/// What an element is in memory and in a register, and its value.
template <Element e> struct As;
template <> struct As<Element::f16> { using Raw = half; static float value(half v) { return to_float(v); } };
template <> struct As<Element::bf16> { using Raw = brain; static float value(brain v) { return to_float(v); } };
template <> struct As<Element::tf32> { using Raw = std::uint32_t; static float value(std::uint32_t v) { return std::bit_cast<float>(v & 0xffffe000); } };
template <> struct As<Element::f32> { using Raw = float; static float value(float v) { return v; } };
template <> struct As<Element::f64> { using Raw = double; static double value(double v) { return v; } };
template <> struct As<Element::s8> { using Raw = std::int8_t; static std::int32_t value(std::int8_t v) { return v; } };
template <> struct As<Element::u8> { using Raw = std::uint8_t; static std::int32_t value(std::uint8_t v) { return v; } };
template <> struct As<Element::s32> { using Raw = std::int32_t; static std::int32_t value(std::int32_t v) { return v; } };

/// f with As<element>.
template <typename F>
void with_element(Element element, F f) {
  switch (element) {
    case Element::f16: return f(As<Element::f16>());
    case Element::bf16: return f(As<Element::bf16>());
    case Element::tf32: return f(As<Element::tf32>());
    case Element::f32: return f(As<Element::f32>());
    case Element::f64: return f(As<Element::f64>());
    case Element::s8: return f(As<Element::s8>());
    case Element::u8: return f(As<Element::u8>());
    case Element::s32: return f(As<Element::s32>());
  }
}

constexpr unsigned most_elements = 512;  // of a fragment's matrix: 32 by 16

/// A matrix of the whole warp, row by row. Registers hold as many elements as fit, the first one lowest.
template <typename T>
void collect(const Warp& w, const Fragment& f, const Ref* refs, T* into) {
  with_element(f.element, [&]<typename E>(E) {
    using Raw = typename E::Raw;
    constexpr unsigned in_register = sizeof(Raw) >= 4 ? 1 : 4 / sizeof(Raw);
    const std::uint16_t* place = f.places.data();
    for (unsigned i = 0; i < f.per_lane(); ++i, place += W) {
      const Raw* lanes = w.in<Raw>(refs[i / in_register]) + i % in_register;
      for (unsigned l = 0; l < W; ++l) into[place[l]] = static_cast<T>(E::value(lanes[l * in_register]));
    }
  });
}

template <typename Raw, typename T>
Raw raw_of(T value, bool saturate) {
  if constexpr (std::is_same_v<Raw, std::int32_t>) return static_cast<Raw>(!saturate ? value : value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
  else if constexpr (std::is_same_v<Raw, half>) return static_cast<half>(static_cast<float>(value));
  else if constexpr (std::is_same_v<Raw, brain>) return from_float<brain>(static_cast<float>(value));
  else return static_cast<Raw>(value);
}

/// The other way round, for the active lanes.
template <typename T>
void spread(const Warp& w, const Fragment& f, const Ref* refs, const T* from, bool saturate) {
  with_element(f.element, [&]<typename E>(E) {
    using Raw = typename E::Raw;
    constexpr unsigned in_register = sizeof(Raw) >= 4 ? 1 : 4 / sizeof(Raw);
    const std::uint16_t* place = f.places.data();
    for (unsigned i = 0; i < f.per_lane(); ++i, place += W) {
      Raw* lanes = w.out<Raw>(refs[i / in_register]) + i % in_register;
      each_active(w.active, [&](unsigned l) { lanes[l * in_register] = raw_of<Raw>(from[place[l]], saturate); });
    }
  });
}

/// c += a * b; four rows at once, which the processor adds to side by side.
template <typename T, unsigned n>
void add_product(unsigned m, unsigned k, const T* a, const T* b, T* c) {
  constexpr unsigned parts = n * sizeof(T) / 32, rows = 4;
  using Part [[gnu::vector_size(32)]] = T;
  for (unsigned i = 0; i < m; i += rows) {
    for (unsigned p = 0; p < parts; ++p) {
      const std::size_t column = p * (32 / sizeof(T));
      Part sums[rows];
      for (unsigned r = 0; r < rows; ++r) std::memcpy(&sums[r], c + (i + r) * n + column, sizeof(Part));
      for (unsigned l = 0; l < k; ++l) {
        Part line;
        std::memcpy(&line, b + l * n + column, sizeof line);
        for (unsigned r = 0; r < rows; ++r) sums[r] += a[(i + r) * k + l] * line;
      }
      for (unsigned r = 0; r < rows; ++r) std::memcpy(c + (i + r) * n + column, &sums[r], sizeof(Part));
    }
  }
}

/// T is what products are summed in: f32 for the floats, with the products themselves exact; f64; 64-bit integers.
template <typename T>
void multiply(Warp& w, const Op& op) {
  if (!gather(w, op, ~0u)) return;
  const auto& p = static_cast<const MatrixExtra&>(*op.extra);
  alignas(64) T a[most_elements], b[most_elements], c[most_elements];
  const Ref* refs = p.refs.data();
  collect(w, p.a, refs + p.d.registers, a);
  collect(w, p.b, refs + p.d.registers + p.a.registers, b);
  collect(w, p.c, refs + p.d.registers + p.a.registers + p.b.registers, c);
  switch (p.d.columns) {
    case 8: add_product<T, 8>(p.d.rows, p.a.columns, a, b, c); break;
    case 16: add_product<T, 16>(p.d.rows, p.a.columns, a, b, c); break;
    default: add_product<T, 32>(p.d.rows, p.a.columns, a, b, c); break;
  }
  spread(w, p.d, refs, c, p.saturate);
}

/// wmma.load and wmma.store. a: address (u64) with imm as offset, b: the leading dimension (u32). Lanes hold runs of whole registers of the matrix, row by row.
template <bool is_load, Where where, typename Raw>
void transfer(Warp& w, const Op& op) {
  if (!gather(w, op, ~0u)) return;
  using Word = std::conditional_t<sizeof(Raw) == 8, std::uint64_t, std::uint32_t>;
  const auto& p = static_cast<const MatrixExtra&>(*op.extra);
  const Fragment& f = p.d;
  const auto first = static_cast<unsigned>(std::countr_zero(w.active));
  const std::uint64_t base = w.in<std::uint64_t>(op.a)[first] + op.imm, pitch = w.in<std::uint32_t>(op.b)[first] * sizeof(Raw);
  const unsigned lines = p.by_rows ? f.rows : f.columns, length = p.by_rows ? f.columns : f.rows, words = f.per_lane() * static_cast<unsigned>(sizeof(Raw)) / sizeof(Word);
  std::uint64_t addresses[W];
  for (unsigned i = 0; i < W; ++i) addresses[i] = base + i % lines * pitch;
  // Each line must be there; by lanes, so that a fault names one.
  const std::uint64_t end = base + (lines - 1) * pitch + length * sizeof(Raw);
  const bool fine = end > base && base % sizeof(Raw) == 0 && (where == Where::shared ? end <= w.grid->shared_bytes : w.ranges->known(base, end));
  if (!fine && !check_each(w, op, where, addresses, length * sizeof(Raw), sizeof(Raw))) return;
  alignas(64) Raw elements[most_elements];
  const auto for_elements = [&](auto f_of) {
    for (unsigned i = 0; i < lines; ++i) {
      auto* line = reinterpret_cast<Raw*>(pointer<where>(w, addresses[i]));
      for (unsigned j = 0; j < length; ++j) f_of(line[j], elements[p.by_rows ? i * f.columns + j : j * f.columns + i]);
    }
  };
  if constexpr (is_load) {
    for_elements([](const Raw& memory, Raw& element) { element = memory; });
    for (unsigned r = 0; r < f.registers; ++r) {
      Word* d = w.out<Word>(p.refs[r]);
      // There may be more registers than elements: hardware fills them twice.
      each_active(w.active, [&](unsigned l) { std::memcpy(&d[l], reinterpret_cast<const std::byte*>(elements) + sizeof(Word) * (l * words + r % words), sizeof(Word)); });
    }
  } else {
    for (unsigned r = 0; r < words; ++r) {
      const Word* v = w.in<Word>(p.refs[r]);
      for (unsigned l = 0; l < W; ++l) std::memcpy(reinterpret_cast<std::byte*>(elements) + sizeof(Word) * (l * words + r), &v[l], sizeof(Word));
    }
    for_elements([](Raw& memory, const Raw& element) { memory = element; });
  }
}

template <bool is_load>
Handler transfer_handler(const Shape& s) {
  const bool shared = s.space == ptx::Space::shared;
  switch (s.type.bits) {
    case 8: return shared ? &transfer<is_load, Where::shared, std::uint8_t> : &transfer<is_load, Where::host, std::uint8_t>;
    case 16: return shared ? &transfer<is_load, Where::shared, std::uint16_t> : &transfer<is_load, Where::host, std::uint16_t>;
    case 32: return shared ? &transfer<is_load, Where::shared, std::uint32_t> : &transfer<is_load, Where::host, std::uint32_t>;
    case 64: return shared ? &transfer<is_load, Where::shared, std::uint64_t> : &transfer<is_load, Where::host, std::uint64_t>;
    default: return nullptr;
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
  if (s.opcode == "matrix.load") return transfer_handler<true>(s);
  if (s.opcode == "matrix.store") return transfer_handler<false>(s);
  if (s.opcode == "matrix.load8x8") return &load_matrices;
  if (s.opcode != "matrix.multiply") return nullptr;
  if (!s.type.is_float()) return &multiply<std::int64_t>;
  return s.type.bits == 64 ? &multiply<double> : &multiply<float>;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
