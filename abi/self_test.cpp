// SPDX-License-Identifier: Apache-2.0
// NVIDIA documents error 103 (cudaErrorSoftwareValidityNotEstablished) as a self-test of the runtime's and the driver's validity. The answer has been published in
// open-source projects (first in ZLUDA, MIT/Apache-2.0) and is given here so that programs can use genuine NVIDIA GPUs through a driver library that is not
// NVIDIA's. README.md, licence notes, says more; -Druntime_self_test=disabled leaves it out.
#include "abi/self_test.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "abi/export_tables.hpp"

namespace weft::abi {
namespace {

// RFC 1319, appendix A.3: 256 digits of pi as a permutation.
constexpr std::uint8_t pi_permutation[256] = {
    0x29, 0x2e, 0x43, 0xc9, 0xa2, 0xd8, 0x7c, 0x01, 0x3d, 0x36, 0x54, 0xa1, 0xec, 0xf0, 0x06, 0x13,
    0x62, 0xa7, 0x05, 0xf3, 0xc0, 0xc7, 0x73, 0x8c, 0x98, 0x93, 0x2b, 0xd9, 0xbc, 0x4c, 0x82, 0xca,
    0x1e, 0x9b, 0x57, 0x3c, 0xfd, 0xd4, 0xe0, 0x16, 0x67, 0x42, 0x6f, 0x18, 0x8a, 0x17, 0xe5, 0x12,
    0xbe, 0x4e, 0xc4, 0xd6, 0xda, 0x9e, 0xde, 0x49, 0xa0, 0xfb, 0xf5, 0x8e, 0xbb, 0x2f, 0xee, 0x7a,
    0xa9, 0x68, 0x79, 0x91, 0x15, 0xb2, 0x07, 0x3f, 0x94, 0xc2, 0x10, 0x89, 0x0b, 0x22, 0x5f, 0x21,
    0x80, 0x7f, 0x5d, 0x9a, 0x5a, 0x90, 0x32, 0x27, 0x35, 0x3e, 0xcc, 0xe7, 0xbf, 0xf7, 0x97, 0x03,
    0xff, 0x19, 0x30, 0xb3, 0x48, 0xa5, 0xb5, 0xd1, 0xd7, 0x5e, 0x92, 0x2a, 0xac, 0x56, 0xaa, 0xc6,
    0x4f, 0xb8, 0x38, 0xd2, 0x96, 0xa4, 0x7d, 0xb6, 0x76, 0xfc, 0x6b, 0xe2, 0x9c, 0x74, 0x04, 0xf1,
    0x45, 0x9d, 0x70, 0x59, 0x64, 0x71, 0x87, 0x20, 0x86, 0x5b, 0xcf, 0x65, 0xe6, 0x2d, 0xa8, 0x02,
    0x1b, 0x60, 0x25, 0xad, 0xae, 0xb0, 0xb9, 0xf6, 0x1c, 0x46, 0x61, 0x69, 0x34, 0x40, 0x7e, 0x0f,
    0x55, 0x47, 0xa3, 0x23, 0xdd, 0x51, 0xaf, 0x3a, 0xc3, 0x5c, 0xf9, 0xce, 0xba, 0xc5, 0xea, 0x26,
    0x2c, 0x53, 0x0d, 0x6e, 0x85, 0x28, 0x84, 0x09, 0xd3, 0xdf, 0xcd, 0xf4, 0x41, 0x81, 0x4d, 0x52,
    0x6a, 0xdc, 0x37, 0xc8, 0x6c, 0xc1, 0xab, 0xfa, 0x24, 0xe1, 0x7b, 0x08, 0x0c, 0xbd, 0xb1, 0x4a,
    0x78, 0x88, 0x95, 0x8b, 0xe3, 0x63, 0xe8, 0x6d, 0xe9, 0xcb, 0xd5, 0xfe, 0x3b, 0x00, 0x1d, 0x39,
    0xf2, 0xef, 0xb7, 0x0e, 0x66, 0x58, 0xd0, 0xe4, 0xa6, 0x77, 0x72, 0xf8, 0xeb, 0x75, 0x4b, 0x0a,
    0x31, 0x44, 0x50, 0xb4, 0x8f, 0xed, 0x1f, 0x1a, 0xdb, 0x99, 0x8d, 0x33, 0x9f, 0x11, 0x83, 0x14};

constexpr std::size_t block = 16;

void md2_transform(std::array<std::uint8_t, 48>& state, const std::uint8_t* data) {
  for (std::size_t i = 0; i < block; ++i) {
    state[16 + i] = data[i];
    state[32 + i] = state[16 + i] ^ state[i];
  }
  unsigned t = 0;
  for (unsigned round = 0; round < 18; ++round) {
    for (std::uint8_t& byte : state) t = byte ^= pi_permutation[t];
    t = (t + round) & 0xff;
  }
}

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

Md2Digest md2(std::span<const std::uint8_t> message) {
  std::vector<std::uint8_t> padded(message.begin(), message.end());
  const auto padding = static_cast<std::uint8_t>(block - message.size() % block);
  padded.insert(padded.end(), padding, padding);
  std::array<std::uint8_t, block> checksum{};
  std::uint8_t last = 0;
  for (std::size_t at = 0; at < padded.size(); at += block)
    for (std::size_t i = 0; i < block; ++i) last = checksum[i] ^= pi_permutation[padded[at + i] ^ last];
  padded.insert(padded.end(), checksum.begin(), checksum.end());
  std::array<std::uint8_t, 48> state{};
  for (std::size_t at = 0; at < padded.size(); at += block) md2_transform(state, padded.data() + at);
  Md2Digest digest;
  std::copy_n(state.begin(), digest.size(), digest.begin());
  return digest;
}

Md2Digest hmac_md2(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message) {
  std::vector<std::uint8_t> inner(block, 0x36), outer(block, 0x5c);
  for (std::size_t i = 0; i < key.size() && i < block; ++i) {
    inner[i] ^= key[i];
    outer[i] ^= key[i];
  }
  inner.insert(inner.end(), message.begin(), message.end());
  const Md2Digest digest = md2(inner);
  outer.insert(outer.end(), digest.begin(), digest.end());
  return md2(outer);
}

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
