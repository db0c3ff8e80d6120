// SPDX-License-Identifier: Apache-2.0
// Copies of all kinds and sizes, memsets, symbols, streams and events. Prints a checksum of everything that came back.
#include <cstring>
#include <vector>

#include "check.hpp"

__device__ int counter = 42;
__constant__ float table[4] = {1, 2, 3, 4};

namespace {

unsigned checksum = 1;

void add(const void* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) checksum = checksum * 31 + static_cast<const unsigned char*>(data)[i];
}

std::vector<unsigned char> pattern(std::size_t bytes) {
  std::vector<unsigned char> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<unsigned char>(i * 7 + (i >> 9));
  return all;
}

void linear() {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{65536}, std::size_t{65537}, std::size_t{5} << 20, (std::size_t{70} << 20) + 1}) {
    const auto source = pattern(bytes);
    std::vector<unsigned char> back(bytes);
    void *first, *second;
    CHECK(cudaMalloc(&first, bytes));
    CHECK(cudaMalloc(&second, bytes));
    CHECK(cudaMemcpy(first, source.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(back.data(), second, bytes, cudaMemcpyDefault));
    EXPECT(back == source);
    add(back.data(), bytes);
    CHECK(cudaFree(first));
    CHECK(cudaFree(second));
  }
}

void pinned() {
  constexpr std::size_t bytes = 3 << 20;
  unsigned char *from, *to;
  void* device;
  cudaStream_t stream;
  cudaEvent_t start, end;
  CHECK(cudaMallocHost(&from, bytes));
  CHECK(cudaMallocHost(&to, bytes));
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  for (int round = 0; round < 3; ++round) {
    std::memset(from, round + 1, bytes);
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaMemcpyAsync(device, from, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(device, 0x55, 1000, stream));
    CHECK(cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(round == 0 ? cudaStreamSynchronize(stream) : round == 1 ? cudaEventSynchronize(end) : cudaDeviceSynchronize());
    EXPECT(to[999] == 0x55 && to[1000] == round + 1 && to[bytes - 1] == round + 1);
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    EXPECT(milliseconds >= 0);
    add(to, bytes);
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(from));
  CHECK(cudaFreeHost(to));
  CHECK(cudaFree(device));
}

void boxes() {
  constexpr std::size_t width = 300, height = 200, host_pitch = 333;
  const auto source = pattern(host_pitch * height);
  std::vector<unsigned char> back(host_pitch * height, 0xee);
  void* device;
  std::size_t pitch;
  CHECK(cudaMallocPitch(&device, &pitch, width, height));
  CHECK(cudaMemcpy2D(device, pitch, source.data(), host_pitch, width, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemset2D(static_cast<char*>(device) + 10 * pitch + 20, pitch, 7, 30, 40));
  CHECK(cudaMemcpy2D(back.data(), host_pitch, device, pitch, width, height, cudaMemcpyDeviceToHost));
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < host_pitch; ++x) {
      const bool set = y >= 10 && y < 50 && x >= 20 && x < 50;
      EXPECT(back[y * host_pitch + x] == (x >= width ? 0xee : set ? 7 : source[y * host_pitch + x]));
    }
  add(back.data(), back.size());
  CHECK(cudaFree(device));
}

void symbols() {
  int value = 0;
  float row[4];
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 42);
  value = 43;
  CHECK(cudaMemcpyToSymbol(counter, &value, sizeof value));
  value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 43);
  CHECK(cudaMemcpyFromSymbol(row, table, sizeof row));
  EXPECT(row[3] == 4);
  add(row, sizeof row);
}

void mistakes() {
  void* device;
  char byte = 0;
  CHECK(cudaMalloc(&device, 100));
  EXPECT(cudaMemcpy(device, nullptr, 10, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(device, &byte, 101, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaFree(&byte) == cudaErrorInvalidValue);
  EXPECT(cudaSetDevice(77) == cudaErrorInvalidDevice);
  cudaGetLastError();
  void* too_much = nullptr;
  EXPECT(cudaMalloc(&too_much, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  cudaGetLastError();
  CHECK(cudaFree(device));
}

}  // namespace

int main() {
  linear();
  pinned();
  boxes();
  symbols();
  mistakes();
  std::printf("checksum %08x\n", checksum);
  return 0;
}
