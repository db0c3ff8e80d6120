// SPDX-License-Identifier: Apache-2.0
// Modules and libraries: loading brings the image to the server once; names are looked up once.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "abi/driver_hooks.hpp"
#include "interposer/capture.hpp"
#include "interposer/device_memory.hpp"
#include "interposer/function.hpp"
#include "interposer/image.hpp"
#include "interposer/jit_options.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

/// Sends the image under a freshly minted handle.
template <typename H>
CUresult load(Op op, H* handle, const void* program_image, JitOptions options) {
  Image image;
  weft::abi::LoadImage message{};
  std::span<const std::byte> inline_image;
  if (CUresult result = gather_image(program_image, &image); result != CUDA_SUCCESS) return result;
  if (CUresult result = bring_image(image, &message, &inline_image); result != CUDA_SUCCESS) return result;
  auto& table = objects().table<H>();
  const H fresh = table.insert();
  Command command(op);
  message.handle = weft::abi::from_cuda(fresh).bits;
  message.option_count = static_cast<std::uint32_t>(options.values.size());
  message.log_bytes = options.info_room;
  message.error_log_bytes = options.error_room;
  command.value(message);
  for (auto [option, value] : options.values) {
    command.value(option);
    command.value(value);
  }
  CUresult result = command.call(inline_image);
  options.take_logs(command.results());
  if (result != CUDA_SUCCESS) {
    table.erase(fresh);
    return result;
  }
  *handle = fresh;
  return CUDA_SUCCESS;
}

CUresult read_file(const char* name, std::vector<char>* content) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(name, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  content->assign(std::istreambuf_iterator<char>(file), {});
  content->push_back(0);  // PTX text ends with a null
  return CUDA_SUCCESS;
}

CUresult load_module(CUmodule* module, const void* image, JitOptions options) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!this_thread().current()) return CUDA_ERROR_INVALID_CONTEXT;
  CUresult result = load(Op::cuModuleLoadDataEx, module, image, std::move(options));
  if (result == CUDA_SUCCESS) objects().modules.find(*module)->context = this_thread().current();
  return result;
}

/// Looks a kernel up: in what is known, else at the server. `Owner` is CUmodule or CUlibrary.
template <typename Owner>
CUresult get_function(Op op, CUfunction* function, Owner owner, const char* name) {
  if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  auto* from = objects().table<Owner>().find(owner);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(from->names.mutex);
  if (auto known = from->names.functions.find(name); known != from->names.functions.end()) {
    *function = known->second;
    return CUDA_SUCCESS;
  }
  Command command(op);
  CUfunction fresh;
  command.mint(&fresh);
  command.value(owner);
  command.string(name);
  CUresult result = command.call();
  if (result == CUDA_SUCCESS) result = read_function(command.results(), fresh);
  if (result != CUDA_SUCCESS) {
    command.unmint(&fresh);
    return result;
  }
  Function* made = objects().functions.find(fresh);
  if constexpr (std::is_same_v<Owner, CUmodule>) made->module = owner;
  else made->library = owner;
  *function = from->names.functions[name] = fresh;
  return CUDA_SUCCESS;
}

template <typename Owner>
CUresult get_global(Op op, CUdeviceptr* dptr, size_t* bytes, Owner owner, const char* name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  auto* from = objects().table<Owner>().find(owner);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  // A library's variable has an address of its own in each context.
  const std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(this_thread().current())) + name;
  std::lock_guard lock(from->names.mutex);
  auto known = from->names.globals.find(key);
  if (known == from->names.globals.end()) {
    Command command(op);
    command.value(owner);
    command.string(name);
    if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
    const auto address = command.result<std::uint64_t>(), size = command.result<std::uint64_t>();
    if (CUresult result = command.complete(); result != CUDA_SUCCESS) return result;
    known = from->names.globals.emplace(key, Symbol{address, size}).first;
  }
  if (dptr) *dptr = known->second.address;
  if (bytes) *bytes = known->second.bytes;
  return CUDA_SUCCESS;
}

template <typename Owner>
CUresult unload(Op op, Owner owner) {
  Command command(op);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  auto* from = objects().table<Owner>().find(owner);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  for (auto& [name, function] : from->names.functions) objects().functions.erase(function);
  command.value(owner);
  CUresult result = command.post();
  objects().table<Owner>().erase(owner);
  return result;
}

/// All functions of a module or library, known by name from then on.
template <typename Owner>
CUresult enumerate(Op op, Owner owner, std::vector<CUfunction>* functions) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  auto* from = objects().table<Owner>().find(owner);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  Command command(op);
  command.value(owner);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  const auto count = command.result<std::uint32_t>();
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count && command.results().ok(); ++i) {
    const auto name = command.results().bytes();
    names.emplace_back(reinterpret_cast<const char*>(name.data()), name.size());
  }
  if (CUresult result = command.complete(); result != CUDA_SUCCESS) return result;
  constexpr bool is_module = std::is_same_v<Owner, CUmodule>;
  for (const std::string& name : names) {
    CUfunction function;
    CUresult result = get_function(is_module ? Op::cuModuleGetFunction : Op::cuLibraryGetKernel, &function, owner, name.c_str());
    if (result != CUDA_SUCCESS) return result;
    functions->push_back(function);
  }
  return CUDA_SUCCESS;
}

template <typename H>
CUresult copy_out(const std::vector<CUfunction>& all, H* functions, unsigned room) {
  if (!functions) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < all.size() && i < room; ++i) functions[i] = reinterpret_cast<H>(all[i]);
  return CUDA_SUCCESS;
}

}  // namespace

namespace weft::abi {

CUresult primary_context_handle(CUdevice device, CUcontext* context) { return interposer::primary_context_handle(device, context); }

CUresult for_each_function(CUmodule module, void (*visit)(void* user, CUfunction function), void* user) {
  std::vector<CUfunction> functions;
  CUresult result = enumerate(Op::cuModuleEnumerateFunctions, module, &functions);
  for (CUfunction function : functions) visit(user, function);
  return result;
}

}  // namespace weft::abi

extern "C" {

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options, void** optionValues) {
  return load_module(module, image, JitOptions(numOptions, options, optionValues));
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load_module(module, image, JitOptions(0, nullptr, nullptr)); }

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) { return cuModuleLoadData(module, fatCubin); }

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  std::vector<char> content;
  if (CUresult result = read_file(fname, &content); result != CUDA_SUCCESS) return result;
  return cuModuleLoadData(module, content.data());
}

CUresult cuModuleUnload(CUmodule hmod) {
  const Module* module = objects().modules.find(hmod);
  if (module && module->library) return CUDA_ERROR_NOT_PERMITTED;
  return unload(Op::cuModuleUnload, hmod);
}

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) { return get_function(Op::cuModuleGetFunction, hfunc, hmod, name); }

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod) {
  std::vector<CUfunction> all;
  CUresult result = enumerate(Op::cuModuleEnumerateFunctions, mod, &all);
  return result == CUDA_SUCCESS ? copy_out(all, functions, numFunctions) : result;
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  std::vector<CUfunction> all;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = enumerate(Op::cuModuleEnumerateFunctions, mod, &all);
  *count = static_cast<unsigned>(all.size());
  return result;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
  return get_global(Op::cuModuleGetGlobal_v2, dptr, bytes, hmod, name);
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption*,
                           void**, unsigned int) {
  if (!library || !code) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  return load(Op::cuLibraryLoadData, library, code, JitOptions(numJitOptions, jitOptions, jitOptionsValues));
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions) {
  std::vector<char> content;
  if (CUresult result = read_file(fileName, &content); result != CUDA_SUCCESS) return result;
  return cuLibraryLoadData(library, content.data(), jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
}

CUresult cuLibraryUnload(CUlibrary library) {
  if (Library* from = objects().libraries.find(library))
    for (auto& [context, module] : from->modules) objects().modules.erase(module);
  return unload(Op::cuLibraryUnload, library);
}

CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  return get_function(Op::cuLibraryGetKernel, reinterpret_cast<CUfunction*>(pKernel), library, name);
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
  std::vector<CUfunction> all;
  CUresult result = enumerate(Op::cuLibraryEnumerateKernels, lib, &all);
  return result == CUDA_SUCCESS ? copy_out(all, kernels, numKernels) : result;
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  std::vector<CUfunction> all;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = enumerate(Op::cuLibraryEnumerateKernels, lib, &all);
  *count = static_cast<unsigned>(all.size());
  return result;
}

CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  if (!pMod) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuLibraryGetModule);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  Library* from = objects().libraries.find(library);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  const CUcontext context = this_thread().current();
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  std::lock_guard lock(from->names.mutex);
  if (auto known = from->modules.find(context); known != from->modules.end()) {
    *pMod = known->second;
    return CUDA_SUCCESS;
  }
  command.mint(pMod);
  command.value(library);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) {
    command.unmint(pMod);
    return result;
  }
  objects().modules.find(*pMod)->library = library;
  from->modules[context] = *pMod;
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  return get_global(Op::cuLibraryGetGlobal, dptr, bytes, library, name);
}

}  // extern "C"
