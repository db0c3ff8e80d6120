// SPDX-License-Identifier: Apache-2.0
// Streams, events and host functions.
#include <algorithm>
#include <chrono>

#include "softgpu/graph.hpp"
#include "softgpu/thread.hpp"

namespace weft::softgpu {
namespace {

std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

Stream* make_stream(Driver& driver, Context& context, unsigned flags, int priority) {
  static std::uint64_t last_id = 2;  // 1 and 2 are the legacy and the per-thread stream
  auto stream = std::make_unique<Stream>();
  stream->context = &context;
  stream->flags = flags;
  stream->priority = std::clamp(priority, -5, 0);
  stream->id = ++last_id;
  Stream* made = driver.streams.insert(std::move(stream));
  context.streams.insert(made);
  return made;
}

/// This thread's own stream of the context, made at its first use.
Stream* per_thread_stream(Entry& entry) {
  CUstream& handle = this_thread().default_streams[&entry.current()];
  Stream* stream = entry.driver().streams.find(handle);
  if (!stream || stream->context != &entry.current()) stream = make_stream(entry.driver(), entry.current(), CU_STREAM_DEFAULT, 0);
  handle = reinterpret_cast<CUstream>(stream);
  return stream;
}

/// Null for the legacy stream, with the entry's result a success.
Stream* find_stream(Entry& entry, CUstream handle) {
  if (entry.result != CUDA_SUCCESS) return nullptr;
  const bool own = handle == CU_STREAM_PER_THREAD || (!handle && this_thread().per_thread_default > 0);
  if (own) return per_thread_stream(entry);
  if (!handle || handle == CU_STREAM_LEGACY) return nullptr;
  Stream* stream = entry.driver().streams.find(handle);
  if (!stream) entry.result = CUDA_ERROR_INVALID_HANDLE;
  return stream;
}

}  // namespace

CUresult find_target(Entry& entry, CUstream handle, Target* target) {
  Stream* stream = find_stream(entry, handle);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (stream) *target = {stream->context, stream->queue, false, stream->blocking(), stream};
  else *target = {&entry.current(), entry.current().legacy, true, true};
  return static_cast<CUresult>(target->context->error.load());
}

std::vector<Ticket> dependencies(const Target& target) {
  std::vector<Ticket> after;
  if (!target.blocking) return after;
  if (!target.legacy) {
    after.push_back(target.context->legacy->last());
    return after;
  }
  for (Stream* stream : target.context->streams)
    if (stream->blocking() && !stream->queue->idle()) after.push_back(stream->queue->last());
  return after;
}

std::vector<Ticket> everything(Context& context) {
  std::vector<Ticket> all{context.legacy->last()};
  for (Stream* stream : context.streams) all.push_back(stream->queue->last());
  return all;
}

Ticket enqueue(const Target& target, Queue::Work work, bool is_short, std::vector<Ticket> after) {
  if (target.captured()) {
    Stream& stream = *target.stream;
    stream.tips = {add_node(*Driver::get(), *stream.capture->graph, target.type, std::move(work), std::move(stream.tips))};
    return {};
  }
  std::vector<Ticket> all = dependencies(target);
  all.insert(all.end(), after.begin(), after.end());
  return target.queue->add(std::move(work), std::move(all), is_short);
}

}  // namespace weft::softgpu

using namespace weft::softgpu;

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  if (!phStream || flags & ~unsigned{CU_STREAM_NON_BLOCKING}) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  *phStream = reinterpret_cast<CUstream>(make_stream(entry.driver(), entry.current(), flags, priority));
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) { return cuStreamCreateWithPriority(phStream, Flags, 0); }

CUresult cuStreamDestroy_v2(CUstream hStream) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Stream* stream = entry.driver().streams.find(hStream);
  if (!stream) return CUDA_ERROR_INVALID_HANDLE;
  // What it still has to do is done; the context must know of it until then, so the legacy stream takes it over.
  if (!stream->queue->idle()) stream->context->legacy->add({}, {stream->queue->last()}, false);
  stream->context->streams.erase(stream);
  entry.driver().streams.erase(stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream hStream) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  std::vector<Ticket> all = target.legacy ? dependencies(target) : std::vector<Ticket>{};
  all.push_back(target.queue->last());
  wait_for(all);
  return entry.driver().contexts.find(target.context) ? with_error(*target.context, CUDA_SUCCESS) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuStreamQuery(CUstream hStream) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  const bool others = target.legacy && !dependencies(target).empty();
  return target.queue->idle() && !others ? with_error(*target.context, CUDA_SUCCESS) : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  Entry entry;
  const Stream* stream = find_stream(entry, hStream);
  if (!priority) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *priority = stream ? stream->priority : 0;
  return entry.result;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  Entry entry;
  const Stream* stream = find_stream(entry, hStream);
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *flags = stream ? stream->flags : unsigned{CU_STREAM_DEFAULT};
  return entry.result;
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  Entry entry;
  const Stream* stream = find_stream(entry, hStream);
  if (!streamId) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *streamId = stream ? stream->id : 1;
  return entry.result;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  Entry entry;
  const Stream* stream = find_stream(entry, hStream);
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *pctx = reinterpret_cast<CUcontext>(stream ? stream->context : &entry.current());
  return entry.result;
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  Entry entry;
  const Stream* stream = find_stream(entry, hStream);
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *device = (stream ? stream->context : &entry.current())->device->ordinal;
  return entry.result;
}

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t, unsigned int) {
  Entry entry;
  find_stream(entry, hStream);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  return entry.driver().memory.find(dptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;  // all of it is always everyone's
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  const Event* event = entry.driver().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture) {
    if (event->capture->ended) return CUDA_ERROR_CAPTURED_EVENT;
    // The stream joins the capture.
    if (target.legacy || (target.captured() && target.stream->capture != event->capture)) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    target.stream->capture = event->capture;
    target.stream->tips.insert(target.stream->tips.end(), event->tips.begin(), event->tips.end());
    return CUDA_SUCCESS;
  }
  if (target.captured()) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  if (!event->recorded.done()) enqueue(target, {}, false, {event->recorded});
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  if (!phEvent || Flags & ~unsigned{CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS}) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto event = std::make_unique<Event>();
  event->context = &entry.current();
  event->flags = Flags;
  *phEvent = reinterpret_cast<CUevent>(entry.driver().events.insert(std::move(event)));
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent hEvent) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Event* event = entry.driver().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  entry.driver().events.erase(event);
  return CUDA_SUCCESS;
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int) {
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  Event* event = entry.driver().events.find(hEvent);
  if (!event || event->context != target.context) return CUDA_ERROR_INVALID_HANDLE;
  event->capture = target.captured() ? target.stream->capture : nullptr;
  event->tips.clear();
  if (target.captured()) {
    event->tips = target.stream->tips;
    return CUDA_SUCCESS;
  }
  auto stamp = std::make_shared<std::atomic<std::int64_t>>(0);
  event->stamp = stamp;
  event->recorded = {target.queue, ~std::uint64_t{0}};  // not done while this one runs at once, without the mutex
  const Ticket ticket = enqueue(target, [stamp] { stamp->store(now_ns()); }, true);
  if (entry.driver().events.find(hEvent)) event->recorded = ticket;
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream) { return cuEventRecordWithFlags(hEvent, hStream, 0); }

CUresult cuEventQuery(CUevent hEvent) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Event* event = entry.driver().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture) return CUDA_ERROR_CAPTURED_EVENT;
  return event->recorded.done() ? with_error(*event->context, CUDA_SUCCESS) : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent hEvent) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Event* event = entry.driver().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture) return CUDA_ERROR_CAPTURED_EVENT;
  Context* context = event->context;
  wait_for({event->recorded});
  return entry.driver().contexts.find(context) ? with_error(*context, CUDA_SUCCESS) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  Entry entry(Entry::driver_only);
  if (!pMilliseconds) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Event *start = entry.driver().events.find(hStart), *end = entry.driver().events.find(hEnd);
  if (!start || !end || (start->flags | end->flags) & CU_EVENT_DISABLE_TIMING || !start->stamp || !end->stamp) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->recorded.done() || !end->recorded.done()) return CUDA_ERROR_NOT_READY;
  *pMilliseconds = static_cast<float>(static_cast<double>(end->stamp->load() - start->stamp->load()) / 1e6);
  return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) { return cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd); }

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  if (!fn) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  target.type = CU_GRAPH_NODE_TYPE_HOST;
  enqueue(target, [fn, userData] { fn(userData); });
  return CUDA_SUCCESS;
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags) {
  if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  Target target;
  if (CUresult result = find_target(entry, hStream, &target); result != CUDA_SUCCESS) return result;
  enqueue(target, [=] { callback(hStream, CUDA_SUCCESS, userData); });
  return CUDA_SUCCESS;
}

}  // extern "C"
