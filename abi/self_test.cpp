// SPDX-License-Identifier: Apache-2.0
// NVIDIA documents error 103 (cudaErrorSoftwareValidityNotEstablished) as a self-test of the runtime's and the driver's validity. The answer has been published in
// open-source projects (first in ZLUDA, MIT/Apache-2.0) and is given here so that programs can use genuine NVIDIA GPUs through a driver library that is not
// NVIDIA's. README.md, licence notes, says more; -Druntime_self_test=disabled leaves it out.
#include "abi/self_test.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "abi/export_tables.hpp"
#include "abi/md2.hpp"

namespace weft::abi {
namespace {

/// Values as they lie in memory, one behind the other.
class Packed {
 public:
  template <typename T>
  void add(const T& value) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
  }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

void add_devices(Packed& message) {
  int count = 0;
  ::cuDeviceGetCount(&count);
  for (CUdevice device = 0; device < count; ++device) {
    CUuuid uuid{};
    ::cuDeviceGetUuid_v2(&uuid, device);
    message.add(uuid);
    for (CUdevice_attribute attribute : {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID}) {
      std::int32_t value = 0;
      ::cuDeviceGetAttribute(&value, attribute, device);
      message.add(value);
    }
  }
}

}  // namespace

CUresult answer_self_test([[maybe_unused]] std::uint32_t version, [[maybe_unused]] std::uint64_t unix_seconds, std::uint64_t result[2]) {
#if WEFT_RUNTIME_SELF_TEST
  constexpr std::uint8_t key[] = {0x14, 0x6a, 0xdd, 0xae, 0x53, 0xa9, 0xa7, 0x52, 0xaa, 0x08, 0x41, 0x36, 0x0b, 0xf5, 0x5a, 0x9f};
  if (version % 10 < 2) {
    result[0] = version % 10 == 0 ? 0x3341181c03cb675c : 0x1841181c03cb675c;
    result[1] = 0x8ed383aa1f4cd1e8;
    return CUDA_SUCCESS;
  }
  Packed message;
  std::int32_t driver_version = 0;
  ::cuDriverGetVersion(&driver_version);
  message.add(driver_version);
  message.add(version);
  message.add(static_cast<std::uint32_t>(::getpid()));
  message.add(static_cast<std::uint32_t>(::pthread_self()));
  message.add(runtime_table());
  message.add(self_test_table());
  message.add(self_test_function());
  message.add(unix_seconds);
  add_devices(message);
  const Md2Digest digest = hmac_md2(key, message.bytes());
  std::memcpy(result, digest.data(), digest.size());
  return CUDA_SUCCESS;
#else
  result[0] = result[1] = 0;
  return CUDA_SUCCESS;
#endif
}

}  // namespace weft::abi
