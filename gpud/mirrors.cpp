// SPDX-License-Identifier: Apache-2.0
#include "gpud/mirrors.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "base/log.hpp"

namespace weft::gpud {
namespace {

constexpr std::uint64_t page = 4096;
constexpr int deepest_graph = 64;  // child graphs inside child graphs

std::uint64_t first_page(std::uint64_t address) { return address / page * page; }
std::uint64_t end_page(std::uint64_t end) { return (end + page - 1) / page * page; }

}  // namespace

std::uint64_t MirrorRows::span() const {
  std::uint64_t rows, slices, total;
  if (width == 0 || height == 0 || depth == 0) return 0;
  if (__builtin_mul_overflow(height - 1, pitch, &rows) || __builtin_mul_overflow(depth - 1, slice, &slices)) return 0;
  if (__builtin_add_overflow(rows, slices, &total) || __builtin_add_overflow(total, width, &total)) return 0;
  return total;
}

// --- making them

bool Mirrors::free_here(std::uint64_t start, std::uint64_t end) const {
  return std::any_of(free_space_.begin(), free_space_.end(), [&](const AddressRange& range) { return range.start <= start && end <= range.end; });
}

/// Maps the pages that are not yet there for a neighbour.
bool Mirrors::map_pages(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t start = first_page(address), end = end_page(address + bytes);
  if (!free_here(start, end)) return false;
  const std::uint64_t last = end - page;
  const bool one_page = start == last;
  if (page_users_[start]++ > 0) start += page;
  if (!one_page && page_users_[last]++ > 0) end -= page;
  if (start >= end) return true;
  void* at = reinterpret_cast<void*>(start);
  if (::mmap(at, end - start, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at) return true;
  unmap_pages(address, bytes);
  return false;
}

void Mirrors::unmap_pages(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t start = first_page(address), end = end_page(address + bytes);
  const std::uint64_t last = end - page;
  auto still_used = [&](std::uint64_t edge) {
    if (--page_users_[edge] > 0) return true;
    page_users_.erase(edge);
    return false;
  };
  const bool one_page = start == last;
  if (still_used(start)) start += page;
  if (!one_page && still_used(last)) end -= page;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (start < end) ::mmap(reinterpret_cast<void*>(start), end - start, PROT_NONE, flags, -1, 0);
}

CUresult Mirrors::add(std::uint64_t address, std::uint64_t bytes, unsigned flags, std::uint64_t client_key, std::uint64_t* key) {
  if (bytes == 0 || address + bytes < address) return CUDA_ERROR_INVALID_VALUE;
  auto after = mirrors_.lower_bound(address);
  const bool overlaps_next = after != mirrors_.end() && after->first - address < bytes;
  const bool overlaps_previous = after != mirrors_.begin() && address - std::prev(after)->first < std::prev(after)->second.bytes;
  if (overlaps_next || overlaps_previous || !map_pages(address, bytes)) return CUDA_ERROR_NOT_SUPPORTED;
  void* memory = reinterpret_cast<void*>(address);
  constexpr unsigned wanted = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
  CUresult result = driver_.cuMemHostRegister_v2(memory, bytes, wanted | (flags & CU_MEMHOSTREGISTER_READ_ONLY));
  if (result != CUDA_SUCCESS) {
    unmap_pages(address, bytes);
    return result;
  }
  *key = connection_.register_memory({static_cast<std::byte*>(memory), bytes});
  mirrors_[address] = {bytes, *key, client_key};
  return CUDA_SUCCESS;
}

CUresult Mirrors::remove(std::uint64_t address) {
  auto found = mirrors_.find(address);
  if (found == mirrors_.end()) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  const Mirror mirror = found->second;
  CUresult result = driver_.cuMemHostUnregister(reinterpret_cast<void*>(address));
  deliver_finished();
  {
    std::scoped_lock lock(delivering_mutex_, pending_mutex_);
    std::erase_if(pending_, [&](const Pending& pending) {
      if (pending.rows.address - address >= mirror.bytes) return false;
      driver_.cuEventDestroy_v2(pending.done);
      return true;
    });
    pending_count_ = pending_.size();
  }
  connection_.deregister_memory(mirror.key);
  mirrors_.erase(found);
  unmap_pages(address, mirror.bytes);
  return result;
}

std::map<std::uint64_t, Mirrors::Mirror>::const_iterator Mirrors::find(std::uint64_t address, std::uint64_t bytes) const {
  auto after = mirrors_.upper_bound(address);
  if (after == mirrors_.begin()) return mirrors_.end();
  auto candidate = std::prev(after);
  const std::uint64_t offset = address - candidate->first;
  return offset < candidate->second.bytes && bytes <= candidate->second.bytes - offset ? candidate : mirrors_.end();
}

bool Mirrors::contains(std::uint64_t address, std::uint64_t bytes) const { return find(address, bytes) != mirrors_.end(); }

// --- bringing what was copied into them

void Mirrors::deliver_after(CUstream stream, const std::vector<MirrorRows>& all) {
  for (const MirrorRows& rows : all) {
    auto mirror = find(rows.address, rows.span());
    if (mirror == mirrors_.end()) continue;
    Pending pending{nullptr, rows, mirror->second.client_key, rows.address - mirror->first};
    if (driver_.cuEventCreate(&pending.done, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) continue;
    if (driver_.cuEventRecord(pending.done, stream) != CUDA_SUCCESS) {
      driver_.cuEventDestroy_v2(pending.done);
      continue;
    }
    std::lock_guard lock(pending_mutex_);
    pending_.push_back(pending);
    pending_count_ = pending_.size();
  }
}

void Mirrors::deliver_finished() {
  if (pending_count_.load() == 0) return;
  std::lock_guard delivering(delivering_mutex_);
  std::vector<Pending> finished;
  {
    std::lock_guard lock(pending_mutex_);
    for (auto at = pending_.begin(); at != pending_.end();) {
      const CUresult state = driver_.cuEventQuery(at->done);
      if (state == CUDA_ERROR_NOT_READY) {
        ++at;
        continue;
      }
      if (state == CUDA_SUCCESS) finished.push_back(*at);
      driver_.cuEventDestroy_v2(at->done);
      at = pending_.erase(at);
    }
    pending_count_ = pending_.size();
  }
  for (const Pending& pending : finished) deliver(pending);
}

void Mirrors::deliver_before_host_function() {
  if (pending_count_.load() == 0) return;
  std::lock_guard delivering(delivering_mutex_);
  std::vector<Pending> under_way;
  {
    std::lock_guard lock(pending_mutex_);
    under_way = pending_;
  }
  for (const Pending& pending : under_way) deliver(pending);
}

void Mirrors::deliver(const Pending& pending) {
  const MirrorRows& rows = pending.rows;
  const bool dense = rows.height * rows.depth == 1;
  for (std::uint64_t z = 0; z < rows.depth; ++z) {
    for (std::uint64_t y = 0; y < rows.height; ++y) {
      const std::uint64_t at = dense ? 0 : z * rows.slice + y * rows.pitch;
      const transport::Bytes bytes(reinterpret_cast<const std::byte*>(rows.address + at), rows.width);
      if (connection_.put(bytes, pending.client_key, pending.offset + at)) return;
    }
  }
}

// --- graphs

void Mirrors::find_copies(CUgraph graph, std::vector<MirrorRows>* rows, int depth) const {
  std::size_t count = 0;
  if (depth > deepest_graph || driver_.cuGraphGetNodes(graph, nullptr, &count) != CUDA_SUCCESS) return;
  std::vector<CUgraphNode> nodes(count);
  if (driver_.cuGraphGetNodes(graph, nodes.data(), &count) != CUDA_SUCCESS) return;
  nodes.resize(std::min(count, nodes.size()));
  for (CUgraphNode node : nodes) {
    CUgraphNodeType type;
    CUgraph child;
    CUDA_MEMCPY3D copy;
    if (driver_.cuGraphNodeGetType(node, &type) != CUDA_SUCCESS) continue;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH && driver_.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS) find_copies(child, rows, depth + 1);
    if (type != CU_GRAPH_NODE_TYPE_MEMCPY || driver_.cuGraphMemcpyNodeGetParams(node, &copy) != CUDA_SUCCESS) continue;
    if (copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) continue;
    const std::uint64_t base = copy.dstMemoryType == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(copy.dstHost) : copy.dstDevice;
    const std::uint64_t slice = copy.dstPitch * (copy.dstHeight ? copy.dstHeight : copy.Height);
    const MirrorRows found{.address = base + copy.dstXInBytes + copy.dstY * copy.dstPitch + copy.dstZ * slice, .width = copy.WidthInBytes,
                           .height = copy.Height, .depth = copy.Depth, .pitch = copy.dstPitch, .slice = slice};
    if (contains(found.address, found.span())) rows->push_back(found);
  }
}

void Mirrors::graph_made(CUgraphExec exec, CUgraph graph) {
  std::vector<MirrorRows> rows;
  find_copies(graph, &rows, 0);
  of_graphs_.erase(exec);
  if (!rows.empty()) of_graphs_[exec] = std::move(rows);
}

void Mirrors::graph_launched(CUgraphExec exec, CUstream stream) {
  if (auto found = of_graphs_.find(exec); found != of_graphs_.end()) deliver_after(stream, found->second);
}

}  // namespace weft::gpud
