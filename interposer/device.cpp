// SPDX-License-Identifier: Apache-2.0
// Initialisation and devices: all answered from the snapshot.
#include <cstdio>
#include <cstring>

#include "abi/error_names.hpp"
#include "abi/export_tables.hpp"
#include "abi/proc_address.hpp"
#include "interposer/client.hpp"

using weft::abi::DeviceSnapshot;
using weft::interposer::Client;

namespace {

/// The device's snapshot; null and *result where there is none.
const DeviceSnapshot* find_device(CUdevice device, CUresult* result) {
  Client* client = Client::get();
  *result = client ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NOT_INITIALIZED;
  if (!client || device < 0 || static_cast<size_t>(device) >= client->devices().size()) return nullptr;
  *result = CUDA_SUCCESS;
  return &client->devices()[static_cast<size_t>(device)];
}

int attribute_of(const DeviceSnapshot& device, CUdevice_attribute attribute) { return device.attributes[attribute]; }

// The client's own network card and kernel can't reach the server's GPU, and memory shared with the CPU is mirrored, not coherent.
bool answered_differently(CUdevice_attribute attribute, int* value) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
    case CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED: *value = 0; return true;
    case CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES: *value = 0; return true;
    default: return false;
  }
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int Flags) {
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return Client::start();
}

CUresult cuDriverGetVersion(int* driverVersion) {
  if (!driverVersion) return CUDA_ERROR_INVALID_VALUE;
  // Asked before cuInit as well. Functions newer than our headers are reported as missing, so no newer version than theirs may be claimed.
  Client* client = Client::get();
  *driverVersion = client ? std::min(client->snapshot().driver_version, CUDA_VERSION) : CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  Client* client = Client::get();
  if (!client) return CUDA_ERROR_NOT_INITIALIZED;
  *count = static_cast<int>(client->devices().size());
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
  if (const DeviceSnapshot* device = find_device(dev, &result)) std::snprintf(name, static_cast<size_t>(len), "%s", device->name);
  return result;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
  CUresult result;
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  if (const DeviceSnapshot* device = find_device(dev, &result)) *uuid = device->uuid;
  return result;
}

CUresult cuDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, CUdevice dev) {
  CUresult result;
  if (!luid || !deviceNodeMask) return CUDA_ERROR_INVALID_VALUE;
  const DeviceSnapshot* device = find_device(dev, &result);
  if (!device) return result;
  if (!device->has_luid) return CUDA_ERROR_NOT_SUPPORTED;
  std::memcpy(luid, device->luid, sizeof device->luid);
  *deviceNodeMask = device->luid_mask;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
  CUresult result;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  if (const DeviceSnapshot* device = find_device(dev, &result)) *bytes = device->total_memory;
  return result;
}

CUresult cuDeviceTotalMem(unsigned int* bytes, CUdevice dev) {
  size_t all = 0;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuDeviceTotalMem_v2(&all, dev);
  *bytes = static_cast<unsigned>(std::min<size_t>(all, 0xffffffff));
  return result;
}

CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  CUresult result;
  if (!pi) return CUDA_ERROR_INVALID_VALUE;
  const DeviceSnapshot* device = find_device(dev, &result);
  if (!device) return result;
  if (attrib <= 0 || attrib >= weft::abi::max_device_attribute || !device->has_attribute[attrib]) return CUDA_ERROR_INVALID_VALUE;
  if (!answered_differently(attrib, pi)) *pi = attribute_of(*device, attrib);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  CUresult result;
  if (!prop) return CUDA_ERROR_INVALID_VALUE;
  const DeviceSnapshot* device = find_device(dev, &result);
  if (!device) return result;
  auto value = [&](CUdevice_attribute attribute) { return attribute_of(*device, attribute); };
  prop->maxThreadsPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  for (int axis = 0; axis < 3; ++axis) {
    prop->maxThreadsDim[axis] = device->attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + axis];
    prop->maxGridSize[axis] = device->attributes[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + axis];
  }
  prop->sharedMemPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  prop->totalConstantMemory = value(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  prop->SIMDWidth = value(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  prop->memPitch = value(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  prop->regsPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  prop->clockRate = value(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  prop->textureAlign = value(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  CUresult result;
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  const DeviceSnapshot* device = find_device(dev, &result);
  if (!device) return result;
  *major = attribute_of(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  *minor = attribute_of(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  CUresult result;
  if (!pciBusId || len <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (const DeviceSnapshot* device = find_device(dev, &result)) std::snprintf(pciBusId, static_cast<size_t>(len), "%s", device->pci_bus_id);
  return result;
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  if (!dev || !pciBusId) return CUDA_ERROR_INVALID_VALUE;
  Client* client = Client::get();
  if (!client) return CUDA_ERROR_NOT_INITIALIZED;
  unsigned domain = 0, bus = 0, device = 0;
  if (std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &device) < 3) {
    domain = 0;
    if (std::sscanf(pciBusId, "%x:%x", &bus, &device) != 2) return CUDA_ERROR_INVALID_VALUE;
  }
  for (size_t i = 0; i < client->devices().size(); ++i) {
    const DeviceSnapshot& candidate = client->devices()[i];
    auto is = [&](CUdevice_attribute attribute, unsigned value) { return attribute_of(candidate, attribute) == static_cast<int>(value); };
    if (is(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, domain) && is(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, bus) && is(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, device)) {
      *dev = static_cast<CUdevice>(i);
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  Client* client = Client::get();
  if (!client) return CUDA_ERROR_NOT_INITIALIZED;
  *mode = static_cast<CUmoduleLoadingMode>(client->snapshot().module_loading_mode);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** pStr) { return weft::abi::error_string(error, pStr); }

// As NVIDIA's driver since CUDA 12: nobody collects by configuration files any more.
CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuGetErrorName(CUresult error, const char** pStr) { return weft::abi::error_name(error, pStr); }

CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) {
  return weft::abi::find_export_table(ppExportTable, pExportTableId);
}

CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult* symbolStatus) {
  return weft::abi::find_proc_address(symbol, pfn, cudaVersion, flags, symbolStatus);
}

CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
  return weft::abi::find_proc_address(symbol, pfn, cudaVersion, flags, nullptr);
}

}  // extern "C"
