// SPDX-License-Identifier: Apache-2.0
// Copies to and fro until a call fails; says "going" once it is under way.
#include <vector>

#include "check.hpp"

int main() {
  std::vector<char> bytes(32 << 20, 1);
  void* device;
  CHECK(cudaMalloc(&device, bytes.size()));
  for (long round = 0;; ++round) {
    CHECK(cudaMemcpy(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
    if (round == 3) {
      std::puts("going");
      std::fflush(stdout);
    }
  }
}
