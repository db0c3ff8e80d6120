// SPDX-License-Identifier: Apache-2.0
// What belongs to one of the program's threads.
#pragma once

#include <map>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::softgpu {

struct Context;
struct Stream;

struct Thread {
  std::vector<Context*> contexts;               // the last is current; may name one that is gone
  std::map<Context*, CUstream> default_streams;  // behind CU_STREAM_PER_THREAD
  int per_thread_default = 0;                   // > 0 inside a _ptsz or _ptds entry point
};

Thread& this_thread();

/// While one lives, the default stream is the per-thread one.
class PerThreadDefault {
 public:
  PerThreadDefault() { ++this_thread().per_thread_default; }
  ~PerThreadDefault() { --this_thread().per_thread_default; }
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;
};

}  // namespace weft::softgpu
