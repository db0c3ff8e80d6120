// SPDX-License-Identifier: Apache-2.0
// Contexts: handles and the per-thread stack are the client's own; the worker learns of them asynchronously.
#include <map>
#include <mutex>

#include "abi/context_local_storage.hpp"
#include "interposer/command.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

struct PrimaryContext {
  CUcontext handle = nullptr;
  int users = 0;
  unsigned flags = 0;
};

std::mutex primary_mutex;
std::map<CUdevice, PrimaryContext> primary_contexts;

bool is_device(CUdevice device) { return device >= 0 && static_cast<size_t>(device) < Client::get()->devices().size(); }

void set_up(Context& context, CUcontext handle, CUdevice device, unsigned flags, bool primary) {
  context.device = device;
  context.flags = flags;
  context.primary = primary;
  context.id = weft::abi::from_cuda(handle).index() + 1;
  for (int limit = 0; limit < weft::abi::max_limit; ++limit) context.limits[limit] = Client::get()->snapshot().limits[limit];
}

/// The handle of the device's primary context; made now if need be. primary_mutex is held.
CUcontext primary_handle(CUdevice device) {
  PrimaryContext& primary = primary_contexts[device];
  if (!primary.handle) {
    primary.handle = objects().contexts.insert();
    set_up(*objects().contexts.find(primary.handle), primary.handle, device, primary.flags, true);
  }
  return primary.handle;
}

Context* current_context(CUresult* result) {
  *result = Client::get() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_NOT_INITIALIZED;
  if (!Client::get()) return nullptr;
  Context* context = objects().contexts.find(this_thread().current());
  if (context) *result = CUDA_SUCCESS;
  return context;
}

/// The named context, or the current one for null.
Context* context_or_current(CUcontext handle, CUresult* result) {
  if (!handle) return current_context(result);
  *result = CUDA_ERROR_INVALID_CONTEXT;
  Context* context = objects().contexts.find(handle);
  if (context) *result = CUDA_SUCCESS;
  return context;
}

CUresult create(CUcontext* pctx, unsigned flags, CUdevice dev) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuCtxCreate_v4);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  CUcontext handle;
  command.mint(&handle);
  command.value(flags);
  command.value(dev);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) {
    command.unmint(&handle);
    return result;
  }
  set_up(*objects().contexts.find(handle), handle, dev, flags, false);
  objects().contexts.find(handle)->users = 1;
  this_thread().contexts.push_back(handle);
  *pctx = handle;
  return CUDA_SUCCESS;
}

CUresult send_primary(Op op, CUdevice dev) {
  Command command(op);
  command.value(dev);
  return command.post();
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard lock(primary_mutex);
  *pctx = primary_handle(dev);
  if (primary_contexts[dev].users++ > 0) return CUDA_SUCCESS;
  Command command(Op::cuDevicePrimaryCtxRetain);
  command.value(*pctx);
  command.value(dev);
  return command.post();
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard lock(primary_mutex);
  PrimaryContext& primary = primary_contexts[dev];
  if (primary.users == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--primary.users > 0) return CUDA_SUCCESS;
  weft::abi::context_destroyed(primary.handle);
  return send_primary(Op::cuDevicePrimaryCtxRelease_v2, dev);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard lock(primary_mutex);
  if (CUcontext handle = primary_contexts[dev].handle) weft::abi::context_destroyed(handle);
  return send_primary(Op::cuDevicePrimaryCtxReset_v2, dev);
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  Command command(Op::cuDevicePrimaryCtxSetFlags_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  command.value(dev);
  command.value(flags);
  std::lock_guard lock(primary_mutex);
  CUresult result = command.call();
  if (result != CUDA_SUCCESS) return result;
  primary_contexts[dev].flags = flags;
  if (Context* context = objects().contexts.find(primary_contexts[dev].handle)) context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard lock(primary_mutex);
  const PrimaryContext& primary = primary_contexts[dev];
  *flags = primary.flags;
  *active = primary.users > 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) { return create(pctx, flags, dev); }

CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags, CUdevice dev) {
  if (paramsArray || numParams) return CUDA_ERROR_NOT_SUPPORTED;
  return create(pctx, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev) {
  if (ctxCreateParams && (ctxCreateParams->numExecAffinityParams || ctxCreateParams->cigParams)) return CUDA_ERROR_NOT_SUPPORTED;
  return create(pctx, flags, dev);
}

CUresult cuCtxDestroy_v2(CUcontext ctx) {
  Command command(Op::cuCtxDestroy_v2);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Context* context = objects().contexts.find(ctx);
  if (!context || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  weft::abi::context_destroyed(ctx);
  command.value(ctx);
  CUresult result = command.post();
  auto& stack = this_thread().contexts;
  if (!stack.empty() && stack.back() == ctx) stack.pop_back();
  objects().contexts.erase(ctx);
  return result;
}

CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!objects().contexts.find(ctx)) return ctx ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  this_thread().contexts.push_back(ctx);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext* pctx) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  auto& stack = this_thread().contexts;
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (pctx) *pctx = stack.back();
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (ctx && !objects().contexts.find(ctx)) return CUDA_ERROR_INVALID_CONTEXT;
  auto& stack = this_thread().contexts;
  if (!ctx) {
    if (!stack.empty()) stack.pop_back();
  } else if (stack.empty()) {
    stack.push_back(ctx);
  } else {
    stack.back() = ctx;
  }
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  *pctx = this_thread().current();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  CUresult result;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (const Context* context = context_or_current(ctx, &result)) *device = context->device;
  return result;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  CUresult result;
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (const Context* context = current_context(&result)) *flags = context->flags;
  return result;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  CUresult result;
  if (!ctxId) return CUDA_ERROR_INVALID_VALUE;
  if (const Context* context = context_or_current(ctx, &result)) *ctxId = context->id;
  return result;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  CUresult result;
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  if (context_or_current(ctx, &result)) *version = Client::get()->snapshot().context_api_version;
  return result;
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  CUresult result;
  if (!current_context(&result)) return result;
  if (leastPriority) *leastPriority = Client::get()->snapshot().least_priority;
  if (greatestPriority) *greatestPriority = Client::get()->snapshot().greatest_priority;
  return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags) {
  CUresult result;
  if (!pctx || flags) return CUDA_ERROR_INVALID_VALUE;
  Context* context = current_context(&result);
  if (!context) return result;
  ++context->users;
  *pctx = this_thread().current();
  return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext ctx) {
  Context* context = objects().contexts.find(ctx);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  if (--context->users > 0 || context->primary) return CUDA_SUCCESS;
  return cuCtxDestroy_v2(ctx);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  CUresult result;
  Context* context = current_context(&result);
  if (!context) return result;
  if (limit < 0 || limit >= weft::abi::max_limit) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  Command command(Op::cuCtxSetLimit);
  command.value(static_cast<std::int32_t>(limit));
  command.value(static_cast<std::uint64_t>(value));
  result = command.call();
  if (result == CUDA_SUCCESS) context->limits[limit] = command.result<std::uint64_t>();
  return result;
}

CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  CUresult result;
  if (!pvalue) return CUDA_ERROR_INVALID_VALUE;
  const Context* context = current_context(&result);
  if (!context) return result;
  if (limit < 0 || limit >= CU_LIMIT_MAX) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *pvalue = context->limits[limit];
  return CUDA_SUCCESS;
}

}  // extern "C"

namespace weft::interposer {

CUresult primary_context_handle(CUdevice device, CUcontext* context) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard lock(primary_mutex);
  *context = primary_handle(device);
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer
