// SPDX-License-Identifier: Apache-2.0
#include "softgpu/context.hpp"

#include "abi/context_local_storage.hpp"
#include "abi/driver_hooks.hpp"
#include "softgpu/module.hpp"
#include "softgpu/thread.hpp"

namespace weft::softgpu {
namespace {

std::map<int, std::uint64_t> default_limits() {
  return {{CU_LIMIT_STACK_SIZE, 1024},          {CU_LIMIT_PRINTF_FIFO_SIZE, 7340032}, {CU_LIMIT_MALLOC_HEAP_SIZE, 8388608}, {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2},
          {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048}, {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64}, {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0}};
}

/// Waits for its work, then frees everything that belongs to it.
void destroy(Entry& entry, Context* context) {
  wait_for(everything(*context));
  Driver& driver = entry.driver();
  std::vector<Event*> events;
  driver.events.for_each([&](Event& event) {
    if (event.context == context) events.push_back(&event);
  });
  for (Event* event : events) driver.events.erase(event);
  for (Stream* stream : std::set<Stream*>(context->streams)) driver.streams.erase(stream);
  free_modules_of(driver, context);
  driver.memory.free_all_of(context);
  if (context->primary) context->device->primary = nullptr;
  driver.contexts.erase(context);
}

Context* context_or_current(Entry& entry, CUcontext handle) {
  Context* context = handle ? entry.driver().contexts.find(handle) : &entry.current();
  if (!context) entry.result = CUDA_ERROR_INVALID_CONTEXT;
  return context;
}

}  // namespace

Context* make_context(Driver& driver, Device& device, unsigned flags, bool primary) {
  static std::uint64_t last_id = 0;
  auto context = std::make_unique<Context>();
  context->device = &device;
  context->flags = flags;
  context->primary = primary;
  context->id = ++last_id;
  context->limits = default_limits();
  return driver.contexts.insert(std::move(context));
}

}  // namespace weft::softgpu

using namespace weft::softgpu;

namespace weft::abi {

CUresult primary_context_handle(CUdevice number, CUcontext* handle) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(number);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  if (!device->primary) device->primary = make_context(entry.driver(), *device, device->primary_flags, true);
  *handle = reinterpret_cast<CUcontext>(device->primary);
  return CUDA_SUCCESS;
}

}  // namespace weft::abi

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = weft::abi::primary_context_handle(dev, pctx); result != CUDA_SUCCESS) return result;
  Entry entry(Entry::driver_only);
  ++reinterpret_cast<Context*>(*pctx)->users;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  if (!device->primary || device->primary->users == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--device->primary->users == 0) destroy(entry, device->primary);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  if (device->primary) destroy(entry, device->primary);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  device->primary_flags = flags;
  if (device->primary) device->primary->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  *flags = device->primary_flags;
  *active = device->primary && device->primary->users > 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Device* device = entry.driver().device(dev);
  if (!device) return CUDA_ERROR_INVALID_DEVICE;
  Context* context = make_context(entry.driver(), *device, flags, false);
  context->users = 1;
  this_thread().contexts.push_back(context);
  *pctx = reinterpret_cast<CUcontext>(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev) {
  if (ctxCreateParams && (ctxCreateParams->numExecAffinityParams || ctxCreateParams->cigParams)) return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate_v2(pctx, flags, dev);
}

CUresult cuCtxDestroy_v2(CUcontext ctx) {
  {
    Entry entry(Entry::driver_only);
    if (entry.result != CUDA_SUCCESS) return entry.result;
    Context* context = entry.driver().contexts.find(ctx);
    if (!context || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  }
  weft::abi::context_destroyed(ctx);
  Entry entry(Entry::driver_only);
  Context* context = entry.driver().contexts.find(ctx);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  destroy(entry, context);
  auto& stack = this_thread().contexts;
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Context* context = entry.driver().contexts.find(ctx);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  this_thread().contexts.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext* pctx) {
  if (!Driver::get()) return CUDA_ERROR_NOT_INITIALIZED;
  auto& stack = this_thread().contexts;
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (pctx) *pctx = reinterpret_cast<CUcontext>(stack.back());
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto& stack = this_thread().contexts;
  Context* context = entry.driver().contexts.find(ctx);
  if (ctx && !context) return CUDA_ERROR_INVALID_CONTEXT;
  if (!stack.empty()) stack.pop_back();
  if (context) stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
  if (!pctx) return CUDA_ERROR_INVALID_VALUE;
  if (!Driver::get()) return CUDA_ERROR_NOT_INITIALIZED;
  const auto& stack = this_thread().contexts;
  *pctx = stack.empty() ? nullptr : reinterpret_cast<CUcontext>(stack.back());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(ctx ? Entry::driver_only : Entry::context);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (const Context* context = context_or_current(entry, ctx)) *device = context->device->ordinal;
  return entry.result;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  Entry entry;
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result == CUDA_SUCCESS) *flags = entry.current().flags;
  return entry.result;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  if (!ctxId) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(ctx ? Entry::driver_only : Entry::context);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (const Context* context = context_or_current(entry, ctx)) *ctxId = context->id;
  return entry.result;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(ctx ? Entry::driver_only : Entry::context);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (context_or_current(entry, ctx)) *version = 3020;  // what NVIDIA's driver says of every context
  return entry.result;
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (leastPriority) *leastPriority = 0;
  if (greatestPriority) *greatestPriority = -5;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Context* context = &entry.current();
  wait_for(everything(*context));
  return entry.driver().contexts.find(context) ? with_error(*context, CUDA_SUCCESS) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  if (!ctx) return cuCtxSynchronize();
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Context* context = entry.driver().contexts.find(ctx);
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  wait_for(everything(*context));
  return with_error(*context, CUDA_SUCCESS);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto found = entry.current().limits.find(limit);
  if (found == entry.current().limits.end()) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  found->second = value;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  Entry entry;
  if (!pvalue) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto found = entry.current().limits.find(limit);
  if (found == entry.current().limits.end()) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *pvalue = found->second;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  Entry entry;
  if (!pconfig) return CUDA_ERROR_INVALID_VALUE;
  *pconfig = CU_FUNC_CACHE_PREFER_NONE;
  return entry.result;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) { return Entry().result; }

CUresult cuCtxResetPersistingL2Cache(void) { return Entry().result; }

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  if (Flags) return CUDA_ERROR_INVALID_VALUE;
  return entry.driver().contexts.find(peerContext) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;  // all memory is the CPU's: always reachable
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  return entry.driver().contexts.find(peerContext) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

}  // extern "C"
