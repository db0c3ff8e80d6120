// SPDX-License-Identifier: Apache-2.0
#include "softgpu/device.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "abi/error_names.hpp"
#include "abi/export_tables.hpp"
#include "abi/proc_address.hpp"
#include "softgpu/context.hpp"
#include "softgpu/driver.hpp"

namespace weft::softgpu {
namespace {

constexpr int most_devices = 16;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return otherwise;
  std::uint64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stopped != end || value < least || value > most)
    throw std::invalid_argument(std::string(variable) + ": '" + text + "' is no number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

int capability_from_environment() {
  const char* text = std::getenv("WEFT_SOFTGPU_COMPUTE_CAPABILITY");
  if (!text || !*text || std::string_view(text) == "9.0") return 90;
  if (std::string_view(text) == "8.0") return 80;
  throw std::invalid_argument(std::string("WEFT_SOFTGPU_COMPUTE_CAPABILITY: '") + text + "' is neither 8.0 nor 9.0");
}

int usable_cores() {
  cpu_set_t cpus;
  return ::sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

/// What does not depend on the compute capability is that of every GPU of the last years.
std::map<int, int> attributes_of(const Device& device) {
  const bool hopper = device.capability == 90;
  std::map<int, int> a{
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0x7fffffff},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},  // clock64() counts nanoseconds
      {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
      {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
      {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, 512},
      {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
      {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 3},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, usable_cores()},
      {CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 0},
      {CU_DEVICE_ATTRIBUTE_INTEGRATED, 0},
      {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
      {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
      {CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 0},
      {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 0},
      {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device.number + 1},
      {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0},
      {CU_DEVICE_ATTRIBUTE_TCC_DRIVER, 0},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000000},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 128},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 8 << 20},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device.capability / 10},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device.capability % 10},
      {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, hopper ? 233472 : 167936},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, hopper ? 232448 : 166912},
      {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
      {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
      {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
      {CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, 0},
      {CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID, device.number},
      {CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
      {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
      {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 131072},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 268435456},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 131072},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 65536},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 16384},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 16384},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 16384},
  };
  // Attributes that CUDA knows and this device has not are zero, not errors.
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) a.emplace(attribute, 0);
  return a;
}

std::unique_ptr<Device> make_device(int number, std::uint64_t memory_bytes, int capability) {
  auto device = std::make_unique<Device>();
  device->number = number;
  device->name = "weft software GPU";
  device->memory_bytes = memory_bytes;
  device->capability = capability;
  std::memcpy(device->uuid.bytes, "weft soft gpu  ", 15);
  device->uuid.bytes[15] = static_cast<char>('0' + number);
  char bus_id[32];
  std::snprintf(bus_id, sizeof bus_id, "0000:%02X:00.0", number + 1);
  device->pci_bus_id = bus_id;
  device->attributes = attributes_of(*device);
  return device;
}

/// The numbers that CUDA_VISIBLE_DEVICES lets a program see, in its order.
std::vector<int> visible(int count) {
  std::vector<int> numbers;
  const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!text) {
    for (int i = 0; i < count; ++i) numbers.push_back(i);
    return numbers;
  }
  for (const char* at = text; *at;) {
    char* end;
    const long number = std::strtol(at, &end, 10);
    if (end == at || number < 0 || number >= count) break;
    numbers.push_back(static_cast<int>(number));
    at = end + (*end == ',');
    if (*end && *end != ',') break;
  }
  return numbers;
}

}  // namespace

std::vector<std::unique_ptr<Device>> make_devices() {
  const auto count = static_cast<int>(number_from("WEFT_SOFTGPU_DEVICES", 1, 1, most_devices));
  const std::uint64_t machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t share = std::max<std::uint64_t>(machine / 2 / static_cast<std::uint64_t>(count) >> 20, 256);
  const std::uint64_t memory = number_from("WEFT_SOFTGPU_MEMORY_MIB", share, 16, 1 << 20) << 20;
  const int capability = capability_from_environment();
  std::vector<std::unique_ptr<Device>> devices;
  for (int number : visible(count)) {
    devices.push_back(make_device(number, memory, capability));
    devices.back()->ordinal = static_cast<int>(devices.size()) - 1;
  }
  return devices;
}

}  // namespace weft::softgpu

using weft::softgpu::Device;
using weft::softgpu::Driver;

namespace {

Device* find_device(CUdevice number, CUresult* result) {
  Driver* driver = Driver::get();
  *result = driver ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NOT_INITIALIZED;
  Device* device = driver ? driver->device(number) : nullptr;
  if (device) *result = CUDA_SUCCESS;
  return device;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int Flags) { return Flags ? CUDA_ERROR_INVALID_VALUE : Driver::start(); }

CUresult cuDriverGetVersion(int* driverVersion) {
  if (!driverVersion) return CUDA_ERROR_INVALID_VALUE;
  *driverVersion = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  if (!Driver::get()) return CUDA_ERROR_NOT_INITIALIZED;
  *count = static_cast<int>(Driver::get()->devices.size());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  CUresult result;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (find_device(ordinal, &result)) *device = ordinal;
  return result;
}

CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  CUresult result;
  if (!name || len <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (const Device* device = find_device(dev, &result)) std::snprintf(name, static_cast<size_t>(len), "%s", device->name.c_str());
  return result;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
  CUresult result;
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  if (const Device* device = find_device(dev, &result)) *uuid = device->uuid;
  return result;
}

CUresult cuDeviceGetLuid(char*, unsigned int*, CUdevice) { return CUDA_ERROR_NOT_SUPPORTED; }  // an identifier of Windows

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
  CUresult result;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  if (const Device* device = find_device(dev, &result)) *bytes = device->memory_bytes;
  return result;
}

CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  CUresult result;
  if (!pi) return CUDA_ERROR_INVALID_VALUE;
  const Device* device = find_device(dev, &result);
  if (!device) return result;
  if (!device->attributes.contains(attrib)) return CUDA_ERROR_INVALID_VALUE;
  *pi = device->attribute(attrib);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  CUresult result;
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  if (const Device* device = find_device(dev, &result)) {
    *major = device->capability / 10;
    *minor = device->capability % 10;
  }
  return result;
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  CUresult result;
  if (!pciBusId || len <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (const Device* device = find_device(dev, &result)) std::snprintf(pciBusId, static_cast<size_t>(len), "%s", device->pci_bus_id.c_str());
  return result;
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  if (!dev || !pciBusId) return CUDA_ERROR_INVALID_VALUE;
  if (!Driver::get()) return CUDA_ERROR_NOT_INITIALIZED;
  for (size_t i = 0; i < Driver::get()->devices.size(); ++i) {
    if (::strcasecmp(Driver::get()->devices[i]->pci_bus_id.c_str(), pciBusId) != 0) continue;
    *dev = static_cast<CUdevice>(i);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  CUresult result;
  if (!canAccessPeer) return CUDA_ERROR_INVALID_VALUE;
  if (!find_device(dev, &result) || !find_device(peerDev, &result)) return result;
  *canAccessPeer = dev != peerDev;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return Driver::get() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuGetErrorString(CUresult error, const char** pStr) { return weft::abi::error_string(error, pStr); }

CUresult cuGetErrorName(CUresult error, const char** pStr) { return weft::abi::error_name(error, pStr); }

CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) { return weft::abi::find_export_table(ppExportTable, pExportTableId); }

CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult* symbolStatus) {
  return weft::abi::find_proc_address(symbol, pfn, cudaVersion, flags, symbolStatus);
}

CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
  return weft::abi::find_proc_address(symbol, pfn, cudaVersion, flags, nullptr);
}

// Nothing collects here: profilers attach to a process, not to a driver.
CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuProfilerStart() { return Driver::get() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }

CUresult cuProfilerStop() { return Driver::get() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }

}  // extern "C"
