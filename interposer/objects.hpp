// SPDX-License-Identifier: Apache-2.0
// What the client knows about each CUDA object without asking: enough to answer every local call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/messages.hpp"
#include "interposer/handle_table.hpp"

namespace weft::interposer {

struct Context {
  CUdevice device = 0;
  unsigned flags = 0;
  bool primary = false;
  std::uint64_t id = 0;
  std::atomic<int> users{0};           // retains of a primary context; attaches of another
  std::array<std::atomic<std::uint64_t>, abi::max_limit> limits{};
};

/// A stream's part in a capture: which capture, and whether it is still valid.
struct Capture {
  std::atomic<std::uint64_t> id{0};  // 0: not capturing
  std::atomic<bool> origin{false};
};

struct Stream {
  CUcontext context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  Capture capture;
};

struct Event {
  enum State : int { never_recorded, pending, done };
  CUcontext context = nullptr;
  unsigned flags = 0;
  std::atomic<int> state{never_recorded};
  std::atomic<std::uint64_t> recorded_at{0};  // sequence number of the record
  std::atomic<std::uint64_t> capture_id{0};   // recorded in a capturing stream
};

struct Function {
  std::string name;
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parameters;  // offset, size
  std::uint32_t parameter_bytes = 0;
  bool uniform = false;  // layout known
  std::array<std::atomic<int>, abi::max_function_attribute> attributes{};
  std::array<bool, abi::max_function_attribute> has_attribute{};
};

struct Symbol {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
};

/// What modules and libraries have in common: names looked up once.
struct Names {
  std::mutex mutex;
  std::unordered_map<std::string, CUfunction> functions;
  std::unordered_map<std::string, Symbol> globals;
};

struct Module {
  Names names;
  CUcontext context = nullptr;
  CUlibrary library = nullptr;  // of a library's module, which must not be unloaded by hand
};

struct Library {
  Names names;
  std::map<CUcontext, CUmodule> modules;
  std::map<std::string, Symbol> managed;
};

struct Nothing {};  // objects of which only the name matters

/// All handles of the process.
struct Objects {
  HandleTable<CUcontext, Context> contexts;
  HandleTable<CUstream, Stream> streams;
  HandleTable<CUevent, Event> events;
  HandleTable<CUfunction, Function> functions;
  HandleTable<CUmodule, Module> modules;
  HandleTable<CUlibrary, Library> libraries;
  HandleTable<CUarray, Nothing> arrays;
  HandleTable<CUmipmappedArray, Nothing> mipmapped_arrays;
  HandleTable<CUtexref, Nothing> texture_references;
  HandleTable<CUsurfref, Nothing> surface_references;
  HandleTable<CUgraph, Nothing> graphs;
  HandleTable<CUgraphNode, Nothing> graph_nodes;
  HandleTable<CUgraphExec, Nothing> graph_execs;
  HandleTable<CUmemoryPool, Nothing> memory_pools;

  template <abi::CudaHandle H>
  auto& table();
};

template <> inline auto& Objects::table<CUcontext>() { return contexts; }
template <> inline auto& Objects::table<CUstream>() { return streams; }
template <> inline auto& Objects::table<CUevent>() { return events; }
template <> inline auto& Objects::table<CUfunction>() { return functions; }
template <> inline auto& Objects::table<CUmodule>() { return modules; }
template <> inline auto& Objects::table<CUlibrary>() { return libraries; }
template <> inline auto& Objects::table<CUarray>() { return arrays; }
template <> inline auto& Objects::table<CUmipmappedArray>() { return mipmapped_arrays; }
template <> inline auto& Objects::table<CUtexref>() { return texture_references; }
template <> inline auto& Objects::table<CUsurfref>() { return surface_references; }
template <> inline auto& Objects::table<CUgraph>() { return graphs; }
template <> inline auto& Objects::table<CUgraphNode>() { return graph_nodes; }
template <> inline auto& Objects::table<CUgraphExec>() { return graph_execs; }
template <> inline auto& Objects::table<CUmemoryPool>() { return memory_pools; }

/// The one table, made at first use and never destroyed.
Objects& objects();

}  // namespace weft::interposer
