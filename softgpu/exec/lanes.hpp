// SPDX-License-Identifier: Apache-2.0
// Loops over the lanes of a warp. Included by the files that are compiled once for each instruction set: WEFT_ISA names the namespace, so that no code of
// one can end up in the other.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "softgpu/exec/warp.hpp"

namespace weft::softgpu::exec::WEFT_ISA {

constexpr unsigned W = lanes_per_warp;

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

struct Bits {
  std::uint32_t of[W];
  constexpr Bits() : of() {
    for (unsigned i = 0; i < W; ++i) of[i] = 1u << i;
  }
};
alignas(64) inline constexpr Bits bits;

/// d[lane] = f(lane) for the active lanes; f must be free of effects, it is called for all.
template <typename T, typename F>
[[gnu::always_inline]] inline void each(Warp& w, T* d, F f) {
  const std::uint32_t mask = w.active;
  if (mask == ~0u) {
#pragma GCC ivdep
    for (unsigned l = 0; l < W; ++l) d[l] = f(l);
    return;
  }
  alignas(64) T t[W];
#pragma GCC ivdep
  for (unsigned l = 0; l < W; ++l) t[l] = f(l);
#pragma GCC ivdep
  for (unsigned l = 0; l < W; ++l) d[l] = mask & bits.of[l] ? t[l] : d[l];
}

/// f(lane) for each active lane, one after the other.
template <typename F>
[[gnu::always_inline]] inline void each_active(std::uint32_t mask, F f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// A mask of the lanes where t isn't 0; t's lanes are 0 or ~0.
[[gnu::always_inline]] inline std::uint32_t pack(const std::int32_t* t) {
#if defined(__AVX2__)
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < W / 8; ++i)
    mask |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(t + 8 * i))))) << (8 * i);
  return mask;
#elif defined(__SSE2__)
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < W / 4; ++i)
    mask |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(t + 4 * i))))) << (4 * i);
  return mask;
#else
  std::uint32_t mask = 0;
  for (unsigned l = 0; l < W; ++l) mask |= t[l] ? 1u << l : 0;
  return mask;
#endif
}

/// The lanes for which f is true.
template <typename F>
[[gnu::always_inline]] inline std::uint32_t test(F f) {
  alignas(64) std::int32_t t[W];
#pragma GCC ivdep
  for (unsigned l = 0; l < W; ++l) t[l] = f(l) ? -1 : 0;
  return pack(t);
}

[[gnu::always_inline]] inline void set_predicate(Warp& w, Ref ref, std::uint32_t value) {
  std::uint32_t& p = w.predicate(ref);
  p = (p & ~w.active) | (value & w.active);
}

/// A predicate operand: a mask; constants are whole masks too.
[[gnu::always_inline]] inline std::uint32_t mask_of(const Warp& w, Ref ref) { return *w.in<std::uint32_t>(ref); }

template <typename T>
using unsigned_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// --- half precision

using half = _Float16;
struct brain {
  std::uint16_t bits;
};

[[gnu::always_inline]] inline float to_float(half h) { return static_cast<float>(h); }
[[gnu::always_inline]] inline float to_float(brain b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16); }
[[gnu::always_inline]] inline float to_float(float f) { return f; }
[[gnu::always_inline]] inline double to_float(double f) { return f; }

template <typename T>
[[gnu::always_inline]] inline T from_float(float f) {
  if constexpr (std::is_same_v<T, brain>) {
    const auto b = std::bit_cast<std::uint32_t>(f);
    if ((b & 0x7fffffff) > 0x7f800000) return {0x7fff};
    return {static_cast<std::uint16_t>((b + 0x7fff + ((b >> 16) & 1)) >> 16)};
  } else {
    return static_cast<T>(f);
  }
}

/// Denormals become zeros of their sign.
[[gnu::always_inline]] inline float flush(float f) {
  const auto b = std::bit_cast<std::uint32_t>(f);
  return b & 0x7f800000 ? f : std::bit_cast<float>(b & 0x80000000);
}

template <typename T>
[[gnu::always_inline]] inline T saturate(T f) {
  return f > T(0) ? (f < T(1) ? f : T(1)) : T(0);  // NaN becomes 0
}

// --- rounding

/// The unit's rounding mode for as long as it lives; what it computes with must come from memory and go there.
class WithRounding {
 public:
  explicit WithRounding(Rounding mode) : saved_(_mm_getcsr()) {
    const unsigned bits = mode == Rounding::rz ? 3 : mode == Rounding::rm ? 1 : mode == Rounding::rp ? 2 : 0;
    set((saved_ & ~0x6000u) | bits << 13);
  }
  ~WithRounding() { set(saved_); }
  WithRounding(const WithRounding&) = delete;
  WithRounding& operator=(const WithRounding&) = delete;

 private:
  static void set(unsigned value) { asm volatile("ldmxcsr %0" : : "m"(value) : "memory"); }
  unsigned saved_;
};

// --- choosing a handler by type

constexpr unsigned key(ptx::Type type) { return static_cast<unsigned>(type.kind) * 256 + type.bits; }
template <ptx::Type::Kind kind, unsigned size>
inline constexpr unsigned key_of = static_cast<unsigned>(kind) * 256 + size;
using Kind = ptx::Type::Kind;

/// Body<T>::run for an integer type of 16 bits or more; bits count as unsigned.
template <template <typename> class Body>
Handler for_integer(ptx::Type type) {
  switch (key(type)) {
    case key_of<Kind::unsigned_, 16>: case key_of<Kind::bits, 16>: return &Body<std::uint16_t>::run;
    case key_of<Kind::unsigned_, 32>: case key_of<Kind::bits, 32>: return &Body<std::uint32_t>::run;
    case key_of<Kind::unsigned_, 64>: case key_of<Kind::bits, 64>: return &Body<std::uint64_t>::run;
    case key_of<Kind::signed_, 16>: return &Body<std::int16_t>::run;
    case key_of<Kind::signed_, 32>: return &Body<std::int32_t>::run;
    case key_of<Kind::signed_, 64>: return &Body<std::int64_t>::run;
    default: return nullptr;
  }
}

/// Body<T>::run for whatever has this many bits, as an unsigned type.
template <template <typename> class Body>
Handler for_bits(ptx::Type type) {
  switch (type.bits) {
    case 8: return &Body<std::uint8_t>::run;
    case 16: return &Body<std::uint16_t>::run;
    case 32: return &Body<std::uint32_t>::run;
    case 64: return &Body<std::uint64_t>::run;
    default: return nullptr;
  }
}

Handler integer_handler(const Shape& shape);
Handler float_handler(const Shape& shape);
Handler compare_handler(const Shape& shape);
Handler convert_handler(const Shape& shape);
Handler memory_handler(const Shape& shape);
Handler atomic_handler(const Shape& shape);
Handler warp_handler(const Shape& shape);
Handler packed_handler(const Shape& shape);
Handler barrier_handler(const Shape& shape);
Handler matrix_handler(const Shape& shape);

}  // namespace weft::softgpu::exec::WEFT_ISA
