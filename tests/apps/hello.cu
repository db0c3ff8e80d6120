// SPDX-License-Identifier: Apache-2.0
// The shortest program that uses a device.
#include "check.hpp"

int main() {
  void* memory;
  CHECK(cudaMalloc(&memory, 4096));
  CHECK(cudaMemset(memory, 1, 4096));
  CHECK(cudaDeviceSynchronize());
  std::puts("hello");
  return 0;
}
