// SPDX-License-Identifier: Apache-2.0
// Memory that both the program and kernels touch without a copy in between: managed memory and pinned memory that kernels follow pointers into.
//
// Managed memory is device memory of the server's, and memory of this process at the same address. Each block of it is current at the server, here or at both; the
// pages' protection says which, so that the program's first touch after a kernel fetches it and the first kernel after the program's writes gets them. This is
// what CUDA allows on devices without concurrent managed access: the CPU stays away while kernels run.
#pragma once

#include <cstdint>
#include <span>

#include "abi/cuda.hpp"

namespace weft::interposer {

/// Starts to track memory of the server's. `zeroed`: both ends hold zeros now; else the server's content counts.
CUresult track_managed(CUdeviceptr base, std::size_t bytes, bool zeroed);
CUresult track_managed_variable(CUdeviceptr address, std::size_t bytes);
void forget_managed(CUdeviceptr base);
bool is_managed(CUdeviceptr address);

/// A copy or memset is about to use these bytes on the device.
void before_device_access(CUdeviceptr address, std::size_t bytes);
/// A kernel with these parameters is about to be launched on this stream.
void before_kernel(std::span<const std::byte> parameters, CUstream stream);
/// The stream, or with `everything` the whole context, has been synchronised.
void after_synchronisation(CUstream stream, bool everything);

/// Keeps a server's address window free of the process's own mappings.
void reserve_window(std::uint64_t base, std::uint64_t bytes);

}  // namespace weft::interposer
