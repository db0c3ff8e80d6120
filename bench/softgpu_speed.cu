// SPDX-License-Identifier: Apache-2.0
// How fast the software GPU executes: single instructions, and two programs beside the same loops in plain C++. Also with the argument `startup`: milliseconds
// from cuInit to the end of a first kernel, which only a fresh process can tell. bench/softgpu runs it all and prints the ratios.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

void check(cudaError_t result, int line) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "softgpu_speed.cu:%d: %s\n", line, cudaGetErrorName(result));
  std::exit(1);
}
#define CHECK(call) check((call), __LINE__)

template <typename T>
T* device_copy(const std::vector<T>& from) {
  T* made;
  CHECK(cudaMalloc(&made, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(made, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return made;
}

// --- single instructions: `loops` times `per_loop` of them, by full warps that never part

constexpr int loops = 64, per_loop = 64, blocks = 64, threads = 256;

struct FmaF32 {
  static __device__ void once(float& x, unsigned&, float*, float*) { asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(0.5F), "f"(1.0F)); }
};
struct AddS32 {
  static __device__ void once(float&, unsigned& i, float*, float*) { asm volatile("add.s32 %0, %0, %1;" : "+r"(i) : "r"(3)); }
};
struct LoadGlobal {
  static __device__ void once(float& x, unsigned&, float* global, float*) { asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(global)); }
};
struct StoreGlobal {
  static __device__ void once(float& x, unsigned&, float* global, float*) { asm volatile("st.global.f32 [%1], %0;" ::"f"(x), "l"(global)); }
};
struct LoadShared {
  static __device__ void once(float& x, unsigned&, float*, float* shared) {
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))));
  }
};
struct Exp2 {
  static __device__ void once(float& x, unsigned&, float*, float*) { asm volatile("ex2.approx.f32 %0, %0;" : "+f"(x)); }
};

template <typename Instruction>
__global__ void many(float* data) {
  __shared__ float shared[threads];
  const unsigned at = blockIdx.x * threads + threadIdx.x;
  float x = data[at];
  unsigned i = at;
  shared[threadIdx.x] = x;
  for (int n = 0; n < loops; ++n) {
#pragma unroll
    for (int m = 0; m < per_loop; ++m) Instruction::once(x, i, data + at, shared + threadIdx.x);
  }
  data[at] = x + static_cast<float>(i);
}

template <typename Instruction>
void instruction(benchmark::State& state) {
  float* data = device_copy(std::vector<float>(blocks * threads, 0.25F));
  for (auto _ : state) {
    many<Instruction><<<blocks, threads>>>(data);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaFree(data));
  state.counters["per_instruction"] =
      benchmark::Counter(1.0 * blocks * (threads / 32) * loops * per_loop, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(instruction<FmaF32>)->Name("instruction/fma.f32")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(instruction<AddS32>)->Name("instruction/add.s32")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(instruction<LoadGlobal>)->Name("instruction/ld.global.f32")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(instruction<StoreGlobal>)->Name("instruction/st.global.f32")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(instruction<LoadShared>)->Name("instruction/ld.shared.f32")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(instruction<Exp2>)->Name("instruction/ex2.f32")->UseRealTime()->Unit(benchmark::kMillisecond);

// --- c = a + b of 16 M floats

constexpr int elements = 16 << 20;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vector_add_device(benchmark::State& state) {
  const std::vector<float> a(elements, 1.5F), b(elements, 2.25F);
  std::vector<float> c(elements);
  float *da = device_copy(a), *db = device_copy(b), *dc = device_copy(c);
  for (auto _ : state) {
    add<<<elements / 256, 256>>>(da, db, dc, elements);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(c.data(), dc, elements * sizeof(float), cudaMemcpyDeviceToHost));
  for (float* one : {da, db, dc}) CHECK(cudaFree(one));
  if (c[0] != 3.75F || c[elements - 1] != 3.75F) state.SkipWithError("a wrong sum");
}
BENCHMARK(vector_add_device)->Name("vector_add/device")->UseRealTime()->Unit(benchmark::kMillisecond);

void vector_add_host(benchmark::State& state) {
  const std::vector<float> a(elements, 1.5F), b(elements, 2.25F);
  std::vector<float> c(elements);
  for (auto _ : state) {
    for (int i = 0; i < elements; ++i) c[i] = a[i] + b[i];
    benchmark::ClobberMemory();
  }
}
BENCHMARK(vector_add_host)->Name("vector_add/host")->UseRealTime()->Unit(benchmark::kMillisecond);

// --- c = a * b, 320x320 by 320x640, in tiles of 32x32

constexpr int rows = 320, inner = 320, columns = 640, tile = 32;

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float ta[tile][tile], tb[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < inner; k += tile) {
    ta[y][x] = a[row * inner + k + x];
    tb[y][x] = b[(k + y) * columns + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

void product_host(const float* a, const float* b, float* c) {
  for (int row0 = 0; row0 < rows; row0 += tile) {
    for (int column0 = 0; column0 < columns; column0 += tile) {
      float sums[tile][tile] = {};
      for (int k = 0; k < inner; k += tile)
        for (int y = 0; y < tile; ++y)
          for (int x = 0; x < tile; ++x)
            for (int i = 0; i < tile; ++i) sums[y][x] += a[(row0 + y) * inner + k + i] * b[(k + i) * columns + column0 + x];
      for (int y = 0; y < tile; ++y) std::memcpy(c + (row0 + y) * columns + column0, sums[y], sizeof sums[y]);
    }
  }
}

std::vector<float> numbers(int count) {
  std::vector<float> made(count);
  for (int i = 0; i < count; ++i) made[i] = static_cast<float>(i % 17) / 8;
  return made;
}

void matrix_product_device(benchmark::State& state) {
  const std::vector<float> a = numbers(rows * inner), b = numbers(inner * columns);
  std::vector<float> c(rows * columns), expected(rows * columns);
  float *da = device_copy(a), *db = device_copy(b), *dc = device_copy(c);
  for (auto _ : state) {
    product<<<dim3(columns / tile, rows / tile), dim3(tile, tile)>>>(da, db, dc);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float* one : {da, db, dc}) CHECK(cudaFree(one));
  product_host(a.data(), b.data(), expected.data());
  if (c != expected) state.SkipWithError("a wrong product");  // all sums are exact
}
BENCHMARK(matrix_product_device)->Name("matrix_product/device")->UseRealTime()->Unit(benchmark::kMillisecond);

void matrix_product_host(benchmark::State& state) {
  const std::vector<float> a = numbers(rows * inner), b = numbers(inner * columns);
  std::vector<float> c(rows * columns);
  for (auto _ : state) {
    product_host(a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(matrix_product_host)->Name("matrix_product/host")->UseRealTime()->Unit(benchmark::kMillisecond);

int startup() {
  const auto start = std::chrono::steady_clock::now();
  int* data;
  CHECK(cudaMalloc(&data, 1024));
  many<AddS32><<<1, 32>>>(reinterpret_cast<float*>(data));
  CHECK(cudaDeviceSynchronize());
  std::printf("%.3f\n", std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "startup") == 0) return startup();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
