// SPDX-License-Identifier: Apache-2.0
// Several values in one register: pairs of halves and of 16-bit integers, bytes of the video instructions, moves of parts.
#include <cmath>

#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

// --- moves of parts; refs: the parts, the lowest first

template <typename Whole, typename Part>
void pack(Warp& w, const Op& op) {
  constexpr unsigned n = sizeof(Whole) / sizeof(Part);
  const Part* parts[n];
  for (unsigned i = 0; i < n; ++i) parts[i] = w.in<Part>(op.extra->refs[i]);
  each(w, w.out<Whole>(op.dst), [&](unsigned l) {
    Whole value = 0;
    for (unsigned i = 0; i < n; ++i) value = static_cast<Whole>(value | static_cast<Whole>(static_cast<Whole>(parts[i][l]) << (8 * sizeof(Part) * i)));
    return value;
  });
}
template <typename Whole, typename Part>
void unpack(Warp& w, const Op& op) {
  alignas(64) Whole a[W];
  std::memcpy(a, w.in<Whole>(op.a), sizeof a);
  const auto& refs = op.extra->refs;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    Part* d = w.out<Part>(refs[i]);
    each(w, d, [&](unsigned l) { return static_cast<Part>(a[l] >> (8 * sizeof(Part) * i)); });
  }
}
Handler part_handler(const Shape& s) {
  const bool packs = s.opcode == "pack";
  using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
  switch (s.type.bits * 256u + s.from.bits) {
    case 64 * 256 + 32: return packs ? &pack<u64, u32> : &unpack<u64, u32>;
    case 64 * 256 + 16: return packs ? &pack<u64, u16> : &unpack<u64, u16>;
    case 64 * 256 + 8: return packs ? &pack<u64, u8> : &unpack<u64, u8>;
    case 32 * 256 + 16: return packs ? &pack<u32, u16> : &unpack<u32, u16>;
    case 32 * 256 + 8: return packs ? &pack<u32, u8> : &unpack<u32, u8>;
    case 16 * 256 + 8: return packs ? &pack<u16, u8> : &unpack<u16, u8>;
    default: return nullptr;
  }
}

// --- pairs of halves

template <typename H>
[[gnu::always_inline]] inline H half_at(std::uint32_t pair, unsigned i) { return std::bit_cast<H>(static_cast<std::uint16_t>(pair >> (16 * i))); }
template <typename H>
[[gnu::always_inline]] inline std::uint32_t pair_of(H low, H high) {
  return std::uint32_t{std::bit_cast<std::uint16_t>(low)} | std::uint32_t{std::bit_cast<std::uint16_t>(high)} << 16;
}

enum class Fix { none, sat, relu };
template <typename H, Fix fix>
[[gnu::always_inline]] inline H fixed(double value) {
  if constexpr (fix == Fix::sat) value = saturate(value);
  if constexpr (fix == Fix::relu) value = value > 0 || value != value ? value : 0.0;
  if constexpr (std::is_same_v<H, half>) return static_cast<half>(value);
  else return from_float<H>(static_cast<float>(value));
}

template <typename H, Fix fix, typename F>
[[gnu::always_inline]] inline void pairs(Warp& w, const Op& op, F f) {
  const auto* a = w.in<std::uint32_t>(op.a);
  const auto* b = op.b == no_ref ? a : w.in<std::uint32_t>(op.b);
  const auto* c = op.c == no_ref ? a : w.in<std::uint32_t>(op.c);
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) {
    H d[2];
    for (unsigned i = 0; i < 2; ++i)
      d[i] = fixed<H, fix>(f(static_cast<double>(to_float(half_at<H>(a[l], i))), static_cast<double>(to_float(half_at<H>(b[l], i))), static_cast<double>(to_float(half_at<H>(c[l], i)))));
    return pair_of(d[0], d[1]);
  });
}

double least(double a, double b) { return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b; }
double greatest(double a, double b) { return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? b : a; }
double least_nan(double a, double b) { return a != a ? a : b != b ? b : least(a, b); }
double greatest_nan(double a, double b) { return a != a ? a : b != b ? b : greatest(a, b); }

// f64 holds sums and products of halves exactly, so that one rounding remains.
template <typename H, Fix fix, char what>
void pair_operation(Warp& w, const Op& op) {
  pairs<H, fix>(w, op, [](double a, double b, double c) {
    switch (what) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return a * b;
      case 'f': return a * b + c;
      case '<': return least(a, b);
      case '>': return greatest(a, b);
      case '{': return least_nan(a, b);
      case '}': return greatest_nan(a, b);
      case 'e': return static_cast<double>(::exp2f(static_cast<float>(a)));
      default: return static_cast<double>(::tanhf(static_cast<float>(a)));
    }
  });
}
template <char what>
void pair_signs(Warp& w, const Op& op) {
  const auto* a = w.in<std::uint32_t>(op.a);
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) { return what == '-' ? a[l] ^ 0x80008000 : a[l] & 0x7fff7fff; });
}
template <typename H, char what>
Handler fixed_for(const Shape& s) {
  return s.sat ? &pair_operation<H, Fix::sat, what> : s.relu ? &pair_operation<H, Fix::relu, what> : &pair_operation<H, Fix::none, what>;
}

enum class Relation { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
bool related(Relation r, float a, float b) {
  const bool unordered = a != a || b != b;
  switch (r) {
    case Relation::eq: return a == b;
    case Relation::ne: return !unordered && a != b;
    case Relation::lt: return a < b;
    case Relation::le: return a <= b;
    case Relation::gt: return a > b;
    case Relation::ge: return a >= b;
    case Relation::equ: return unordered || a == b;
    case Relation::neu: return a != b;
    case Relation::ltu: return unordered || a < b;
    case Relation::leu: return unordered || a <= b;
    case Relation::gtu: return unordered || a > b;
    case Relation::geu: return unordered || a >= b;
    case Relation::num: return !unordered;
    case Relation::nan: return unordered;
  }
  return false;
}
constexpr std::string_view relation_names[] = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

template <typename H, Relation r>
std::uint32_t pair_related(const Warp& w, const Op& op, unsigned i) {
  const auto *a = w.in<std::uint32_t>(op.a), *b = w.in<std::uint32_t>(op.b);
  std::uint32_t t = 0;
  each_active(w.active, [&](unsigned l) { t |= related(r, to_float(half_at<H>(a[l], i)), to_float(half_at<H>(b[l], i))) ? 1u << l : 0; });
  return t;
}
/// setp of pairs: the lower halves' result in dst, the upper ones' in dst2; both combined with c.
template <typename H, Relation r>
void pair_setp(Warp& w, const Op& op) {
  const std::uint32_t low = pair_related<H, r>(w, op, 0), high = pair_related<H, r>(w, op, 1);
  set_predicate(w, op.dst, low);
  if (op.dst2 != no_ref) set_predicate(w, op.dst2, high);
}
/// set of pairs: imm is what stands for true in each half.
template <typename H, Relation r>
void pair_set(Warp& w, const Op& op) {
  const std::uint32_t low = pair_related<H, r>(w, op, 0), high = pair_related<H, r>(w, op, 1);
  const auto yes = static_cast<std::uint32_t>(op.imm) & 0xffff;
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) { return (low & bits.of[l] ? yes : 0) | (high & bits.of[l] ? yes << 16 : 0); });
}
template <typename H, std::size_t... r>
Handler relation_for(const Shape& s, bool is_set, std::index_sequence<r...>) {
  Handler found = nullptr;
  ((s.variant == relation_names[r] ? void(found = is_set ? &pair_set<H, static_cast<Relation>(r)> : &pair_setp<H, static_cast<Relation>(r)>) : void()), ...);
  return found;
}

template <typename H>
Handler half_pair_handler(const Shape& s) {
  if (s.opcode == "add") return fixed_for<H, '+'>(s);
  if (s.opcode == "sub") return fixed_for<H, '-'>(s);
  if (s.opcode == "mul") return fixed_for<H, '*'>(s);
  if (s.opcode == "fma") return fixed_for<H, 'f'>(s);
  if (s.opcode == "min") return s.nan ? fixed_for<H, '{'>(s) : fixed_for<H, '<'>(s);
  if (s.opcode == "max") return s.nan ? fixed_for<H, '}'>(s) : fixed_for<H, '>'>(s);
  if (s.opcode == "neg") return &pair_signs<'-'>;
  if (s.opcode == "abs") return &pair_signs<'+'>;
  if (s.opcode == "ex2") return &pair_operation<H, Fix::none, 'e'>;
  if (s.opcode == "tanh") return &pair_operation<H, Fix::none, 't'>;
  if ((s.opcode == "setp" || s.opcode == "set2") && s.combine.empty()) return relation_for<H>(s, s.opcode == "set2", std::make_index_sequence<std::size(relation_names)>());
  return nullptr;
}

// --- pairs of integers

template <typename T, char what, bool relu>
void integer_pairs(Warp& w, const Op& op) {
  const auto* a = w.in<std::uint32_t>(op.a);
  const auto* b = op.b == no_ref ? a : w.in<std::uint32_t>(op.b);
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) {
    std::uint32_t d = 0;
    for (unsigned i = 0; i < 2; ++i) {
      const auto x = static_cast<T>(a[l] >> (16 * i)), y = static_cast<T>(b[l] >> (16 * i));
      int v = what == '+' ? x + y : what == '-' ? x - y : what == '<' ? (x < y ? x : y) : (x > y ? x : y);
      if (relu && v < 0) v = 0;
      d |= (static_cast<std::uint32_t>(v) & 0xffff) << (16 * i);
    }
    return d;
  });
}
template <typename T>
Handler integer_pair_handler(const Shape& s) {
  if (s.opcode == "add") return &integer_pairs<T, '+', false>;
  if (s.opcode == "sub") return &integer_pairs<T, '-', false>;
  if (s.opcode == "min") return s.relu ? &integer_pairs<T, '<', true> : &integer_pairs<T, '<', false>;
  if (s.opcode == "max") return s.relu ? &integer_pairs<T, '>', true> : &integer_pairs<T, '>', false>;
  return nullptr;
}

// --- video instructions on bytes and halves: vop4.dtype.atype.btype{.sat}{.add} d, a, b, c

template <unsigned width, bool a_signed, bool b_signed, char what>
void video(Warp& w, const Op& op) {
  const auto *a = w.in<std::uint32_t>(op.a), *b = w.in<std::uint32_t>(op.b), *c = w.in<std::uint32_t>(op.c);
  constexpr std::uint32_t field = width == 8 ? 0xff : 0xffff;
  const bool adds = op.imm & 1, saturates = op.imm & 2, result_signed = op.imm & 4;
  const auto value = [](std::uint32_t v, unsigned i, bool is_signed) {
    const auto raw = static_cast<int>(v >> (width * i) & field);
    return is_signed && raw >> (width - 1) ? raw - static_cast<int>(field) - 1 : raw;
  };
  std::uint32_t* d = w.out<std::uint32_t>(op.dst);
  each_active(w.active, [&](unsigned l) {
    std::uint32_t made = 0, sum = c[l];
    for (unsigned i = 0; i < 32 / width; ++i) {
      const int x = value(a[l], i, a_signed), y = value(b[l], i, b_signed);
      int v = what == 'd' ? (x < y ? y - x : x - y) : what == '+' ? x + y : what == '-' ? x - y : what == 'm' ? (x + y + (x + y >= 0)) >> 1 : what == '<' ? (x < y ? x : y) : (x > y ? x : y);
      if (saturates) {
        const int low = result_signed ? -static_cast<int>(field / 2) - 1 : 0, high = result_signed ? static_cast<int>(field / 2) : static_cast<int>(field);
        v = v < low ? low : v > high ? high : v;
      }
      made |= (static_cast<std::uint32_t>(v) & field) << (width * i);
      sum += static_cast<std::uint32_t>(v);
    }
    // Without .add the lanes that c would fill are all written.
    d[l] = adds ? sum : made;
  });
}
template <unsigned width, char what>
Handler video_signs(const Shape& s) {
  const bool a = s.from.is_signed(), b = s.carry_in;  // the decoder's place for the third type
  return a ? (b ? &video<width, true, true, what> : &video<width, true, false, what>) : (b ? &video<width, false, true, what> : &video<width, false, false, what>);
}
template <unsigned width>
Handler video_for(const Shape& s, std::string_view base) {
  if (base == "vabsdiff") return video_signs<width, 'd'>(s);
  if (base == "vadd") return video_signs<width, '+'>(s);
  if (base == "vsub") return video_signs<width, '-'>(s);
  if (base == "vavrg") return video_signs<width, 'm'>(s);
  if (base == "vmin") return video_signs<width, '<'>(s);
  if (base == "vmax") return video_signs<width, '>'>(s);
  return nullptr;
}

}  // namespace

Handler packed_handler(const Shape& s) {
  if (s.opcode == "pack" || s.opcode == "unpack") return part_handler(s);
  if (s.opcode.starts_with("v") && s.opcode.size() > 2) {
    const char last = s.opcode.back();
    const std::string_view base = s.opcode.substr(0, s.opcode.size() - 1);
    return last == '4' ? video_for<8>(s, base) : last == '2' ? video_for<16>(s, base) : nullptr;
  }
  switch (s.type.kind) {
    case Kind::packed_half: return half_pair_handler<half>(s);
    case Kind::packed_brain: return half_pair_handler<brain>(s);
    case Kind::packed_unsigned: return integer_pair_handler<std::uint16_t>(s);
    case Kind::packed_signed: return integer_pair_handler<std::int16_t>(s);
    default: return nullptr;
  }
}

}  // namespace weft::softgpu::exec::WEFT_ISA
