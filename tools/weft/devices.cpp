// SPDX-License-Identifier: Apache-2.0
// A program as any other: it asks our libcuda.so.1.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "abi/cuda.hpp"
#include "weft/commands.hpp"

namespace weft::tool {
namespace {

template <typename Function>
Function look_up(void* library, const char* name) {
  auto function = reinterpret_cast<Function>(::dlsym(library, name));
  if (!function) throw std::runtime_error(fmt::format("{} is missing in libcuda.so.1", name));
  return function;
}

}  // namespace

int devices() {
  void* library = ::dlopen(libcuda().c_str(), RTLD_NOW);
  if (!library) throw std::runtime_error(::dlerror());
  if (look_up<decltype(&::cuInit)>(library, "cuInit")(0) != CUDA_SUCCESS) return 1;  // it has said why
  int count = 0;
  look_up<decltype(&::cuDeviceGetCount)>(library, "cuDeviceGetCount")(&count);
  const auto get_name = look_up<decltype(&::cuDeviceGetName)>(library, "cuDeviceGetName");
  const auto get_memory = look_up<CUresult (*)(std::size_t*, CUdevice)>(library, "cuDeviceTotalMem_v2");
  const auto get_bus_id = look_up<decltype(&::cuDeviceGetPCIBusId)>(library, "cuDeviceGetPCIBusId");
  const auto get_capability = look_up<CUresult (*)(int*, int*, CUdevice)>(library, "cuDeviceComputeCapability");
  for (CUdevice device = 0; device < count; ++device) {
    char name[256] = "", bus_id[32] = "";
    std::size_t memory = 0;
    int major = 0, minor = 0;
    get_name(name, sizeof name, device);
    get_memory(&memory, device);
    get_bus_id(bus_id, sizeof bus_id, device);
    get_capability(&major, &minor, device);
    fmt::print("{}  {}  {:.1f} GiB  compute capability {}.{}  {}\n", device, name, static_cast<double>(memory) / (1 << 30), major, minor, bus_id);
  }
  return 0;
}

}  // namespace weft::tool
