// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic, bits, moves and selections.
#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

template <typename T>
struct wider;
template <> struct wider<std::uint16_t> { using type = std::uint32_t; };
template <> struct wider<std::int16_t> { using type = std::int32_t; };
template <> struct wider<std::uint32_t> { using type = std::uint64_t; };
template <> struct wider<std::int32_t> { using type = std::int64_t; };
template <> struct wider<std::uint64_t> { using type = uint128; };
template <> struct wider<std::int64_t> { using type = int128; };
template <typename T>
using wide_t = typename wider<T>::type;

/// d = f(a)
template <typename D, typename A, typename F>
[[gnu::always_inline]] inline void unary(Warp& w, const Op& op, F f) {
  const A* a = w.in<A>(op.a);
  each(w, w.out<D>(op.dst), [=](unsigned l) { return static_cast<D>(f(a[l])); });
}
/// d = f(a, b)
template <typename D, typename A, typename B, typename F>
[[gnu::always_inline]] inline void binary(Warp& w, const Op& op, F f) {
  const A* a = w.in<A>(op.a);
  const B* b = w.in<B>(op.b);
  each(w, w.out<D>(op.dst), [=](unsigned l) { return static_cast<D>(f(a[l], b[l])); });
}
template <typename D, typename A, typename B, typename C, typename F>
[[gnu::always_inline]] inline void ternary(Warp& w, const Op& op, F f) {
  const A* a = w.in<A>(op.a);
  const B* b = w.in<B>(op.b);
  const C* c = w.in<C>(op.c);
  each(w, w.out<D>(op.dst), [=](unsigned l) { return static_cast<D>(f(a[l], b[l], c[l])); });
}

template <typename T> using U = unsigned_of<T>;

// Arithmetic wraps: it is done unsigned.
template <typename T> struct Add { static void run(Warp& w, const Op& op) { binary<U<T>, U<T>, U<T>>(w, op, [](U<T> a, U<T> b) { return a + b; }); } };
template <typename T> struct Sub { static void run(Warp& w, const Op& op) { binary<U<T>, U<T>, U<T>>(w, op, [](U<T> a, U<T> b) { return a - b; }); } };
template <typename T> struct Min { static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return a < b ? a : b; }); } };
template <typename T> struct Max { static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return a > b ? a : b; }); } };
template <typename T> struct MinRelu {
  static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { const T m = a < b ? a : b; return m > 0 ? m : T(0); }); }
};
template <typename T> struct MaxRelu {
  static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { const T m = a > b ? a : b; return m > 0 ? m : T(0); }); }
};
template <typename T> struct Mul {
  static void run(Warp& w, const Op& op) { binary<U<T>, U<T>, U<T>>(w, op, [](U<T> a, U<T> b) { return static_cast<U<T>>(std::uint64_t{a} * b); }); }
};
template <typename T> struct MulHi {
  static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return static_cast<T>((wide_t<T>{a} * b) >> (8 * sizeof(T))); }); }
};
template <typename T> struct MulWide { static void run(Warp& w, const Op& op) { binary<wide_t<T>, T, T>(w, op, [](T a, T b) { return wide_t<T>{a} * b; }); } };
template <typename T> struct Mad {
  static void run(Warp& w, const Op& op) {
    ternary<U<T>, U<T>, U<T>, U<T>>(w, op, [](U<T> a, U<T> b, U<T> c) { return static_cast<U<T>>(std::uint64_t{a} * b + c); });
  }
};
template <typename T> struct MadHi {
  static void run(Warp& w, const Op& op) {
    ternary<U<T>, T, T, U<T>>(w, op, [](T a, T b, U<T> c) { return static_cast<U<T>>(static_cast<U<T>>((wide_t<T>{a} * b) >> (8 * sizeof(T))) + c); });
  }
};
template <typename T> struct MadHiSat {  // s32 only
  static void run(Warp& w, const Op& op) {
    ternary<T, T, T, T>(w, op, [](T a, T b, T c) {
      const std::int64_t sum = ((std::int64_t{a} * b) >> 32) + c;
      return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    });
  }
};
template <typename T> struct MadWide {
  using D = wide_t<T>;
  static void run(Warp& w, const Op& op) {
    ternary<U<D>, T, T, U<D>>(w, op, [](T a, T b, U<D> c) { return static_cast<U<D>>(static_cast<U<D>>(D{a} * b) + c); });
  }
};
template <typename T, bool add> void saturating(Warp& w, const Op& op) {  // s32
  binary<T, T, T>(w, op, [](T a, T b) {
    const std::int64_t sum = add ? std::int64_t{a} + b : std::int64_t{a} - b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  });
}

std::int32_t low24(std::int32_t v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(v) << 8) >> 8; }
std::uint32_t low24(std::uint32_t v) { return v & 0xffffff; }
template <typename T, bool high, bool add> void mul24(Warp& w, const Op& op) {
  ternary<T, T, T, T>(w, op, [](T a, T b, T c) {
    const auto product = wide_t<T>{low24(a)} * low24(b);
    return static_cast<T>(static_cast<std::uint32_t>(high ? product >> 16 : product) + (add ? static_cast<std::uint32_t>(c) : 0u));
  });
}

/// Division by zero gives all ones, as on hardware; the smallest number by -1 itself.
template <typename T> T divide(T a, T b) {
  if (b == 0) return static_cast<T>(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return static_cast<T>(U<T>(0) - static_cast<U<T>>(a));
  return static_cast<T>(a / b);
}
template <typename T> T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return 0;
  return static_cast<T>(a % b);
}
template <typename T> struct Div {
  static void run(Warp& w, const Op& op) {
    const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
    T* d = w.out<T>(op.dst);
    each_active(w.active, [=](unsigned l) { d[l] = divide(a[l], b[l]); });
  }
};
template <typename T> struct Rem {
  static void run(Warp& w, const Op& op) {
    const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
    T* d = w.out<T>(op.dst);
    each_active(w.active, [=](unsigned l) { d[l] = remainder(a[l], b[l]); });
  }
};

template <typename T> struct Neg { static void run(Warp& w, const Op& op) { unary<U<T>, U<T>>(w, op, [](U<T> a) { return U<T>(0) - a; }); } };
template <typename T> struct Abs { static void run(Warp& w, const Op& op) { unary<U<T>, T>(w, op, [](T a) { return a < 0 ? U<T>(0) - static_cast<U<T>>(a) : static_cast<U<T>>(a); }); } };
template <typename T> struct Sad {
  static void run(Warp& w, const Op& op) {
    ternary<U<T>, T, T, U<T>>(w, op, [](T a, T b, U<T> c) { return static_cast<U<T>>((a < b ? static_cast<U<T>>(b) - static_cast<U<T>>(a) : static_cast<U<T>>(a) - static_cast<U<T>>(b)) + c); });
  }
};
template <typename T> struct And { static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return a & b; }); } };
template <typename T> struct Or { static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return a | b; }); } };
template <typename T> struct Xor { static void run(Warp& w, const Op& op) { binary<T, T, T>(w, op, [](T a, T b) { return a ^ b; }); } };
template <typename T> struct Not { static void run(Warp& w, const Op& op) { unary<T, T>(w, op, [](T a) { return ~a; }); } };
template <typename T> struct Cnot { static void run(Warp& w, const Op& op) { unary<T, T>(w, op, [](T a) { return a == 0 ? 1 : 0; }); } };
template <typename T> struct Mov { static void run(Warp& w, const Op& op) { unary<T, T>(w, op, [](T a) { return a; }); } };
template <typename T> struct Selp {
  static void run(Warp& w, const Op& op) {
    const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
    const std::uint32_t p = mask_of(w, op.c);
    each(w, w.out<T>(op.dst), [=](unsigned l) { return p & bits.of[l] ? a[l] : b[l]; });
  }
};
template <typename T> struct SlctS32 { static void run(Warp& w, const Op& op) { ternary<T, T, T, std::int32_t>(w, op, [](T a, T b, std::int32_t c) { return c >= 0 ? a : b; }); } };
template <typename T> struct SlctF32 { static void run(Warp& w, const Op& op) { ternary<T, T, T, float>(w, op, [](T a, T b, float c) { return c >= 0 ? a : b; }); } };

/// Amounts beyond the width shift everything out.
template <typename T> struct Shl {
  static void run(Warp& w, const Op& op) {
    binary<T, T, std::uint32_t>(w, op, [](T a, std::uint32_t s) { return s < 8 * sizeof(T) ? static_cast<T>(static_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(a) << s) : T(0); });
  }
};
template <typename T> struct Shr {
  static void run(Warp& w, const Op& op) {
    constexpr std::uint32_t most = 8 * sizeof(T) - 1;
    binary<T, T, std::uint32_t>(w, op, [](T a, std::uint32_t s) {
      if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (s < most ? s : most));
      else return s <= most ? static_cast<T>(a >> s) : T(0);
    });
  }
};

template <typename T> struct Popc { static void run(Warp& w, const Op& op) { unary<std::uint32_t, T>(w, op, [](T a) { return std::popcount(a); }); } };
template <typename T> struct Clz { static void run(Warp& w, const Op& op) { unary<std::uint32_t, T>(w, op, [](T a) { return std::countl_zero(a); }); } };
template <typename T> T reversed(T v) {
  T r = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) r = static_cast<T>(r | (v >> i & 1) << (8 * sizeof(T) - 1 - i));
  return r;
}
template <typename T> struct Brev { static void run(Warp& w, const Op& op) { unary<T, T>(w, op, [](T a) { return reversed(a); }); } };
template <typename T, bool amount> std::uint32_t find_bit(T a) {
  U<T> v = static_cast<U<T>>(a);
  if constexpr (std::is_signed_v<T>)
    if (a < 0) v = ~v;
  if (v == 0) return ~0u;
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(v));
  return amount ? zeros : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros;
}
template <typename T> struct Bfind { static void run(Warp& w, const Op& op) { unary<std::uint32_t, T>(w, op, [](T a) { return find_bit<T, false>(a); }); } };
template <typename T> struct BfindAmount { static void run(Warp& w, const Op& op) { unary<std::uint32_t, T>(w, op, [](T a) { return find_bit<T, true>(a); }); } };

template <typename T> T extract(T a, std::uint32_t position, std::uint32_t length) {
  constexpr std::uint32_t width = 8 * sizeof(T);
  const std::uint32_t pos = position & 0xff, len = length & 0xff;
  const U<T> v = static_cast<U<T>>(a);
  const std::uint32_t last = len == 0 ? 0 : pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
  const bool sign = std::is_signed_v<T> && len != 0 && (v >> last & 1);
  U<T> d = pos < width ? static_cast<U<T>>(v >> pos) : U<T>(0);
  if (len < width) d &= static_cast<U<T>>((U<T>(1) << len) - 1);
  // Bits above the field, and those that the field takes from beyond the register's end, are copies of the sign.
  const std::uint32_t taken = pos >= width ? 0 : len < width - pos ? len : width - pos;
  if (sign && taken < width) d |= static_cast<U<T>>(~U<T>(0) << taken);
  return static_cast<T>(d);
}
template <typename T> struct Bfe {
  static void run(Warp& w, const Op& op) {
    ternary<T, T, std::uint32_t, std::uint32_t>(w, op, [](T a, std::uint32_t p, std::uint32_t n) { return extract(a, p, n); });
  }
};
template <typename T> struct Bfi {
  static void run(Warp& w, const Op& op) {
    const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
    const auto *p = w.in<std::uint32_t>(op.c), *n = w.in<std::uint32_t>(op.d);
    each(w, w.out<T>(op.dst), [=](unsigned l) {
      constexpr std::uint32_t width = 8 * sizeof(T);
      const std::uint32_t pos = p[l] & 0xff, len = n[l] & 0xff;
      if (pos >= width || len == 0) return b[l];
      const T field = static_cast<T>((len < width ? (T(1) << len) - 1 : ~T(0)) << pos);
      return static_cast<T>((b[l] & ~field) | (static_cast<T>(a[l] << pos) & field));
    });
  }
};
template <bool clamp> void bmsk(Warp& w, const Op& op) {
  binary<std::uint32_t, std::uint32_t, std::uint32_t>(w, op, [](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t from = clamp ? a : a & 31, length = clamp ? b : b & 31;
    if (from >= 32 || length == 0) return 0u;
    return (length >= 32 ? ~0u : (1u << length) - 1) << from;
  });
}
template <bool left, bool clamp> void shf(Warp& w, const Op& op) {
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(w, op, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t n = clamp ? (c < 32 ? c : 32) : c & 31;
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<std::uint32_t>(left ? (n == 32 ? std::uint64_t{a} : both << n >> 32) : both >> n);
  });
}
void lop3(Warp& w, const Op& op) {
  const auto table = static_cast<std::uint32_t>(op.imm);
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(w, op, [table](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t d = 0;
    for (unsigned i = 0; i < 8; ++i)
      if (table >> i & 1) d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return d;
  });
}

std::uint32_t permute(std::uint64_t from, std::uint32_t selector) {
  std::uint32_t d = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t s = selector >> (4 * i) & 15;
    std::uint32_t byte = static_cast<std::uint32_t>(from >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;
    d |= byte << (8 * i);
  }
  return d;
}
std::uint32_t permute_mode(std::string_view mode, std::uint32_t n) {
  n &= 3;
  if (mode == "f4e") return (n) | (n + 1) << 4 | (n + 2) << 8 | (n + 3) << 12;
  if (mode == "b4e") return (n) | ((n - 1) & 7) << 4 | ((n - 2) & 7) << 8 | ((n - 3) & 7) << 12;
  if (mode == "rc8") return n * 0x1111;
  if (mode == "ecl") return (n > 0 ? n : 0) | (n > 1 ? n : 1) << 4 | (n > 2 ? n : 2) << 8 | 3 << 12;
  if (mode == "ecr") return 0 | (n < 1 ? n : 1) << 4 | (n < 2 ? n : 2) << 8 | n << 12;
  const std::uint32_t half = 2 * (n & 1);  // rc16
  return half | (half + 1) << 4 | half << 8 | (half + 1) << 12;
}
void prmt(Warp& w, const Op& op) {
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
      w, op, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return permute(std::uint64_t{b} << 32 | a, c); });
}
void prmt_mode(Warp& w, const Op& op) {
  const std::string_view mode = op.extra->text;
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
      w, op, [mode](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return permute(std::uint64_t{b} << 32 | a, permute_mode(mode, c)); });
}

// --- with the condition code

template <typename T, bool subtract, bool in, bool out> void carry_chain(Warp& w, const Op& op) {
  const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
  T* d = w.out<T>(op.dst);
  each_active(w.active, [&](unsigned l) {
    const unsigned carry = in ? w.carry >> l & 1 : 0;
    T sum;
    bool over;
    if (subtract) {
      over = __builtin_sub_overflow(a[l], b[l], &sum);
      over |= __builtin_sub_overflow(sum, static_cast<T>(carry), &sum);
    } else {
      over = __builtin_add_overflow(a[l], b[l], &sum);
      over |= __builtin_add_overflow(sum, static_cast<T>(carry), &sum);
    }
    d[l] = sum;
    if (out) w.carry = (w.carry & ~(1u << l)) | static_cast<std::uint32_t>(over) << l;
  });
}
template <typename T, bool subtract> Handler carry_chain_for(const Shape& s) {
  if (s.carry_in) return s.carry_out ? &carry_chain<T, subtract, true, true> : &carry_chain<T, subtract, true, false>;
  return &carry_chain<T, subtract, false, true>;
}
template <typename T, bool high, bool in, bool out> void mad_carry(Warp& w, const Op& op) {
  const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
  const auto* c = w.in<U<T>>(op.c);
  auto* d = w.out<U<T>>(op.dst);
  each_active(w.active, [&](unsigned l) {
    const auto product = wide_t<T>{a[l]} * b[l];
    const auto part = static_cast<U<T>>(high ? product >> (8 * sizeof(T)) : product);
    U<T> sum;
    bool over = __builtin_add_overflow(part, c[l], &sum);
    over |= __builtin_add_overflow(sum, static_cast<U<T>>(in ? w.carry >> l & 1 : 0), &sum);
    d[l] = sum;
    if (out) w.carry = (w.carry & ~(1u << l)) | static_cast<std::uint32_t>(over) << l;
  });
}
template <typename T, bool high> Handler mad_carry_for(const Shape& s) {
  if (s.carry_in) return s.carry_out ? &mad_carry<T, high, true, true> : &mad_carry<T, high, true, false>;
  return &mad_carry<T, high, false, true>;
}
Handler carry_handler(const Shape& s) {
  const bool is_64 = s.type.bits == 64;
  if (s.type.bits != 32 && !is_64) return nullptr;
  if (s.opcode == "add") return is_64 ? carry_chain_for<std::uint64_t, false>(s) : carry_chain_for<std::uint32_t, false>(s);
  if (s.opcode == "sub") return is_64 ? carry_chain_for<std::uint64_t, true>(s) : carry_chain_for<std::uint32_t, true>(s);
  if (s.opcode != "mad") return nullptr;
  const bool high = s.variant == "hi", sign = s.type.is_signed();
  if (s.variant != "lo" && !high) return nullptr;
  if (!high) return is_64 ? mad_carry_for<std::uint64_t, false>(s) : mad_carry_for<std::uint32_t, false>(s);
  if (is_64) return sign ? mad_carry_for<std::int64_t, true>(s) : mad_carry_for<std::uint64_t, true>(s);
  return sign ? mad_carry_for<std::int32_t, true>(s) : mad_carry_for<std::uint32_t, true>(s);
}

// --- predicates

template <char what> void predicate_logic(Warp& w, const Op& op) {
  const std::uint32_t a = mask_of(w, op.a), b = op.b == no_ref ? 0 : mask_of(w, op.b);
  set_predicate(w, op.dst, what == '&' ? a & b : what == '|' ? a | b : what == '^' ? a ^ b : what == '!' ? ~a : a);
}
Handler predicate_handler(const Shape& s) {
  if (s.opcode == "and") return &predicate_logic<'&'>;
  if (s.opcode == "or") return &predicate_logic<'|'>;
  if (s.opcode == "xor") return &predicate_logic<'^'>;
  if (s.opcode == "not") return &predicate_logic<'!'>;
  if (s.opcode == "mov") return &predicate_logic<'='>;
  return nullptr;
}

/// dp4a, dp2a: T and V are the element types of a and b.
template <typename A, typename B> void dot4(Warp& w, const Op& op) {
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(w, op, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 4; ++i) c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (8 * i))} * std::int32_t{static_cast<B>(b >> (8 * i))});
    return c;
  });
}
template <typename A, typename B, bool high> void dot2(Warp& w, const Op& op) {
  ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(w, op, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 2; ++i)
      c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (16 * i))} * std::int32_t{static_cast<B>(b >> (8 * i + (high ? 16 : 0)))});
    return c;
  });
}
Handler dot_handler(const Shape& s) {
  const bool a = s.type.is_signed(), b = s.from.is_signed();
  if (s.type.bits != 32 || s.from.bits != 32) return nullptr;
  using u8 = std::uint8_t; using i8 = std::int8_t; using u16 = std::uint16_t; using i16 = std::int16_t;
  if (s.opcode == "dp4a") return a ? (b ? &dot4<i8, i8> : &dot4<i8, u8>) : (b ? &dot4<u8, i8> : &dot4<u8, u8>);
  if (s.variant == "hi") return a ? (b ? &dot2<i16, i8, true> : &dot2<i16, u8, true>) : (b ? &dot2<u16, i8, true> : &dot2<u16, u8, true>);
  if (s.variant == "lo") return a ? (b ? &dot2<i16, i8, false> : &dot2<i16, u8, false>) : (b ? &dot2<u16, i8, false> : &dot2<u16, u8, false>);
  return nullptr;
}

Handler multiply_handler(const Shape& s) {
  const bool mad = s.opcode == "mad";
  if (s.variant == "lo") return mad ? for_integer<Mad>(s.type) : for_integer<Mul>(s.type);
  if (s.variant == "hi") {
    if (s.sat) return mad && s.type == ptx::Type{Kind::signed_, 32} ? &MadHiSat<std::int32_t>::run : nullptr;
    return mad ? for_integer<MadHi>(s.type) : for_integer<MulHi>(s.type);
  }
  if (s.variant != "wide") return nullptr;
  switch (key(s.type)) {
    case key_of<Kind::unsigned_, 16>: return mad ? &MadWide<std::uint16_t>::run : &MulWide<std::uint16_t>::run;
    case key_of<Kind::signed_, 16>: return mad ? &MadWide<std::int16_t>::run : &MulWide<std::int16_t>::run;
    case key_of<Kind::unsigned_, 32>: return mad ? &MadWide<std::uint32_t>::run : &MulWide<std::uint32_t>::run;
    case key_of<Kind::signed_, 32>: return mad ? &MadWide<std::int32_t>::run : &MulWide<std::int32_t>::run;
    default: return nullptr;
  }
}

Handler arithmetic_handler(const Shape& s) {
  const bool s32 = s.type == ptx::Type{Kind::signed_, 32};
  if (s.carry_in || s.carry_out) return carry_handler(s);
  if (s.opcode == "add") return s.sat ? (s32 ? &saturating<std::int32_t, true> : nullptr) : for_integer<Add>(s.type);
  if (s.opcode == "sub") return s.sat ? (s32 ? &saturating<std::int32_t, false> : nullptr) : for_integer<Sub>(s.type);
  if (s.opcode == "mul" || s.opcode == "mad") return multiply_handler(s);
  if (s.opcode == "mul24" || s.opcode == "mad24") {
    const bool add = s.opcode == "mad24", high = s.variant == "hi", sign = s.type.is_signed();
    if (s.sat || s.type.bits != 32 || (!high && s.variant != "lo")) return nullptr;
    using i = std::int32_t; using u = std::uint32_t;
    if (add) return high ? (sign ? &mul24<i, true, true> : &mul24<u, true, true>) : (sign ? &mul24<i, false, true> : &mul24<u, false, true>);
    return high ? (sign ? &mul24<i, true, false> : &mul24<u, true, false>) : (sign ? &mul24<i, false, false> : &mul24<u, false, false>);
  }
  if (s.opcode == "div") return for_integer<Div>(s.type);
  if (s.opcode == "rem") return for_integer<Rem>(s.type);
  if (s.opcode == "min") return s.relu ? (s32 ? &MinRelu<std::int32_t>::run : nullptr) : for_integer<Min>(s.type);
  if (s.opcode == "max") return s.relu ? (s32 ? &MaxRelu<std::int32_t>::run : nullptr) : for_integer<Max>(s.type);
  if (s.opcode == "neg") return for_integer<Neg>(s.type);
  if (s.opcode == "abs") return for_integer<Abs>(s.type);
  if (s.opcode == "sad") return for_integer<Sad>(s.type);
  return nullptr;
}

Handler bit_handler(const Shape& s) {
  if (s.opcode == "popc") return s.type.bits == 64 ? &Popc<std::uint64_t>::run : s.type.bits == 32 ? &Popc<std::uint32_t>::run : nullptr;
  if (s.opcode == "clz") return s.type.bits == 64 ? &Clz<std::uint64_t>::run : s.type.bits == 32 ? &Clz<std::uint32_t>::run : nullptr;
  if (s.opcode == "brev") return s.type.bits == 64 ? &Brev<std::uint64_t>::run : s.type.bits == 32 ? &Brev<std::uint32_t>::run : nullptr;
  if (s.opcode == "bfind") return s.variant == "shiftamt" ? for_integer<BfindAmount>(s.type) : for_integer<Bfind>(s.type);
  if (s.opcode == "bfe") return for_integer<Bfe>(s.type);
  if (s.opcode == "bfi") return s.type.bits == 64 ? &Bfi<std::uint64_t>::run : s.type.bits == 32 ? &Bfi<std::uint32_t>::run : nullptr;
  if (s.opcode == "bmsk") return s.variant == "clamp" ? &bmsk<true> : s.variant == "wrap" ? &bmsk<false> : nullptr;
  if (s.opcode == "shf.l") return s.variant == "clamp" ? &shf<true, true> : s.variant == "wrap" ? &shf<true, false> : nullptr;
  if (s.opcode == "shf.r") return s.variant == "clamp" ? &shf<false, true> : s.variant == "wrap" ? &shf<false, false> : nullptr;
  if (s.opcode == "lop3") return &lop3;
  if (s.opcode == "prmt") return s.variant.empty() ? &prmt : &prmt_mode;
  if (s.opcode == "dp4a" || s.opcode == "dp2a") return dot_handler(s);
  return nullptr;
}

}  // namespace

Handler integer_handler(const Shape& s) {
  if (s.type.kind == Kind::predicate) return predicate_handler(s);
  if (s.opcode == "and") return for_bits<And>(s.type);
  if (s.opcode == "or") return for_bits<Or>(s.type);
  if (s.opcode == "xor") return for_bits<Xor>(s.type);
  if (s.opcode == "not") return for_bits<Not>(s.type);
  if (s.opcode == "cnot") return for_bits<Cnot>(s.type);
  if (s.opcode == "mov") return for_bits<Mov>(s.type);
  if (s.opcode == "selp") return for_bits<Selp>(s.type);
  if (s.opcode == "slct") return s.from.is_float() ? for_bits<SlctF32>(s.type) : for_bits<SlctS32>(s.type);
  if (s.opcode == "shl") return for_bits<Shl>(s.type);
  if (s.opcode == "shr") return for_integer<Shr>(s.type);
  if (Handler found = bit_handler(s)) return found;
  return arithmetic_handler(s);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
