// SPDX-License-Identifier: Apache-2.0
#include "abi/fatbin.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace weft::abi {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1, region_magic = 0xba55ed50;

struct Wrapper {
  std::uint32_t magic, version;
  const void* region;
  const void* const* more;
};

struct RegionHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;
};

constexpr std::size_t member_header_bytes = 0x40;

template <typename T>
T read(const void* from, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(from) + offset, sizeof value);
  return value;
}

std::span<const std::byte> bytes_at(const void* from, std::size_t size) { return {static_cast<const std::byte*>(from), size}; }

std::span<const std::byte> region_at(const void* region) {
  const auto header = read<RegionHeader>(region);
  return header.magic == region_magic ? bytes_at(region, header.header_bytes + header.bytes) : std::span<const std::byte>{};
}

/// Up to the end of its last section or segment.
std::size_t elf_bytes(const void* image) {
  const auto header = read<Elf64_Ehdr>(image);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return 0;
  std::size_t end = std::max<std::size_t>(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize, header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(image, header.e_shoff + std::size_t{i} * header.e_shentsize);
    if (section.sh_type != SHT_NOBITS) end = std::max<std::size_t>(end, section.sh_offset + section.sh_size);
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = read<Elf64_Phdr>(image, header.e_phoff + std::size_t{i} * header.e_phentsize);
    end = std::max<std::size_t>(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

/// PTX begins with white space, a comment or a directive; it ends with a null.
bool looks_like_text(const char* text) {
  for (int i = 0; i < 16 && text[i]; ++i)
    if (!(text[i] >= ' ' && text[i] <= '~') && text[i] != '\n' && text[i] != '\r' && text[i] != '\t') return false;
  return text[0] != 0;
}

}  // namespace

bool is_fatbin_region(std::span<const std::byte> image) { return image.size() >= sizeof(RegionHeader) && read<std::uint32_t>(image.data()) == region_magic; }

std::vector<std::span<const std::byte>> image_pieces(const void* image) {
  std::vector<std::span<const std::byte>> pieces;
  const auto magic = read<std::uint32_t>(image);
  if (magic == wrapper_magic) {
    const auto wrapper = read<Wrapper>(image);
    pieces.push_back(region_at(wrapper.region));
    if (wrapper.version == 2 && wrapper.more)
      for (const void* const* more = wrapper.more; *more; ++more) pieces.push_back(region_at(*more));
  } else if (magic == region_magic) {
    pieces.push_back(region_at(image));
  } else if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    pieces.push_back(bytes_at(image, elf_bytes(image)));
  } else if (looks_like_text(static_cast<const char*>(image))) {
    pieces.push_back(bytes_at(image, std::strlen(static_cast<const char*>(image)) + 1));
  }
  std::erase_if(pieces, [](auto piece) { return piece.empty(); });
  return pieces;
}

std::optional<std::vector<Member>> members_of(std::span<const std::byte> region) {
  if (!is_fatbin_region(region)) return std::nullopt;
  const auto header = read<RegionHeader>(region.data());
  if (header.header_bytes < sizeof header || header.header_bytes > region.size() || header.bytes > region.size() - header.header_bytes) return std::nullopt;
  std::vector<Member> members;
  for (auto rest = region.subspan(header.header_bytes, header.bytes); !rest.empty();) {
    if (rest.size() < member_header_bytes) return std::nullopt;
    const auto header_bytes = read<std::uint32_t>(rest.data(), 4);
    const auto padded = read<std::uint64_t>(rest.data(), 8);
    const auto compressed = read<std::uint32_t>(rest.data(), 0x10);
    if (header_bytes < member_header_bytes || header_bytes > rest.size() || padded > rest.size() - header_bytes || compressed > padded) return std::nullopt;
    const auto whole = rest.first(header_bytes + padded);
    members.push_back({read<MemberKind>(rest.data()), read<std::uint32_t>(rest.data(), 0x1c), read<std::uint64_t>(rest.data(), 0x28),
                       read<std::uint64_t>(rest.data(), 0x38), whole, whole.subspan(header_bytes, compressed ? compressed : padded)});
    rest = rest.subspan(whole.size());
  }
  return members;
}

std::optional<std::vector<std::byte>> select_members(std::span<const std::byte> region, std::uint32_t capability) {
  const auto members = members_of(region);
  if (!members) return std::nullopt;
  auto fits = [&](const Member& member) {
    if (member.kind != MemberKind::elf) return false;
    if (member.flags & architecture_specific_flag) return member.architecture == capability;
    return member.architecture / 10 == capability / 10 && member.architecture <= capability;
  };
  const bool has_code = std::any_of(members->begin(), members->end(), fits);
  std::vector<std::byte> selected(region.begin(), region.begin() + read<RegionHeader>(region.data()).header_bytes);
  const std::size_t start = selected.size();
  for (const Member& member : *members) {
    const bool unknown = member.kind != MemberKind::elf && member.kind != MemberKind::ptx;
    const bool usable_ptx = !has_code && member.kind == MemberKind::ptx && member.architecture <= capability;
    if (fits(member) || usable_ptx || unknown) selected.insert(selected.end(), member.whole.begin(), member.whole.end());
  }
  if (selected.size() == start || selected.size() >= region.size()) return std::nullopt;
  const std::uint64_t bytes = selected.size() - start;
  std::memcpy(selected.data() + offsetof(RegionHeader, bytes), &bytes, sizeof bytes);
  return selected;
}

}  // namespace weft::abi
