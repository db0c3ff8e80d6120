// SPDX-License-Identifier: Apache-2.0
#include "interposer/function.hpp"

#include <map>
#include <mutex>

namespace weft::interposer {
namespace {

std::mutex kernel_functions_mutex;
std::map<std::pair<CUkernel, CUcontext>, CUfunction> kernel_functions;

void take_attributes(Function& function, const abi::FunctionRecord& record) {
  for (int i = 0; i < abi::max_function_attribute; ++i) {
    function.attributes[i] = record.attributes[i];
    function.has_attribute[i] = record.has_attribute[i];
  }
}

Function* find(CUfunction handle, CUresult* result) {
  *result = Client::get() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
  Function* function = objects().functions.find(handle);
  if (function && Client::get()) *result = CUDA_SUCCESS;
  return function;
}

CUresult get_attribute(int* pi, CUfunction_attribute attrib, CUfunction handle) {
  CUresult result;
  if (!pi) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = find(handle, &result);
  if (result != CUDA_SUCCESS) return result;
  if (attrib < 0 || attrib >= abi::max_function_attribute || !function->has_attribute[attrib]) return CUDA_ERROR_INVALID_VALUE;
  *pi = function->attributes[attrib];
  return CUDA_SUCCESS;
}

/// What is certainly refused by the driver; the rest is sent and believed.
CUresult check_attribute(const Function& function, CUfunction_attribute attrib, int value) {
  switch (attrib) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
      const auto& device = Client::get()->devices().front();
      const int most = device.attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] - function.attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES];
      return value >= 0 && value <= most ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default: return attrib > CU_FUNC_ATTRIBUTE_BINARY_VERSION && attrib < CU_FUNC_ATTRIBUTE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult parameter_info(CUfunction handle, size_t index, size_t* offset, size_t* size) {
  CUresult result;
  if (!offset) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = find(handle, &result);
  if (result != CUDA_SUCCESS) return result;
  if (index >= function->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = function->parameters[index].first;
  if (size) *size = function->parameters[index].second;
  return CUDA_SUCCESS;
}

CUresult name_of(const char** name, CUfunction handle) {
  CUresult result;
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (const Function* function = find(handle, &result)) *name = function->name.c_str();
  return result;
}

}  // namespace

CUresult read_function(wire::Reader& reply, CUfunction handle) {
  Function* function = objects().functions.find(handle);
  const auto record = reply.value<abi::FunctionRecord>();
  const auto name = reply.bytes();
  if (!function || !reply.ok() || record.parameter_count > wire::max_array_elements) return CUDA_ERROR_UNKNOWN;
  function->name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  take_attributes(*function, record);
  function->parameter_bytes = 0;
  function->parameters.clear();
  for (std::uint32_t i = 0; i < record.parameter_count; ++i) {
    const auto offset = reply.value<std::uint32_t>(), size = reply.value<std::uint32_t>();
    if (offset > wire::max_kernel_parameter_bytes || size > wire::max_kernel_parameter_bytes - offset) return CUDA_ERROR_UNKNOWN;
    function->parameters.emplace_back(offset, size);
    function->parameter_bytes = std::max(function->parameter_bytes, offset + size);
  }
  return reply.ok() ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

CUresult function_of_kernel(CUkernel kernel, CUfunction* function) {
  const std::pair key(kernel, this_thread().current());
  if (!key.second) return CUDA_ERROR_INVALID_CONTEXT;
  std::lock_guard lock(kernel_functions_mutex);
  if (auto known = kernel_functions.find(key); known != kernel_functions.end() && objects().functions.find(known->second)) {
    *function = known->second;
    return CUDA_SUCCESS;
  }
  const Function* from = objects().functions.find(reinterpret_cast<CUfunction>(kernel));
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  Command command(abi::Op::cuKernelGetFunction);
  command.mint(function);
  command.value(kernel);
  CUresult result = command.call();
  if (result == CUDA_SUCCESS) result = read_function(command.results(), *function);
  if (result != CUDA_SUCCESS) {
    command.unmint(function);
    return result;
  }
  objects().functions.find(*function)->library = from->library;
  kernel_functions[key] = *function;
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer

using namespace weft::interposer;
using weft::abi::Op;

extern "C" {

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  if (!pFunc) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  return function_of_kernel(kernel, pFunc);
}

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) { return get_attribute(pi, attrib, hfunc); }

CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice) {
  return get_attribute(pi, attrib, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  Command command(Op::cuFuncSetAttribute);
  CUresult result;
  Function* function = find(hfunc, &result);
  if (result == CUDA_SUCCESS) result = check_attribute(*function, attrib, value);
  if (result != CUDA_SUCCESS) return result;
  function->attributes[attrib] = value;
  command.value(hfunc);
  command.value(static_cast<std::int32_t>(attrib));
  command.value(value);
  return command.post();
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  Command command(Op::cuKernelSetAttribute);
  CUresult result;
  Function* function = find(reinterpret_cast<CUfunction>(kernel), &result);
  if (result == CUDA_SUCCESS) result = check_attribute(*function, attrib, val);
  if (result != CUDA_SUCCESS) return result;
  function->attributes[attrib] = val;
  command.value(static_cast<std::int32_t>(attrib));
  command.value(val);
  command.value(kernel);
  command.value(dev);
  return command.post();
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return parameter_info(func, paramIndex, paramOffset, paramSize);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return parameter_info(reinterpret_cast<CUfunction>(kernel), paramIndex, paramOffset, paramSize);
}

CUresult cuFuncGetName(const char** name, CUfunction hfunc) { return name_of(name, hfunc); }

CUresult cuKernelGetName(const char** name, CUkernel hfunc) { return name_of(name, reinterpret_cast<CUfunction>(hfunc)); }

CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel) {
  CUresult result;
  if (!pLib) return CUDA_ERROR_INVALID_VALUE;
  if (const Function* function = find(reinterpret_cast<CUfunction>(kernel), &result)) *pLib = function->library;
  return result;
}

CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  CUresult result;
  if (!hmod) return CUDA_ERROR_INVALID_VALUE;
  const Function* function = find(hfunc, &result);
  if (result != CUDA_SUCCESS) return result;
  if (!function->module && function->library) return cuLibraryGetModule(hmod, function->library);
  *hmod = function->module;
  return CUDA_SUCCESS;
}

}  // extern "C"
