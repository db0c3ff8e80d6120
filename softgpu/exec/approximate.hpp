// SPDX-License-Identifier: Apache-2.0
// ex2, lg2, sin, cos and tanh of f32, without branches, so that the compiler makes vectors of them. They compute in f64 and round once: results are within one
// unit in the last place of the exact ones (sin and cos up to 2^22 in size), which is closer than hardware's, and the same with every instruction set.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::softgpu::exec::WEFT_ISA {

/// Added to a double of less than 2^51, it leaves the nearest integer in the sum's lowest bits.
constexpr double rounder = 0x1.8p52;

/// 2^x for x from -200 to 200.
[[gnu::always_inline]] inline double exp2_bounded(double x) {
  const double shifted = x + rounder;
  const double f = (x - (shifted - rounder)) * 0.693147180559945309417;  // -ln(2)/2 .. ln(2)/2
  // The series of e^f; what is left out is below 2^-32 of the value.
  double p = 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  return p * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

[[gnu::always_inline]] inline float exp2_of(float a) {
  // Beyond these the result is 0 or infinite; NaN stays.
  const float bounded = a > 200.0F ? 200.0F : a < -200.0F ? -200.0F : a;
  return static_cast<float>(exp2_bounded(bounded));
}

[[gnu::always_inline]] inline float log2_of(float a) {
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(a));  // no denormals here
  // a = m * 2^e with m from sqrt(1/2) to sqrt(2).
  const std::uint64_t above_root = bits - 0x3fe6a09e667f3bcd;
  const auto e = static_cast<std::uint64_t>(static_cast<std::int64_t>(above_root) >> 52);
  const double m = std::bit_cast<double>(bits - (e << 52));
  // e as a double: its bits in the lower part of rounder's.
  const double exponent = std::bit_cast<double>(std::bit_cast<std::uint64_t>(rounder) + e) - rounder;
  const double s = (m - 1) / (m + 1), q = s * s;
  double p = 1.0 / 11;
  p = p * q + 1.0 / 9;
  p = p * q + 1.0 / 7;
  p = p * q + 1.0 / 5;
  p = p * q + 1.0 / 3;
  p = p * q + 1.0;
  const auto value = static_cast<float>(exponent + s * p * 2.88539008177792681472);  // 2 / ln(2)
  const float infinity = std::bit_cast<float>(0x7f800000U);
  return a > 0 ? (a < infinity ? value : infinity) : a == 0 ? -infinity : std::bit_cast<float>(0x7fffffffU);
}

/// sin(a), or cos(a) with quarter 1.
template <unsigned quarter>
[[gnu::always_inline]] inline float sine_of(float a) {
  const double x = a;
  const double shifted = x * 0.636619772367581343076 + rounder;  // 2 / pi
  const double k = shifted - rounder;
  const double r = (x - k * 0x1.921fb544p0) - k * 0x1.0b4611a626331p-34;  // pi/2 in two parts: k times the first is exact up to 2^22
  const double q = r * r;
  double sine = -1.0 / 39916800;
  sine = sine * q + 1.0 / 362880;
  sine = sine * q - 1.0 / 5040;
  sine = sine * q + 1.0 / 120;
  sine = sine * q - 1.0 / 6;
  sine = (sine * q + 1) * r;
  double cosine = 1.0 / 479001600;
  cosine = cosine * q - 1.0 / 3628800;
  cosine = cosine * q + 1.0 / 40320;
  cosine = cosine * q - 1.0 / 720;
  cosine = cosine * q + 1.0 / 24;
  cosine = cosine * q - 0.5;
  cosine = cosine * q + 1.0;
  const std::uint64_t turn = std::bit_cast<std::uint64_t>(shifted) + quarter;
  const double chosen = turn & 1 ? cosine : sine;
  const double result = turn & 2 ? -chosen : chosen;
  // Huge arguments have no digits left; infinite ones give NaN.
  return static_cast<float>(result > 1 ? 1 : result < -1 ? -1 : result);
}
[[gnu::always_inline]] inline float sin_of(float a) { return sine_of<0>(a); }
[[gnu::always_inline]] inline float cos_of(float a) { return sine_of<1>(a); }

[[gnu::always_inline]] inline float tanh_of(float a) {
  const double x = a > 20.0F ? 20.0F : a < -20.0F ? -20.0F : a;
  const double power = exp2_bounded(x * 2.88539008177792681472);  // e^2x
  const double q = x * x;
  const double small = x - x * q * (1.0 / 3 - q * (2.0 / 15 - q * (17.0 / 315)));
  const double large = (power - 1) / (power + 1);
  return static_cast<float>(q < 0.01 ? small : large);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
