// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f16, bf16, f32 and f64. Half precision is computed in f32, which is exact enough: one operation on f16 or bf16 values rounds the same either way
// for add, sub and mul; fma goes through f64.
#include <cmath>

#include "softgpu/exec/approximate.hpp"
#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

template <typename T> using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

struct Plain { static constexpr bool ftz = false, sat = false, relu = false; };
struct Ftz { static constexpr bool ftz = true, sat = false, relu = false; };
struct Sat { static constexpr bool ftz = false, sat = true, relu = false; };
struct FtzSat { static constexpr bool ftz = true, sat = true, relu = false; };
struct Relu { static constexpr bool ftz = false, sat = false, relu = true; };

template <typename M, typename T>
[[gnu::always_inline]] inline Wide<T> input(T value) {
  if constexpr (M::ftz && std::is_same_v<T, float>) return flush(value);
  else return to_float(value);
}
template <typename M, typename T>
[[gnu::always_inline]] inline T output(Wide<T> value) {
  if constexpr (M::sat) value = saturate(value);
  if constexpr (M::relu) value = value > 0 ? value : Wide<T>(0);
  if constexpr (M::ftz && std::is_same_v<T, float>) value = flush(value);
  if constexpr (std::is_same_v<T, double>) return value;
  else return from_float<T>(value);
}

template <typename T, typename M, typename F>
[[gnu::always_inline]] inline void unary(Warp& w, const Op& op, F f) {
  const T* a = w.in<T>(op.a);
  each(w, w.out<T>(op.dst), [=](unsigned l) { return output<M, T>(f(input<M>(a[l]))); });
}
template <typename T, typename M, typename F>
[[gnu::always_inline]] inline void binary(Warp& w, const Op& op, F f) {
  const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
  each(w, w.out<T>(op.dst), [=](unsigned l) { return output<M, T>(f(input<M>(a[l]), input<M>(b[l]))); });
}

template <typename T, typename M> struct Add { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return a + b; }); } };
template <typename T, typename M> struct Sub { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return a - b; }); } };
template <typename T, typename M> struct Mul { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return a * b; }); } };
template <typename T, typename M> struct Div { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return a / b; }); } };
template <typename T, typename M> struct Fma {
  static void run(Warp& w, const Op& op) {
    const T *a = w.in<T>(op.a), *b = w.in<T>(op.b), *c = w.in<T>(op.c);
    if constexpr (sizeof(T) == 2) {
      each(w, w.out<T>(op.dst), [=](unsigned l) {
        // The product is exact in f64; the sum is rounded there once more where its bits span more than 53.
        const double sum = static_cast<double>(to_float(a[l])) * to_float(b[l]) + to_float(c[l]);
        if constexpr (std::is_same_v<T, half> && !M::sat && !M::relu) return static_cast<half>(sum);
        else return output<M, T>(static_cast<float>(sum));
      });
    } else {
      each(w, w.out<T>(op.dst), [=](unsigned l) { return output<M, T>(std::fma(input<M>(a[l]), input<M>(b[l]), input<M>(c[l]))); });
    }
  }
};

/// NaN only where both are, unless `nan`; -0 is less than +0.
template <bool greatest, bool nan, typename F>
[[gnu::always_inline]] inline F extreme(F a, F b) {
  const bool less = a < b || (a == b && std::signbit(a));
  const F chosen = less != greatest ? a : b;
  if (nan) return a != a ? a : b != b ? b : chosen;
  return a != a ? b : b != b ? a : chosen;
}
template <typename T, typename M> struct Min { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return extreme<false, false>(a, b); }); } };
template <typename T, typename M> struct Max { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return extreme<true, false>(a, b); }); } };
template <typename T, typename M> struct MinNan { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return extreme<false, true>(a, b); }); } };
template <typename T, typename M> struct MaxNan { static void run(Warp& w, const Op& op) { binary<T, M>(w, op, [](auto a, auto b) { return extreme<true, true>(a, b); }); } };

// Signs are bits: NaN keeps its own.
template <typename T, typename M> struct Neg {
  static void run(Warp& w, const Op& op) {
    using B = unsigned_of<T>;
    const T* a = w.in<T>(op.a);
    each(w, w.out<B>(op.dst), [=](unsigned l) { return static_cast<B>(std::bit_cast<B>(M::ftz ? output<M, T>(input<M>(a[l])) : a[l]) ^ B{1} << (8 * sizeof(T) - 1)); });
  }
};
template <typename T, typename M> struct Abs {
  static void run(Warp& w, const Op& op) {
    using B = unsigned_of<T>;
    const T* a = w.in<T>(op.a);
    each(w, w.out<B>(op.dst), [=](unsigned l) { return static_cast<B>(std::bit_cast<B>(M::ftz ? output<M, T>(input<M>(a[l])) : a[l]) & ~(B{1} << (8 * sizeof(T) - 1))); });
  }
};
/// a's sign with b's value.
template <typename B> void copysign(Warp& w, const Op& op) {
  constexpr B sign = B{1} << (8 * sizeof(B) - 1);
  const B *a = w.in<B>(op.a), *b = w.in<B>(op.b);
  each(w, w.out<B>(op.dst), [=](unsigned l) { return static_cast<B>((a[l] & sign) | (b[l] & ~sign)); });
}

template <typename T, typename M> struct Sqrt { static void run(Warp& w, const Op& op) { unary<T, M>(w, op, [](auto a) { return std::sqrt(a); }); } };
template <typename T, typename M> struct Rcp { static void run(Warp& w, const Op& op) { unary<T, M>(w, op, [](auto a) { return 1 / a; }); } };
template <typename T, typename M> struct Rsqrt { static void run(Warp& w, const Op& op) { unary<T, M>(w, op, [](auto a) { return static_cast<decltype(a)>(1 / std::sqrt(static_cast<double>(a))); }); } };

template <typename T, typename M, auto f>
void function(Warp& w, const Op& op) { unary<T, M>(w, op, [](auto a) { return f(a); }); }

/// rcp and rsqrt of f64 as .approx.ftz: the lower half of the result is zero.
template <bool root> void coarse64(Warp& w, const Op& op) {
  const double* a = w.in<double>(op.a);
  each(w, w.out<double>(op.dst), [=](unsigned l) {
    const double r = root ? 1 / std::sqrt(a[l]) : 1 / a[l];
    return r - r == 0 ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(r) & 0xffffffff00000000) : r;
  });
}

/// One of an operation's variants, under another rounding mode.
template <auto run, Rounding mode>
void rounded(Warp& w, const Op& op) {
  const WithRounding scope(mode);
  run(w, op);
}
template <auto run>
Handler with_rounding(Rounding mode) {
  switch (mode) {
    case Rounding::none: case Rounding::rn: return run;
    case Rounding::rz: return &rounded<run, Rounding::rz>;
    case Rounding::rm: return &rounded<run, Rounding::rm>;
    case Rounding::rp: return &rounded<run, Rounding::rp>;
    default: return nullptr;
  }
}

template <template <typename, typename> class Body>
Handler pick(const Shape& s) {
  switch (key(s.type)) {
    case key_of<Kind::floating, 32>:
      if (s.relu) return nullptr;
      if (s.ftz) return s.sat ? with_rounding<&Body<float, FtzSat>::run>(s.rounding) : with_rounding<&Body<float, Ftz>::run>(s.rounding);
      return s.sat ? with_rounding<&Body<float, Sat>::run>(s.rounding) : with_rounding<&Body<float, Plain>::run>(s.rounding);
    case key_of<Kind::floating, 64>: return s.ftz || s.sat || s.relu ? nullptr : with_rounding<&Body<double, Plain>::run>(s.rounding);
    case key_of<Kind::floating, 16>:
      if (s.rounding != Rounding::none && s.rounding != Rounding::rn) return nullptr;
      return s.relu ? &Body<half, Relu>::run : s.sat ? &Body<half, Sat>::run : &Body<half, Plain>::run;
    case key_of<Kind::brain, 16>:
      if (s.rounding != Rounding::none && s.rounding != Rounding::rn) return nullptr;
      return s.relu ? &Body<brain, Relu>::run : s.sat ? nullptr : &Body<brain, Plain>::run;
    default: return nullptr;
  }
}

template <float (*f)(float)>
Handler approximate(const Shape& s) {
  switch (key(s.type)) {
    case key_of<Kind::floating, 32>: return s.ftz ? &function<float, Ftz, f> : &function<float, Plain, f>;
    case key_of<Kind::floating, 16>: return &function<half, Plain, f>;
    case key_of<Kind::brain, 16>: return &function<brain, Plain, f>;
    default: return nullptr;
  }
}

}  // namespace

Handler float_handler(const Shape& s) {
  if (!s.type.is_float()) return nullptr;
  if (s.opcode == "add") return pick<Add>(s);
  if (s.opcode == "sub") return pick<Sub>(s);
  if (s.opcode == "mul") return pick<Mul>(s);
  if (s.opcode == "fma" || s.opcode == "mad") return pick<Fma>(s);
  if (s.opcode == "div") return pick<Div>(s);
  if (s.opcode == "min") return s.nan ? pick<MinNan>(s) : pick<Min>(s);
  if (s.opcode == "max") return s.nan ? pick<MaxNan>(s) : pick<Max>(s);
  if (s.opcode == "neg") return pick<Neg>(s);
  if (s.opcode == "abs") return pick<Abs>(s);
  if (s.opcode == "copysign") return s.type.bits == 64 ? &copysign<std::uint64_t> : s.type.bits == 32 ? &copysign<std::uint32_t> : nullptr;
  if (s.opcode == "sqrt") return pick<Sqrt>(s);
  if (s.opcode == "rcp") return s.type.bits == 64 && s.approx ? &coarse64<false> : pick<Rcp>(s);
  if (s.opcode == "rsqrt") return s.type.bits == 64 && s.ftz ? &coarse64<true> : pick<Rsqrt>(s);
  if (s.opcode == "ex2") return approximate<exp2_of>(s);
  if (s.opcode == "lg2") return approximate<log2_of>(s);
  if (s.opcode == "sin") return approximate<sin_of>(s);
  if (s.opcode == "cos") return approximate<cos_of>(s);
  if (s.opcode == "tanh") return approximate<tanh_of>(s);
  return nullptr;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
