// SPDX-License-Identifier: Apache-2.0
#include "interposer/image.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "abi/fatbin.hpp"
#include "base/sha256.hpp"
#include "interposer/client.hpp"

namespace weft::interposer {
namespace {

constexpr std::size_t largest_inline_image = wire::max_message_bytes / 2;
constexpr std::size_t put_bytes = 8 << 20;

void append(std::vector<std::byte>& blob, std::span<const std::byte> piece) {
  blob.resize((blob.size() + 15) / 16 * 16);
  blob.insert(blob.end(), piece.begin(), piece.end());
}

/// The one compute capability of all devices, as 90 for 9.0; 0 where they differ.
std::uint32_t common_capability() {
  std::set<std::uint32_t> all;
  for (const abi::DeviceSnapshot& device : Client::get()->devices())
    all.insert(static_cast<std::uint32_t>(device.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] * 10 +
                                          device.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR]));
  return all.size() == 1 ? *all.begin() : 0;
}

}  // namespace

CUresult gather_image(const void* program_image, Image* image) {
  if (!program_image) return CUDA_ERROR_INVALID_VALUE;
  const auto pieces = abi::image_pieces(program_image);
  if (pieces.empty()) return CUDA_ERROR_INVALID_IMAGE;
  const std::uint32_t capability = common_capability();
  std::vector<std::vector<std::byte>> smaller;
  smaller.reserve(pieces.size());
  std::vector<std::span<const std::byte>> chosen;
  for (auto piece : pieces) {
    // Small images travel whole: looking into them would cost more than it saves.
    auto selected = piece.size() > 65536 && capability ? abi::select_members(piece, capability) : std::nullopt;
    if (selected) smaller.push_back(std::move(*selected));
    chosen.push_back(selected ? std::span<const std::byte>(smaller.back()) : piece);
  }
  std::vector<std::uint64_t> head{chosen.size()};
  std::size_t total = 0;
  for (auto piece : chosen) {
    head.push_back(piece.size());
    total += piece.size() + 16;
  }
  image->blob.reserve(total + head.size() * sizeof head[0]);
  append(image->blob, std::as_bytes(std::span(head)));
  for (auto piece : chosen) append(image->blob, piece);
  return image->blob.size() <= wire::max_image_bytes ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult bring_image(const Image& image, abi::LoadImage* load, std::span<const std::byte>* inline_image) {
  load->image_bytes = image.blob.size();
  if (image.blob.size() <= largest_inline_image) {
    load->inline_bytes = image.blob.size();
    *inline_image = image.blob;
    return CUDA_SUCCESS;
  }
  const Sha256Digest hash = sha256(image.blob);
  std::memcpy(load->hash, hash.data(), hash.size());
  abi::ImageQuery query{};
  std::memcpy(query.hash, hash.data(), hash.size());
  query.bytes = image.blob.size();
  Client* client = Client::get();
  const Bytes body = std::as_bytes(std::span(&query, 1));
  wire::Reader reply{{}};
  if (CUresult result = client->call(static_cast<std::uint16_t>(wire::ControlOp::image_query), nullptr, body, reply); result != CUDA_SUCCESS) return result;
  const auto key = reply.value<std::uint64_t>();
  if (!reply.ok()) return CUDA_ERROR_UNKNOWN;
  if (key == 0) return CUDA_SUCCESS;
  for (std::size_t at = 0; at < image.blob.size(); at += put_bytes)
    if (CUresult result = client->put(Bytes(image.blob).subspan(at, std::min(put_bytes, image.blob.size() - at)), key, at); result != CUDA_SUCCESS) return result;
  return client->post(static_cast<std::uint16_t>(wire::ControlOp::image_ready), nullptr, body);
}

}  // namespace weft::interposer
