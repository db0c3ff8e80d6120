// SPDX-License-Identifier: Apache-2.0
#include "gpud/staging.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <stdexcept>

#include "base/log.hpp"

namespace weft::gpud {
namespace {

// Sixteen of the client's chunks: enough that the wire never waits for the copy engine.
constexpr std::size_t staging_bytes = 64 << 20;

}  // namespace

Staging::Staging(const DriverTable& driver, transport::Connection& connection) : driver_(driver) {
  void* memory = ::mmap(nullptr, staging_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory for staging");
  memory_ = {static_cast<std::byte*>(memory), staging_bytes};
  key_ = connection.register_memory(memory_);
}

Staging::~Staging() { ::munmap(memory_.data(), memory_.size()); }

const std::byte* Staging::at(std::uint64_t offset, std::uint64_t bytes) {
  if (offset > memory_.size() || bytes > memory_.size() - offset) return nullptr;
  if (!pinned_) {
    if (driver_.cuMemHostRegister_v2(memory_.data(), memory_.size(), CU_MEMHOSTREGISTER_PORTABLE) != CUDA_SUCCESS)
      log::info("the staging memory could not be pinned; copies to the device are slower");
    pinned_ = true;
  }
  return memory_.data() + offset;
}

void Staging::enqueued(std::uint64_t ticket, CUstream stream) {
  CUevent read = nullptr;
  if (driver_.cuEventCreate(&read, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS || driver_.cuEventRecord(read, stream) != CUDA_SUCCESS) {
    driver_.cuStreamSynchronize(stream);
    if (read) driver_.cuEventDestroy_v2(read);
    read = nullptr;
  }
  std::lock_guard lock(mutex_);
  pieces_.push_back({ticket, read});
}

std::uint64_t Staging::wait(std::uint64_t ticket) {
  std::unique_lock lock(mutex_);
  while (!pieces_.empty()) {
    const Piece oldest = pieces_.front();
    if (oldest.ticket > ticket && oldest.read && driver_.cuEventQuery(oldest.read) == CUDA_ERROR_NOT_READY) break;
    pieces_.pop_front();
    lock.unlock();  // the leader must be able to go on meanwhile
    if (oldest.read) {
      driver_.cuEventSynchronize(oldest.read);  // an error means that nothing reads there any more
      driver_.cuEventDestroy_v2(oldest.read);
    }
    lock.lock();
    done_ = std::max(done_, oldest.ticket);
  }
  return done_;
}

}  // namespace weft::gpud
