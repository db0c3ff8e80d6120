// SPDX-License-Identifier: Apache-2.0
// What belongs to one of the program's threads: its stack of contexts, its default streams, its buffers.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::interposer {

struct Thread {
  std::vector<CUcontext> contexts;                          // the last is current
  std::unordered_map<CUcontext, CUstream> default_streams;  // what CU_STREAM_PER_THREAD means in each context
  int per_thread_default = 0;                               // > 0 inside a _ptsz or _ptds entry point
  CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::vector<std::byte> request;                           // the command being built
  std::vector<std::byte> reply;                             // the last reply's body

  CUcontext current() const { return contexts.empty() ? nullptr : contexts.back(); }
};

/// This thread's; made at its first call, freed when the thread ends.
Thread& this_thread();

/// While one lives, the default stream is the per-thread one.
class PerThreadDefault {
 public:
  PerThreadDefault() { ++this_thread().per_thread_default; }
  ~PerThreadDefault() { --this_thread().per_thread_default; }
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;
};

/// The stream that a stream argument means here: as it is, or for the per-thread default stream the real stream of this thread and context (made
/// now if need be).
CUstream resolve_stream(CUstream stream);

}  // namespace weft::interposer
