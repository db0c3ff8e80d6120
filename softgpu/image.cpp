// SPDX-License-Identifier: Apache-2.0
#include "softgpu/image.hpp"

#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <optional>

#include "abi/fatbin.hpp"

namespace weft::softgpu {
namespace {

constexpr std::uint64_t largest_text = std::uint64_t{1} << 30;

std::optional<std::string> text_of(const abi::Member& member) {
  const auto* from = reinterpret_cast<const char*>(member.payload.data());
  if (!(member.flags & (abi::lz4_flag | abi::zstd_flag))) return std::string(from, ::strnlen(from, member.payload.size()));
  if (member.uncompressed_bytes > largest_text) return std::nullopt;
  std::string text(member.uncompressed_bytes, '\0');
  if (member.flags & abi::zstd_flag) {
    const std::size_t made = ::ZSTD_decompress(text.data(), text.size(), from, member.payload.size());
    if (::ZSTD_isError(made)) return std::nullopt;
    text.resize(made);
  } else {
    const int made = ::LZ4_decompress_safe(from, text.data(), static_cast<int>(member.payload.size()), static_cast<int>(text.size()));
    if (made < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(made));
  }
  text.resize(::strnlen(text.data(), text.size()));
  return text;
}

/// The newest PTX that the device may run.
CUresult choose(std::span<const std::byte> region, int capability, std::vector<std::string>* texts, std::string* log) {
  const auto members = abi::members_of(region);
  if (!members) return CUDA_ERROR_INVALID_IMAGE;
  const abi::Member* best = nullptr;
  bool only_newer = false;
  for (const abi::Member& member : *members) {
    if (member.kind != abi::MemberKind::ptx) continue;
    const bool exact_only = member.flags & abi::architecture_specific_flag;
    const bool fits = exact_only ? member.architecture == static_cast<unsigned>(capability) : member.architecture <= static_cast<unsigned>(capability);
    only_newer |= !fits;
    if (fits && (!best || member.architecture > best->architecture)) best = &member;
  }
  if (!best) {
    *log = only_newer ? "the image's PTX is for a newer compute capability than the software GPU's; raise WEFT_SOFTGPU_COMPUTE_CAPABILITY"
                      : "the image has machine code only, which the software GPU can't run; add PTX: -gencode arch=compute_80,code=compute_80";
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  auto text = text_of(*best);
  if (!text) return CUDA_ERROR_INVALID_IMAGE;
  texts->push_back(std::move(*text));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult find_ptx(const void* image, int capability, std::vector<std::string>* texts, std::string* log) {
  const auto pieces = abi::image_pieces(image);
  if (pieces.empty()) return CUDA_ERROR_INVALID_IMAGE;
  for (auto piece : pieces) {
    if (abi::is_fatbin_region(piece)) {
      if (CUresult result = choose(piece, capability, texts, log); result != CUDA_SUCCESS) return result;
    } else if (std::memcmp(piece.data(), "\x7f" "ELF", 4) == 0) {
      *log = "the image is machine code, which the software GPU can't run; load PTX";
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    } else {
      const auto* text = reinterpret_cast<const char*>(piece.data());
      texts->emplace_back(text, ::strnlen(text, piece.size()));
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace weft::softgpu
