// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp: ways that part and meet again, and instructions by which they talk.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr unsigned everyone = 0xffffffff;

__global__ void talk(unsigned* d) {
  const unsigned lane = threadIdx.x & 31;
  unsigned* mine = d + threadIdx.x * 16;
  mine[0] = __shfl_sync(everyone, lane * 3, 5);
  mine[1] = __shfl_up_sync(everyone, lane, 2);
  mine[2] = __shfl_down_sync(everyone, lane, 3, 16);
  mine[3] = __shfl_xor_sync(everyone, lane, 7);
  mine[4] = __ballot_sync(everyone, lane % 3 == 0);
  mine[5] = static_cast<unsigned>(__all_sync(everyone, lane < 32)) + 2 * static_cast<unsigned>(__any_sync(everyone, lane == 99));
  mine[6] = __match_any_sync(everyone, lane / 4);
  mine[7] = __reduce_add_sync(everyone, lane);
  mine[8] = __reduce_max_sync(everyone, lane ^ 21);
  // A part of the warp only.
  mine[9] = 0;
  if (lane & 1) mine[9] = __activemask() | __ballot_sync(0xaaaaaaaa, lane > 15);
  // A value that went through both sides of a branch with a loop in it.
  unsigned sum = 0;
  for (unsigned i = 0; i < lane; ++i) {
    if ((i ^ lane) & 1) continue;
    if (i > 20) break;
    sum += i;
  }
  mine[10] = sum;
  mine[11] = __shfl_sync(everyone, sum, 31);
  // Lanes that leave early don't hold up the others.
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  mine[12] = static_cast<unsigned>(cg::reduce(tile, static_cast<int>(lane), cg::plus<int>()));
  if (lane > 15) return;
  mine[13] = __shfl_sync(0xffff, lane + 100, 15);
}

/// A lock that lanes of one warp take in turn: needs lanes to go on independently.
__device__ int lock_word = 0;
__device__ int counter = 0;
__global__ void locked() {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      counter = *const_cast<volatile int*>(&counter) + 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
}
/// The same the naive way, where one lane spins until another gets on.
__global__ void locked_naively() {
  while (atomicCAS(&lock_word, 0, 1) != 0) {}
  *const_cast<volatile int*>(&counter) += 1;
  __threadfence();
  atomicExch(&lock_word, 0);
}

__global__ void switch_ways(const int* a, int* d) {
  const unsigned i = threadIdx.x;
  switch (a[i]) {
    case 0: d[i] = 10; break;
    case 1: d[i] = 21;  // falls through
    case 2: d[i] = d[i] * 2 + 1; break;
    case 3: d[i] = 33; break;
    case 4: d[i] = 44; break;
    case 5: d[i] = 55; break;
    case 6: d[i] = 66; break;
    default: d[i] = -1;
  }
}

int main() {
  unsigned* d;
  CHECK(cudaMallocManaged(&d, 64 * 16 * sizeof *d));
  talk<<<1, 64>>>(d);
  CHECK(cudaDeviceSynchronize());
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned lane = t % 32, *mine = d + t * 16;
    EXPECT(mine[0] == 15);
    EXPECT(mine[1] == (lane < 2 ? lane : lane - 2));
    EXPECT(mine[2] == (lane % 16 + 3 < 16 ? lane + 3 : lane));
    EXPECT(mine[3] == (lane ^ 7));
    EXPECT(mine[4] == 0x49249249);
    EXPECT(mine[5] == 1);
    EXPECT(mine[6] == 15u << (lane & ~3u));
    EXPECT(mine[7] == 496);
    EXPECT(mine[8] == 31);
    EXPECT(mine[9] == (lane & 1 ? 0xaaaaaaaa : 0));
    unsigned sums[2] = {0, 0};
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned of = k ? 31 : lane;
      for (unsigned i = 0; i < of; ++i) {
        if ((i ^ of) & 1) continue;
        if (i > 20) break;
        sums[k] += i;
      }
    }
    EXPECT(mine[10] == sums[0]);
    EXPECT(mine[11] == sums[1]);
    EXPECT(mine[12] == 8 * (lane & ~7u) + 28);
    if (lane < 16) EXPECT(mine[13] == 115);
  }
  locked<<<4, 96>>>();
  locked_naively<<<4, 96>>>();
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT(count == 2 * 4 * 96);
  int *a, *b;
  CHECK(cudaMallocManaged(&a, 64 * sizeof *a));
  CHECK(cudaMallocManaged(&b, 64 * sizeof *b));
  for (int i = 0; i < 64; ++i) a[i] = i % 9, b[i] = i;
  switch_ways<<<1, 64>>>(a, b);
  CHECK(cudaDeviceSynchronize());
  const int wanted[] = {10, 43, 0, 33, 44, 55, 66, -1, -1};
  for (int i = 0; i < 64; ++i) EXPECT(b[i] == (i % 9 == 2 ? 2 * i + 1 : wanted[i % 9]));
  std::printf("lanes part and meet\n");
  return 0;
}
