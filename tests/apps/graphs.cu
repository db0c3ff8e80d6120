// SPDX-License-Identifier: Apache-2.0
// Graphs: captured from streams that fork and join, built by hand, changed, and launched several times.
#include "check.hpp"

__global__ void add(int* d, int value) { d[threadIdx.x] += value; }
__global__ void both(int* d, const int* a, const int* b) { d[threadIdx.x] += a[threadIdx.x] * b[threadIdx.x]; }

void captured(int* a, int* b, int* d) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, 128, first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  CHECK(cudaMemsetAsync(b, 0, 128, second));
  add<<<1, 32, 0, first>>>(a, 3);
  add<<<1, 32, 0, second>>>(b, 5);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  both<<<1, 32, 0, first>>>(d, a, b);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(second, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 5);
  EXPECT(d[0] == 0);  // nothing has run
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 4; ++i) CHECK(cudaGraphLaunch(exec, first));
  CHECK(cudaStreamSynchronize(first));
  for (int i = 0; i < 32; ++i) EXPECT(d[i] == 60);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

void by_hand(int* a, int* d) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t clear, kernel, copy;
  cudaMemsetParams fill{};
  fill.dst = a;
  fill.value = 0;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  int value = 7;
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(add);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &parameters));
  value = 1000;  // the node has its own copy
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, d, a, 128, cudaMemcpyDeviceToDevice));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(d[i] == 7);
  value = 9;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &parameters));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(d[i] == 9);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  int *a, *b, *d;
  CHECK(cudaMalloc(&a, 128));
  CHECK(cudaMalloc(&b, 128));
  CHECK(cudaMallocManaged(&d, 128));
  captured(a, b, d);
  by_hand(a, d);
  std::printf("graphs are right\n");
  return 0;
}
