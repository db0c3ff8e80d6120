// SPDX-License-Identifier: Apache-2.0
// Module images on their way to the server: only what its devices can use, and each image once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "abi/messages.hpp"

namespace weft::interposer {

/// What travels: u64 count of pieces, u64 size of each, then the pieces, each at a multiple of 16 bytes.
struct Image {
  std::vector<std::byte> blob;
};

/// CUDA_ERROR_INVALID_IMAGE where the memory holds no image.
CUresult gather_image(const void* program_image, Image* image);

/// Fills hash and sizes of `load`. A large image that the server does not have is put there; *inline_image is the blob where it is small enough to travel
/// inside the command, else empty.
CUresult bring_image(const Image& image, abi::LoadImage* load, std::span<const std::byte>* inline_image);

}  // namespace weft::interposer
