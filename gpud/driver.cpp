// SPDX-License-Identifier: Apache-2.0
#include "gpud/driver.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "base/log.hpp"

namespace weft::gpud {
namespace {

bool inside(const AddressWindow& window, CUdeviceptr address) { return address >= window.base && address - window.base < window.size; }

/// One allocation tells whether the driver lets itself be steered.
bool obeys(const Driver& driver) {
  CUdeviceptr trial = 0;
  if (driver.table.cuMemAlloc_v2(&trial, 4 << 20) != CUDA_SUCCESS) return false;
  driver.table.cuMemFree_v2(trial);
  return inside(driver.window, trial);
}

[[noreturn]] void refuse(const Driver& driver, const std::string& path, const char* call, CUresult result) {
  const char* name = "unknown error";
  driver.table.cuGetErrorName(result, &name);
  throw std::runtime_error("the CUDA driver " + path + " cannot be used: " + call + " answers " + name + " (" + std::to_string(result) + ")");
}

abi::DeviceSnapshot describe_device(const DriverTable& table, CUdevice device) {
  abi::DeviceSnapshot snapshot{};
  std::size_t total = 0;
  table.cuDeviceGetName(snapshot.name, sizeof snapshot.name, device);
  if (table.cuDeviceGetUuid_v2(&snapshot.uuid, device) != CUDA_SUCCESS) table.cuDeviceGetUuid(&snapshot.uuid, device);
  snapshot.has_luid = table.cuDeviceGetLuid(snapshot.luid, &snapshot.luid_mask, device) == CUDA_SUCCESS;
  table.cuDeviceTotalMem_v2(&total, device);
  snapshot.total_memory = total;
  table.cuDeviceGetPCIBusId(snapshot.pci_bus_id, sizeof snapshot.pci_bus_id, device);
  for (int attribute = 1; attribute < abi::max_device_attribute; ++attribute)
    snapshot.has_attribute[attribute] = table.cuDeviceGetAttribute(&snapshot.attributes[attribute], static_cast<CUdevice_attribute>(attribute), device) == CUDA_SUCCESS;
  return snapshot;
}

}  // namespace

Driver prepare_driver(const std::string& path, const AddressWindow& window) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error("cannot load the CUDA driver " + path + ": " + ::dlerror());
  Driver driver{.table = load_table(library), .window = window};
  driver.occupied = occupy_above(window);
  if (CUresult result = driver.table.cuInit(0); result != CUDA_SUCCESS) refuse(driver, path, "cuInit", result);
  if (CUresult result = driver.table.cuDeviceGetCount(&driver.devices); result != CUDA_SUCCESS) refuse(driver, path, "cuDeviceGetCount", result);
  if (driver.devices == 0) refuse(driver, path, "cuDeviceGetCount", CUDA_ERROR_NO_DEVICE);
  if (CUresult result = driver.table.cuDevicePrimaryCtxRetain(&driver.first, 0); result != CUDA_SUCCESS) refuse(driver, path, "cuDevicePrimaryCtxRetain", result);
  driver.table.cuCtxSetCurrent(driver.first);
  const std::vector<AddressRange> below = occupy_below(window);
  driver.occupied.insert(driver.occupied.end(), below.begin(), below.end());
  driver.obeys = obeys(driver);
  if (!driver.obeys) log::warning("the driver %s does not keep to an address window; pools with other servers and managed memory are not possible with it", path.c_str());
  return driver;
}

abi::Snapshot describe(const Driver& driver, std::vector<abi::DeviceSnapshot>* devices) {
  abi::Snapshot snapshot{};
  const DriverTable& table = driver.table;
  table.cuDriverGetVersion(&snapshot.driver_version);
  snapshot.device_count = static_cast<std::uint32_t>(driver.devices);
  snapshot.window_base = driver.window.base;
  snapshot.window_size = driver.obeys ? driver.window.size : 0;
  table.cuCtxGetStreamPriorityRange(&snapshot.least_priority, &snapshot.greatest_priority);
  CUmoduleLoadingMode mode = CU_MODULE_LAZY_LOADING;
  table.cuModuleGetLoadingMode(&mode);
  snapshot.module_loading_mode = mode;
  table.cuCtxGetApiVersion(driver.first, &snapshot.context_api_version);
  for (int limit = 0; limit < CU_LIMIT_MAX; ++limit) {
    std::size_t value = 0;
    table.cuCtxGetLimit(&value, static_cast<CUlimit>(limit));
    snapshot.limits[limit] = value;
  }
  for (CUdevice device = 0; device < driver.devices; ++device) devices->push_back(describe_device(table, device));
  return snapshot;
}

}  // namespace weft::gpud
