// SPDX-License-Identifier: Apache-2.0
// What can be asked of a kernel: its attributes and parameters.
#include <algorithm>

#include "softgpu/context.hpp"
#include "softgpu/module.hpp"

namespace weft::softgpu {

ParameterLayout layout_of(const ptx::Function& code) {
  ParameterLayout layout;
  for (const ptx::Variable& parameter : code.parameters) {
    layout.parameters.emplace_back(parameter.offset, parameter.bytes);
    layout.bytes = std::max(layout.bytes, static_cast<std::size_t>(parameter.offset + parameter.bytes));
  }
  return layout;
}

CUresult function_attribute(const Program& program, const ptx::Function& code, const std::map<int, int>& settings, const Device& device, CUfunction_attribute attribute, int* value) {
  std::uint64_t local = 0;
  for (const ptx::Variable& variable : code.variables)
    if (variable.space == ptx::Space::local) local += variable.bytes;
  const std::uint64_t shared = program.shared_bytes.at(code.name);
  std::uint64_t threads = 1;
  for (std::uint32_t axis : code.required_threads[0] ? code.required_threads : code.max_threads) threads *= std::max(axis, 1u);
  const bool limited = code.required_threads[0] || code.max_threads[0];
  auto set = settings.find(attribute);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = limited ? static_cast<int>(std::min<std::uint64_t>(threads, 1024)) : 1024; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(shared); return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(local); return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = program.tree.target; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = device.capability; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = set != settings.end() ? set->second : device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) - static_cast<int>(shared);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = set != settings.end() ? set->second : -1; return CUDA_SUCCESS;
    default:
      if (attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
      *value = set != settings.end() ? set->second : 0;
      return CUDA_SUCCESS;
  }
}

namespace {

CUresult parameter_info(const ptx::Function& code, size_t index, size_t* offset, size_t* size) {
  const ParameterLayout layout = layout_of(code);
  if (!offset || index >= layout.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = layout.parameters[index].first;
  if (size) *size = layout.parameters[index].second;
  return CUDA_SUCCESS;
}

CUresult set_attribute(const Program& program, const ptx::Function& code, std::map<int, int>& settings, const Device& device, CUfunction_attribute attribute, int value) {
  int shared = 0;
  function_attribute(program, code, settings, device, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) - shared) return CUDA_ERROR_INVALID_VALUE;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      break;
    default:
      if (attribute <= CU_FUNC_ATTRIBUTE_BINARY_VERSION || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  }
  settings[attribute] = value;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace weft::softgpu

using namespace weft::softgpu;

extern "C" {

CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  if (!hmod) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (Function* function = find_function(entry, hfunc)) *hmod = reinterpret_cast<CUmodule>(function->module);
  return entry.result;
}

CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (Function* function = find_function(entry, hfunc)) *name = function->code->name.c_str();
  return entry.result;
}

CUresult cuKernelGetName(const char** name, CUkernel handle) {
  Entry entry(Entry::driver_only);
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Kernel* kernel = entry.driver().kernels.find(handle);
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  *name = kernel->code->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  Entry entry;
  const Function* function = find_function(entry, func);
  return function ? parameter_info(*function->code, paramIndex, paramOffset, paramSize) : entry.result;
}

CUresult cuKernelGetParamInfo(CUkernel handle, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Kernel* kernel = entry.driver().kernels.find(handle);
  return kernel ? parameter_info(*kernel->code, paramIndex, paramOffset, paramSize) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  if (!pi) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  const Function* function = find_function(entry, hfunc);
  return function ? function_attribute(*function->module->program, *function->code, function->settings, *function->module->context->device, attrib, pi) : entry.result;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  Entry entry;
  Function* function = find_function(entry, hfunc);
  return function ? set_attribute(*function->module->program, *function->code, function->settings, *function->module->context->device, attrib, value) : entry.result;
}

CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel handle, CUdevice dev) {
  Entry entry(Entry::driver_only);
  if (!pi) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Kernel* kernel = entry.driver().kernels.find(handle);
  const Device* device = entry.driver().device(dev);
  if (!kernel || !device) return kernel ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_HANDLE;
  return function_attribute(*kernel->library->program, *kernel->code, kernel->settings, *device, attrib, pi);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel handle, CUdevice dev) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Kernel* kernel = entry.driver().kernels.find(handle);
  const Device* device = entry.driver().device(dev);
  if (!kernel || !device) return kernel ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_HANDLE;
  return set_attribute(*kernel->library->program, *kernel->code, kernel->settings, *device, attrib, val);
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache) {
  Entry entry;
  find_function(entry, hfunc);
  return entry.result;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) {
  Entry entry(Entry::driver_only);
  return entry.result == CUDA_SUCCESS && !entry.driver().kernels.find(kernel) ? CUDA_ERROR_INVALID_HANDLE : entry.result;
}

CUresult cuFuncLoad(CUfunction func) {
  Entry entry;
  find_function(entry, func);
  return entry.result;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction func) {
  Entry entry;
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  if (find_function(entry, func)) *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return entry.result;
}

}  // extern "C"
