// SPDX-License-Identifier: Apache-2.0
// Streams and events: handles are minted here, so making and destroying them costs no round trip.
#include "interposer/capture.hpp"
#include "interposer/command.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

/// The stream, or null and *result; the legacy stream has no object and *legacy says so.
Stream* find_stream(CUstream handle, bool* legacy, CUresult* result) {
  *result = CUDA_SUCCESS;
  const CUstream resolved = resolve_stream(handle);
  *legacy = resolved == nullptr || resolved == CU_STREAM_LEGACY;
  if (!Client::get()) *result = CUDA_ERROR_NOT_INITIALIZED;
  else if (*legacy) *result = this_thread().current() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  Stream* stream = *legacy ? nullptr : objects().streams.find(resolved);
  if (!*legacy && !stream) *result = CUDA_ERROR_INVALID_HANDLE;
  return stream;
}

int clamp_priority(int priority) {
  const auto& snapshot = Client::get()->snapshot();
  return std::max(snapshot.greatest_priority, std::min(snapshot.least_priority, priority));
}

}  // namespace

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  if (!phStream || flags & ~unsigned{CU_STREAM_NON_BLOCKING}) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuStreamCreateWithPriority);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const CUcontext context = this_thread().current();
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  command.mint(phStream);
  Stream* stream = objects().streams.find(*phStream);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  stream->context = context;
  stream->flags = flags;
  stream->priority = clamp_priority(priority);
  stream->id = weft::abi::from_cuda(*phStream).index() + 3;
  command.value(flags);
  command.value(static_cast<std::int32_t>(stream->priority));
  return command.post();
}

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) { return cuStreamCreateWithPriority(phStream, Flags, 0); }

CUresult cuStreamDestroy_v2(CUstream hStream) {
  Command command(Op::cuStreamDestroy_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!objects().streams.find(hStream)) return CUDA_ERROR_INVALID_HANDLE;
  command.value(hStream);
  CUresult result = command.post();
  objects().streams.erase(hStream);
  return result;
}

CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  bool legacy;
  CUresult result;
  if (!priority) return CUDA_ERROR_INVALID_VALUE;
  const Stream* stream = find_stream(hStream, &legacy, &result);
  if (result == CUDA_SUCCESS) *priority = stream ? stream->priority : 0;
  return result;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  bool legacy;
  CUresult result;
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  const Stream* stream = find_stream(hStream, &legacy, &result);
  if (result == CUDA_SUCCESS) *flags = stream ? stream->flags : unsigned{CU_STREAM_DEFAULT};
  return result;
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  bool legacy;
  CUresult result;
  if (!streamId) return CUDA_ERROR_INVALID_VALUE;
  const Stream* stream = find_stream(hStream, &legacy, &result);
  if (result == CUDA_SUCCESS) *streamId = stream ? stream->id : 1;
  return result;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  bool legacy;
  CUresult result;
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  const Stream* stream = find_stream(hStream, &legacy, &result);
  if (result == CUDA_SUCCESS) *pctx = stream ? stream->context : this_thread().current();
  return result;
}

CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  if (!pCtx || !pGreenCtx) return CUDA_ERROR_INVALID_VALUE;
  *pGreenCtx = nullptr;
  return cuStreamGetCtx(hStream, pCtx);
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  CUcontext context;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuStreamGetCtx(hStream, &context);
  if (result != CUDA_SUCCESS) return result;
  const Context* found = objects().contexts.find(context);
  if (!found) return CUDA_ERROR_INVALID_CONTEXT;
  *device = found->device;
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  if (!phEvent || Flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  if (Flags & CU_EVENT_INTERPROCESS && !(Flags & CU_EVENT_DISABLE_TIMING)) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuEventCreate);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  const CUcontext context = this_thread().current();
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  command.mint(phEvent);
  Event* event = objects().events.find(*phEvent);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  event->context = context;
  event->flags = Flags;
  command.value(Flags);
  return command.post();
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  Command command(Op::cuEventRecordWithFlags);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Event* event = objects().events.find(hEvent);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  bool legacy;
  CUresult result;
  const CUstream resolved = resolve_stream(hStream);
  const Stream* stream = find_stream(resolved, &legacy, &result);
  if (result != CUDA_SUCCESS) return result;
  if (stream && stream->context != event->context) return CUDA_ERROR_INVALID_HANDLE;
  event->recorded_at = ~std::uint64_t{0};  // not before any synchronisation under way
  const bool captured = is_capturing(resolved);
  if (!captured || flags & CU_EVENT_RECORD_EXTERNAL) {
    event->capture_id = 0;
    event->state.store(Event::pending, std::memory_order_release);
  } else {
    event->capture_id = stream->capture.id.load();
  }
  command.value(hEvent);
  command.value(resolved);
  command.value(flags);
  result = command.post();
  event->recorded_at = command.client()->last_sequence();  // or a little less early than it was: never earlier
  return result;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream) { return cuEventRecordWithFlags(hEvent, hStream, CU_EVENT_RECORD_DEFAULT); }

CUresult cuEventDestroy_v2(CUevent hEvent) {
  Command command(Op::cuEventDestroy_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!objects().events.find(hEvent)) return CUDA_ERROR_INVALID_HANDLE;
  command.value(hEvent);
  CUresult result = command.post();
  objects().events.erase(hEvent);
  return result;
}

CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  if (!phEvent) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuIpcOpenEventHandle);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.mint(phEvent);
  command.value(handle);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) {
    command.unmint(phEvent);
    return result;
  }
  Event* event = objects().events.find(*phEvent);
  event->context = this_thread().current();
  event->state = Event::pending;  // another process may have recorded it
  return CUDA_SUCCESS;
}

}  // extern "C"
