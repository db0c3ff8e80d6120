// SPDX-License-Identifier: Apache-2.0
// Calls on the device: recursion, pointers to functions, virtual functions, memory from malloc, printf.
#include "check.hpp"

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

using Function = int (*)(int, int);
__device__ __noinline__ int sum(int a, int b) { return a + b; }
__device__ __noinline__ int product(int a, int b) { return a * b; }
__device__ Function table[] = {sum, product};

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  float side;
};
struct Circle : Shape {
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
  float radius;
};

struct Big {
  int values[20];
};
__device__ __noinline__ Big reversed(Big b) {
  Big made;
  for (int i = 0; i < 20; ++i) made.values[i] = b.values[19 - i];
  return made;
}

__global__ void calls(int* d, float* f, int which) {
  const int t = static_cast<int>(threadIdx.x);
  d[t] = fibonacci(t % 12);
  d[64 + t] = table[(t + which) % 2](t, 5);
  Shape* shape = t % 3 ? static_cast<Shape*>(new Square(static_cast<float>(t))) : static_cast<Shape*>(new Circle(static_cast<float>(t)));
  f[t] = shape->area();
  delete shape;
  Big big;
  for (int i = 0; i < 20; ++i) big.values[i] = i * t;
  d[128 + t] = reversed(big).values[t % 20];
  if (t < 3) printf("thread %d: %s %5.2f %c %llx%%\n", t, t == 1 ? "one" : "other", t * 1.5, 'a' + t, 0x123456789abcdefull + static_cast<unsigned long long>(t));
}

int main() {
  int* d;
  float* f;
  CHECK(cudaMallocManaged(&d, 192 * sizeof *d));
  CHECK(cudaMallocManaged(&f, 64 * sizeof *f));
  calls<<<1, 64>>>(d, f, 0);
  CHECK(cudaDeviceSynchronize());
  const int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int t = 0; t < 64; ++t) {
    EXPECT(d[t] == numbers[t % 12]);
    EXPECT(d[64 + t] == (t % 2 ? t * 5 : t + 5));
    EXPECT(d[128 + t] == (19 - t % 20) * t);
    EXPECT(f[t] == static_cast<float>(t % 3 ? t * t : 3 * t * t));
  }
  std::printf("calls are right\n");
  return 0;
}
