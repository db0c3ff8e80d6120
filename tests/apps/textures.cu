// SPDX-License-Identifier: Apache-2.0
// Arrays, textures and surfaces.
#include <cmath>
#include <vector>

#include "check.hpp"

constexpr int width = 12, height = 7, depth = 5;

__global__ void fetch(cudaTextureObject_t plane, cudaTextureObject_t volume, cudaTextureObject_t bytes, cudaTextureObject_t layers, cudaTextureObject_t line, float* d) {
  const int t = static_cast<int>(threadIdx.x);
  const float x = static_cast<float>(t % width), y = static_cast<float>(t / width % height);
  d[t * 8 + 0] = tex2D<float>(plane, x + 0.5f, y + 0.5f);
  d[t * 8 + 1] = tex2D<float>(plane, x + 1.0f, y + 0.75f);
  d[t * 8 + 2] = tex2D<float>(plane, x - 100.0f, y + 0.5f);
  d[t * 8 + 3] = tex3D<float>(volume, (x + 0.5f) / width, (y + 0.5f) / height + 1.0f, 2.5f / depth);
  const float4 c = tex2D<float4>(bytes, x + 0.5f, y + 0.5f);
  d[t * 8 + 4] = c.x * 255 + c.w * 255000;
  d[t * 8 + 5] = tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, 3);
  d[t * 8 + 6] = static_cast<float>(tex1Dfetch<int>(line, t));
  d[t * 8 + 7] = static_cast<float>(tex1Dfetch<int>(line, t + 1000));
}

__global__ void write(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x) % width, y = static_cast<int>(threadIdx.x) / width;
  float old;
  surf2Dread(&old, surface, x * 4, y);
  surf2Dwrite(old + 1000, surface, x * 4, y);
  surf2Dwrite(1.0f, surface, -4, y, cudaBoundaryModeZero);
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode, bool linear, bool normalised, bool as_float) {
  cudaTextureDesc sampler{};
  for (auto& one : sampler.addressMode) one = mode;
  sampler.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  sampler.readMode = as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  sampler.normalizedCoords = normalised;
  cudaTextureObject_t made;
  CHECK(cudaCreateTextureObject(&made, &resource, &sampler, nullptr));
  return made;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc made{};
  made.resType = cudaResourceTypeArray;
  made.res.array.array = array;
  return made;
}

float value(int x, int y, int z) { return static_cast<float>(x + 10 * y * y + 100 * z); }

cudaArray_t volume_of(unsigned flags) {
  std::vector<float> host;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) host.push_back(value(x, y, z));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

int main() {
  std::vector<float> host(width * height);
  std::vector<uchar4> colours(width * height);
  for (int i = 0; i < width * height; ++i) {
    host[i] = value(i % width, i / width, 0);
    colours[i] = make_uchar4(static_cast<unsigned char>(i), 0, 0, static_cast<unsigned char>(2 * i));
  }
  cudaArray_t plane, bytes;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&plane, &floats, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&bytes, &four, width, height));
  CHECK(cudaMemcpy2DToArray(plane, 0, 0, host.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DToArray(bytes, 0, 0, colours.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
  int* line;
  CHECK(cudaMallocManaged(&line, 84 * sizeof *line));
  for (int i = 0; i < 84; ++i) line[i] = 7 * i - 50;
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = line;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = 84 * sizeof *line;
  float* d;
  CHECK(cudaMallocManaged(&d, width * height * 8 * sizeof *d));
  fetch<<<1, width * height>>>(texture_of(resource_of(plane), cudaAddressModeClamp, true, false, false),
                               texture_of(resource_of(volume_of(cudaArrayDefault)), cudaAddressModeWrap, false, true, false),
                               texture_of(resource_of(bytes), cudaAddressModeBorder, false, false, true),
                               texture_of(resource_of(volume_of(cudaArrayLayered)), cudaAddressModeClamp, false, false, false),
                               texture_of(linear, cudaAddressModeClamp, false, false, false), d);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int t = 0; t < width * height; ++t) {
    const int x = t % width, y = t / width;
    const auto at = [&](int i, int j) { return value(i < width ? i : width - 1, j < height ? j : height - 1, 0); };
    const float* got = d + t * 8;
    EXPECT(got[0] == at(x, y));
    EXPECT(std::fabs(got[1] - (0.75f * (at(x, y) + at(x + 1, y)) / 2 + 0.25f * (at(x, y + 1) + at(x + 1, y + 1)) / 2)) < 0.01f);
    EXPECT(got[2] == at(0, y));
    EXPECT(got[3] == value(x, y, 2));
    EXPECT(std::fabs(got[4] - static_cast<float>(t + 2000 * t)) < 0.1f);
    EXPECT(got[5] == value(x, y, 3));
    EXPECT(got[6] == static_cast<float>(7 * t - 50));
    EXPECT(got[7] == 0);
  }
  cudaSurfaceObject_t surface;
  const cudaResourceDesc resource = resource_of(plane);
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  write<<<1, width * height>>>(surface);
  std::vector<float> back(width * height);
  CHECK(cudaMemcpy2DFromArray(back.data(), width * 4, plane, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; ++i) EXPECT(back[i] == host[i] + 1000);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(plane));
  std::printf("textures are right\n");
  return 0;
}
