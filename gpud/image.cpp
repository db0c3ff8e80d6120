// SPDX-License-Identifier: Apache-2.0
#include "gpud/image.hpp"

#include <algorithm>

#include "abi/fatbin.hpp"

namespace weft::gpud {
namespace {

constexpr std::uint64_t most_pieces = 1 << 16;
constexpr std::size_t largest_log = 64 << 10;  // a reply carries two

/// The size that a fatbin region says it has, header included.
std::uint64_t region_bytes(Bytes piece) {
  wire::Reader reader(piece);
  (void)reader.value<std::uint32_t>();
  (void)reader.value<std::uint16_t>();
  const auto header = reader.value<std::uint16_t>();
  const auto rest = reader.value<std::uint64_t>();
  return reader.ok() && rest < wire::max_image_bytes ? header + rest : ~std::uint64_t{0};
}

/// The driver reads up to the end that an image itself tells; it must not lie behind ours.
bool ends_inside(Bytes piece) {
  if (piece.size() < 4) return false;
  if (abi::is_fatbin_region(piece)) return region_bytes(piece) <= piece.size();
  const bool elf = std::memcmp(piece.data(), "\x7f" "ELF", 4) == 0;
  return elf || piece.back() == std::byte{0};
}

}  // namespace

CUresult LoadedImage::open(Session& session, const abi::LoadImage& load, Bytes inline_bytes) {
  if (load.inline_bytes) {
    copy_.assign(inline_bytes.begin(), inline_bytes.end());
    return wrap(copy_);
  }
  ImageHash hash;
  std::memcpy(hash.data(), load.hash, hash.size());
  auto cached = session.images().find(hash);
  if (!cached) return CUDA_ERROR_INVALID_IMAGE;  // it was dropped between query and load, or was never what its hash said
  cached_ = std::move(*cached);
  return wrap(cached_.bytes());
}

/// The blob: u64 count, u64 sizes[count], then the pieces, each at a multiple of 16.
CUresult LoadedImage::wrap(Bytes blob) {
  wire::Reader reader(blob);
  const auto count = reader.value<std::uint64_t>();
  if (count == 0 || count > most_pieces) return CUDA_ERROR_INVALID_IMAGE;
  std::vector<Bytes> pieces;
  std::uint64_t at = (count + 1) * sizeof(std::uint64_t);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bytes = reader.value<std::uint64_t>();
    at = (at + 15) / 16 * 16;
    if (!reader.ok() || at > blob.size() || bytes > blob.size() - at) return CUDA_ERROR_INVALID_IMAGE;
    pieces.push_back(blob.subspan(at, bytes));
    if (!ends_inside(pieces.back())) return CUDA_ERROR_INVALID_IMAGE;
    at += bytes;
  }
  if (!abi::is_fatbin_region(pieces.front())) {
    pointer_ = pieces.front().data();
    return pieces.size() == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
  }
  for (Bytes piece : pieces)
    if (!abi::is_fatbin_region(piece)) return CUDA_ERROR_INVALID_IMAGE;
  wrapper_.region = pieces.front().data();
  if (pieces.size() > 1) {
    wrapper_.version = 2;
    for (Bytes piece : std::span(pieces).subspan(1)) more_.push_back(piece.data());
    more_.push_back(nullptr);
    wrapper_.more = more_.data();
  }
  pointer_ = &wrapper_;
  return CUDA_SUCCESS;
}

void JitOptions::add(CUjit_option option, std::uint64_t value) {
  options_.push_back(option);
  values_.push_back(reinterpret_cast<void*>(value));
}

void JitOptions::read(Call& call, const abi::LoadImage& load) {
  for (std::uint32_t i = 0; i < load.option_count; ++i) {
    const auto option = static_cast<CUjit_option>(call.value<std::int32_t>());
    const auto value = call.value<std::uint64_t>();
    switch (option) {
      // Only these are numbers; a pointer of the client's means nothing here.
      case CU_JIT_MAX_REGISTERS:
      case CU_JIT_THREADS_PER_BLOCK:
      case CU_JIT_OPTIMIZATION_LEVEL:
      case CU_JIT_TARGET_FROM_CUCONTEXT:
      case CU_JIT_TARGET:
      case CU_JIT_FALLBACK_STRATEGY:
      case CU_JIT_GENERATE_DEBUG_INFO:
      case CU_JIT_LOG_VERBOSE:
      case CU_JIT_GENERATE_LINE_INFO:
      case CU_JIT_CACHE_MODE:
      case CU_JIT_POSITION_INDEPENDENT_CODE:
      case CU_JIT_MIN_CTA_PER_SM:
      case CU_JIT_MAX_THREADS_PER_BLOCK:
      case CU_JIT_OVERRIDE_DIRECTIVE_VALUES: add(option, value); break;
      default: break;
    }
  }
  info_log_.resize(std::min<std::uint64_t>(load.log_bytes, largest_log));
  error_log_.resize(std::min<std::uint64_t>(load.error_log_bytes, largest_log));
  if (!info_log_.empty()) {
    add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<std::uint64_t>(info_log_.data()));
    add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, info_log_.size());
  }
  if (!error_log_.empty()) {
    add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<std::uint64_t>(error_log_.data()));
    add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error_log_.size());
  }
}

void JitOptions::add_logs(Call& call) const {
  for (const std::vector<char>* log : {&info_log_, &error_log_}) {
    const auto end = std::find(log->begin(), log->end(), '\0');
    call.add_bytes(std::as_bytes(std::span(log->begin(), end)));
  }
}

}  // namespace weft::gpud
