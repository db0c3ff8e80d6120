// SPDX-License-Identifier: Apache-2.0
// What the commonest CUDA calls cost the calling thread. One line a measure: name, value, unit; medians of many repetitions.
// bench/call_cost runs it natively and through weft and prints the ratios.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

void check(cudaError_t result, int line) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "call_cost.cu:%d: %s\n", line, cudaGetErrorName(result));
  std::exit(1);
}
#define CHECK(call) check((call), __LINE__)

__global__ void nothing() {}

/// Median seconds of one call in `rounds` rounds of `calls` calls; `after` runs untimed between the rounds.
template <typename Call, typename After>
double median(int rounds, int calls, Call call, After after) {
  std::vector<double> all;
  for (int round = 0; round <= rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    after();
    if (round) all.push_back(seconds / calls);  // the first one warms up
  }
  std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
  return all[all.size() / 2];
}

void drain() { CHECK(cudaDeviceSynchronize()); }

void calls() {
  cudaEvent_t event;
  void* device;
  char host[8] = {};
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaMalloc(&device, 1 << 20));
  std::printf("launch %.3f us\n", 1e6 * median(21, 500, [] { nothing<<<1, 32>>>(); }, drain));
  std::printf("memset_async %.3f us\n", 1e6 * median(21, 500, [&] { CHECK(cudaMemsetAsync(device, 0, 4096)); }, drain));
  std::printf("event_record %.3f us\n", 1e6 * median(21, 500, [&] { CHECK(cudaEventRecord(event)); }, drain));
  std::printf("h2d_8_bytes %.3f us\n", 1e6 * median(21, 200, [&] { CHECK(cudaMemcpy(device, host, 8, cudaMemcpyHostToDevice)); }, drain));
  std::printf("d2h_8_bytes %.3f us\n", 1e6 * median(21, 200, [&] { CHECK(cudaMemcpy(host, device, 8, cudaMemcpyDeviceToHost)); }, drain));
  std::printf("synchronize %.3f us\n", 1e6 * median(21, 200, [] { CHECK(cudaDeviceSynchronize()); }, drain));
  std::printf("launch_synchronize %.3f us\n", 1e6 * median(21, 200, [] { nothing<<<1, 32>>>(), CHECK(cudaDeviceSynchronize()); }, drain));
  std::printf("malloc_free_1MiB %.3f us\n", 1e6 * median(11, 50, [] {
    void* one;
    CHECK(cudaMalloc(&one, 1 << 20));
    CHECK(cudaFree(one));
  }, drain));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaFree(device));
}

void bandwidth(std::size_t bytes, bool pinned) {
  void *device, *host;
  CHECK(cudaMalloc(&device, bytes));
  if (pinned) {
    CHECK(cudaMallocHost(&host, bytes));
  } else if (!(host = std::malloc(bytes))) {
    std::exit(1);
  }
  std::memset(host, 1, bytes);
  const char* kind = pinned ? "pinned" : "pageable";
  const double size = static_cast<double>(bytes);
  const double to = median(9, 1, [&] { CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)), drain(); }, drain);
  const double from = median(9, 1, [&] { CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }, drain);
  std::printf("h2d_%s_%zuMiB %.3f GB/s\n", kind, bytes >> 20, size / to / 1e9);
  std::printf("d2h_%s_%zuMiB %.3f GB/s\n", kind, bytes >> 20, size / from / 1e9);
  CHECK(cudaFree(device));
  if (pinned) CHECK(cudaFreeHost(host));
  else std::free(host);
}

}  // namespace

int main() {
  calls();
  for (std::size_t bytes : {std::size_t{1} << 20, std::size_t{64} << 20, std::size_t{256} << 20}) {
    bandwidth(bytes, true);
    bandwidth(bytes, false);
  }
  return 0;
}
