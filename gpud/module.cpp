// SPDX-License-Identifier: Apache-2.0
// Modules and libraries.
#include "gpud/function.hpp"
#include "gpud/image.hpp"
#include "gpud/operations.hpp"

namespace weft::gpud {
namespace {

/// Loads the image under the client's handle; load(handle*, image, options) is the driver's function.
template <typename H, typename Load>
void load(Call& call, Load load_function) {
  const auto message = call.value<abi::LoadImage>();
  JitOptions options;
  if (message.option_count > wire::max_array_elements) return call.session().fail("too many options of a module");
  options.read(call, message);
  const Bytes inline_image = call.remaining();
  if (!call.ready()) return;
  if (inline_image.size() != message.inline_bytes) return call.session().fail("a module image that is not as long as it says");
  call.always_send_results();
  LoadedImage image;
  H handle = nullptr;
  CUresult result = image.open(call.session(), message, inline_image);
  if (result == CUDA_SUCCESS) result = load_function(&handle, image.pointer(), options);
  if (result == CUDA_SUCCESS && !call.session().handles().bind(message.handle, handle)) return call.session().fail("a handle that it may not mint");
  options.add_logs(call);
  call.finish(result);
}

ImageHash hash_of(const abi::ImageQuery& query) {
  ImageHash hash;
  std::memcpy(hash.data(), query.hash, hash.size());
  return hash;
}

template <typename H>
void add_name(Call& call, H function, CUresult (*get_name)(const char**, H)) {
  const char* name = "";
  get_name(&name, function);
  call.add_bytes(std::as_bytes(std::span(name, std::strlen(name))));
}

void add_symbol(Call& call, CUdeviceptr address, std::size_t bytes) {
  call.add(std::uint64_t{address});
  call.add(std::uint64_t{bytes});
}

}  // namespace

void cuModuleLoadDataEx(Call& call) {
  load<CUmodule>(call, [&](CUmodule* module, const void* image, JitOptions& options) {
    return call.driver().cuModuleLoadDataEx(module, image, options.count(), options.options(), options.values());
  });
}

void cuLibraryLoadData(Call& call) {
  load<CUlibrary>(call, [&](CUlibrary* library, const void* image, JitOptions& options) {
    return call.driver().cuLibraryLoadData(library, image, options.options(), options.values(), options.count(), nullptr, nullptr, 0);
  });
}

void image_query(Call& call) {
  const auto query = call.value<abi::ImageQuery>();
  if (!call.ready()) return;
  Session& session = call.session();
  const ImageHash hash = hash_of(query);
  std::uint64_t key = 0;
  if (!session.images().contains(hash)) {
    if (query.bytes > wire::max_image_bytes) return call.finish(CUDA_ERROR_OUT_OF_MEMORY);
    auto pending = session.images().begin(hash, query.bytes);
    if (!pending) return call.finish(CUDA_ERROR_OUT_OF_MEMORY);
    key = pending->key = session.connection().register_memory(pending->image.bytes());
    if (auto before = session.pending_images().extract(hash); !before.empty()) session.connection().deregister_memory(before.mapped().key);
    session.pending_images().emplace(hash, std::move(*pending));
  }
  call.add(key);
  call.finish(CUDA_SUCCESS);
}

void image_ready(Call& call) {
  const auto query = call.value<abi::ImageQuery>();
  if (!call.ready()) return;
  auto pending = call.session().pending_images().extract(hash_of(query));
  if (pending.empty()) return call.session().fail("an image that nobody asked for");
  call.session().connection().deregister_memory(pending.mapped().key);
  if (!call.session().images().keep(pending.mapped())) call.finish(CUDA_ERROR_INVALID_IMAGE);
}

void cuModuleUnload(Call& call) {
  call.will_destroy();
  const auto module = call.value<CUmodule>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuModuleUnload(module);
  call.unbind(module);
  call.finish(result);
}

void cuLibraryUnload(Call& call) {
  call.will_destroy();
  const auto library = call.value<CUlibrary>();
  if (!call.ready()) return;
  CUresult result = call.driver().cuLibraryUnload(library);
  call.unbind(library);
  call.finish(result);
}

void cuModuleGetFunction(Call& call) {
  const auto bits = call.value<std::uint64_t>(), owner = call.peek_handle();
  const auto module = call.value<CUmodule>();
  const char* name = call.string();
  if (!call.ready()) return;
  CUfunction function = nullptr;
  CUresult result = name ? call.driver().cuModuleGetFunction(&function, module, name) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return call.finish(result);
  if (!call.session().handles().bind(bits, function)) return call.session().fail("a handle that it may not mint");
  call.belongs_to(bits, owner);
  add_function(call, bits, function);
  call.finish(result);
}

void cuLibraryGetKernel(Call& call) {
  const auto bits = call.value<std::uint64_t>(), owner = call.peek_handle();
  const auto library = call.value<CUlibrary>();
  const char* name = call.string();
  if (!call.ready()) return;
  CUkernel kernel = nullptr;
  CUresult result = name ? call.driver().cuLibraryGetKernel(&kernel, library, name) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return call.finish(result);
  if (!call.session().handles().bind(bits, kernel)) return call.session().fail("a handle that it may not mint");
  call.belongs_to(bits, owner);
  add_kernel(call, bits, kernel);
  call.finish(result);
}

void cuKernelGetFunction(Call& call) {
  const auto bits = call.value<std::uint64_t>(), owner = call.peek_handle();
  const auto kernel = call.value<CUkernel>();
  if (!call.ready()) return;
  CUfunction function = nullptr;
  CUresult result = call.driver().cuKernelGetFunction(&function, kernel);
  if (result != CUDA_SUCCESS) return call.finish(result);
  if (!call.session().handles().bind(bits, function)) return call.session().fail("a handle that it may not mint");
  call.belongs_to(bits, owner);
  add_function(call, bits, function);
  call.finish(result);
}

void cuLibraryGetModule(Call& call) {
  const auto bits = call.value<std::uint64_t>(), owner = call.peek_handle();
  const auto library = call.value<CUlibrary>();
  if (!call.ready()) return;
  CUmodule module = nullptr;
  CUresult result = call.driver().cuLibraryGetModule(&module, library);
  if (result == CUDA_SUCCESS && !call.session().handles().bind(bits, module)) return call.session().fail("a handle that it may not mint");
  if (result == CUDA_SUCCESS) call.belongs_to(bits, owner);
  call.finish(result);
}

void cuModuleEnumerateFunctions(Call& call) {
  const auto module = call.value<CUmodule>();
  if (!call.ready()) return;
  unsigned count = 0;
  CUresult result = call.driver().cuModuleGetFunctionCount(&count, module);
  std::vector<CUfunction> functions(count);
  if (result == CUDA_SUCCESS) result = call.driver().cuModuleEnumerateFunctions(functions.data(), count, module);
  call.add(std::uint32_t{count});
  for (CUfunction function : functions) add_name(call, function, call.driver().cuFuncGetName);
  call.finish(result);
}

void cuLibraryEnumerateKernels(Call& call) {
  const auto library = call.value<CUlibrary>();
  if (!call.ready()) return;
  unsigned count = 0;
  CUresult result = call.driver().cuLibraryGetKernelCount(&count, library);
  std::vector<CUkernel> kernels(count);
  if (result == CUDA_SUCCESS) result = call.driver().cuLibraryEnumerateKernels(kernels.data(), count, library);
  call.add(std::uint32_t{count});
  for (CUkernel kernel : kernels) add_name(call, kernel, call.driver().cuKernelGetName);
  call.finish(result);
}

void cuModuleGetGlobal_v2(Call& call) {
  const auto module = call.value<CUmodule>();
  const char* name = call.string();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  CUresult result = name ? call.driver().cuModuleGetGlobal_v2(&address, &bytes, module, name) : CUDA_ERROR_INVALID_VALUE;
  add_symbol(call, address, bytes);
  call.finish(result);
}

void cuLibraryGetGlobal(Call& call) {
  const auto library = call.value<CUlibrary>();
  const char* name = call.string();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  CUresult result = name ? call.driver().cuLibraryGetGlobal(&address, &bytes, library, name) : CUDA_ERROR_INVALID_VALUE;
  add_symbol(call, address, bytes);
  call.finish(result);
}

void cuLibraryGetManaged(Call& call) {
  const auto library = call.value<CUlibrary>();
  const char* name = call.string();
  if (!call.ready()) return;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  CUresult result = name ? call.driver().cuLibraryGetManaged(&address, &bytes, library, name) : CUDA_ERROR_INVALID_VALUE;
  add_symbol(call, address, bytes);
  call.finish(result);
}

void cuFuncSetAttribute(Call& call) {
  const auto function = call.value<CUfunction>();
  const auto attribute = static_cast<CUfunction_attribute>(call.value<std::int32_t>());
  const auto value = call.value<std::int32_t>();
  if (call.ready()) call.finish(call.driver().cuFuncSetAttribute(function, attribute, value));
}

void cuKernelSetAttribute(Call& call) {
  const auto attribute = static_cast<CUfunction_attribute>(call.value<std::int32_t>());
  const auto value = call.value<std::int32_t>();
  const auto kernel = call.value<CUkernel>();
  const CUdevice device = call.value<std::int32_t>();
  if (call.ready()) call.finish(call.driver().cuKernelSetAttribute(attribute, value, kernel, device));
}

}  // namespace weft::gpud
