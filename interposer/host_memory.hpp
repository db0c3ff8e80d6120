// SPDX-License-Identifier: Apache-2.0
// Pinned memory of the program. The worker mirrors it: pinned memory of its own at the same address, so that a copy to or from it is a copy to or from the
// mirror on the GPU's side, and only the bytes that are copied cross the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abi/cuda.hpp"

namespace weft::interposer {

struct HostRegion {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  unsigned flags = 0;            // of the call that made it
  bool allocated = false;        // by cuMemHostAlloc; else registered memory of the program's
  bool implicit = false;         // mirrored because a captured copy needs it; the program knows nothing of it
  bool mirrored = false;         // the worker could map it
  std::uint64_t mirror_key = 0;  // the worker's, for put
  std::uint64_t client_key = 0;  // ours, for put by the worker
  CUcontext context = nullptr;
};

/// Cheap: true while there is pinned memory.
bool any_host_regions();
std::optional<HostRegion> find_host_region(std::uint64_t address);
/// The mirrored region in which all these bytes lie.
std::optional<HostRegion> find_mirror(const void* address, std::size_t bytes);
/// Such a region, made for pageable memory where there is none yet (captured copies read and write host memory when the graph runs).
std::optional<HostRegion> ensure_mirror(const void* address, std::size_t bytes);

/// A copy into pinned memory has been sent and not been waited for.
void copy_to_host_pending(std::uint64_t address, std::size_t bytes);
/// Everything sent before has been delivered.
void all_copies_done();
/// Waits for such copies into any of these bytes.
CUresult finish_copies_to(std::uint64_t address, std::size_t bytes);

/// Sends these bytes of a mirrored region to its mirror.
CUresult push_to_mirror(const HostRegion& region, std::uint64_t address, std::size_t bytes);

// --- copies inside graphs: host memory is read when the graph is launched
void captured_copy_from_host(std::uint64_t capture_id, std::uint64_t address, std::size_t bytes);
void forget_captured_copies(std::uint64_t capture_id);
void captured_copies_belong_to(std::uint64_t capture_id, CUgraph graph);
void graph_copy_from_host(CUgraph graph, std::uint64_t address, std::size_t bytes);
void graph_copies_belong_to(CUgraph graph, CUgraphExec exec);
void forget_graph_copies(CUgraphExec exec);
/// Sends what the graph's copies will read.
CUresult push_for_launch(CUgraphExec exec);

}  // namespace weft::interposer
