// SPDX-License-Identifier: Apache-2.0
// What the test programs share: a CUDA call that fails ends the program with one line and status 3, a wrong value with status 4.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t result, const char* call, int line) {
  if (result == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorName(result));
  std::exit(3);
}
#define CHECK(call) check((call), #call, __LINE__)

inline void expect(bool right, const char* what, int line) {
  if (right) return;
  std::printf("line %d: wrong: %s\n", line, what);
  std::exit(4);
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)
