// SPDX-License-Identifier: Apache-2.0
// Inside the software GPU's library, so that the table has functions to point at.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "abi/cuda.hpp"

namespace {

class ProcAddress : public testing::Test {
 protected:
  void* library = ::dlopen(SOFT_LIBCUDA, RTLD_NOW);
  decltype(&cuGetProcAddress_v2) find = reinterpret_cast<decltype(&cuGetProcAddress_v2)>(::dlsym(library, "cuGetProcAddress_v2"));

  void* address(const char* name, int version, cuuint64_t flags = 0, CUdriverProcAddressQueryResult* status = nullptr) {
    void* function = nullptr;
    find(name, &function, version, flags, status);
    return function;
  }
  void* symbol(const char* name) { return ::dlsym(library, name); }
};

TEST_F(ProcAddress, TheNewestVariantThatIsOldEnough) {
  EXPECT_EQ(address("cuMemAlloc", 13000), symbol("cuMemAlloc_v2"));
  EXPECT_EQ(address("cuMemAlloc", 2000), symbol("cuMemAlloc"));
  EXPECT_EQ(address("cuCtxGetDevice", 12000), symbol("cuCtxGetDevice"));
  EXPECT_EQ(address("cuCtxGetDevice", 13000), symbol("cuCtxGetDevice_v2"));
  EXPECT_EQ(address("cuCtxCreate", 13000), symbol("cuCtxCreate_v4"));
}

TEST_F(ProcAddress, PerThreadVariantsWhereAskedForAndThere) {
  EXPECT_EQ(address("cuMemcpyHtoDAsync", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM), symbol("cuMemcpyHtoDAsync_v2_ptsz"));
  EXPECT_EQ(address("cuMemAlloc", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM), symbol("cuMemAlloc_v2"));
}

TEST_F(ProcAddress, WhatIsMissingIsSaidToBe) {
  CUdriverProcAddressQueryResult status;
  EXPECT_EQ(address("cuNoSuchFunction", 13000, 0, &status), nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(address("cuLaunchKernelEx", 11000, 0, &status), nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

}  // namespace
