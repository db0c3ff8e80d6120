// SPDX-License-Identifier: Apache-2.0
// What a handle looks like to the program and on the wire. Handles are minted without asking the other end: the client mints those of what it creates,
// the worker those of what it has to name first (a graph's nodes, the default memory pool). A handle is never an address of anything.
//
//   bit 47      always set; keeps handles apart from 0, 1 and 2, which CUDA gives a meaning as streams
//   bits 43-46  kind
//   bits 23-42  generation: how often the index was used before, so that a handle of something destroyed is recognised
//   bit 22      minted by the worker
//   bits 3-21   index
#pragma once

#include <cstdint>

#include "abi/cuda.hpp"

namespace weft::abi {

enum class HandleKind : std::uint8_t {
  context = 1, module, function, library, stream, event, array, mipmapped_array, texture_reference, surface_reference, graph, graph_node,
  graph_exec, memory_pool,
};

inline constexpr std::uint32_t max_handle_index = 1 << 19;

struct Handle {
  std::uint64_t bits = 0;

  static Handle make(HandleKind kind, std::uint32_t index, std::uint32_t generation, bool by_worker) {
    return {std::uint64_t{1} << 47 | static_cast<std::uint64_t>(kind) << 43 | static_cast<std::uint64_t>(generation & 0xfffff) << 23 |
            static_cast<std::uint64_t>(by_worker) << 22 | static_cast<std::uint64_t>(index) << 3};
  }
  bool valid() const { return bits >> 47 == 1 && (bits & 7) == 0; }
  HandleKind kind() const { return static_cast<HandleKind>(bits >> 43 & 15); }
  std::uint32_t generation() const { return bits >> 23 & 0xfffff; }
  bool by_worker() const { return bits >> 22 & 1; }
  std::uint32_t index() const { return bits >> 3 & (max_handle_index - 1); }
};

/// The kind of a CUDA handle type. A CUkernel may be passed wherever a CUfunction is taken, so both are one kind.
template <typename T>
struct HandleKindOf {
  static constexpr bool is_handle = false;
};
template <HandleKind K>
struct IsHandle {
  static constexpr bool is_handle = true;
  static constexpr HandleKind kind = K;
};
template <> struct HandleKindOf<CUcontext> : IsHandle<HandleKind::context> {};
template <> struct HandleKindOf<CUmodule> : IsHandle<HandleKind::module> {};
template <> struct HandleKindOf<CUfunction> : IsHandle<HandleKind::function> {};
template <> struct HandleKindOf<CUkernel> : IsHandle<HandleKind::function> {};
template <> struct HandleKindOf<CUlibrary> : IsHandle<HandleKind::library> {};
template <> struct HandleKindOf<CUstream> : IsHandle<HandleKind::stream> {};
template <> struct HandleKindOf<CUevent> : IsHandle<HandleKind::event> {};
template <> struct HandleKindOf<CUarray> : IsHandle<HandleKind::array> {};
template <> struct HandleKindOf<CUmipmappedArray> : IsHandle<HandleKind::mipmapped_array> {};
template <> struct HandleKindOf<CUtexref> : IsHandle<HandleKind::texture_reference> {};
template <> struct HandleKindOf<CUsurfref> : IsHandle<HandleKind::surface_reference> {};
template <> struct HandleKindOf<CUgraph> : IsHandle<HandleKind::graph> {};
template <> struct HandleKindOf<CUgraphNode> : IsHandle<HandleKind::graph_node> {};
template <> struct HandleKindOf<CUgraphExec> : IsHandle<HandleKind::graph_exec> {};
template <> struct HandleKindOf<CUmemoryPool> : IsHandle<HandleKind::memory_pool> {};

template <typename T>
concept CudaHandle = HandleKindOf<T>::is_handle;

template <CudaHandle T>
T to_cuda(Handle handle) {
  return reinterpret_cast<T>(handle.bits);
}
template <CudaHandle T>
Handle from_cuda(T value) {
  return {reinterpret_cast<std::uint64_t>(value)};
}

}  // namespace weft::abi
