// SPDX-License-Identifier: Apache-2.0
// Copies: where a pointer points, and the two directions between host and device.
#pragma once

#include <cstddef>

#include "abi/messages.hpp"

namespace weft::interposer {

enum class Side { host, device };

/// Host memory, or memory of the server's (managed memory as well).
Side side_of(CUdeviceptr pointer);

/// CUDA_ERROR_INVALID_VALUE where these bytes are certainly no device memory.
CUresult check_device_range(CUdeviceptr address, std::size_t bytes);

/// Host to device in stream order. The source may be reused when it returns, but for pinned memory copied asynchronously.
CUresult copy_to_device(CUdeviceptr destination, const void* source, std::size_t bytes, CUstream stream);
/// Device to host in stream order. Returns when the bytes are there, but for `asynchronous` copies to pinned memory.
CUresult copy_from_device(void* destination, CUdeviceptr source, std::size_t bytes, CUstream stream, bool asynchronous);
CUresult copy_on_device(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream);
/// Any of them, as the pointers say.
CUresult copy_unified(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream stream, bool asynchronous);
/// A box of up to three dimensions, with arrays (copy_box.cpp).
CUresult copy_box(const CUDA_MEMCPY3D& copy, CUstream stream, bool asynchronous);

/// The box of a graph's copy node: host memory is mirrored, as it is read and written when the graph runs.
CUresult box_for_node(const CUDA_MEMCPY3D& copy, CUgraph graph, abi::CopyBox* box);

}  // namespace weft::interposer
