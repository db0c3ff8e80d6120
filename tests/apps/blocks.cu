// SPDX-License-Identifier: Apache-2.0
// Blocks: shared memory, barriers, atomics, and blocks that wait for each other.
#include <cooperative_groups.h>

#include <vector>

#include "check.hpp"

namespace cg = cooperative_groups;

/// Sums with static and dynamic shared memory.
__global__ void sums(const int* a, int* d, int n) {
  extern __shared__ int dynamic[];
  __shared__ int total;
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  if (t == 0) total = 0;
  dynamic[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int half = static_cast<int>(blockDim.x) / 2; half > 0; half /= 2) {
    if (t < half) dynamic[t] += dynamic[t + half];
    __syncthreads();
  }
  if (t % 32 == 0) atomicAdd(&total, 1);
  const int odd = __syncthreads_count(t & 1), any = __syncthreads_or(t == 3), every = __syncthreads_and(t >= 0);
  if (t == 0) {
    atomicAdd(d, dynamic[0]);
    atomicMax(d + 1, total);
    atomicAdd(d + 2, odd + 1000 * (any != 0) + 10000 * (every != 0));
  }
}

__global__ void atomics(unsigned* u, long long* s, float* f, double* g) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(u, i);
  atomicMin(u + 1, i);
  atomicMax(u + 2, i);
  atomicOr(u + 3, 1u << (i % 32));
  atomicAnd(u + 4, ~(1u << (i % 16)));
  atomicXor(u + 5, i);
  atomicInc(u + 6, 99);
  atomicExch(u + 7, 7u);
  atomicMin(s, -static_cast<long long>(i));
  atomicAdd(reinterpret_cast<unsigned long long*>(s + 1), 1ull << 33);
  atomicAdd(f, 0.5f);
  atomicAdd(g, 0.25);
}

/// Each block waits for the one before: blocks must begin in order and go on beside each other.
__global__ void chain(volatile int* flags, int* sum) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (flags[blockIdx.x - 1] == 0) {}
    __threadfence();
    *sum = *sum * 3 % 1000003 + static_cast<int>(blockIdx.x);
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

/// All blocks meet twice.
__global__ void meet(int* cells, int* bad) {
  cg::grid_group grid = cg::this_grid();
  const unsigned i = static_cast<unsigned>(grid.thread_rank()), n = static_cast<unsigned>(grid.size());
  cells[i] = static_cast<int>(i);
  grid.sync();
  const int other = cells[n - 1 - i];
  if (other != static_cast<int>(n - 1 - i)) atomicAdd(bad, 1);
  grid.sync();
  cells[i] = other;
}

/// Two halves of a block with a barrier each.
__global__ void named_barriers(int* d) {
  __shared__ int cells[128];
  const int t = static_cast<int>(threadIdx.x), half = t / 64;
  cells[t] = t;
  asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  d[t] = cells[half * 64 + 63 - t % 64];
}

int main() {
  const int n = 10000;
  int* a;
  int* d;
  CHECK(cudaMallocManaged(&a, n * sizeof *a));
  CHECK(cudaMallocManaged(&d, 4096 * sizeof *d));
  long long wanted = 0;
  for (int i = 0; i < n; ++i) a[i] = i % 37 - 5, wanted += a[i];
  const int blocks = (n + 255) / 256;
  sums<<<blocks, 256, 256 * sizeof(int)>>>(a, d, n);
  CHECK(cudaDeviceSynchronize());
  EXPECT(d[0] == wanted);
  EXPECT(d[1] == 8);
  EXPECT(d[2] == blocks * (128 + 1000 + 10000));

  unsigned* u;
  long long* s;
  float* f;
  double* g;
  CHECK(cudaMallocManaged(&u, 8 * sizeof *u));
  CHECK(cudaMallocManaged(&s, 2 * sizeof *s));
  CHECK(cudaMallocManaged(&f, sizeof *f));
  CHECK(cudaMallocManaged(&g, sizeof *g));
  u[1] = ~0u;
  u[4] = ~0u;
  atomics<<<20, 50>>>(u, s, f, g);
  CHECK(cudaDeviceSynchronize());
  EXPECT(u[0] == 499500 && u[1] == 0 && u[2] == 999 && u[3] == ~0u && u[4] == 0xffff0000 && u[5] == 0 && u[6] == 0 && u[7] == 7);
  EXPECT(s[0] == -999 && s[1] == 1000ll << 33 && *f == 500.0f && *g == 250.0);

  int* flags;
  CHECK(cudaMallocManaged(&flags, 200 * sizeof *flags));
  d[0] = 1;
  chain<<<200, 64>>>(flags, d);
  CHECK(cudaDeviceSynchronize());
  int sum = 1;
  for (int i = 0; i < 200; ++i) sum = static_cast<int>(static_cast<long long>(sum) * 3 % 1000003) + i;
  EXPECT(d[0] == sum);

  int per = 0, processors = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, meet, 128, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(per >= 8);
  int* bad = d + 4000;
  *bad = 0;
  void* arguments[] = {&d, &bad};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meet), dim3(8), dim3(128), arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  EXPECT(*bad == 0);
  for (int i = 0; i < 1024; ++i) EXPECT(d[i] == 1023 - i);
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meet), dim3(static_cast<unsigned>(per * processors + 1)), dim3(128), arguments, 0, nullptr) ==
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();

  named_barriers<<<1, 128>>>(d);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) EXPECT(d[i] == i / 64 * 64 + 63 - i % 64);
  std::printf("blocks are right\n");
  return 0;
}
