// SPDX-License-Identifier: Apache-2.0
// cvt, and the changes of width that other instructions imply.
#include <cmath>
#include <limits>

#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

// imm of a conversion holds what few of them need.
constexpr std::uint64_t flag_ftz = 1, flag_sat = 2, flag_relu = 4;

// --- integer to integer

template <typename D, typename S>
void resize(Warp& w, const Op& op) {
  const S* a = w.in<S>(op.a);
  each(w, w.out<D>(op.dst), [=](unsigned l) { return static_cast<D>(a[l]); });
}
template <typename D, typename S>
void clamp(Warp& w, const Op& op) {
  const S* a = w.in<S>(op.a);
  D* d = w.out<D>(op.dst);
  each_active(w.active, [=](unsigned l) {
    const auto v = static_cast<int128>(a[l]);
    constexpr auto low = static_cast<int128>(std::numeric_limits<D>::min()), high = static_cast<int128>(std::numeric_limits<D>::max());
    d[l] = static_cast<D>(v < low ? low : v > high ? high : v);
  });
}

// --- float to integer

template <Rounding mode, typename F>
[[gnu::always_inline]] inline F integral(F v) {
  if constexpr (mode == Rounding::rz) return std::trunc(v);
  else if constexpr (mode == Rounding::rm) return std::floor(v);
  else if constexpr (mode == Rounding::rp) return std::ceil(v);
  else return std::nearbyint(v);
}
/// Beyond the range the nearest number of it; NaN becomes 0.
template <typename D, typename S, Rounding mode>
void to_integer(Warp& w, const Op& op) {
  const S* a = w.in<S>(op.a);
  each(w, w.out<D>(op.dst), [=](unsigned l) {
    using F = decltype(to_float(a[l]));
    // 2^n, which the largest number is just below.
    constexpr F above = static_cast<F>(D{1} << (std::numeric_limits<D>::digits - 1)) * 2;
    constexpr F low = std::is_signed_v<D> ? -above : F(0);
    const F v = integral<mode>(to_float(a[l]));
    const F inside = v >= low && v < above ? v : F(0);
    const D converted = static_cast<D>(inside);
    return v >= above ? std::numeric_limits<D>::max() : v < low ? std::numeric_limits<D>::min() : converted;
  });
}

// --- integer to float

template <typename D, typename S, Rounding mode>
void from_integer(Warp& w, const Op& op) {
  const S* a = w.in<S>(op.a);
  const auto convert = [&] {
    each(w, w.out<D>(op.dst), [=](unsigned l) {
      // Half precision: f64 holds all that doesn't overflow, so that one rounding remains.
      if constexpr (std::is_same_v<D, half>) return static_cast<half>(static_cast<double>(a[l]));
      else if constexpr (std::is_same_v<D, brain>) return from_float<brain>(static_cast<float>(a[l]));
      else return static_cast<D>(a[l]);
    });
  };
  if constexpr (mode == Rounding::rn) return convert();
  const WithRounding scope(mode);
  convert();
}

// --- float to float

/// To a half of either kind, towards zero.
template <typename D>
D towards_zero(float v) {
  if constexpr (std::is_same_v<D, brain>) {
    return v != v ? brain{0x7fff} : brain{static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(v) >> 16)};
  } else {
    half h = static_cast<half>(v);
    if (std::isinf(v) || v != v) return h;
    auto b = std::bit_cast<std::uint16_t>(h);
    if (std::fabs(static_cast<float>(h)) > std::fabs(v)) h = std::bit_cast<half>(--b);
    return h;
  }
}
template <typename D, typename S, Rounding mode>
void to_float_type(Warp& w, const Op& op) {
  const S* a = w.in<S>(op.a);
  const bool ftz = op.imm & flag_ftz, sat = op.imm & flag_sat, relu = op.imm & flag_relu;
  const auto convert = [&] {
    each(w, w.out<D>(op.dst), [=](unsigned l) {
      auto v = to_float(a[l]);
      if constexpr (std::is_same_v<S, float>) v = ftz ? flush(v) : v;
      if (sat) v = saturate(v);
      if (relu) v = v > 0 || v != v ? v : decltype(v)(0);
      if constexpr (std::is_same_v<D, double>) return static_cast<double>(v);
      else if constexpr (std::is_same_v<D, float>) {
        const float f = static_cast<float>(v);
        return ftz ? flush(f) : f;
      } else if constexpr (mode == Rounding::rz) return towards_zero<D>(static_cast<float>(v));
      else if constexpr (std::is_same_v<D, half>) return static_cast<half>(v);
      else return from_float<D>(static_cast<float>(v));
    });
  };
  if constexpr (std::is_same_v<D, float> && std::is_same_v<S, double> && mode != Rounding::rn) {
    const WithRounding scope(mode);
    convert();
  } else {
    convert();
  }
}
/// cvt.rni.f32.f32 and the like.
template <typename T, Rounding mode>
void to_integral(Warp& w, const Op& op) {
  const T* a = w.in<T>(op.a);
  const bool ftz = op.imm & flag_ftz, sat = op.imm & flag_sat;
  each(w, w.out<T>(op.dst), [=](unsigned l) {
    auto v = to_float(a[l]);
    if constexpr (std::is_same_v<T, float>) v = ftz ? flush(v) : v;
    v = integral<mode>(v);
    if (sat) v = saturate(v);
    if constexpr (std::is_same_v<T, double>) return v;
    else return from_float<T>(v);
  });
}

// --- choosing

template <typename F>
Handler for_each_integer(ptx::Type type, F f) {
  switch (key(type)) {
    case key_of<Kind::unsigned_, 8>: case key_of<Kind::bits, 8>: return f(std::uint8_t{});
    case key_of<Kind::unsigned_, 16>: case key_of<Kind::bits, 16>: return f(std::uint16_t{});
    case key_of<Kind::unsigned_, 32>: case key_of<Kind::bits, 32>: return f(std::uint32_t{});
    case key_of<Kind::unsigned_, 64>: case key_of<Kind::bits, 64>: return f(std::uint64_t{});
    case key_of<Kind::signed_, 8>: return f(std::int8_t{});
    case key_of<Kind::signed_, 16>: return f(std::int16_t{});
    case key_of<Kind::signed_, 32>: return f(std::int32_t{});
    case key_of<Kind::signed_, 64>: return f(std::int64_t{});
    default: return nullptr;
  }
}
template <typename F>
Handler for_each_float(ptx::Type type, F f) {
  switch (key(type)) {
    case key_of<Kind::floating, 16>: return f(half{});
    case key_of<Kind::brain, 16>: return f(brain{});
    case key_of<Kind::floating, 32>: return f(float{});
    case key_of<Kind::floating, 64>: return f(double{});
    default: return nullptr;
  }
}
template <typename F>
Handler for_rounding(Rounding mode, F f) {
  switch (mode) {
    case Rounding::none: case Rounding::rn: return f(std::integral_constant<Rounding, Rounding::rn>{});
    case Rounding::rz: return f(std::integral_constant<Rounding, Rounding::rz>{});
    case Rounding::rm: return f(std::integral_constant<Rounding, Rounding::rm>{});
    case Rounding::rp: return f(std::integral_constant<Rounding, Rounding::rp>{});
    default: return nullptr;
  }
}

Handler cvt_handler(const Shape& s) {
  if (!s.type.is_float() && !s.from.is_float())
    return for_each_integer(s.type, [&](auto d) {
      return for_each_integer(s.from, [&](auto a) -> Handler { return s.sat ? &clamp<decltype(d), decltype(a)> : &resize<decltype(d), decltype(a)>; });
    });
  if (!s.type.is_float())
    return for_each_integer(s.type, [&](auto d) {
      return for_each_float(s.from, [&](auto a) { return for_rounding(s.rounding, [&](auto mode) -> Handler { return &to_integer<decltype(d), decltype(a), mode()>; }); });
    });
  if (!s.from.is_float())
    return for_each_float(s.type, [&](auto d) {
      return for_each_integer(s.from, [&](auto a) { return for_rounding(s.rounding, [&](auto mode) -> Handler { return &from_integer<decltype(d), decltype(a), mode()>; }); });
    });
  if (s.to_integer) {
    if (!(s.type == s.from)) return nullptr;
    return for_each_float(s.type, [&](auto d) { return for_rounding(s.rounding, [&](auto mode) -> Handler { return &to_integral<decltype(d), mode()>; }); });
  }
  return for_each_float(s.type, [&](auto d) {
    return for_each_float(s.from, [&](auto a) { return for_rounding(s.rounding, [&](auto mode) -> Handler { return &to_float_type<decltype(d), decltype(a), mode()>; }); });
  });
}

// --- two at a time

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <typename D, bool zero>
void to_pair(Warp& w, const Op& op) {
  const float *a = w.in<float>(op.a), *b = w.in<float>(op.b);
  const bool sat = op.imm & flag_sat, relu = op.imm & flag_relu;
  const auto half_of = [=](float v) {
    if (sat) v = saturate(v);
    if (relu) v = v > 0 || v != v ? v : 0.0f;
    D h;
    if constexpr (zero) h = towards_zero<D>(v);
    else h = from_float<D>(v);
    return std::uint32_t{std::bit_cast<std::uint16_t>(h)};
  };
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) { return half_of(a[l]) << 16 | half_of(b[l]); });
}
/// f32 with 10 bits of fraction, ties away from zero.
void to_tf32(Warp& w, const Op& op) {
  const auto* a = w.in<std::uint32_t>(op.a);
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) { return (a[l] & 0x7f800000) == 0x7f800000 ? a[l] : (a[l] + 0x1000) & 0xffffe000; });
}
/// cvt.pack: a and b saturated to T next to each other, above them what fits of c.
template <typename T, bool with_c>
void pack_integers(Warp& w, const Op& op) {
  const auto *a = w.in<std::int32_t>(op.a), *b = w.in<std::int32_t>(op.b);
  const std::uint32_t* c = with_c ? w.in<std::uint32_t>(op.c) : nullptr;
  constexpr unsigned width = 8 * sizeof(T);
  const auto clamped = [](std::int32_t v) {
    constexpr std::int32_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return std::uint32_t{static_cast<unsigned_of<T>>(v < low ? low : v > high ? high : v)};
  };
  std::uint32_t* d = w.out<std::uint32_t>(op.dst);
  each_active(w.active, [=](unsigned l) { d[l] = (with_c ? c[l] << (2 * width) : 0) | clamped(a[l]) << width | clamped(b[l]); });
}

}  // namespace

/// "resize" gives a value of type `from` the width of `type`; cvt of pairs has type f16x2 or bf16x2.
Handler convert_handler(const Shape& s) {
  if (s.opcode == "resize") return for_each_integer(s.type, [&](auto d) { return for_each_integer(s.from, [&](auto a) -> Handler { return &resize<decltype(d), decltype(a)>; }); });
  if (s.opcode == "cvt.tf32") return s.rounding == Rounding::rna ? &to_tf32 : nullptr;
  if (s.opcode == "cvt.pack") {
    const bool with_c = s.combine == "c";
    switch (key(s.type)) {
      case key_of<Kind::signed_, 16>: return with_c ? nullptr : &pack_integers<std::int16_t, false>;
      case key_of<Kind::unsigned_, 16>: return with_c ? nullptr : &pack_integers<std::uint16_t, false>;
      case key_of<Kind::signed_, 8>: return with_c ? &pack_integers<std::int8_t, true> : nullptr;
      case key_of<Kind::unsigned_, 8>: return with_c ? &pack_integers<std::uint8_t, true> : nullptr;
      default: return nullptr;
    }
  }
  if (s.opcode != "cvt") return nullptr;
  if (s.type.kind == Kind::packed_half || s.type.kind == Kind::packed_brain) {
    if (!(s.from == ptx::Type{Kind::floating, 32})) return nullptr;
    const bool zero = s.rounding == Rounding::rz, brains = s.type.kind == Kind::packed_brain;
    if (!zero && s.rounding != Rounding::rn) return nullptr;
    return brains ? (zero ? &to_pair<brain, true> : &to_pair<brain, false>) : (zero ? &to_pair<half, true> : &to_pair<half, false>);
  }
  return cvt_handler(s);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
