// SPDX-License-Identifier: Apache-2.0
// Kernels in streams ordered by events, device printf, __constant__ and __device__ symbols, 2-D copies.
#include <vector>

#include "check.hpp"

__constant__ int factors[4];
__device__ int total;

__global__ void scale(int* data, int n, int which) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] *= factors[which];
}

__global__ void sum(const int* data, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) atomicAdd(&total, data[i]);
}

__global__ void say(int number, float value, const char* /*unused*/) {
  printf("thread %u says %d, %.3f and \"%s\"\n", threadIdx.x, number, static_cast<double>(value), number % 2 ? "odd" : "even");
}

namespace {

void streams_and_symbols() {
  constexpr int n = 10000;
  const int values[4] = {2, 3, 5, 7};
  CHECK(cudaMemcpyToSymbol(factors, values, sizeof values));
  std::vector<int> host(n, 1);
  int* data;
  cudaStream_t first, second;
  cudaEvent_t scaled;
  CHECK(cudaMalloc(&data, n * sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&scaled));
  CHECK(cudaMemcpyAsync(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, first));
  for (int which = 0; which < 4; ++which) scale<<<(n + 127) / 128, 128, 0, first>>>(data, n, which);
  CHECK(cudaEventRecord(scaled, first));
  CHECK(cudaStreamWaitEvent(second, scaled, 0));
  sum<<<1, 256, 0, second>>>(data, n);
  CHECK(cudaStreamSynchronize(second));
  int result = 0;
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  EXPECT(result == 210 * n);
  CHECK(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int value : host) EXPECT(value == 210);
  EXPECT(cudaEventQuery(scaled) == cudaSuccess);
  CHECK(cudaEventDestroy(scaled));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(data));
  std::printf("the sum is %d\n", result);
}

void printing() {
  for (int number = 0; number < 3; ++number) {
    std::printf("host before %d\n", number);
    std::fflush(stdout);
    say<<<1, 2>>>(number, 0.5f * static_cast<float>(number), nullptr);
    CHECK(cudaDeviceSynchronize());
  }
}

void rectangles() {
  constexpr int width = 33, height = 17;
  std::vector<int> host(width * height), back(width * height, -1);
  for (int i = 0; i < width * height; ++i) host[i] = i;
  int* device;
  std::size_t pitch;
  CHECK(cudaMallocPitch(&device, &pitch, width * sizeof(int), height));
  CHECK(cudaMemset2D(device, pitch, 0, width * sizeof(int), height));
  CHECK(cudaMemcpy2D(device, pitch, host.data(), width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
  scale<<<static_cast<unsigned>(pitch / sizeof(int) * height + 127) / 128, 128>>>(device, static_cast<int>(pitch / sizeof(int)) * height, 1);
  CHECK(cudaMemcpy2D(back.data(), width * sizeof(int), device, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; ++i) EXPECT(back[i] == 3 * i);
  CHECK(cudaFree(device));
  std::puts("the rectangle is right");
}

}  // namespace

int main() {
  streams_and_symbols();
  printing();
  rectangles();
  return 0;
}
