// SPDX-License-Identifier: Apache-2.0
// <cuda.h> with every variant of every function declared under its own symbol name, and none renamed by a macro.
#pragma once

#define __CUDA_API_VERSION_INTERNAL 1
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop
