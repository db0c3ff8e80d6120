// SPDX-License-Identifier: Apache-2.0
// cuGetExportTable: the tables that CUDA runtimes and libraries ask the driver for by UUID, made of our own functions. Their names and slots are known from public
// projects (ZLUDA and others) and from black-box tests. An unknown UUID is refused: no table is made up.
#pragma once

#include "abi/cuda.hpp"

namespace weft::abi {

CUresult find_export_table(const void** table, const CUuuid* id);

/// Addresses that the self-test's answer depends on.
const void* runtime_table();
const void* self_test_table();
const void* self_test_function();

}  // namespace weft::abi
