// SPDX-License-Identifier: Apache-2.0
#include "interposer/managed.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "base/unique_fd.hpp"
#include "interposer/command.hpp"
#include "interposer/copy.hpp"
#include "interposer/device_memory.hpp"
#include "interposer/host_memory.hpp"

namespace weft::interposer {
namespace {

constexpr std::size_t block_bytes = 64 << 10;
constexpr std::size_t most_fetched_at_once = 4 << 20;

enum class Block : std::uint8_t {
  on_device,  // PROT_NONE: the server's is newer
  same,       // PROT_READ
  on_host,    // writable: ours is newer
};

struct Region {
  CUdeviceptr base;
  std::size_t bytes;
  std::byte* alias;  // the same pages, always accessible: for transfers
  CUcontext context;
  std::vector<Block> blocks;
  bool all_on_device = false;
  std::size_t fetch_blocks = 1;  // doubles while the program walks through

  std::size_t block_of(CUdeviceptr address) const { return (address - base) / block_bytes; }
  std::size_t length(std::size_t first, std::size_t count) const { return std::min(bytes - first * block_bytes, count * block_bytes); }
  void protect(std::size_t first, std::size_t count, int protection) {
    ::mprotect(reinterpret_cast<void*>(base + first * block_bytes), count * block_bytes, protection);
  }
};

std::recursive_mutex regions_mutex;  // a fetch in the signal handler makes calls that look here
std::map<CUdeviceptr, Region> regions;
std::atomic<int> region_count{0};
struct sigaction previous_handler;

struct Touched {
  HostRegion region;
  CUstream stream;
};
std::mutex touched_mutex;
std::vector<Touched> touched;

/// Makes a context current for the calls of its scope.
class WithContext {
 public:
  explicit WithContext(CUcontext context) { this_thread().contexts.push_back(context); }
  ~WithContext() { this_thread().contexts.pop_back(); }
  WithContext(const WithContext&) = delete;
  WithContext& operator=(const WithContext&) = delete;
};

Region* find_region(CUdeviceptr address) {
  auto after = regions.upper_bound(address);
  if (after == regions.begin()) return nullptr;
  Region& region = std::prev(after)->second;
  return address - region.base < region.bytes ? &region : nullptr;
}

CUresult fetch_into(std::byte* destination, CUdeviceptr source, std::size_t bytes) {
  Command command(abi::Op::cuMemcpyDtoHAsync_v2);
  const std::uint64_t key = command.client()->register_memory({destination, bytes});
  command.value(abi::CopyFromDevice{.source = source, .size = bytes, .stream = 0, .to = abi::HostSide::put, .key = key});
  CUresult result = command.call();
  command.client()->deregister_memory(key);
  return result;
}

bool fetch(Region& region, std::size_t first) {
  std::size_t count = 0;
  const std::size_t most = std::min(region.fetch_blocks, most_fetched_at_once / block_bytes);
  while (count < most && first + count < region.blocks.size() && region.blocks[first + count] == Block::on_device) ++count;
  const WithContext scope(region.context);
  if (fetch_into(region.alias + first * block_bytes, region.base + first * block_bytes, region.length(first, count)) != CUDA_SUCCESS) return false;
  region.protect(first, count, PROT_READ);
  std::fill_n(region.blocks.begin() + static_cast<std::ptrdiff_t>(first), count, Block::same);
  region.fetch_blocks = std::min(2 * region.fetch_blocks, most_fetched_at_once / block_bytes);
  region.all_on_device = false;
  return true;
}

/// Sends what the program wrote, then leaves the region to the device.
void give_to_device(Region& region, CUstream stream) {
  if (region.all_on_device) return;
  region.protect(0, region.blocks.size(), PROT_NONE);  // first, so that a late write of the program's is not lost but fetched over
  std::vector<Block> before(region.blocks.size(), Block::on_device);
  before.swap(region.blocks);
  region.all_on_device = true;  // also before: the copies below look here again
  region.fetch_blocks = 1;
  const WithContext scope(region.context);
  for (std::size_t first = 0; first < before.size();) {
    std::size_t count = 0;
    while (first + count < before.size() && before[first + count] == Block::on_host) ++count;
    if (count) copy_to_device(region.base + first * block_bytes, region.alias + first * block_bytes, region.length(first, count), stream);
    first += std::max<std::size_t>(count, 1);
  }
}

/// True where the fault was ours to mend.
bool mend(CUdeviceptr address, bool write) {
  if (region_count.load() == 0 || !Client::get()) return false;
  std::lock_guard lock(regions_mutex);
  Region* region = find_region(address);
  if (!region) return false;
  const std::size_t block = region->block_of(address);
  if (region->blocks[block] == Block::on_device && !fetch(*region, block)) return false;
  if (write && region->blocks[block] == Block::same) {
    region->blocks[block] = Block::on_host;
    region->protect(block, 1, PROT_READ | PROT_WRITE);
  }
  return true;
}

void on_fault(int signal, siginfo_t* info, void* raw_context) {
  const auto* context = static_cast<ucontext_t*>(raw_context);
  const int saved_errno = errno;
  const bool write = context->uc_mcontext.gregs[REG_ERR] & 2;
  if (mend(reinterpret_cast<CUdeviceptr>(info->si_addr), write)) {
    errno = saved_errno;
    return;
  }
  if (previous_handler.sa_flags & SA_SIGINFO) return previous_handler.sa_sigaction(signal, info, raw_context);
  if (previous_handler.sa_handler != SIG_DFL && previous_handler.sa_handler != SIG_IGN) return previous_handler.sa_handler(signal);
  ::sigaction(signal, &previous_handler, nullptr);  // the instruction runs again and fails as it would have without us
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGSEGV, &action, &previous_handler);
  });
}

void touch(const HostRegion& region, CUstream stream) {
  push_to_mirror(region, region.address, region.bytes);
  std::lock_guard lock(touched_mutex);
  for (const Touched& known : touched)
    if (known.region.address == region.address && known.stream == stream) return;
  touched.push_back({region, stream});
}

}  // namespace

CUresult track_managed(CUdeviceptr base, std::size_t bytes, bool zeroed) {
  const std::size_t size = (bytes + block_bytes - 1) / block_bytes * block_bytes;
  UniqueFd fd(::memfd_create("weft managed memory", MFD_CLOEXEC));
  if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(size)) < 0) return CUDA_ERROR_OUT_OF_MEMORY;
  void* at = reinterpret_cast<void*>(base);
  if (::mmap(at, size, zeroed ? PROT_READ : PROT_NONE, MAP_SHARED | MAP_FIXED, fd.get(), 0) != at) return CUDA_ERROR_OUT_OF_MEMORY;
  void* alias = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (alias == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  install_handler();
  std::lock_guard lock(regions_mutex);
  regions[base] = {base, bytes, static_cast<std::byte*>(alias), this_thread().current(),
                   std::vector<Block>(size / block_bytes, zeroed ? Block::same : Block::on_device), !zeroed};
  ++region_count;
  return CUDA_SUCCESS;
}

// The driver lays the managed variables of a module into few allocations; one region stands for all in the same blocks.
CUresult track_managed_variable(CUdeviceptr address, std::size_t bytes) {
  const CUdeviceptr first = address / block_bytes * block_bytes;
  {
    std::lock_guard lock(regions_mutex);
    if (const Region* known = find_region(address); known && address + bytes <= known->base + known->blocks.size() * block_bytes) return CUDA_SUCCESS;
  }
  return track_managed(first, address + bytes - first, false);
}

void forget_managed(CUdeviceptr base) {
  std::lock_guard lock(regions_mutex);
  auto found = regions.find(base);
  if (found == regions.end()) return;
  const std::size_t size = found->second.blocks.size() * block_bytes;
  ::munmap(found->second.alias, size);
  ::mmap(reinterpret_cast<void*>(base), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  regions.erase(found);
  --region_count;
}

bool is_managed(CUdeviceptr address) {
  if (region_count.load(std::memory_order_relaxed) == 0) return false;
  std::lock_guard lock(regions_mutex);
  return find_region(address) != nullptr;
}

void before_device_access(CUdeviceptr address, std::size_t) {
  if (region_count.load(std::memory_order_relaxed) == 0) return;
  std::lock_guard lock(regions_mutex);
  Region* region = find_region(address);
  if (!region || region->all_on_device) return;
  region->all_on_device = false;
  give_to_device(*region, nullptr);
}

void before_kernel(std::span<const std::byte> parameters, CUstream stream) {
  if (region_count.load(std::memory_order_relaxed) > 0) {
    std::lock_guard lock(regions_mutex);
    for (auto& [base, region] : regions) give_to_device(region, stream);  // any may be reached through pointers
  }
  if (!any_host_regions()) return;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t value;
    std::memcpy(&value, parameters.data() + at, sizeof value);
    if (value < 0x10000) continue;
    const std::optional<HostRegion> region = find_host_region(value);
    if (region && region->mirrored) touch(*region, stream);
  }
}

void after_synchronisation(CUstream stream, bool everything) {
  std::vector<Touched> done;
  {
    std::lock_guard lock(touched_mutex);
    if (touched.empty()) return;
    auto waits = std::partition(touched.begin(), touched.end(), [&](const Touched& one) { return !everything && one.stream != stream; });
    done.assign(waits, touched.end());
    touched.erase(waits, touched.end());
  }
  for (const Touched& one : done)
    if (find_host_region(one.region.address)) fetch_into(reinterpret_cast<std::byte*>(one.region.address), one.region.address, one.region.bytes);
}

void reserve_window(std::uint64_t base, std::uint64_t bytes) {
  if (bytes) ::mmap(reinterpret_cast<void*>(base), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

}  // namespace weft::interposer

using namespace weft::interposer;

extern "C" {

CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  if (!dptr || !bytesize || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)) return CUDA_ERROR_INVALID_VALUE;
  Command command(weft::abi::Op::cuMemAllocManaged);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  if (!command.client()->snapshot().window_size) return CUDA_ERROR_NOT_SUPPORTED;
  command.value(static_cast<std::uint64_t>(bytesize));
  command.value(flags);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *dptr = command.result<std::uint64_t>();
  if (CUresult result = track_managed(*dptr, bytesize, true); result != CUDA_SUCCESS) return result;
  remember_allocation(*dptr, bytesize, Allocation::Kind::managed);
  return command.complete();
}

CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  Library* from = objects().libraries.find(library);
  if (!from) return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(from->names.mutex);
  auto known = from->managed.find(name);
  if (known == from->managed.end()) {
    Command command(weft::abi::Op::cuLibraryGetManaged);
    command.value(library);
    command.string(name);
    if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
    const auto address = command.result<std::uint64_t>(), size = command.result<std::uint64_t>();
    if (CUresult result = command.complete(); result != CUDA_SUCCESS) return result;
    if (CUresult result = track_managed_variable(address, size); result != CUDA_SUCCESS) return result;
    known = from->managed.emplace(name, Symbol{address, size}).first;
  }
  if (dptr) *dptr = known->second.address;
  if (bytes) *bytes = known->second.bytes;
  return CUDA_SUCCESS;
}

// Pages move when they are touched; a hint changes nothing.
CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation, unsigned int, CUstream) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  return count && is_managed(devPtr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice, CUstream hStream) { return cuMemPrefetchAsync_v2(devPtr, count, {}, 0, hStream); }
CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise, CUmemLocation) { return cuMemPrefetchAsync_v2(devPtr, count, {}, 0, nullptr); }
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise, CUdevice) { return cuMemPrefetchAsync_v2(devPtr, count, {}, 0, nullptr); }

CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr dptr, size_t, unsigned int) {
  if (!Client::get()) return CUDA_ERROR_NOT_INITIALIZED;
  return is_managed(dptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
