// SPDX-License-Identifier: Apache-2.0
// Integer and floating-point arithmetic of all types, value by value against the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

constexpr int operations = 24;

/// Each of these is compiled for both sides.
template <typename T>
__host__ __device__ T integer_operation(int which, T a, T b, T c) {
  using U = std::make_unsigned_t<T>;
  constexpr int bits = 8 * sizeof(T);
  const unsigned shift = static_cast<unsigned>(b) & (bits - 1);
  switch (which) {
    case 0: return static_cast<T>(U(a) + U(b));
    case 1: return static_cast<T>(U(a) - U(b));
    case 2: return static_cast<T>(static_cast<U>(static_cast<unsigned long long>(U(a)) * U(b)));
    case 3: return static_cast<T>(static_cast<U>(static_cast<unsigned long long>(U(a)) * U(b) + U(c)));
    case 4: return b == 0 || b == T(-1) ? a : static_cast<T>(a / b);
    case 5: return b == 0 || b == T(-1) ? a : static_cast<T>(a % b);
    case 6: return a < b ? a : b;
    case 7: return a > b ? a : b;
    case 8: return a & b;
    case 9: return a | b;
    case 10: return a ^ b;
    case 11: return static_cast<T>(~a);
    case 12: return static_cast<T>(U(a) << shift);
    case 13: return static_cast<T>(a >> shift);
    case 14: return static_cast<T>(U(a) >> shift);
    case 15: return static_cast<T>(a < 0 ? U(0) - U(a) : U(a));
    case 16: return static_cast<T>(a == b);
    case 17: return static_cast<T>(a < b);
    case 18: return static_cast<T>(a <= b ? c : a);
    case 19: return static_cast<T>(static_cast<signed char>(a));
    case 20: return static_cast<T>(static_cast<unsigned short>(a));
    case 21: return static_cast<T>(static_cast<int>(a));
    case 22: return a != 0 && b != 0 ? c : b;
    default: return static_cast<T>((U(a) >> 3) * 5u + (U(b) & 0x1f));
  }
}

template <typename T>
__host__ __device__ T float_operation(int which, T a, T b, T c) {
  switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return fma(a, b, c);
    case 4: return a / b;
    case 5: return sqrt(fabs(a));
    case 6: return fmin(a, b);
    case 7: return fmax(a, b);
    case 8: return fabs(a);
    case 9: return -a;
    case 10: return floor(a);
    case 11: return ceil(a);
    case 12: return trunc(a);
    case 13: return rint(a);
    case 14: return copysign(a, b);
    case 15: return a < b ? T(1) : T(2);
    case 16: return a != b ? c : a;
    case 17: return isnan(a) ? T(3) : isinf(a) ? T(4) : T(5);
    case 18: return static_cast<T>(static_cast<float>(a));
    case 19: return static_cast<T>(static_cast<double>(a));
    case 20: return fabs(a) < T(1e9) ? static_cast<T>(static_cast<int>(a)) : T(0);
    case 21: return fabs(a) < T(1e18) ? static_cast<T>(static_cast<long long>(a)) : T(0);
    case 22: return T(1) / b;
    default: return round(a);
  }
}

template <typename T>
__global__ void integers(const T* a, const T* b, const T* c, T* d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  for (int which = 0; which < operations; ++which) d[which * n + i] = integer_operation(which, a[i], b[i], c[i]);
}
template <typename T>
__global__ void floats(const T* a, const T* b, const T* c, T* d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  for (int which = 0; which < operations; ++which) d[which * n + i] = float_operation(which, a[i], b[i], c[i]);
}

template <typename T>
struct Buffer {
  explicit Buffer(std::size_t n) { CHECK(cudaMallocManaged(&data, n * sizeof(T))); }
  ~Buffer() { cudaFree(data); }
  T* data;
};

template <typename T>
bool same(T got, T wanted) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(got) && std::isnan(wanted)) return true;
  return std::memcmp(&got, &wanted, sizeof got) == 0;
}

template <typename T>
void compare(const std::vector<T>& values) {
  constexpr bool floating = std::is_floating_point_v<T>;
  const int n = 4096;
  std::mt19937_64 random(7);
  Buffer<T> a(n), b(n), c(n), d(std::size_t{operations} * n);
  for (int i = 0; i < n; ++i) {
    for (T* x : {&a.data[i], &b.data[i], &c.data[i]}) {
      if (random() % 4 == 0) *x = values[random() % values.size()];
      else if (floating) *x = static_cast<T>((static_cast<double>(random() % 2000001) - 1e6) / static_cast<double>(1 + random() % 1000));
      else *x = static_cast<T>(random() >> random() % 60);
    }
  }
  if constexpr (floating) floats<T><<<(n + 95) / 96, 96>>>(a.data, b.data, c.data, d.data, n);
  else integers<T><<<(n + 95) / 96, 96>>>(a.data, b.data, c.data, d.data, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int which = 0; which < operations; ++which) {
    for (int i = 0; i < n; ++i) {
      T wanted;
      if constexpr (floating) wanted = float_operation(which, a.data[i], b.data[i], c.data[i]);
      else wanted = integer_operation(which, a.data[i], b.data[i], c.data[i]);
      if (same(d.data[which * n + i], wanted)) continue;
      if (floating && (which == 6 || which == 7) && wanted == 0 && d.data[which * n + i] == 0) continue;  // the host may take either zero
      std::printf("operation %d of a type of %zu bytes: element %d is wrong\n", which, sizeof(T), i);
      std::exit(1);
    }
  }
}

__global__ void bits(const unsigned* a, const unsigned* b, unsigned* d, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  d[i] = static_cast<unsigned>(__popc(a[i]));
  d[n + i] = static_cast<unsigned>(__clz(static_cast<int>(a[i])));
  d[2 * n + i] = __brev(a[i]);
  d[3 * n + i] = __umulhi(a[i], b[i]);
  d[4 * n + i] = __byte_perm(a[i], b[i], 0x6240);
  d[5 * n + i] = __funnelshift_l(a[i], b[i], a[i]);
  d[6 * n + i] = static_cast<unsigned>(__ffs(static_cast<int>(b[i])));
  d[7 * n + i] = __vabsdiffu4(a[i], b[i]);
  d[8 * n + i] = static_cast<unsigned>(__dp4a(a[i], b[i], 17u));
  d[9 * n + i] = static_cast<unsigned>(static_cast<unsigned __int128>(a[i]) * b[i] * a[i] >> 64);
}

void compare_bits() {
  const int n = 256;
  std::mt19937 random(11);
  Buffer<unsigned> a(n), b(n), d(10 * n);
  for (int i = 0; i < n; ++i) a.data[i] = random() >> random() % 32, b.data[i] = random() >> random() % 32;
  bits<<<1, n>>>(a.data, b.data, d.data, n);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const unsigned x = a.data[i], y = b.data[i];
    unsigned reversed = 0, differences = 0, dot = 17;
    for (int k = 0; k < 32; ++k) reversed |= (x >> k & 1) << (31 - k);
    for (int k = 0; k < 32; k += 8) {
      const int p = static_cast<int>(x >> k & 255), q = static_cast<int>(y >> k & 255);
      differences |= static_cast<unsigned>(p < q ? q - p : p - q) << k;
      dot += static_cast<unsigned>(p * q);
    }
    const unsigned both[] = {x & 255, x >> 16 & 255, y & 255, y >> 16 & 255};
    EXPECT(d.data[i] == static_cast<unsigned>(__builtin_popcount(x)));
    EXPECT(d.data[n + i] == (x ? static_cast<unsigned>(__builtin_clz(x)) : 32));
    EXPECT(d.data[2 * n + i] == reversed);
    EXPECT(d.data[3 * n + i] == static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32));
    EXPECT(d.data[4 * n + i] == (both[0] | both[2] << 8 | both[1] << 16 | both[3] << 24));
    EXPECT(d.data[5 * n + i] == static_cast<unsigned>((static_cast<unsigned long long>(y) << 32 | x) << (x & 31) >> 32));
    EXPECT(d.data[6 * n + i] == static_cast<unsigned>(__builtin_ffs(static_cast<int>(y))));
    EXPECT(d.data[7 * n + i] == differences);
    EXPECT(d.data[8 * n + i] == dot);
    EXPECT(d.data[9 * n + i] == static_cast<unsigned>(static_cast<unsigned __int128>(x) * y * x >> 64));
  }
}

__global__ void halves(const float* a, const float* b, float* d, int n) {
  const int i = static_cast<int>(threadIdx.x);
  const __half x = __float2half(a[i]), y = __float2half(b[i]);
  const __nv_bfloat16 u = __float2bfloat16(a[i]), v = __float2bfloat16(b[i]);
  const __half2 p = __hadd2(__halves2half2(x, y), __halves2half2(y, y));
  d[i] = __half2float(__hadd(x, y));
  d[n + i] = __half2float(__hmul(x, y));
  d[2 * n + i] = __half2float(__hfma(x, y, x));
  d[3 * n + i] = __bfloat162float(__hadd(u, v));
  d[4 * n + i] = __low2float(p) - __high2float(p);
  d[5 * n + i] = __hlt(x, y) ? 1.0f : 0.0f;
  d[6 * n + i] = __fadd_rz(a[i], b[i]);
  d[7 * n + i] = __fmul_ru(a[i], b[i]);
  d[8 * n + i] = __fsqrt_rd(fabsf(a[i]));
}

/// Half precision and the rounding modes, with values whose results are known exactly.
void compare_halves() {
  const int n = 64;
  Buffer<float> a(n), b(n), d(9 * n);
  for (int i = 0; i < n; ++i) a.data[i] = static_cast<float>(i) * 0.25f, b.data[i] = static_cast<float>(40 - i);
  halves<<<1, n>>>(a.data, b.data, d.data, n);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const float x = a.data[i], y = b.data[i];
    EXPECT(d.data[i] == x + y);
    EXPECT(d.data[n + i] == x * y);
    EXPECT(d.data[2 * n + i] == x * y + x);
    EXPECT(std::fabs(d.data[3 * n + i] - (x + y)) <= std::fabs(x + y) / 128);
    EXPECT(d.data[4 * n + i] == x - y);
    EXPECT(d.data[5 * n + i] == (x < y ? 1.0f : 0.0f));
    EXPECT(d.data[6 * n + i] == x + y);
    EXPECT(d.data[7 * n + i] == x * y);
    const double root = std::sqrt(static_cast<double>(std::fabs(x)));
    EXPECT(d.data[8 * n + i] <= root && std::nextafter(d.data[8 * n + i], 1e9f) > root);
  }
}

int main() {
  compare<int>({0, 1, -1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 31, 32, 0x1234567});
  compare<long long>({0, 1, -1, std::numeric_limits<long long>::min(), std::numeric_limits<long long>::max(), 63, 1ll << 40});
  compare<short>({0, 1, -1, -32768, 32767, 255});
  const float inf = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
  compare<float>({0.0f, -0.0f, 1.0f, inf, -inf, NAN, tiny, -tiny, 1e38f, 0.5f, 2.5f, -3.5f});
  compare<double>({0.0, -0.0, 1.0, HUGE_VAL, -HUGE_VAL, NAN, 5e-324, 1e308, 0.5, 2.5, -3.5});
  compare_bits();
  compare_halves();
  std::printf("all values are right\n");
  return 0;
}
