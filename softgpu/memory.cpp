// SPDX-License-Identifier: Apache-2.0
#include "softgpu/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include "softgpu/device.hpp"

namespace weft::softgpu {
namespace {

constexpr std::uint64_t small_alignment = 512, large_alignment = 2 << 20;
constexpr std::uint64_t page = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void* map(std::uint64_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

void Memory::add_device(const Device& device) {
  const std::uint64_t bytes = 2 * device.memory_bytes;  // so that a full device is full before its address space is in pieces
  void* space = map(bytes + large_alignment);
  if (!space) throw std::system_error(errno, std::system_category(), "no address space for a device's memory");
  const std::uint64_t base = round_up(reinterpret_cast<std::uint64_t>(space), large_alignment);
  arenas_.push_back({base, bytes, device.memory_bytes, 0, {{base, bytes}}});
}

std::uint64_t Memory::allocate(int device, std::uint64_t bytes, Allocation::Kind kind, Context* context) {
  Arena& arena = arenas_[static_cast<std::size_t>(device)];
  const std::uint64_t size = round_up(bytes, small_alignment);
  if (size < bytes || size > arena.memory_bytes - arena.used) return 0;
  const std::uint64_t alignment = bytes % large_alignment == 0 ? large_alignment : small_alignment;
  for (auto gap = arena.gaps.begin(); gap != arena.gaps.end(); ++gap) {
    const auto [start, room] = *gap;
    const std::uint64_t base = round_up(start, alignment);
    if (base - start > room || room - (base - start) < size) continue;
    arena.gaps.erase(gap);
    if (base > start) arena.gaps[start] = base - start;
    if (const std::uint64_t behind = start + room - (base + size)) arena.gaps[base + size] = behind;
    arena.used += size;
    allocations_[base] = {base, bytes, kind, context, ++last_id_};
    return base;
  }
  return 0;
}

Memory::Arena* Memory::arena_of(std::uint64_t address) {
  for (Arena& arena : arenas_)
    if (address - arena.base < arena.bytes) return &arena;
  return nullptr;
}

void Memory::give_back(Arena& arena, std::uint64_t base, std::uint64_t bytes) {
  const std::uint64_t first = round_up(base, page), end = (base + bytes) / page * page;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
  arena.used -= bytes;
  auto next = arena.gaps.lower_bound(base);
  if (next != arena.gaps.end() && next->first == base + bytes) {
    bytes += next->second;
    next = arena.gaps.erase(next);
  }
  if (next != arena.gaps.begin() && std::prev(next)->first + std::prev(next)->second == base) std::prev(next)->second += bytes;
  else arena.gaps[base] = bytes;
}

bool Memory::free(std::uint64_t base) {
  auto found = allocations_.find(base);
  if (found == allocations_.end() || found->second.on_host()) return false;
  give_back(*arena_of(base), base, round_up(found->second.bytes, small_alignment));
  allocations_.erase(found);
  return true;
}

std::uint64_t Memory::allocate_host(std::uint64_t bytes, unsigned flags, Context* context) {
  void* memory = bytes <= ~std::uint64_t{0} - page ? map(round_up(bytes, page)) : nullptr;
  if (!memory) return 0;
  const auto base = reinterpret_cast<std::uint64_t>(memory);
  allocations_[base] = {base, bytes, Allocation::Kind::host, context, ++last_id_, flags};
  return base;
}

bool Memory::register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags, Context* context) {
  auto next = allocations_.lower_bound(address);
  if (next != allocations_.end() && next->first - address < bytes) return false;
  if (find(address)) return false;
  allocations_[address] = {address, bytes, Allocation::Kind::registered, context, ++last_id_, flags};
  return true;
}

bool Memory::forget_host(std::uint64_t base, Allocation::Kind kind) {
  auto found = allocations_.find(base);
  if (found == allocations_.end() || found->second.kind != kind) return false;
  if (kind == Allocation::Kind::host) ::munmap(reinterpret_cast<void*>(base), round_up(found->second.bytes, page));
  allocations_.erase(found);
  return true;
}

std::optional<Allocation> Memory::find(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return std::nullopt;
  const Allocation& candidate = std::prev(after)->second;
  if (address - candidate.base >= candidate.bytes) return std::nullopt;
  return candidate;
}

bool Memory::contains(std::uint64_t address, std::uint64_t bytes) const {
  const std::optional<Allocation> found = find(address);
  return found && bytes <= found->bytes - (address - found->base);
}

void Memory::free_all_of(const Context* context) {
  std::vector<Allocation> all;
  for (const auto& [base, allocation] : allocations_)
    if (allocation.context == context) all.push_back(allocation);
  for (const Allocation& allocation : all) {
    if (allocation.on_host()) forget_host(allocation.base, allocation.kind);
    else free(allocation.base);
  }
}

}  // namespace weft::softgpu
