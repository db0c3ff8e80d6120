// SPDX-License-Identifier: Apache-2.0
// setp, set and testp.
#include <cmath>

#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

enum class Comparison { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Comparison c, typename T>
[[gnu::always_inline]] inline bool compare(T a, T b) {
  using enum Comparison;
  constexpr bool floating = std::is_floating_point_v<T>;
  if constexpr (c == eq) return a == b;
  if constexpr (c == ne) return floating ? a < b || a > b : a != b;
  if constexpr (c == lt) return a < b;
  if constexpr (c == le) return a <= b;
  if constexpr (c == gt) return a > b;
  if constexpr (c == ge) return a >= b;
  if constexpr (c == equ) return !(a < b || a > b);
  if constexpr (c == neu) return !(a == b);
  if constexpr (c == ltu) return !(a >= b);
  if constexpr (c == leu) return !(a > b);
  if constexpr (c == gtu) return !(a <= b);
  if constexpr (c == geu) return !(a < b);
  if constexpr (c == num) return a == a && b == b;
  if constexpr (c == nan) return a != a || b != b;
}

template <bool ftz, typename T>
[[gnu::always_inline]] inline auto value_of(T v) {
  if constexpr (std::is_integral_v<T>) return v;
  else if constexpr (ftz && std::is_same_v<T, float>) return flush(v);
  else return to_float(v);
}

template <typename T, bool ftz, Comparison c>
[[gnu::always_inline]] inline std::uint32_t compared(Warp& w, const Op& op) {
  const T *a = w.in<T>(op.a), *b = w.in<T>(op.b);
  return test([=](unsigned l) { return compare<c>(value_of<ftz>(a[l]), value_of<ftz>(b[l])); });
}

enum class Combine { none, and_, or_, xor_ };

/// The comparison, combined with predicate c; d is 1 where that is negated.
template <Combine combine>
[[gnu::always_inline]] inline std::uint32_t combined(const Warp& w, const Op& op, std::uint32_t t) {
  if constexpr (combine == Combine::none) return t;
  const std::uint32_t p = op.d ? ~mask_of(w, op.c) : mask_of(w, op.c);
  return combine == Combine::and_ ? t & p : combine == Combine::or_ ? t | p : t ^ p;
}

template <typename T, bool ftz, Comparison c, Combine combine>
void setp(Warp& w, const Op& op) {
  const std::uint32_t t = compared<T, ftz, c>(w, op);
  const std::uint32_t first = combined<combine>(w, op, t), second = combined<combine>(w, op, ~t);
  set_predicate(w, op.dst, first);
  if (op.dst2 != no_ref) set_predicate(w, op.dst2, second);
}

/// imm: what stands for true in the destination; its width is that of D.
template <typename T, typename D, bool ftz, Comparison c, Combine combine>
void set(Warp& w, const Op& op) {
  const std::uint32_t t = combined<combine>(w, op, compared<T, ftz, c>(w, op));
  const D yes = static_cast<D>(op.imm);
  each(w, w.out<D>(op.dst), [=](unsigned l) { return t & bits.of[l] ? yes : D(0); });
}

template <typename T, bool ftz, Comparison c>
Handler with_combine(const Shape& s) {
  if (s.opcode == "set") {
    if (!s.combine.empty()) {
      if (s.combine == "and") return s.from.bits == 16 ? &set<T, std::uint16_t, ftz, c, Combine::and_> : &set<T, std::uint32_t, ftz, c, Combine::and_>;
      if (s.combine == "or") return s.from.bits == 16 ? &set<T, std::uint16_t, ftz, c, Combine::or_> : &set<T, std::uint32_t, ftz, c, Combine::or_>;
      return s.from.bits == 16 ? &set<T, std::uint16_t, ftz, c, Combine::xor_> : &set<T, std::uint32_t, ftz, c, Combine::xor_>;
    }
    return s.from.bits == 16 ? &set<T, std::uint16_t, ftz, c, Combine::none> : &set<T, std::uint32_t, ftz, c, Combine::none>;
  }
  if (s.combine.empty()) return &setp<T, ftz, c, Combine::none>;
  if (s.combine == "and") return &setp<T, ftz, c, Combine::and_>;
  if (s.combine == "or") return &setp<T, ftz, c, Combine::or_>;
  return &setp<T, ftz, c, Combine::xor_>;
}

template <typename T, bool ftz>
Handler with_comparison(const Shape& s) {
  using enum Comparison;
  const std::string_view c = s.variant;
  if (c == "eq") return with_combine<T, ftz, eq>(s);
  if (c == "ne") return with_combine<T, ftz, ne>(s);
  if (c == "lt" || c == "lo") return with_combine<T, ftz, lt>(s);
  if (c == "le" || c == "ls") return with_combine<T, ftz, le>(s);
  if (c == "gt" || c == "hi") return with_combine<T, ftz, gt>(s);
  if (c == "ge" || c == "hs") return with_combine<T, ftz, ge>(s);
  if constexpr (!std::is_integral_v<T>) {
    if (c == "equ") return with_combine<T, ftz, equ>(s);
    if (c == "neu") return with_combine<T, ftz, neu>(s);
    if (c == "ltu") return with_combine<T, ftz, ltu>(s);
    if (c == "leu") return with_combine<T, ftz, leu>(s);
    if (c == "gtu") return with_combine<T, ftz, gtu>(s);
    if (c == "geu") return with_combine<T, ftz, geu>(s);
    if (c == "num") return with_combine<T, ftz, num>(s);
    if (c == "nan") return with_combine<T, ftz, nan>(s);
  }
  return nullptr;
}

Handler for_type(const Shape& s) {
  switch (key(s.type)) {
    case key_of<Kind::unsigned_, 16>: case key_of<Kind::bits, 16>: return with_comparison<std::uint16_t, false>(s);
    case key_of<Kind::unsigned_, 32>: case key_of<Kind::bits, 32>: return with_comparison<std::uint32_t, false>(s);
    case key_of<Kind::unsigned_, 64>: case key_of<Kind::bits, 64>: return with_comparison<std::uint64_t, false>(s);
    case key_of<Kind::signed_, 16>: return with_comparison<std::int16_t, false>(s);
    case key_of<Kind::signed_, 32>: return with_comparison<std::int32_t, false>(s);
    case key_of<Kind::signed_, 64>: return with_comparison<std::int64_t, false>(s);
    case key_of<Kind::floating, 16>: return with_comparison<half, false>(s);
    case key_of<Kind::brain, 16>: return with_comparison<brain, false>(s);
    case key_of<Kind::floating, 32>: return s.ftz ? with_comparison<float, true>(s) : with_comparison<float, false>(s);
    case key_of<Kind::floating, 64>: return with_comparison<double, false>(s);
    default: return nullptr;
  }
}

template <typename T, bool (*f)(T)>
void testp(Warp& w, const Op& op) {
  const T* a = w.in<T>(op.a);
  std::uint32_t t = 0;
  each_active(w.active, [&](unsigned l) { t |= f(a[l]) ? 1u << l : 0; });
  set_predicate(w, op.dst, t);
}
template <typename T> bool is_finite(T v) { return std::isfinite(v); }
template <typename T> bool is_infinite(T v) { return std::isinf(v); }
template <typename T> bool is_number(T v) { return !std::isnan(v); }
template <typename T> bool is_nan(T v) { return std::isnan(v); }
template <typename T> bool is_normal(T v) { return std::fpclassify(v) == FP_NORMAL; }
template <typename T> bool is_subnormal(T v) { return std::fpclassify(v) == FP_SUBNORMAL; }

template <typename T>
Handler testp_for(std::string_view what) {
  if (what == "finite") return &testp<T, is_finite<T>>;
  if (what == "infinite") return &testp<T, is_infinite<T>>;
  if (what == "number") return &testp<T, is_number<T>>;
  if (what == "notanumber") return &testp<T, is_nan<T>>;
  if (what == "normal") return &testp<T, is_normal<T>>;
  if (what == "subnormal") return &testp<T, is_subnormal<T>>;
  return nullptr;
}

}  // namespace

/// For set, `type` is that of the operands and `from` that of the result.
Handler compare_handler(const Shape& s) {
  if (s.opcode == "setp" || s.opcode == "set") return for_type(s);
  if (s.opcode != "testp") return nullptr;
  return s.type.bits == 64 ? testp_for<double>(s.variant) : testp_for<float>(s.variant);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
