// SPDX-License-Identifier: Apache-2.0
// The software GPU: a CUDA driver of its own that runs on the CPU. Start here for softgpu/.
//
// Functions of the API stand in the file of what they deal with, under their own names; those that nobody wrote yet answer CUDA_ERROR_NOT_SUPPORTED (stubs.cpp.in).
// One mutex guards all state of the API; work that the program enqueued (copies, kernels) runs outside it, on the threads of its streams (queue.hpp).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_set>
#include <vector>

#include "abi/cuda.hpp"
#include "softgpu/device.hpp"
#include "softgpu/memory.hpp"
#include "softgpu/queue.hpp"

namespace weft::softgpu {

struct Context;
struct Stream;
struct Event;
struct Module;
struct Library;
struct Function;
struct Kernel;
struct Pool;
struct Node;
struct Graph;
struct GraphExec;
struct Array;
struct Texture;
struct Surface;

/// Handles given to the program are addresses of our objects; one that isn't in here is none.
template <typename T>
class Registry {
 public:
  T* insert(std::unique_ptr<T> object) {
    T* pointer = object.get();
    objects_.emplace(pointer, std::move(object));
    return pointer;
  }
  template <typename Handle>
  T* find(Handle handle) const {
    auto found = objects_.find(reinterpret_cast<T*>(handle));
    return found == objects_.end() ? nullptr : found->second.get();
  }
  void erase(T* object) { objects_.erase(object); }
  template <typename Visit>
  void for_each(Visit visit) {
    for (auto& [pointer, object] : objects_) visit(*object);
  }

 private:
  std::map<T*, std::unique_ptr<T>> objects_;
};

/// All state; made by cuInit, lives to the end of the process.
class Driver {
 public:
  /// Null before cuInit and in a forked child.
  static Driver* get();
  static CUresult start();

  std::vector<std::unique_ptr<Device>> devices;
  Memory memory;
  Registry<Context> contexts;
  Registry<Stream> streams;
  Registry<Event> events;
  Registry<Module> modules;
  Registry<Library> libraries;
  Registry<Function> functions;
  Registry<Kernel> kernels;
  Registry<Pool> pools;
  Registry<Node> nodes;
  Registry<Graph> graphs;
  Registry<GraphExec> graph_execs;
  Registry<Array> arrays;
  Registry<Texture> textures;
  Registry<Surface> surfaces;

  Device* device(CUdevice number) {
    return number >= 0 && static_cast<std::size_t>(number) < devices.size() ? devices[static_cast<std::size_t>(number)].get() : nullptr;
  }
};

using Lock = std::unique_lock<std::mutex>;
/// Guards the driver's state.
std::mutex& driver_mutex();

/// What most calls begin with: the driver, locked, and the calling thread's context. `result` says why something is missing, or the context's sticky error.
class Entry {
 public:
  enum Needs { driver_only, context };
  explicit Entry(Needs needs = context);

  CUresult result = CUDA_SUCCESS;
  Driver& driver() { return *driver_; }
  Context& current() { return *current_; }
  Lock& lock() { return lock_; }

 private:
  Lock lock_;
  Driver* driver_;
  Context* current_ = nullptr;
};

}  // namespace weft::softgpu
