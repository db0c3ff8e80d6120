// SPDX-License-Identifier: Apache-2.0
// Module images as programs hand them to the driver: fatbins (behind a wrapper or bare), cubins, PTX text. None comes with a length.
//
// Layout, seen in the output of nvcc (black box): wrapper {u32 0x466243b1, u32 version 1 or 2, region*, null-terminated array of further regions*};
// region {u32 0xba55ed50, u16 1, u16 header size 16, u64 size of what follows}, then members, each a header {+0 u16 kind, +4 u32 header size, +8 u64 padded
// payload size, +0x10 u32 compressed size, +0x18 u16 minor, +0x1a u16 major, +0x1c u32 sm, +0x28 u64 flags, +0x38 u64 uncompressed size} and its payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft::abi {

enum class MemberKind : std::uint16_t { ptx = 1, elf = 2 };

struct Member {
  MemberKind kind;
  std::uint32_t architecture;  // 90 for sm_90
  std::uint64_t flags;         // lz4_flag, zstd_flag, architecture_specific_flag
  std::uint64_t uncompressed_bytes;
  std::span<const std::byte> whole;    // header and payload
  std::span<const std::byte> payload;  // as stored, padding not counted where it is compressed
};

inline constexpr std::uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000, architecture_specific_flag = 0x100000;

/// The pieces of an image: one region a piece for a fatbin (several with -rdc), the whole for a cubin or PTX. Empty for what is none of these. The memory is the
/// program's own and is trusted to be what its first bytes say.
std::vector<std::span<const std::byte>> image_pieces(const void* image);

/// The members of a region; nothing where it is malformed anywhere.
std::optional<std::vector<Member>> members_of(std::span<const std::byte> region);

/// True for a fatbin region, by its first bytes.
bool is_fatbin_region(std::span<const std::byte> image);

/// A region with only the members that a device of this compute capability (90 for 9.0) can use: the machine code for it and, where there is none, PTX. Nothing
/// where the region is malformed or has nothing to leave out.
std::optional<std::vector<std::byte>> select_members(std::span<const std::byte> region, std::uint32_t capability);

}  // namespace weft::abi
