// SPDX-License-Identifier: Apache-2.0
// Contexts, their streams and events.
#pragma once

#include <atomic>
#include <set>

#include "softgpu/driver.hpp"

namespace weft::softgpu {

struct Context {
  Device* device = nullptr;
  bool primary = false;
  int users = 0;
  unsigned flags = 0;
  std::uint64_t id = 0;
  std::map<int, std::uint64_t> limits;
  std::shared_ptr<Queue> legacy = std::make_shared<Queue>();
  std::set<Stream*> streams;
  std::map<std::uint64_t, std::uint64_t> heap;  // what kernels took by malloc: addresses and bytes
  std::uint64_t heap_bytes = 0;
  std::atomic<int> error{CUDA_SUCCESS};  // sticky: set by a kernel that failed
};

struct Capture;
struct Node;

struct Stream {
  Context* context = nullptr;
  std::shared_ptr<Capture> capture;  // while the stream's work becomes a graph's nodes
  std::vector<Node*> tips;           // what the next node comes after
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  std::shared_ptr<Queue> queue = std::make_shared<Queue>();
  bool blocking() const { return !(flags & CU_STREAM_NON_BLOCKING); }
};

/// When a record was reached, in nanoseconds of the monotonic clock; set by the queue.
using Stamp = std::shared_ptr<std::atomic<std::int64_t>>;

struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  Ticket recorded;  // without a queue: never
  std::shared_ptr<Capture> capture;  // recorded while a stream was captured: tips are what to wait for
  std::vector<Node*> tips;
  Stamp stamp;
};

/// Where a stream argument's work goes.
struct Target {
  Context* context = nullptr;
  std::shared_ptr<Queue> queue;
  bool legacy = false, blocking = false;
  Stream* stream = nullptr;  // null for the legacy one
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;  // what a capture makes of the work
  bool captured() const { return stream && stream->capture; }
};

/// Finds the queue behind a stream argument: the legacy stream's, this thread's own, or the stream's. CUDA_ERROR_INVALID_HANDLE for what is no stream.
CUresult find_target(Entry& entry, CUstream stream, Target* target);

/// Everything that work added to the target now has to wait for, besides its own queue.
std::vector<Ticket> dependencies(const Target& target);

/// All work of the context that was enqueued so far.
std::vector<Ticket> everything(Context& context);

/// Adds work to a stream, with the waits that the legacy stream's rules ask for.
Ticket enqueue(const Target& target, Queue::Work work, bool is_short = false, std::vector<Ticket> after = {});

/// The context's sticky error, which outranks a success.
inline CUresult with_error(const Context& context, CUresult result) {
  return result == CUDA_SUCCESS ? static_cast<CUresult>(context.error.load()) : result;
}

Context* make_context(Driver& driver, Device& device, unsigned flags, bool primary);

}  // namespace weft::softgpu
