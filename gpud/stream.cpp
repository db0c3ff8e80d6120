// SPDX-License-Identifier: Apache-2.0
// Streams, events and host functions.
#include <memory>

#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

/// What the driver hands back to us in stream order. Lives until it has run; one that was captured runs at every launch of its graph and lives on.
struct HostFunction {
  Session& session;
  std::uint64_t token;
  bool once;
};

void run_host_function(void* data) {
  auto* function = static_cast<HostFunction*>(data);
  function->session.run_on_client(function->token);
  if (function->once) delete function;
}

}  // namespace

void cuStreamCreateWithPriority(Call& call) {
  Created<CUstream> stream(call);
  const auto flags = call.value<std::uint32_t>();
  const auto priority = call.value<std::int32_t>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuStreamCreateWithPriority(stream.pointer(), flags, priority);
  stream.bind(call, result);
  call.finish(result);
}

void cuStreamDestroy_v2(Call& call) {
  call.will_destroy();
  const auto stream = call.value<CUstream>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuStreamDestroy_v2(stream);
  call.unbind(stream);
  call.finish(result);
}

void cuStreamWaitEvent(Call& call) {
  const auto stream = call.value<CUstream>();
  const auto event = call.value<CUevent>();
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  call.finish(call.driver().cuStreamWaitEvent(stream, event, flags));
}

void cuEventCreate(Call& call) {
  Created<CUevent> event(call);
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuEventCreate(event.pointer(), flags);
  event.bind(call, result);
  call.finish(result);
}

void cuEventRecordWithFlags(Call& call) {
  const auto event = call.value<CUevent>();
  const auto stream = call.value<CUstream>();
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  call.finish(call.driver().cuEventRecordWithFlags(event, stream, flags));
}

void cuEventDestroy_v2(Call& call) {
  call.will_destroy();
  const auto event = call.value<CUevent>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuEventDestroy_v2(event);
  call.unbind(event);
  call.finish(result);
}

void cuIpcOpenEventHandle(Call& call) {
  Created<CUevent> event(call);
  const auto handle = call.value<CUipcEventHandle>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuIpcOpenEventHandle(event.pointer(), handle);
  event.bind(call, result);
  call.finish(result);
}

void cuLaunchHostFunc(Call& call) {
  const auto stream = call.value<CUstream>();
  const auto token = call.value<std::uint64_t>();
  if (!call.ready()) return;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  call.driver().cuStreamIsCapturing(stream, &capture);
  auto function = std::make_unique<HostFunction>(call.session(), token, capture == CU_STREAM_CAPTURE_STATUS_NONE);
  CUresult result = call.driver().cuLaunchHostFunc(stream, &run_host_function, function.get());
  if (result == CUDA_SUCCESS) function.release();
  call.finish(result);
}

void host_function_done(Call& call) {
  const auto token = call.value<std::uint64_t>();
  if (call.ready()) call.session().host_function_done(token);
}

}  // namespace weft::gpud
