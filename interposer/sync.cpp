// SPDX-License-Identifier: Apache-2.0
// Calls that wait for the GPU, and what the program knows when they have returned.
#include "interposer/capture.hpp"
#include "interposer/command.hpp"
#include "interposer/host_memory.hpp"
#include "interposer/managed.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

/// Events recorded before this number are done.
void events_done(CUcontext context, std::uint64_t before) {
  objects().events.for_each([&](CUevent, Event& event) {
    if (event.context != context || event.recorded_at.load(std::memory_order_relaxed) > before) return;
    int pending = Event::pending;
    event.state.compare_exchange_strong(pending, Event::done);
  });
}

CUresult synchronize(CUcontext handle) {
  Command command(Op::cuCtxSynchronize);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!objects().contexts.find(handle)) return CUDA_ERROR_INVALID_CONTEXT;
  if (CUresult result = refuse_while_capturing(); result != CUDA_SUCCESS) return result;
  const std::uint64_t before = command.client()->last_sequence();
  CUresult result = command.client()->call(static_cast<std::uint16_t>(Op::cuCtxSynchronize), handle, {}, command.results());
  if (result != CUDA_SUCCESS) return result;
  events_done(handle, before);
  all_copies_done();
  after_synchronisation(nullptr, true);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuCtxSynchronize(void) { return synchronize(this_thread().current()); }

CUresult cuCtxSynchronize_v2(CUcontext ctx) { return synchronize(ctx ? ctx : this_thread().current()); }

CUresult cuStreamSynchronize(CUstream hStream) {
  Command command(Op::cuStreamSynchronize);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (CUresult result = refuse_if_stream_captures(hStream); result != CUDA_SUCCESS) return result;
  command.value(hStream);
  CUresult result = command.call();
  if (result == CUDA_SUCCESS) after_synchronisation(resolve_stream(hStream), false);
  return result;
}

CUresult cuStreamQuery(CUstream hStream) {
  Command command(Op::cuStreamQuery);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (CUresult result = refuse_if_stream_captures(hStream); result != CUDA_SUCCESS) return result;
  command.value(hStream);
  return command.call();
}

CUresult cuEventSynchronize(CUevent hEvent) {
  Command command(Op::cuEventSynchronize);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Event* event = objects().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture_id.load()) return CUDA_ERROR_CAPTURED_EVENT;
  if (event->state.load(std::memory_order_acquire) != Event::pending) return CUDA_SUCCESS;
  const std::uint64_t recorded = event->recorded_at.load();
  command.value(hEvent);
  CUresult result = command.call();
  if (result == CUDA_SUCCESS && event->recorded_at.load() == recorded) event->state.store(Event::done, std::memory_order_release);
  if (result == CUDA_SUCCESS) after_synchronisation(nullptr, true);
  return result;
}

CUresult cuEventQuery(CUevent hEvent) {
  Command command(Op::cuEventQuery);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Event* event = objects().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture_id.load()) return CUDA_ERROR_CAPTURED_EVENT;
  if (event->state.load(std::memory_order_acquire) != Event::pending) return CUDA_SUCCESS;
  const std::uint64_t recorded = event->recorded_at.load();
  command.value(hEvent);
  CUresult result = command.call();
  if (result == CUDA_SUCCESS && event->recorded_at.load() == recorded) event->state.store(Event::done, std::memory_order_release);
  if (result == CUDA_SUCCESS) after_synchronisation(nullptr, true);
  return result;
}

}  // extern "C"
