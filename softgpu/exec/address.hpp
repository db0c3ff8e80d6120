// SPDX-License-Identifier: Apache-2.0
// From a lane's address to memory, with the check. Global and generic addresses, those of local memory and of kernel parameters are the host's own; addresses in
// shared memory are offsets in the block's window.
#pragma once

#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {

/// Whose addresses an instruction takes: host and local ones are looked for in all memory, but in different order.
enum class Where { host, local, shared };

/// The operand is one of a loop that waits.
[[gnu::always_inline]] inline void note_waiting(Warp& w) {
  ++w.hints;
  w.budget -= 64;
}

template <typename A>
struct Span {
  A low, high;
  A bits;  // all addresses or-ed
};

template <typename A>
[[gnu::always_inline]] inline Span<A> span_of(std::uint32_t mask, const A* a, A offset) {
  Span<A> s{static_cast<A>(~A{0}), 0, 0};
  if (mask == ~0u) {
    for (unsigned l = 0; l < W; ++l) {
      const A at = a[l] + offset;
      s.low = at < s.low ? at : s.low;
      s.high = at > s.high ? at : s.high;
      s.bits |= at;
    }
  } else {
    each_active(mask, [&](unsigned l) {
      const A at = a[l] + offset;
      s.low = at < s.low ? at : s.low;
      s.high = at > s.high ? at : s.high;
      s.bits |= at;
    });
  }
  return s;
}

/// True where the kernel may use these bytes by host address. Not by the lanes' loops: for the rare cases.
bool reachable(Warp& w, std::uint64_t low, std::uint64_t high);
/// Says which lane's address is bad, and why; the kernel has failed then. True if none is.
bool check_each(Warp& w, const Op& op, Where where, const std::uint64_t (&addresses)[W], std::uint64_t bytes, std::uint64_t alignment);

/// True where all active lanes may use `bytes` at their addresses a[lane] + op.imm; otherwise the kernel has failed.
template <Where where, typename A>
[[gnu::always_inline]] inline bool check(Warp& w, const Op& op, const A* a, A offset, unsigned bytes, unsigned alignment) {
  const Span<A> s = span_of(w.active, a, offset);
  if (!(s.bits & (alignment - 1))) {
    if constexpr (where == Where::shared) {
      if (std::uint64_t{s.high} + bytes <= w.grid->shared_bytes) return true;
    } else if (s.high <= ~A{0} - bytes) {
      if (where == Where::host && w.ranges->known(s.low, s.high + bytes)) return true;
      if (reachable(w, s.low, s.high + bytes)) return true;
    }
  }
  std::uint64_t addresses[W] = {};
  each_active(w.active, [&](unsigned l) { addresses[l] = static_cast<A>(a[l] + offset); });
  return check_each(w, op, where, addresses, bytes, alignment);
}

template <Where where>
[[gnu::always_inline]] inline std::byte* pointer(const Warp& w, std::uint64_t address) {
  if constexpr (where == Where::shared) return w.block->shared + address;
  else return reinterpret_cast<std::byte*>(address);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
