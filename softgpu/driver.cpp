// SPDX-License-Identifier: Apache-2.0
#include "softgpu/driver.hpp"

#include <pthread.h>

#include <atomic>

#include "base/log.hpp"
#include "softgpu/graph.hpp"
#include "softgpu/module.hpp"
#include "softgpu/pool.hpp"
#include "softgpu/texture.hpp"
#include "softgpu/thread.hpp"

namespace weft::softgpu {
namespace {

std::atomic<Driver*> instance{nullptr};

}  // namespace

std::mutex& driver_mutex() {
  static auto* const mutex = new std::mutex;  // outlives static destruction: threads of the driver's do
  return *mutex;
}

Driver* Driver::get() { return instance.load(std::memory_order_acquire); }

CUresult Driver::start() {
  Lock lock(driver_mutex());
  if (get()) return CUDA_SUCCESS;
  try {
    auto driver = std::make_unique<Driver>();
    driver->devices = make_devices();
    if (driver->devices.empty()) return CUDA_ERROR_NO_DEVICE;
    for (const auto& device : driver->devices) driver->memory.add_device(*device);
    // In a forked child CUDA is not initialised.
    ::pthread_atfork(nullptr, nullptr, [] { instance.store(nullptr); });
    instance.store(driver.release(), std::memory_order_release);
    return CUDA_SUCCESS;
  } catch (const std::exception& error) {
    log::error("%s", error.what());
    return CUDA_ERROR_NO_DEVICE;
  }
}

Thread& this_thread() {
  static pthread_key_t key = [] {
    pthread_key_t made;
    ::pthread_key_create(&made, [](void* thread) { delete static_cast<Thread*>(thread); });
    return made;
  }();
  static thread_local Thread* mine = nullptr;
  if (!mine) {
    mine = new Thread;
    ::pthread_setspecific(key, mine);
  }
  return *mine;
}

Entry::Entry(Needs needs) : lock_(driver_mutex()), driver_(Driver::get()) {
  if (!driver_) {
    result = CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  const auto& stack = this_thread().contexts;
  current_ = stack.empty() ? nullptr : driver_->contexts.find(stack.back());
  if (needs == driver_only) return;
  if (!current_) result = stack.empty() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  else result = static_cast<CUresult>(current_->error.load());
}

}  // namespace weft::softgpu
