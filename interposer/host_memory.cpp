// SPDX-License-Identifier: Apache-2.0
#include "interposer/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "interposer/capture.hpp"
#include "interposer/command.hpp"

namespace weft::interposer {
namespace {

struct Range {
  std::uint64_t address;
  std::size_t bytes;
  bool overlaps(std::uint64_t other, std::size_t size) const { return address < other + size && other < address + bytes; }
};

// Pinned memory lies where neither the program's own mappings nor a server's window are, and where every worker keeps its address space free for the mirrors.
constexpr std::uint64_t host_window = 0x600000000000, host_window_end = 0x700000000000;
constexpr std::size_t host_alignment = 64 << 10;

std::shared_mutex regions_mutex;
std::map<std::uint64_t, HostRegion> regions;  // by address
std::atomic<std::size_t> region_count{0};
std::uint64_t next_address = host_window;
std::multimap<std::size_t, std::uint64_t> free_addresses;  // by size

std::mutex pending_mutex;
std::vector<Range> pending;

std::mutex graphs_mutex;
std::map<std::uint64_t, std::vector<Range>> capture_copies;
std::map<CUgraph, std::vector<Range>> graph_copies;
std::map<CUgraphExec, std::vector<Range>> exec_copies;

std::size_t rounded(std::size_t bytes) { return (bytes + host_alignment - 1) / host_alignment * host_alignment; }

void* map_host_memory(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  std::unique_lock lock(regions_mutex);
  if (auto reused = free_addresses.find(size); reused != free_addresses.end()) {
    void* at = reinterpret_cast<void*>(reused->second);
    free_addresses.erase(reused);
    void* got = ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == at) return got;
  }
  while (next_address + size <= host_window_end) {
    void* at = reinterpret_cast<void*>(next_address);
    next_address += size;
    void* got = ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == at) return got;
    if (got != MAP_FAILED) ::munmap(got, size);
    else if (errno == ENOMEM) return nullptr;
  }
  return nullptr;
}

void unmap_host_memory(std::uint64_t address, std::size_t bytes) {
  std::unique_lock lock(regions_mutex);
  ::munmap(reinterpret_cast<void*>(address), rounded(bytes));
  free_addresses.emplace(rounded(bytes), address);
}

/// Asks the worker for a mirror and remembers the region. Without a mirror (the worker's own memory lies there) the region is still the program's.
CUresult add_region(HostRegion region) {
  Client* client = Client::get();
  region.context = this_thread().current();
  region.client_key = client->register_memory({reinterpret_cast<std::byte*>(region.address), region.bytes});
  Command command(abi::Op::cuMemHostRegister_v2);
  command.value(abi::HostRegister{region.address, region.bytes, region.flags, 0, region.client_key});
  CUresult result = command.call();
  region.mirrored = result == CUDA_SUCCESS;
  if (region.mirrored) region.mirror_key = command.result<std::uint64_t>();
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_SUPPORTED) {
    client->deregister_memory(region.client_key);
    return result;
  }
  std::unique_lock lock(regions_mutex);
  regions[region.address] = region;
  region_count = regions.size();
  return CUDA_SUCCESS;
}

CUresult remove_region(std::uint64_t address, HostRegion* was, bool allocated) {
  {
    std::shared_lock lock(regions_mutex);
    auto found = regions.find(address);
    if (found == regions.end() || found->second.allocated != allocated) return allocated ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    *was = found->second;
  }
  if (CUresult result = finish_copies_to(was->address, was->bytes); result != CUDA_SUCCESS) return result;
  if (was->mirrored) {
    Command command(abi::Op::cuMemHostUnregister);
    command.value(was->address);
    if (CUresult result = command.post(); result != CUDA_SUCCESS) return result;
  }
  Client::get()->deregister_memory(was->client_key);
  std::unique_lock lock(regions_mutex);
  regions.erase(address);
  region_count = regions.size();
  return CUDA_SUCCESS;
}

}  // namespace

bool any_host_regions() { return region_count.load(std::memory_order_relaxed) > 0; }

std::optional<HostRegion> find_host_region(std::uint64_t address) {
  std::shared_lock lock(regions_mutex);
  if (regions.empty()) return std::nullopt;
  auto after = regions.upper_bound(address);
  if (after == regions.begin()) return std::nullopt;
  const HostRegion& candidate = std::prev(after)->second;
  if (address - candidate.address >= candidate.bytes) return std::nullopt;
  return candidate;
}

std::optional<HostRegion> find_mirror(const void* address, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uint64_t>(address);
  std::optional<HostRegion> region = find_host_region(start);
  if (!region || !region->mirrored || start - region->address + bytes > region->bytes) return std::nullopt;
  return region;
}

std::optional<HostRegion> ensure_mirror(const void* address, std::size_t bytes) {
  if (std::optional<HostRegion> known = find_mirror(address, bytes)) return known;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t start = reinterpret_cast<std::uint64_t>(address) / page * page;
  const std::uint64_t end = (reinterpret_cast<std::uint64_t>(address) + bytes + page - 1) / page * page;
  HostRegion region{.address = start, .bytes = end - start, .implicit = true};
  if (add_region(region) != CUDA_SUCCESS) return std::nullopt;
  return find_mirror(address, bytes);
}

void copy_to_host_pending(std::uint64_t address, std::size_t bytes) {
  std::lock_guard lock(pending_mutex);
  if (!pending.empty() && pending.back().address == address && pending.back().bytes == bytes) return;
  constexpr std::size_t enough = 4096;  // then one range stands for all
  if (pending.size() == enough) pending.assign(1, {0, ~std::size_t{0}});
  pending.push_back({address, bytes});
}

void all_copies_done() {
  std::lock_guard lock(pending_mutex);
  pending.clear();
}

CUresult finish_copies_to(std::uint64_t address, std::size_t bytes) {
  {
    std::lock_guard lock(pending_mutex);
    if (std::none_of(pending.begin(), pending.end(), [&](const Range& range) { return range.overlaps(address, bytes); })) return CUDA_SUCCESS;
  }
  Command command(abi::Op::cuCtxSynchronize);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  all_copies_done();
  return CUDA_SUCCESS;
}

CUresult push_to_mirror(const HostRegion& region, std::uint64_t address, std::size_t bytes) {
  return Client::get()->put({reinterpret_cast<const std::byte*>(address), bytes}, region.mirror_key, address - region.address);
}

void captured_copy_from_host(std::uint64_t capture_id, std::uint64_t address, std::size_t bytes) {
  std::lock_guard lock(graphs_mutex);
  capture_copies[capture_id].push_back({address, bytes});
}

void forget_captured_copies(std::uint64_t capture_id) {
  std::lock_guard lock(graphs_mutex);
  capture_copies.erase(capture_id);
}

void captured_copies_belong_to(std::uint64_t capture_id, CUgraph graph) {
  std::lock_guard lock(graphs_mutex);
  auto node = capture_copies.extract(capture_id);
  if (!node.empty()) graph_copies[graph] = std::move(node.mapped());
}

void graph_copy_from_host(CUgraph graph, std::uint64_t address, std::size_t bytes) {
  std::lock_guard lock(graphs_mutex);
  graph_copies[graph].push_back({address, bytes});
}

void graph_copies_belong_to(CUgraph graph, CUgraphExec exec) {
  std::lock_guard lock(graphs_mutex);
  if (auto found = graph_copies.find(graph); found != graph_copies.end()) exec_copies[exec] = found->second;
}

void forget_graph_copies(CUgraphExec exec) {
  std::lock_guard lock(graphs_mutex);
  exec_copies.erase(exec);
}

CUresult push_for_launch(CUgraphExec exec) {
  std::vector<Range> ranges;
  {
    std::lock_guard lock(graphs_mutex);
    auto found = exec_copies.find(exec);
    if (found == exec_copies.end()) return CUDA_SUCCESS;
    ranges = found->second;
  }
  for (const Range& range : ranges) {
    std::optional<HostRegion> region = find_mirror(reinterpret_cast<void*>(range.address), range.bytes);
    if (!region) continue;
    if (CUresult result = finish_copies_to(range.address, range.bytes); result != CUDA_SUCCESS) return result;
    if (CUresult result = push_to_mirror(*region, range.address, range.bytes); result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

}  // namespace weft::interposer

using namespace weft::interposer;

extern "C" {

CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  constexpr unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (!pp || Flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!this_thread().current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!bytesize) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = refuse_while_capturing(); result != CUDA_SUCCESS) return result;
  void* memory = map_host_memory(bytesize);
  if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
  HostRegion region{.address = reinterpret_cast<std::uint64_t>(memory), .bytes = bytesize, .flags = Flags, .allocated = true};
  if (CUresult result = add_region(region); result != CUDA_SUCCESS) {
    unmap_host_memory(region.address, region.bytes);
    return result;
  }
  *pp = memory;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) { return cuMemHostAlloc(pp, bytesize, 0); }

CUresult cuMemFreeHost(void* p) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!p) return CUDA_SUCCESS;
  HostRegion was;
  if (CUresult result = remove_region(reinterpret_cast<std::uint64_t>(p), &was, true); result != CUDA_SUCCESS) return result;
  unmap_host_memory(was.address, was.bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  constexpr unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
  if (!p || !bytesize) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  if (Flags & CU_MEMHOSTREGISTER_IOMEMORY) return CUDA_ERROR_NOT_SUPPORTED;  // memory of a device of this machine; the server can't reach it
  if (Flags & ~unsigned{known}) return CUDA_ERROR_INVALID_VALUE;
  const auto address = reinterpret_cast<std::uint64_t>(p);
  for (std::uint64_t edge : {address, address + bytesize - 1}) {
    std::optional<HostRegion> known_region = find_host_region(edge);
    if (known_region && !known_region->implicit) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  return add_region({.address = address, .bytes = bytesize, .flags = Flags});
}

CUresult cuMemHostUnregister(void* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  HostRegion was;
  return remove_region(reinterpret_cast<std::uint64_t>(p), &was, false);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  if (!pdptr || Flags) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  std::optional<HostRegion> region = find_host_region(reinterpret_cast<std::uint64_t>(p));
  if (!region || !region->mirrored) return CUDA_ERROR_INVALID_VALUE;
  *pdptr = reinterpret_cast<CUdeviceptr>(p);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  if (!pFlags) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  std::optional<HostRegion> region = find_host_region(reinterpret_cast<std::uint64_t>(p));
  if (!region || !region->allocated) return CUDA_ERROR_INVALID_VALUE;
  *pFlags = region->flags | CU_MEMHOSTALLOC_DEVICEMAP;  // always mapped, as under unified addressing natively
  return CUDA_SUCCESS;
}

}  // extern "C"
