// SPDX-License-Identifier: Apache-2.0
// Contexts and their limits.
#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

CUdevice device_argument(Call& call) { return call.value<std::int32_t>(); }

}  // namespace

void cuDevicePrimaryCtxRetain(Call& call) {
  const auto bits = call.value<std::uint64_t>();
  const CUdevice device = device_argument(call);
  if (!call.ready()) return;
  CUcontext context;
  CUresult result = call.driver().cuDevicePrimaryCtxRetain(&context, device);
  if (result == CUDA_SUCCESS && !call.session().handles().bind(bits, context)) return call.session().fail("a handle that it may not mint");
  call.finish(result);
}

void cuDevicePrimaryCtxRelease_v2(Call& call) {
  const CUdevice device = device_argument(call);
  if (!call.ready()) return;
  call.session().contexts_changed();
  call.finish(call.driver().cuDevicePrimaryCtxRelease_v2(device));
}

void cuDevicePrimaryCtxReset_v2(Call& call) {
  const CUdevice device = device_argument(call);
  if (!call.ready()) return;
  call.session().contexts_changed();
  call.finish(call.driver().cuDevicePrimaryCtxReset_v2(device));
}

void cuDevicePrimaryCtxSetFlags_v2(Call& call) {
  const CUdevice device = device_argument(call);
  const auto flags = call.value<std::uint32_t>();
  if (!call.ready()) return;
  call.finish(call.driver().cuDevicePrimaryCtxSetFlags_v2(device, flags));
}

void cuCtxCreate_v4(Call& call) {
  Created<CUcontext> context(call);
  const auto flags = call.value<std::uint32_t>();
  const CUdevice device = device_argument(call);
  if (!call.ready()) return;
  CUresult result = call.driver().cuCtxCreate_v2(context.pointer(), flags, device);
  context.bind(call, result);
  // It became current to this thread; which context is, each message says.
  CUcontext popped;
  if (result == CUDA_SUCCESS) call.driver().cuCtxPopCurrent_v2(&popped);
  call.finish(result);
}

void cuCtxDestroy_v2(Call& call) {
  call.will_destroy();
  const auto context = call.value<CUcontext>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuCtxDestroy_v2(context);
  call.session().contexts_changed();
  if (result == CUDA_SUCCESS) call.unbind(context);
  call.finish(result);
}

void cuCtxSetLimit(Call& call) {
  const auto limit = static_cast<CUlimit>(call.value<std::int32_t>());
  const auto value = call.value<std::uint64_t>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuCtxSetLimit(limit, value);
  std::size_t now = 0;
  if (result == CUDA_SUCCESS) result = call.driver().cuCtxGetLimit(&now, limit);
  call.add(std::uint64_t{now});
  call.finish(result);
}

}  // namespace weft::gpud
