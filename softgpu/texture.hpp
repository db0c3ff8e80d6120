// SPDX-License-Identifier: Apache-2.0
// Arrays, textures and surfaces.
#pragma once

#include <cstdint>

#include "abi/cuda.hpp"

namespace weft::softgpu {

struct Context;

struct Array {
  Context* context = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR shape{};  // as the program gave it; Depth counts layers of a layered one
  std::uint64_t base = 0;
  std::size_t element_bytes = 0, pitch = 0, slice = 0, bytes = 0;
};

/// What kernels fetch from.
struct Image {
  std::uint64_t base = 0;
  std::size_t width = 0, height = 1, depth = 1;  // elements; depth: of a volume or layers
  std::size_t pitch = 0, slice = 0;              // bytes
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 1;
  std::size_t element_bytes = 4;
};

struct Texture {
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampler{};
  Image image;
};

struct Surface {
  CUDA_RESOURCE_DESC resource{};
  Image image;
};

/// Null for what is none. Any thread; takes the driver's mutex. What they return is valid as long as the program keeps the object, as kernels need it anyway.
const Texture* find_texture(std::uint64_t handle);
const Surface* find_surface(std::uint64_t handle);

/// Bytes of one channel; 0 for a format that is not supported.
std::size_t channel_bytes(CUarray_format format);

}  // namespace weft::softgpu
