// SPDX-License-Identifier: Apache-2.0
#include "softgpu/module.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "abi/driver_hooks.hpp"
#include "base/log.hpp"
#include "softgpu/context.hpp"
#include "softgpu/exec/decode.hpp"
#include "softgpu/image.hpp"

namespace weft::softgpu {
namespace {

constexpr std::uint64_t largest_constants = 64 << 10;

/// The program's log buffers among its JIT options.
struct Logs {
  Logs(unsigned count, const CUjit_option* options, void** values) {
    for (unsigned i = 0; i < count && options && values; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) error = static_cast<char*>(values[i]);
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) size = &values[i];
    }
  }
  void write(const std::string& text) const {
    if (!text.empty()) log::error("%s", text.c_str());
    if (!size) return;
    const auto room = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(*size));
    const std::size_t length = room ? std::min<std::size_t>(text.size(), room - 1) : 0;
    if (error && room) {
      std::memcpy(error, text.data(), length);
      error[length] = 0;
    }
    *size = reinterpret_cast<void*>(length);
  }
  char* error = nullptr;
  void** size = nullptr;
};

CUresult parse_image(const void* image, const Device& device, const Logs& logs, std::shared_ptr<const Program>* program) {
  std::vector<std::string> texts;
  std::string problem;
  CUresult result = find_ptx(image, device.capability, &texts, &problem);
  if (result == CUDA_SUCCESS && texts.size() > 1) {
    problem = "images of several pieces (relocatable device code) are not supported by the software GPU";
    result = CUDA_ERROR_NOT_SUPPORTED;
  }
  if (result == CUDA_SUCCESS) {
    try {
      auto made = std::make_shared<Program>();
      made->tree = ptx::parse(texts.front());
      if (made->tree.target > device.capability) {
        problem = "PTX for compute capability " + std::to_string(made->tree.target) + " on a device of " + std::to_string(device.capability);
        result = CUDA_ERROR_INVALID_PTX;
      }
      for (const auto& [name, function] : made->tree.functions)
        if (function.is_entry) made->shared_bytes[name] = exec::shared_bytes_of(made->tree, function);
      *program = std::move(made);
    } catch (const ptx::Error& error) {
      problem = error.what();
      result = CUDA_ERROR_INVALID_PTX;
    }
  }
  logs.write(problem);
  return result;
}

/// Of a variable or a function; 0 for neither.
std::uint64_t address_of(const Module& module, const std::string& name) {
  if (auto variable = module.symbols.find(name); variable != module.symbols.end()) return variable->second.address;
  auto function = module.set->functions.find(name);
  return function == module.set->functions.end() ? 0 : reinterpret_cast<std::uint64_t>(function->second.get());
}

/// Gives the module's variables their memory and their first values.
CUresult lay_out(Driver& driver, Module& module) {
  std::uint64_t constants = 0;
  for (const ptx::Variable& variable : module.program->tree.variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.is_extern || variable.bytes == 0) continue;
    if (variable.space == ptx::Space::constant && (constants += variable.bytes) > largest_constants) return CUDA_ERROR_INVALID_PTX;
    const std::uint64_t address = driver.memory.allocate(module.context->device->ordinal, variable.bytes, Allocation::Kind::device, module.context);
    if (!address) return CUDA_ERROR_OUT_OF_MEMORY;
    module.symbols[variable.name] = {address, variable.bytes};
    auto* memory = reinterpret_cast<std::uint8_t*>(address);
    if (variable.initial.empty()) std::memset(memory, 0, variable.bytes);
    else std::memcpy(memory, variable.initial.data(), variable.bytes);
  }
  for (const ptx::Variable& variable : module.program->tree.variables) {
    for (const auto& reference : variable.references) {
      const std::uint64_t target = address_of(module, reference.symbol);
      if (!target || reference.at + sizeof(std::uint64_t) > variable.bytes) return CUDA_ERROR_INVALID_PTX;
      const std::uint64_t value = target + static_cast<std::uint64_t>(reference.addend);
      std::memcpy(reinterpret_cast<std::uint8_t*>(module.symbols[variable.name].address) + reference.at, &value, sizeof value);
    }
  }
  return CUDA_SUCCESS;
}

void unload(Driver& driver, Module* module) {
  for (const auto& [name, symbol] : module->symbols) driver.memory.free(symbol.address);
  for (const auto& [name, function] : module->functions) driver.functions.erase(function);
  driver.modules.erase(module);
}

CUresult decode(Module& module, const Logs& logs) {
  exec::Addresses addresses;
  for (const auto& [name, symbol] : module.symbols) addresses[name] = symbol.address;
  try {
    exec::decode(*module.set, module.program->tree, addresses);
    return CUDA_SUCCESS;
  } catch (const ptx::Error& error) {
    logs.write(error.what());
    return CUDA_ERROR_INVALID_PTX;
  }
}

CUresult make_module(Driver& driver, Context& context, std::shared_ptr<const Program> program, const Logs& logs, Module** module) {
  auto made = std::make_unique<Module>();
  made->context = &context;
  made->program = std::move(program);
  try {
    made->set = exec::declare(made->program->tree);
  } catch (const ptx::Error& error) {
    logs.write(error.what());
    return CUDA_ERROR_INVALID_PTX;
  }
  *module = driver.modules.insert(std::move(made));
  CUresult result = lay_out(driver, **module);
  if (result == CUDA_SUCCESS) result = decode(**module, logs);
  if (result != CUDA_SUCCESS) unload(driver, *module);
  return result;
}

const ptx::Function* find_entry(const Program& program, const char* name) {
  auto found = program.tree.functions.find(name);
  return found != program.tree.functions.end() && found->second.is_entry ? &found->second : nullptr;
}

Function* function_of(Driver& driver, Module& module, const ptx::Function& code) {
  Function*& known = module.functions[code.name];
  if (!known) {
    auto made = std::make_unique<Function>();
    made->module = &module;
    made->code = &code;
    known = driver.functions.insert(std::move(made));
  }
  return known;
}

Kernel* kernel_of(Driver& driver, Library& library, const ptx::Function& code) {
  Kernel*& known = library.kernels[code.name];
  if (!known) {
    auto made = std::make_unique<Kernel>();
    made->library = &library;
    made->code = &code;
    known = driver.kernels.insert(std::move(made));
  }
  return known;
}

/// The library's module in the current context, made at its first use there.
CUresult module_of(Entry& entry, Library& library, Module** module) {
  *module = nullptr;
  entry.driver().modules.for_each([&](Module& candidate) {
    if (candidate.library == &library && candidate.context == &entry.current()) *module = &candidate;
  });
  if (*module) return CUDA_SUCCESS;
  CUresult result = make_module(entry.driver(), entry.current(), library.program, Logs(0, nullptr, nullptr), module);
  if (result == CUDA_SUCCESS) (*module)->library = &library;
  return result;
}

std::vector<const ptx::Function*> entries_of(const Program& program) {
  std::vector<const ptx::Function*> all;
  for (const auto& [name, function] : program.tree.functions)
    if (function.is_entry) all.push_back(&function);
  return all;
}

CUresult read_file(const char* name, std::vector<char>* content) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(name, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  content->assign(std::istreambuf_iterator<char>(file), {});
  content->push_back(0);
  return CUDA_SUCCESS;
}

CUresult symbol_of(const Module& module, const char* name, CUdeviceptr* address, size_t* bytes) {
  auto found = module.symbols.find(name);
  if (found == module.symbols.end()) return CUDA_ERROR_NOT_FOUND;
  if (address) *address = found->second.address;
  if (bytes) *bytes = found->second.bytes;
  return CUDA_SUCCESS;
}

}  // namespace

Function* find_function(Entry& entry, CUfunction handle) {
  if (entry.result != CUDA_SUCCESS) return nullptr;
  if (Function* function = entry.driver().functions.find(handle)) return function;
  Kernel* kernel = entry.driver().kernels.find(handle);
  Module* module = nullptr;
  entry.result = kernel ? module_of(entry, *kernel->library, &module) : CUDA_ERROR_INVALID_HANDLE;
  if (entry.result != CUDA_SUCCESS) return nullptr;
  Function* function = function_of(entry.driver(), *module, *kernel->code);
  for (const auto& [attribute, value] : kernel->settings) function->settings[attribute] = value;
  return function;
}

void free_modules_of(Driver& driver, Context* context) {
  std::vector<Module*> all;
  driver.modules.for_each([&](Module& module) {
    if (module.context == context) all.push_back(&module);
  });
  for (Module* module : all) unload(driver, module);
}

}  // namespace weft::softgpu

using namespace weft::softgpu;

namespace weft::abi {

CUresult for_each_function(CUmodule handle, void (*visit)(void* user, CUfunction function), void* user) {
  std::vector<Function*> all;
  {
    Entry entry;
    if (entry.result != CUDA_SUCCESS) return entry.result;
    Module* module = entry.driver().modules.find(handle);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    for (const auto* code : entries_of(*module->program)) all.push_back(function_of(entry.driver(), *module, *code));
  }
  for (Function* function : all) visit(user, reinterpret_cast<CUfunction>(function));
  return CUDA_SUCCESS;
}

}  // namespace weft::abi

extern "C" {

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options, void** optionValues) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  std::shared_ptr<const Program> program;
  Module* made = nullptr;
  const Logs logs(numOptions, options, optionValues);
  CUresult result = parse_image(image, *entry.current().device, logs, &program);
  if (result == CUDA_SUCCESS) result = make_module(entry.driver(), entry.current(), std::move(program), logs, &made);
  if (result == CUDA_SUCCESS) *module = reinterpret_cast<CUmodule>(made);
  return result;
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr); }

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) { return cuModuleLoadData(module, fatCubin); }

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  std::vector<char> content;
  if (CUresult result = read_file(fname, &content); result != CUDA_SUCCESS) return result;
  return cuModuleLoadData(module, content.data());
}

CUresult cuModuleUnload(CUmodule hmod) {
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Module* module = entry.driver().modules.find(hmod);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (module->library) return CUDA_ERROR_NOT_PERMITTED;
  wait_for(everything(*module->context));
  unload(entry.driver(), module);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  if (!hfunc || !name) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Module* module = entry.driver().modules.find(hmod);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  const auto* code = find_entry(*module->program, name);
  if (!code) return CUDA_ERROR_NOT_FOUND;
  *hfunc = reinterpret_cast<CUfunction>(function_of(entry.driver(), *module, *code));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  Entry entry;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Module* module = entry.driver().modules.find(mod);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  *count = static_cast<unsigned>(entries_of(*module->program).size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod) {
  Entry entry;
  if (!functions) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Module* module = entry.driver().modules.find(mod);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  unsigned at = 0;
  for (const auto* code : entries_of(*module->program))
    if (at < numFunctions) functions[at++] = reinterpret_cast<CUfunction>(function_of(entry.driver(), *module, *code));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Module* module = entry.driver().modules.find(hmod);
  return module ? symbol_of(*module, name, dptr, bytes) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption*,
                           void**, unsigned int) {
  if (!library || !code) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto made = std::make_unique<Library>();
  CUresult result = parse_image(code, *entry.driver().devices.front(), Logs(numJitOptions, jitOptions, jitOptionsValues), &made->program);
  if (result == CUDA_SUCCESS) *library = reinterpret_cast<CUlibrary>(entry.driver().libraries.insert(std::move(made)));
  return result;
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions) {
  std::vector<char> content;
  if (CUresult result = read_file(fileName, &content); result != CUDA_SUCCESS) return result;
  return cuLibraryLoadData(library, content.data(), jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
}

CUresult cuLibraryUnload(CUlibrary handle) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Library* library = entry.driver().libraries.find(handle);
  if (!library) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<Module*> modules;
  entry.driver().modules.for_each([&](Module& module) {
    if (module.library == library) modules.push_back(&module);
  });
  for (Module* module : modules) wait_for(everything(*module->context));
  for (Module* module : modules) unload(entry.driver(), module);
  for (const auto& [name, kernel] : library->kernels) entry.driver().kernels.erase(kernel);
  entry.driver().libraries.erase(library);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary handle, const char* name) {
  if (!pKernel || !name) return CUDA_ERROR_INVALID_VALUE;
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Library* library = entry.driver().libraries.find(handle);
  if (!library) return CUDA_ERROR_INVALID_HANDLE;
  const auto* code = find_entry(*library->program, name);
  if (!code) return CUDA_ERROR_NOT_FOUND;
  *pKernel = reinterpret_cast<CUkernel>(kernel_of(entry.driver(), *library, *code));
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  Entry entry(Entry::driver_only);
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Library* library = entry.driver().libraries.find(lib);
  if (!library) return CUDA_ERROR_INVALID_HANDLE;
  *count = static_cast<unsigned>(entries_of(*library->program).size());
  return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
  Entry entry(Entry::driver_only);
  if (!kernels) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Library* library = entry.driver().libraries.find(lib);
  if (!library) return CUDA_ERROR_INVALID_HANDLE;
  unsigned at = 0;
  for (const auto* code : entries_of(*library->program))
    if (at < numKernels) kernels[at++] = reinterpret_cast<CUkernel>(kernel_of(entry.driver(), *library, *code));
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary handle) {
  if (!pMod) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Library* library = entry.driver().libraries.find(handle);
  Module* module = nullptr;
  CUresult result = library ? module_of(entry, *library, &module) : CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS) *pMod = reinterpret_cast<CUmodule>(module);
  return result;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary handle, const char* name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Library* library = entry.driver().libraries.find(handle);
  Module* module = nullptr;
  CUresult result = library ? module_of(entry, *library, &module) : CUDA_ERROR_INVALID_HANDLE;
  return result == CUDA_SUCCESS ? symbol_of(*module, name, dptr, bytes) : result;
}

CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) { return cuLibraryGetGlobal(dptr, bytes, library, name); }

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  if (!pFunc) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (Function* function = find_function(entry, reinterpret_cast<CUfunction>(kernel))) *pFunc = reinterpret_cast<CUfunction>(function);
  return entry.result;
}

CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel handle) {
  Entry entry(Entry::driver_only);
  if (!pLib) return CUDA_ERROR_INVALID_VALUE;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Kernel* kernel = entry.driver().kernels.find(handle);
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  *pLib = reinterpret_cast<CUlibrary>(kernel->library);
  return CUDA_SUCCESS;
}

}  // extern "C"
