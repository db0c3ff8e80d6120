// SPDX-License-Identifier: Apache-2.0
#include "softgpu/texture.hpp"

#include <algorithm>

#include "softgpu/context.hpp"

namespace weft::softgpu {

std::size_t channel_bytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16: case CU_AD_FORMAT_SIGNED_INT16: case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32: case CU_AD_FORMAT_SIGNED_INT32: case CU_AD_FORMAT_FLOAT: return 4;
    default: return 0;
  }
}

const Texture* find_texture(std::uint64_t handle) {
  Lock lock(driver_mutex());
  return Driver::get()->textures.find(reinterpret_cast<Texture*>(handle));
}

const Surface* find_surface(std::uint64_t handle) {
  Lock lock(driver_mutex());
  return Driver::get()->surfaces.find(reinterpret_cast<Surface*>(handle));
}

namespace {

constexpr std::size_t most_array_bytes = std::size_t{1} << 40;

CUresult make_array(Entry& entry, const CUDA_ARRAY3D_DESCRIPTOR& shape, CUarray* handle) {
  const std::size_t channel = channel_bytes(shape.Format);
  if (!shape.Width || (shape.NumChannels != 1 && shape.NumChannels != 2 && shape.NumChannels != 4)) return CUDA_ERROR_INVALID_VALUE;
  if (!channel) return CUDA_ERROR_NOT_SUPPORTED;
  if (std::max({shape.Width, shape.Height, shape.Depth}) > most_array_bytes) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<Array>();
  made->context = &entry.current();
  made->shape = shape;
  made->element_bytes = channel * shape.NumChannels;
  made->pitch = shape.Width * made->element_bytes;
  if (__builtin_mul_overflow(made->pitch, std::max<std::size_t>(shape.Height, 1), &made->slice) ||
      __builtin_mul_overflow(made->slice, std::max<std::size_t>(shape.Depth, 1), &made->bytes) || made->bytes > most_array_bytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  made->base = entry.driver().memory.allocate(entry.current().device->ordinal, made->bytes, Allocation::Kind::device, &entry.current());
  if (!made->base) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = reinterpret_cast<CUarray>(entry.driver().arrays.insert(std::move(made)));
  return CUDA_SUCCESS;
}

CUresult find_image(Entry& entry, const CUDA_RESOURCE_DESC& resource, Image* image) {
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
      const Array* array = entry.driver().arrays.find(resource.res.array.hArray);
      if (!array) return CUDA_ERROR_INVALID_HANDLE;
      *image = {array->base, array->shape.Width, std::max<std::size_t>(array->shape.Height, 1), std::max<std::size_t>(array->shape.Depth, 1), array->pitch, array->slice,
                array->shape.Format, array->shape.NumChannels, array->element_bytes};
      return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& r = resource.res.linear;
      const std::size_t element = channel_bytes(r.format) * r.numChannels;
      if (!element || !entry.driver().memory.contains(r.devPtr, r.sizeInBytes)) return CUDA_ERROR_INVALID_VALUE;
      *image = {r.devPtr, r.sizeInBytes / element, 1, 1, r.sizeInBytes, r.sizeInBytes, r.format, r.numChannels, element};
      return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& r = resource.res.pitch2D;
      const std::size_t element = channel_bytes(r.format) * r.numChannels;
      std::size_t bytes;
      if (!element || !r.height || r.width > r.pitchInBytes / element || __builtin_mul_overflow(r.pitchInBytes, r.height - 1, &bytes) ||
          !entry.driver().memory.contains(r.devPtr, bytes + r.width * element))
        return CUDA_ERROR_INVALID_VALUE;
      *image = {r.devPtr, r.width, r.height, 1, r.pitchInBytes, r.pitchInBytes * r.height, r.format, r.numChannels, element};
      return CUDA_SUCCESS;
    }
    default: return CUDA_ERROR_NOT_SUPPORTED;  // mipmapped arrays
  }
}

}  // namespace
}  // namespace weft::softgpu

using namespace weft::softgpu;

extern "C" {

CUresult cuArray3DCreate_v2(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
  if (!pHandle || !pAllocateArray) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  return entry.result == CUDA_SUCCESS ? make_array(entry, *pAllocateArray, pHandle) : entry.result;
}

CUresult cuArrayCreate_v2(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray) {
  if (!pAllocateArray) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR shape{.Width = pAllocateArray->Width, .Height = pAllocateArray->Height, .Depth = 0, .Format = pAllocateArray->Format,
                                      .NumChannels = pAllocateArray->NumChannels, .Flags = 0};
  return cuArray3DCreate_v2(pHandle, &shape);
}

CUresult cuArrayDestroy(CUarray hArray) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Array* array = entry.driver().arrays.find(hArray);
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  wait_for(everything(*array->context));
  entry.driver().memory.free(array->base);
  entry.driver().arrays.erase(array);
  return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Array* array = entry.driver().arrays.find(hArray);
  if (!pArrayDescriptor || !array) return array ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
  *pArrayDescriptor = array->shape;
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
  CUDA_ARRAY3D_DESCRIPTOR shape;
  if (!pArrayDescriptor) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuArray3DGetDescriptor_v2(&shape, hArray);
  if (result == CUDA_SUCCESS) *pArrayDescriptor = {shape.Width, shape.Height, shape.Format, shape.NumChannels};
  return result;
}

CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC* pTexDesc, const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
  if (!pTexObject || !pResDesc || !pTexDesc) return CUDA_ERROR_INVALID_VALUE;
  if (pResViewDesc && pResViewDesc->format != CU_RES_VIEW_FORMAT_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto made = std::make_unique<Texture>();
  made->resource = *pResDesc;
  made->sampler = *pTexDesc;
  if (CUresult result = find_image(entry, *pResDesc, &made->image); result != CUDA_SUCCESS) return result;
  *pTexObject = reinterpret_cast<CUtexObject>(entry.driver().textures.insert(std::move(made)));
  return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texObject) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Texture* texture = entry.driver().textures.find(reinterpret_cast<Texture*>(texObject));
  if (!texture) return CUDA_ERROR_INVALID_VALUE;
  entry.driver().textures.erase(texture);
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUtexObject texObject) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Texture* texture = entry.driver().textures.find(reinterpret_cast<Texture*>(texObject));
  if (!texture || !pResDesc) return CUDA_ERROR_INVALID_VALUE;
  *pResDesc = texture->resource;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* pTexDesc, CUtexObject texObject) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Texture* texture = entry.driver().textures.find(reinterpret_cast<Texture*>(texObject));
  if (!texture || !pTexDesc) return CUDA_ERROR_INVALID_VALUE;
  *pTexDesc = texture->sampler;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
  if (!pSurfObject || !pResDesc || pResDesc->resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  Entry entry;
  if (entry.result != CUDA_SUCCESS) return entry.result;
  auto made = std::make_unique<Surface>();
  made->resource = *pResDesc;
  if (CUresult result = find_image(entry, *pResDesc, &made->image); result != CUDA_SUCCESS) return result;
  *pSurfObject = reinterpret_cast<CUsurfObject>(entry.driver().surfaces.insert(std::move(made)));
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  Surface* surface = entry.driver().surfaces.find(reinterpret_cast<Surface*>(surfObject));
  if (!surface) return CUDA_ERROR_INVALID_VALUE;
  entry.driver().surfaces.erase(surface);
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUsurfObject surfObject) {
  Entry entry(Entry::driver_only);
  if (entry.result != CUDA_SUCCESS) return entry.result;
  const Surface* surface = entry.driver().surfaces.find(reinterpret_cast<Surface*>(surfObject));
  if (!surface || !pResDesc) return CUDA_ERROR_INVALID_VALUE;
  *pResDesc = surface->resource;
  return CUDA_SUCCESS;
}

}  // extern "C"
