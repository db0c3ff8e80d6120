// SPDX-License-Identifier: Apache-2.0
// Streams that are captured into graphs.
#include <algorithm>
#include <set>

#include "softgpu/graph.hpp"

using namespace weft::softgpu;

namespace {

/// The capture that a stream takes part in; null for none.
CUresult capture_of(Entry& entry, CUstream handle, Stream** stream) {
  Target target;
  *stream = nullptr;
  if (CUresult result = find_target(entry, handle, &target); result != CUDA_SUCCESS) return result;
  *stream = target.captured() ? target.stream : nullptr;
  return CUDA_SUCCESS;
}

/// True where all of `tips` come before or are the origin's last nodes.
bool joined(const std::vector<Node*>& tips, const std::vector<Node*>& last) {
  std::set<const Node*> seen;
  std::vector<const Node*> rest(last.begin(), last.end());
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    if (seen.insert(node).second) rest.insert(rest.end(), node->after.begin(), node->after.end());
  }
  return std::all_of(tips.begin(), tips.end(), [&](const Node* tip) { return seen.contains(tip); });
}

CUresult begin(CUstream handle, Graph* into, std::vector<Node*> tips) {
  static std::uint64_t last_id = 0;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, handle, &target); result != CUDA_SUCCESS) return result;
  if (target.legacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (target.captured()) return CUDA_ERROR_ILLEGAL_STATE;
  auto capture = std::make_shared<Capture>();
  capture->graph = into ? into : entry.driver().graphs.insert(std::make_unique<Graph>());
  capture->origin = target.stream;
  capture->id = ++last_id;
  target.stream->capture = std::move(capture);
  target.stream->tips = std::move(tips);
  return CUDA_SUCCESS;
}

CUresult info(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph, const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  if (!status) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Stream* stream;
  if (CUresult result = capture_of(entry, handle, &stream); result != CUDA_SUCCESS) return result;
  *status = stream ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  if (!stream) return CUDA_SUCCESS;
  if (id) *id = stream->capture->id;
  if (graph) *graph = reinterpret_cast<CUgraph>(stream->capture->graph);
  if (dependencies) *dependencies = reinterpret_cast<const CUgraphNode*>(stream->tips.data());
  if (edges) *edges = nullptr;
  if (count) *count = stream->tips.size();
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode) { return begin(hStream, nullptr, {}); }

CUresult cuStreamBeginCapture(CUstream hStream) { return begin(hStream, nullptr, {}); }

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData*, size_t numDependencies, CUstreamCaptureMode) {
  std::vector<Node*> tips;
  Graph* graph;
  {
    Entry entry;
    if (entry.result != CUDA_SUCCESS) return entry.result;
    graph = entry.driver().graphs.find(hGraph);
    if (!graph || (numDependencies && !dependencies)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < numDependencies; ++i) tips.push_back(entry.driver().nodes.find(dependencies[i]));
    if (std::find(tips.begin(), tips.end(), nullptr) != tips.end()) return CUDA_ERROR_INVALID_VALUE;
  }
  return begin(hStream, graph, std::move(tips));
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  if (!phGraph) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Stream* stream;
  if (CUresult result = capture_of(entry, hStream, &stream); result != CUDA_SUCCESS) return result;
  if (!stream) return CUDA_ERROR_ILLEGAL_STATE;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  capture->ended = true;
  bool all_joined = true;
  const std::vector<Node*> last = stream->tips;
  entry.driver().streams.for_each([&](Stream& other) {
    if (other.capture != capture) return;
    all_joined = all_joined && joined(other.tips, last);
    other.capture = nullptr;
    other.tips.clear();
  });
  *phGraph = all_joined ? reinterpret_cast<CUgraph>(capture->graph) : nullptr;
  return all_joined ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) { return info(hStream, captureStatus, nullptr, nullptr, nullptr, nullptr, nullptr); }

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out) {
  return info(hStream, captureStatus_out, id_out, nullptr, nullptr, nullptr, nullptr);
}
CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out,
                                   size_t* numDependencies_out) {
  return info(hStream, captureStatus_out, id_out, graph_out, dependencies_out, nullptr, numDependencies_out);
}
CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out,
                                   const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out) {
  return info(hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies, size_t numDependencies, unsigned int flags) {
  Entry entry;
  Stream* stream;
  if (CUresult result = capture_of(entry, hStream, &stream); result != CUDA_SUCCESS) return result;
  if (!stream) return CUDA_ERROR_ILLEGAL_STATE;
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || (numDependencies && !dependencies)) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Node*> tips;
  for (size_t i = 0; i < numDependencies; ++i) {
    Node* node = entry.driver().nodes.find(dependencies[i]);
    if (!node) return CUDA_ERROR_INVALID_VALUE;
    tips.push_back(node);
  }
  if (flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES) tips.insert(tips.end(), stream->tips.begin(), stream->tips.end());
  stream->tips = std::move(tips);
  return CUDA_SUCCESS;
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode* dependencies, const CUgraphEdgeData*, size_t numDependencies, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies, flags);
}

/// The mode decides which other calls a capture forbids; none is forbidden here.
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  thread_local CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  std::swap(*mode, current);
  return CUDA_SUCCESS;
}

}  // extern "C"
