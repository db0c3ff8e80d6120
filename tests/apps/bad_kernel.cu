// SPDX-License-Identifier: Apache-2.0
// A kernel that fails in the way the argument names; prints the error that CUDA reports, and that it stays.
#include <cassert>
#include <cstring>

#include "check.hpp"

__global__ void out_of_bounds(int* p) {
  if (threadIdx.x == 37) p[1 << 28] = 1;
}
__global__ void null_pointer(int* p) { *p = 1; }
__global__ void misaligned(char* p) { *reinterpret_cast<int*>(p + 1 + threadIdx.x) = 1; }
__global__ void shared_overflow(int* p) {
  extern __shared__ int cells[];
  p[threadIdx.x] = cells[threadIdx.x + 100000];
}
__global__ void asserted(int* p) { assert(p[threadIdx.x] == 0 && threadIdx.x != 5); }
__global__ void trapped() { asm volatile("trap;"); }
__global__ void endless(volatile int* p) {
  while (*p == 0) {}
}
__device__ __noinline__ int deeper(volatile int* p, int n) {
  int cells[64];
  cells[n % 64] = *p;
  return n == 0 ? 0 : deeper(p, n + *p) + cells[n * 7 % 64];
}
__global__ void overflow(volatile int* p) {
  *p = 1;
  *p = deeper(p, 1);
}

int main(int, char** arguments) {
  const char* how = arguments[1];
  int* p;
  CHECK(cudaMalloc(&p, 4096));
  CHECK(cudaMemset(p, 0, 4096));
  const auto is = [&](const char* name) { return std::strcmp(how, name) == 0; };
  if (is("out_of_bounds")) out_of_bounds<<<2, 64>>>(p);
  else if (is("null_pointer")) null_pointer<<<1, 1>>>(nullptr);
  else if (is("misaligned")) misaligned<<<1, 32>>>(reinterpret_cast<char*>(p));
  else if (is("shared_overflow")) shared_overflow<<<1, 32, 128>>>(p);
  else if (is("assert")) asserted<<<1, 32>>>(p);
  else if (is("trap")) trapped<<<1, 1>>>();
  else if (is("endless")) endless<<<1, 1>>>(p);
  else if (is("overflow")) overflow<<<1, 1>>>(p);
  else return 2;
  const cudaError_t first = cudaDeviceSynchronize(), second = cudaMalloc(&p, 16);
  std::printf("%s, then %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
  return 0;
}
