// SPDX-License-Identifier: Apache-2.0
// A kernel spins on a flag that another kernel sets, which a second thread launches while the first one waits. Whoever lets the wait of one
// thread hold up the launches of another never ends.
#include <unistd.h>

#include <thread>

#include "check.hpp"

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void set(volatile int* flag) { *flag = 1; }

namespace {

enum class Wait { context, stream, event, copy };

void wait(Wait kind, cudaStream_t stream, int* flag) {
  int value = 0;
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event, stream));
  switch (kind) {
    case Wait::context: CHECK(cudaDeviceSynchronize()); break;
    case Wait::stream: CHECK(cudaStreamSynchronize(stream)); break;
    case Wait::event: CHECK(cudaEventSynchronize(event)); break;
    case Wait::copy:
      CHECK(cudaMemcpyAsync(&value, flag, sizeof value, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaStreamSynchronize(stream));
      EXPECT(value == 1);
      break;
  }
  CHECK(cudaEventDestroy(event));
}

void round(Wait kind, const char* name) {
  int* flag;
  cudaStream_t waiting, setting;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&setting, cudaStreamNonBlocking));
  set<<<1, 1, 0, setting>>>(flag);  // loads the kernel: a lazy load waits for the device
  CHECK(cudaStreamSynchronize(setting));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  wait_for<<<1, 1, 0, waiting>>>(flag);
  std::thread second([&] {
    ::usleep(100000);  // the first thread waits by now
    set<<<1, 1, 0, setting>>>(flag);
    CHECK(cudaGetLastError());
  });
  wait(kind, waiting, flag);
  second.join();
  CHECK(cudaStreamDestroy(waiting));
  CHECK(cudaStreamDestroy(setting));
  CHECK(cudaFree(flag));
  std::printf("waited with %s\n", name);
  std::fflush(stdout);
}

}  // namespace

int main() {
  round(Wait::context, "cudaDeviceSynchronize");
  round(Wait::stream, "cudaStreamSynchronize");
  round(Wait::event, "cudaEventSynchronize");
  round(Wait::copy, "a copy");
  return 0;
}
