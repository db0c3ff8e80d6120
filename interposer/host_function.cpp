// SPDX-License-Identifier: Apache-2.0
// Functions of the program that run in stream order: the server's stream waits while this process runs them. Only a token travels, never a pointer.
#include <mutex>
#include <unordered_map>

#include "interposer/capture.hpp"
#include "interposer/command.hpp"

using namespace weft::interposer;

namespace {

struct HostFunction {
  CUhostFn function;
  CUstreamCallback callback;  // instead of function
  CUstream stream;
  void* data;
  bool once;  // captured ones run at every launch of their graph
};

std::mutex functions_mutex;
std::unordered_map<std::uint64_t, HostFunction> functions;
std::uint64_t last_token = 0;

CUresult enqueue(HostFunction what, CUstream stream) {
  Command command(weft::abi::Op::cuLaunchHostFunc);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  what.once = !is_capturing(stream);
  std::uint64_t token;
  {
    std::lock_guard lock(functions_mutex);
    token = ++last_token;
    functions[token] = what;
  }
  command.value(stream);
  command.value(token);
  return command.post();
}

}  // namespace

namespace weft::interposer {

void run_host_function(std::uint64_t token) {
  HostFunction what;
  {
    std::lock_guard lock(functions_mutex);
    auto found = functions.find(token);
    if (found == functions.end()) return;
    what = found->second;
    if (what.once) functions.erase(found);
  }
  if (what.callback) what.callback(what.stream, CUDA_SUCCESS, what.data);
  else what.function(what.data);
}

}  // namespace weft::interposer

extern "C" {

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  return fn ? enqueue({.function = fn, .data = userData}, hStream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags) {
  if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
  if (is_capturing(hStream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return enqueue({.callback = callback, .stream = hStream, .data = userData}, hStream);
}

}  // extern "C"
