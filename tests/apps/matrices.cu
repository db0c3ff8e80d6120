// SPDX-License-Identifier: Apache-2.0
// Products of matrices in fragments: wmma of every type, mma and ldmatrix, with small whole numbers, whose sums are exact in all of them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

#include "check.hpp"

using namespace nvcuda;

/// One product of m by n by k, a by rows, b by columns.
template <typename T, typename Sum, int m, int n, int k, typename Fragment = T>
__global__ void multiply(const T* a, const T* b, Sum* d) {
  wmma::fragment<wmma::matrix_a, m, n, k, Fragment, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, Fragment, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> fc;
  wmma::fill_fragment(fc, Sum(3));
  wmma::load_matrix_sync(fa, a, k);
  wmma::load_matrix_sync(fb, b, k);
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = fa.x[i] + fa.x[i];
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, n, wmma::mem_row_major);
}

template <typename T, typename Sum, int m, int n, int k, typename Fragment = T>
void check_product() {
  T *a, *b;
  Sum* d;
  CHECK(cudaMallocManaged(&a, m * k * sizeof *a));
  CHECK(cudaMallocManaged(&b, n * k * sizeof *b));
  CHECK(cudaMallocManaged(&d, m * n * sizeof *d));
  const auto of_a = [](int i, int j) { return (i * 3 + j) % 5; };
  const auto of_b = [](int i, int j) { return (i + j * 2) % 7; };
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j) a[i * k + j] = static_cast<T>(static_cast<float>(of_a(i, j)));
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j) b[j * k + i] = static_cast<T>(static_cast<float>(of_b(i, j)));
  multiply<T, Sum, m, n, k, Fragment><<<1, 32>>>(a, b, d);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int sum = 3;
      for (int l = 0; l < k; ++l) sum += 2 * of_a(i, l) * of_b(l, j);
      EXPECT(static_cast<double>(d[i * n + j]) == sum);
    }
  }
}

/// mma.m16n8k16 with fragments that ldmatrix loads.
__global__ void multiply_by_hand(const __half* a, const __half* b, float* d) {
  __shared__ __align__(16) __half sa[16 * 16], sb[8 * 16];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) sa[i] = a[i];
  for (unsigned i = lane; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  unsigned fa[4], fb[2];
  const auto at_a = static_cast<unsigned>(__cvta_generic_to_shared(sa + lane % 16 * 16 + lane / 16 * 8));
  const auto at_b = static_cast<unsigned>(__cvta_generic_to_shared(sb + lane % 8 * 16 + lane / 8 % 2 * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(at_a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(at_b));
  float c[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  for (unsigned i = 0; i < 4; ++i) d[(lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

void check_by_hand() {
  __half *a, *b;
  float* d;
  CHECK(cudaMallocManaged(&a, 256 * sizeof *a));
  CHECK(cudaMallocManaged(&b, 128 * sizeof *b));
  CHECK(cudaMallocManaged(&d, 128 * sizeof *d));
  for (int i = 0; i < 256; ++i) a[i] = __float2half(static_cast<float>(i % 11));
  for (int i = 0; i < 128; ++i) b[i] = __float2half(static_cast<float>(i % 5 - 2));
  multiply_by_hand<<<1, 32>>>(a, b, d);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int l = 0; l < 16; ++l) sum += __half2float(a[i * 16 + l]) * __half2float(b[j * 16 + l]);
      EXPECT(d[i * 8 + j] == sum);
    }
  }
}

int main() {
  check_product<__half, float, 16, 16, 16>();
  check_product<__half, __half, 16, 16, 16>();
  check_product<__half, float, 32, 8, 16>();
  check_product<__half, float, 8, 32, 16>();
  check_product<__nv_bfloat16, float, 16, 16, 16>();
  check_product<signed char, int, 16, 16, 16>();
  check_product<unsigned char, int, 32, 8, 16>();
  check_product<float, float, 16, 16, 8, wmma::precision::tf32>();
  check_product<double, double, 8, 8, 4>();
  check_by_hand();
  std::printf("products are right\n");
  return 0;
}
