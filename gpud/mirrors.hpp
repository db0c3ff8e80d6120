// SPDX-License-Identifier: Apache-2.0
// Pinned host memory of the client, mirrored here at the client's own addresses, so that kernels and copy engines can use the program's pointers. The client puts
// into a mirror before the device may read it; what the device copies into one is delivered to the client before the program learns that the copy is done.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "gpud/address_window.hpp"
#include "gpud/driver_table.hpp"
#include "transport/transport.hpp"

namespace weft::gpud {

/// Rows of mirrored memory that a copy fills.
struct MirrorRows {
  std::uint64_t address;
  std::uint64_t width, height = 1, depth = 1;  // bytes, rows, slices
  std::uint64_t pitch = 0, slice = 0;          // bytes from row to row, from slice to slice

  /// Bytes from the first to behind the last; 0 where that overflows.
  std::uint64_t span() const;
};

class Mirrors {
 public:
  Mirrors(const DriverTable& driver, transport::Connection& connection, const std::vector<AddressRange>& free_space)
      : driver_(driver), connection_(connection), free_space_(free_space) {}

  // --- on the leading thread
  /// Makes a mirror of the client's memory `client_key`; `*key` is what the client puts to. CUDA_ERROR_NOT_SUPPORTED where the addresses are taken here.
  CUresult add(std::uint64_t address, std::uint64_t bytes, unsigned flags, std::uint64_t client_key, std::uint64_t* key);
  CUresult remove(std::uint64_t address);
  /// True where all of it is one mirror's.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  /// A copy into these rows has been enqueued on the stream, in the current context.
  void deliver_after(CUstream stream, const std::vector<MirrorRows>& rows);

  /// Copies inside graphs: found when an executable graph is made, delivered after each of its launches.
  void graph_made(CUgraphExec exec, CUgraph graph);
  void graph_destroyed(CUgraphExec exec) { of_graphs_.erase(exec); }
  void graph_launched(CUgraphExec exec, CUstream stream);

  // --- any thread
  /// Delivers all copies that are done. When it returns they are on their way, in order before whatever is sent next.
  void deliver_finished();
  /// As deliver_finished where the driver may not be called: everything that is under way, since what the host function may look at is among it.
  void deliver_before_host_function();

 private:
  struct Mirror {
    std::uint64_t bytes, key, client_key;
  };
  struct Pending {
    CUevent done;
    MirrorRows rows;
    std::uint64_t client_key, offset;
  };

  bool map_pages(std::uint64_t address, std::uint64_t bytes);
  void unmap_pages(std::uint64_t address, std::uint64_t bytes);
  bool free_here(std::uint64_t start, std::uint64_t end) const;
  std::map<std::uint64_t, Mirror>::const_iterator find(std::uint64_t address, std::uint64_t bytes) const;
  void find_copies(CUgraph graph, std::vector<MirrorRows>* rows, int depth) const;
  void deliver(const Pending& pending);

  const DriverTable& driver_;
  transport::Connection& connection_;
  const std::vector<AddressRange>& free_space_;
  std::map<std::uint64_t, Mirror> mirrors_;                // by address; disjoint
  std::unordered_map<std::uint64_t, int> page_users_;      // of first and last pages, which two mirrors may share
  std::unordered_map<CUgraphExec, std::vector<MirrorRows>> of_graphs_;

  std::mutex delivering_mutex_;  // held while delivering; taken before pending_mutex_
  std::mutex pending_mutex_;
  std::vector<Pending> pending_;
  std::atomic<std::size_t> pending_count_{0};
};

}  // namespace weft::gpud
