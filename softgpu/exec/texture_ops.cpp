// SPDX-License-Identifier: Apache-2.0
// tex, suld and sust. Rules of addressing and filtering: CUDA C++ Programming Guide, "Texture Fetching".
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "softgpu/exec/control.hpp"
#include "softgpu/exec/texture.hpp"
#include "softgpu/texture.hpp"

namespace weft::softgpu::exec {
namespace {

template <typename F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// An element's channels: as floats where they are read so, as bits else.
struct Texel {
  float f[4] = {0, 0, 0, 0};
  std::uint32_t u[4] = {0, 0, 0, 0};
};

bool reads_floats(const Texture& t) {
  return t.image.format == CU_AD_FORMAT_FLOAT || t.image.format == CU_AD_FORMAT_HALF || (channel_bytes(t.image.format) < 4 && !(t.sampler.flags & CU_TRSF_READ_AS_INTEGER));
}

Texel read_texel(const Texture& t, const std::byte* at) {
  Texel made;
  const std::size_t bytes = channel_bytes(t.image.format);
  for (unsigned c = 0; c < t.image.channels; ++c) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, at + c * bytes, bytes);
    float f = 0;
    switch (t.image.format) {
      case CU_AD_FORMAT_FLOAT: f = std::bit_cast<float>(raw); break;
      case CU_AD_FORMAT_HALF: f = static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(raw))); break;
      case CU_AD_FORMAT_UNSIGNED_INT8: f = static_cast<float>(raw) / 255.0f; break;
      case CU_AD_FORMAT_UNSIGNED_INT16: f = static_cast<float>(raw) / 65535.0f; break;
      case CU_AD_FORMAT_SIGNED_INT8: raw = static_cast<std::uint32_t>(static_cast<std::int8_t>(raw)), f = std::max(static_cast<float>(static_cast<std::int32_t>(raw)) / 127.0f, -1.0f); break;
      case CU_AD_FORMAT_SIGNED_INT16: raw = static_cast<std::uint32_t>(static_cast<std::int16_t>(raw)), f = std::max(static_cast<float>(static_cast<std::int32_t>(raw)) / 32767.0f, -1.0f); break;
      default: break;
    }
    made.u[c] = raw;
    made.f[c] = f;
  }
  return made;
}

/// A whole coordinate inside of the image, or -1 for the border.
std::int64_t placed(std::int64_t at, std::size_t size, CUaddress_mode mode) {
  const auto n = static_cast<std::int64_t>(size);
  switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP: return ((at % n) + n) % n;
    case CU_TR_ADDRESS_MODE_MIRROR: {
      const std::int64_t m = ((at % (2 * n)) + 2 * n) % (2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case CU_TR_ADDRESS_MODE_BORDER: return at < 0 || at >= n ? -1 : at;
    default: return std::clamp<std::int64_t>(at, 0, n - 1);
  }
}

/// Wrapping and mirroring are for normalised coordinates only.
CUaddress_mode mode_of(const Texture& t, int axis) {
  const CUaddress_mode mode = t.sampler.addressMode[axis];
  const bool repeats = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
  return repeats && !(t.sampler.flags & CU_TRSF_NORMALIZED_COORDINATES) ? CU_TR_ADDRESS_MODE_CLAMP : mode;
}

Texel texel_at(const Texture& t, const std::int64_t (&at)[3]) {
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
    Texel border;
    for (unsigned c = 0; c < 4; ++c) border.f[c] = t.sampler.borderColor[c], border.u[c] = static_cast<std::uint32_t>(static_cast<std::int64_t>(t.sampler.borderColor[c]));
    return border;
  }
  const Image& image = t.image;
  return read_texel(t, reinterpret_cast<const std::byte*>(image.base) + static_cast<std::size_t>(at[2]) * image.slice + static_cast<std::size_t>(at[1]) * image.pitch +
                           static_cast<std::size_t>(at[0]) * image.element_bytes);
}

/// Coordinates that can't be a place, such as NaN or huge ones, become one at the edge.
std::int64_t whole(float v) { return v >= -1e15f && v <= 1e15f ? static_cast<std::int64_t>(v) : v > 0 ? std::int64_t{1} << 50 : v < 0 ? -(std::int64_t{1} << 50) : 0; }

Texel fetch(const Texture& t, const float (&coordinates)[3], unsigned axes, std::int64_t layer) {
  const std::size_t sizes[] = {t.image.width, t.image.height, t.image.depth};
  const bool normalised = t.sampler.flags & CU_TRSF_NORMALIZED_COORDINATES, linear = t.sampler.filterMode == CU_TR_FILTER_MODE_LINEAR && reads_floats(t);
  std::int64_t low[3] = {0, 0, layer}, high[3] = {0, 0, layer};
  float weight[3] = {0, 0, 0};
  for (unsigned axis = 0; axis < axes; ++axis) {
    const float at = normalised ? coordinates[axis] * static_cast<float>(sizes[axis]) : coordinates[axis];
    const CUaddress_mode mode = mode_of(t, static_cast<int>(axis));
    if (!linear) {
      low[axis] = placed(whole(std::floor(at)), sizes[axis], mode);
      continue;
    }
    const float shifted = at - 0.5f, floor = std::floor(shifted);
    weight[axis] = std::nearbyint((shifted - floor) * 256) / 256;  // hardware has 8 bits of fraction
    low[axis] = placed(whole(floor), sizes[axis], mode);
    high[axis] = placed(whole(floor) + 1, sizes[axis], mode);
  }
  if (!linear) return texel_at(t, low);
  Texel sum;
  for (unsigned corner = 0; corner < 1u << axes; ++corner) {
    float share = 1;
    std::int64_t at[3] = {low[0], low[1], low[2]};
    for (unsigned axis = 0; axis < axes; ++axis) {
      const bool upper = corner >> axis & 1;
      share *= upper ? weight[axis] : 1 - weight[axis];
      if (upper) at[axis] = high[axis];
    }
    if (share == 0) continue;
    const Texel texel = texel_at(t, at);
    for (unsigned c = 0; c < 4; ++c) sum.f[c] += share * texel.f[c];
  }
  return sum;
}

/// Of a cube's six faces the one that the vector meets, and where (s, t in 0 to 1).
std::int64_t face_of(const float (&v)[3], float (&at)[3]) {
  const float x = std::fabs(v[0]), y = std::fabs(v[1]), z = std::fabs(v[2]);
  std::int64_t face;
  float s, t, m;
  if (x >= y && x >= z) face = v[0] < 0, m = x, s = v[0] < 0 ? v[2] : -v[2], t = -v[1];
  else if (y >= z) face = 2 + (v[1] < 0), m = y, s = v[0], t = v[1] < 0 ? -v[2] : v[2];
  else face = 4 + (v[2] < 0), m = z, s = v[2] < 0 ? -v[0] : v[0], t = -v[1];
  at[0] = (s / m + 1) / 2;
  at[1] = (t / m + 1) / 2;
  return face;
}

/// The lane's object. Each thread remembers the last one of its grid, since looking it up takes the driver's mutex.
template <typename Object>
const Object* object_of(Warp& w, const Op& op, unsigned lane, const Object* (*find)(std::uint64_t), const char* what) {
  thread_local std::uint64_t known_grid = 0, known_handle = 0;
  thread_local const Object* known = nullptr;
  const std::uint64_t handle = w.in<std::uint64_t>(op.a)[lane];
  if (known_grid != w.grid->id || known_handle != handle || !known) {
    known = find(handle);
    known_grid = w.grid->id;
    known_handle = handle;
  }
  if (!known) fault(w, op, CUDA_ERROR_ILLEGAL_ADDRESS, lane, what);
  return known;
}

}  // namespace

void tex(Warp& w, const Op& op) {
  const auto& extra = static_cast<const TextureExtra&>(*op.extra);
  for_lanes(w.active, [&](unsigned l) {
    if (!w.running) return;
    const Texture* t = object_of<Texture>(w, op, l, find_texture, "a fetch from what is no texture");
    if (!t) return;
    float at[3] = {0, 0, 0};
    std::int64_t layer = 0;
    std::size_t k = 0;
    if (extra.layered) layer = placed(static_cast<std::int32_t>(w.in<std::uint32_t>(extra.coordinates[k++])[l]), t->image.depth, CU_TR_ADDRESS_MODE_CLAMP);
    for (unsigned axis = 0; axis < extra.axes; ++axis, ++k)
      at[axis] = extra.integers ? static_cast<float>(w.in<std::int32_t>(extra.coordinates[k])[l]) : w.in<float>(extra.coordinates[k])[l];
    Texel texel;
    if (extra.integers && extra.axes == 1) {
      // Indices beyond f32's precision.
      const auto index = w.in<std::int32_t>(extra.coordinates[extra.layered])[l];
      if (index >= 0 && static_cast<std::size_t>(index) < t->image.width) texel = texel_at(*t, {index, 0, layer});
    } else if (extra.cube) {
      float on_face[3] = {0, 0, 0};
      const std::int64_t face = face_of(at, on_face);
      if (!(t->sampler.flags & CU_TRSF_NORMALIZED_COORDINATES)) on_face[0] *= static_cast<float>(t->image.width), on_face[1] *= static_cast<float>(t->image.height);
      texel = fetch(*t, on_face, 2, placed(layer * 6 + face, t->image.depth, CU_TR_ADDRESS_MODE_CLAMP));
    } else {
      texel = fetch(*t, at, extra.axes, layer);
    }
    const bool floats = reads_floats(*t);
    for (unsigned c = 0; c < extra.refs.size(); ++c) w.out<std::uint32_t>(extra.refs[c])[l] = floats ? std::bit_cast<std::uint32_t>(texel.f[c]) : texel.u[c];
  });
}

namespace {

/// The place of a surface access, or null where it is outside.
std::byte* surface_place(const Surface& s, const TextureExtra& extra, const Warp& w, unsigned l, std::size_t bytes) {
  std::int64_t at[3] = {0, 0, 0};
  std::size_t k = 0;
  if (extra.layered) at[2] = w.in<std::int32_t>(extra.coordinates[k++])[l];
  for (unsigned axis = 0; axis < extra.axes; ++axis, ++k) at[axis] = w.in<std::int32_t>(extra.coordinates[k])[l];
  const Image& i = s.image;
  const auto row = static_cast<std::int64_t>(i.width * i.element_bytes);  // x counts bytes
  const auto fits = [](std::int64_t& v, std::int64_t size, std::int64_t step, bool clamps) {
    if (v >= 0 && v <= size - step) return true;
    if (clamps) v = v < 0 ? 0 : (size - step) / step * step;
    return clamps;
  };
  if (!fits(at[0], row, static_cast<std::int64_t>(bytes), extra.clamps) || !fits(at[1], static_cast<std::int64_t>(i.height), 1, extra.clamps) ||
      !fits(at[2], static_cast<std::int64_t>(i.depth), 1, extra.clamps))
    return nullptr;
  return reinterpret_cast<std::byte*>(i.base) + static_cast<std::size_t>(at[2]) * i.slice + static_cast<std::size_t>(at[1]) * i.pitch + static_cast<std::size_t>(at[0]);
}

template <typename T, bool is_load>
void surface_access(Warp& w, const Op& op) {
  const auto& extra = static_cast<const TextureExtra&>(*op.extra);
  const std::size_t bytes = sizeof(T) * extra.refs.size();
  for_lanes(w.active, [&](unsigned l) {
    if (!w.running) return;
    const Surface* s = object_of<Surface>(w, op, l, find_surface, "an access to what is no surface");
    if (!s) return;
    std::byte* place = surface_place(*s, extra, w, l, bytes);
    if (!place && extra.traps) return fault(w, op, CUDA_ERROR_ILLEGAL_ADDRESS, l, "a surface access out of bounds");
    T values[4] = {0, 0, 0, 0};
    if (is_load) {
      if (place) std::memcpy(values, place, bytes);
      for (std::size_t c = 0; c < extra.refs.size(); ++c) w.out<T>(extra.refs[c])[l] = values[c];
    } else if (place) {
      for (std::size_t c = 0; c < extra.refs.size(); ++c) values[c] = w.in<T>(extra.refs[c])[l];
      std::memcpy(place, values, bytes);
    }
  });
}

}  // namespace

Handler surface_handler(unsigned bits, bool is_load) {
  switch (bits) {
    case 8: return is_load ? &surface_access<std::uint8_t, true> : &surface_access<std::uint8_t, false>;
    case 16: return is_load ? &surface_access<std::uint16_t, true> : &surface_access<std::uint16_t, false>;
    case 32: return is_load ? &surface_access<std::uint32_t, true> : &surface_access<std::uint32_t, false>;
    case 64: return is_load ? &surface_access<std::uint64_t, true> : &surface_access<std::uint64_t, false>;
    default: return nullptr;
  }
}

}  // namespace weft::softgpu::exec
