// SPDX-License-Identifier: Apache-2.0
#include "interposer/capture.hpp"

#include <map>
#include <mutex>
#include <vector>

#include "interposer/command.hpp"
#include "interposer/host_memory.hpp"

namespace weft::interposer {
namespace {

struct OngoingCapture {
  CUstreamCaptureMode mode;
  const Thread* owner;
  std::vector<CUstream> streams;
};

std::mutex captures_mutex;
std::map<std::uint64_t, OngoingCapture> captures;  // by id
std::atomic<int> capture_count{0};                 // so that the usual case, none, costs a load
std::uint64_t next_capture_id = 1;

CUresult begin(CUstream stream, CUstreamCaptureMode mode, Command& command) {
  Capture* capture = capture_of(stream);
  if (!capture) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (capture->id.load()) return CUDA_ERROR_ILLEGAL_STATE;
  CUresult result = command.call();
  if (result != CUDA_SUCCESS) return result;
  std::lock_guard lock(captures_mutex);
  const std::uint64_t id = next_capture_id++;
  captures[id] = {mode, &this_thread(), {stream}};
  capture->origin = true;
  capture->id = id;
  ++capture_count;
  return CUDA_SUCCESS;
}

/// Forgets a capture and frees its streams. captures_mutex is held.
void forget(std::uint64_t id) {
  for (CUstream stream : captures[id].streams) {
    if (Stream* member = objects().streams.find(stream)) {
      member->capture.origin = false;
      member->capture.id = 0;
    }
  }
  captures.erase(id);
  --capture_count;
}

}  // namespace

Capture* capture_of(CUstream stream) {
  Stream* found = objects().streams.find(resolve_stream(stream));
  return found ? &found->capture : nullptr;
}

bool is_capturing(CUstream stream) {
  if (capture_count.load(std::memory_order_acquire) == 0) return false;
  const Capture* capture = capture_of(stream);
  return capture && capture->id.load();
}

CUresult refuse_while_capturing() {
  if (capture_count.load(std::memory_order_acquire) == 0) return CUDA_SUCCESS;
  const Thread& me = this_thread();
  if (me.capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  std::lock_guard lock(captures_mutex);
  for (const auto& [id, capture] : captures) {
    const bool mine = capture.owner == &me;
    if (capture.mode == CU_STREAM_CAPTURE_MODE_RELAXED) continue;
    if (mine || (capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL && me.capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL))
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return CUDA_SUCCESS;
}

CUresult refuse_if_stream_captures(CUstream stream) {
  if (capture_count.load(std::memory_order_acquire) == 0) return CUDA_SUCCESS;
  const CUstream resolved = resolve_stream(stream);
  if (objects().streams.find(resolved)) return is_capturing(resolved) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
  std::lock_guard lock(captures_mutex);
  for (const auto& [id, capture] : captures) {
    for (CUstream member : capture.streams) {
      const Stream* found = objects().streams.find(member);
      if (found && !(found->flags & CU_STREAM_NON_BLOCKING)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer

using namespace weft::interposer;
using weft::abi::Op;

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  Command command(Op::cuStreamBeginCapture_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  command.value(hStream);
  command.value(static_cast<std::int32_t>(mode));
  return begin(resolve_stream(hStream), mode, command);
}

CUresult cuStreamBeginCapture(CUstream hStream) { return cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL); }

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData* dependencyData,
                                     size_t numDependencies, CUstreamCaptureMode mode) {
  Command command(Op::cuStreamBeginCaptureToGraph);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (numDependencies > weft::wire::max_array_elements || (numDependencies && !dependencies) || dependencyData)
    return dependencyData ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
  command.value(hStream);
  command.value(hGraph);
  command.value(static_cast<std::uint32_t>(numDependencies));
  command.bytes(dependencies, numDependencies * sizeof *dependencies);
  command.value(static_cast<std::int32_t>(mode));
  return begin(resolve_stream(hStream), mode, command);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  if (!phGraph) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuStreamEndCapture);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const CUstream stream = resolve_stream(hStream);
  const Capture* capture = capture_of(stream);
  const std::uint64_t id = capture ? capture->id.load() : 0;
  if (!id) return CUDA_ERROR_ILLEGAL_STATE;
  if (!capture->origin) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  {
    std::lock_guard lock(captures_mutex);
    if (captures[id].mode != CU_STREAM_CAPTURE_MODE_RELAXED && captures[id].owner != &this_thread()) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  }
  command.value(hStream);
  command.mint(phGraph);
  CUresult result = command.call();
  std::lock_guard lock(captures_mutex);
  forget(id);
  if (result != CUDA_SUCCESS) {
    forget_captured_copies(id);
    command.unmint(phGraph);
    return result;
  }
  captured_copies_belong_to(id, *phGraph);
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  if (!captureStatus) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!objects().streams.find(resolve_stream(hStream))) {
    *captureStatus = CU_STREAM_CAPTURE_STATUS_NONE;
    return refuse_if_stream_captures(hStream);
  }
  *captureStatus = is_capturing(hStream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (!mode || *mode < CU_STREAM_CAPTURE_MODE_GLOBAL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  std::swap(this_thread().capture_mode, *mode);
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out,
                                   const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out) {
  if (!captureStatus_out) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuStreamGetCaptureInfo_v3);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  *captureStatus_out = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!is_capturing(hStream)) return refuse_if_stream_captures(hStream);
  if (id_out && !graph_out && !dependencies_out && !numDependencies_out) {
    *captureStatus_out = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    *id_out = capture_of(hStream)->id;
    return CUDA_SUCCESS;
  }
  command.value(hStream);
  command.value(static_cast<std::uint8_t>(dependencies_out || numDependencies_out));
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *captureStatus_out = static_cast<CUstreamCaptureStatus>(command.result<std::int32_t>());
  (void)command.result<std::uint64_t>();  // the worker's id of the capture; ours is what events and other streams know
  if (id_out) *id_out = capture_of(hStream)->id;
  const auto graph = reinterpret_cast<CUgraph>(command.result<std::uint64_t>());
  if (graph_out) *graph_out = graph;
  const auto count = command.result<std::uint32_t>();
  // The arrays belong to the driver and live until the next call on the stream: here, until the thread's next call of this function.
  static thread_local std::vector<CUgraphNode> nodes;
  static thread_local std::vector<CUgraphEdgeData> edges;
  nodes.clear();
  edges.clear();
  for (std::uint32_t i = 0; i < count && command.results().ok(); ++i) nodes.push_back(reinterpret_cast<CUgraphNode>(command.result<std::uint64_t>()));
  for (std::uint32_t i = 0; i < count && command.results().ok(); ++i) edges.push_back(command.result<CUgraphEdgeData>());
  if (dependencies_out) *dependencies_out = nodes.data();
  if (edgeData_out) *edgeData_out = edges.data();
  if (numDependencies_out) *numDependencies_out = nodes.size();
  return command.complete();
}

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out,
                                   const CUgraphNode** dependencies_out, size_t* numDependencies_out) {
  return cuStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, graph_out, dependencies_out, nullptr, numDependencies_out);
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out) {
  cuuint64_t id;
  return cuStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out ? id_out : &id, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  Command command(Op::cuStreamWaitEvent);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Event* event = objects().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  const CUstream stream = resolve_stream(hStream);
  if (std::uint64_t id = event->capture_id.load()) {  // the stream joins the capture
    Capture* capture = capture_of(stream);
    std::lock_guard lock(captures_mutex);
    auto ongoing = captures.find(id);
    if (!capture || ongoing == captures.end()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (capture->id.load() == 0) {
      capture->id = id;
      ongoing->second.streams.push_back(stream);
    } else if (capture->id.load() != id) {
      return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
  } else if (is_capturing(stream) && !(Flags & CU_EVENT_WAIT_EXTERNAL)) {
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  } else if (event->state.load(std::memory_order_acquire) != Event::pending && !is_capturing(stream)) {
    return CUDA_SUCCESS;  // nothing to wait for
  }
  command.value(stream);
  command.value(hEvent);
  command.value(Flags);
  return command.post();
}

}  // extern "C"
