// SPDX-License-Identifier: Apache-2.0
// Instructions by which lanes talk to each other: shfl, vote, match, redux. They wait for the lanes that their mask names.
#include "softgpu/exec/lanes.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

/// All lanes that the active ones' masks name; d of each operation is the mask's operand, no_ref in the old forms without .sync.
std::uint32_t wanted(const Warp& w, const Op& op) {
  if (op.d == no_ref) return 0;
  const auto* masks = w.in<std::uint32_t>(op.d);
  std::uint32_t all = 0;
  if (w.active == ~0u) {
    for (unsigned l = 0; l < W; ++l) all |= masks[l];
    return all;
  }
  each_active(w.active, [&](unsigned l) { all |= masks[l]; });
  return all;
}

/// The lanes that belong together: those of the lane's mask that are here.
std::uint32_t members(const Warp& w, const Op& op, unsigned lane) { return op.d == no_ref ? w.active : w.in<std::uint32_t>(op.d)[lane] & w.active; }

/// a: value, b: lane or distance, c: clamp and segment mask. dst2: whether the source lane was in range.
template <char mode>
void shfl(Warp& w, const Op& op) {
  if (!gather(w, op, wanted(w, op))) return;
  const auto *b = w.in<std::int32_t>(op.b), *c = w.in<std::int32_t>(op.c);
  alignas(64) std::int32_t from[W];
  alignas(64) std::uint32_t d[W];
  const auto* a = w.in<std::uint32_t>(op.a);
  const std::uint32_t found = test([&](unsigned l) {
    const auto lane = static_cast<int>(l);
    const int distance = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
    const int last = (lane & segment) | (clamp & ~segment & 31), first = lane & segment;
    const int source = mode == 'u' ? lane - distance : mode == 'd' ? lane + distance : mode == 'b' ? lane ^ distance : first | (distance & ~segment & 31);
    const bool in_range = mode == 'u' ? source >= last : source <= last;
    from[l] = (in_range ? source : lane) & 31;
    return in_range;
  });
  for (unsigned l = 0; l < W; ++l) d[l] = a[from[l]];
  each(w, w.out<std::uint32_t>(op.dst), [&](unsigned l) { return d[l]; });
  if (op.dst2 != no_ref) set_predicate(w, op.dst2, found);
}

/// a: predicate; b is 1 where it is negated.
template <char mode>
void vote(Warp& w, const Op& op) {
  if (!gather(w, op, wanted(w, op))) return;
  const std::uint32_t p = (op.b == 1 ? ~mask_of(w, op.a) : mask_of(w, op.a)) & w.active;
  if (mode == 'b') {
    std::uint32_t* d = w.out<std::uint32_t>(op.dst);
    each_active(w.active, [&](unsigned l) { d[l] = p & members(w, op, l); });
    return;
  }
  std::uint32_t t = 0;
  each_active(w.active, [&](unsigned l) {
    const std::uint32_t m = members(w, op, l), yes = p & m;
    const bool value = mode == 'a' ? yes == m : mode == 'o' ? yes != 0 : yes == 0 || yes == m;
    t |= value ? 1u << l : 0;
  });
  set_predicate(w, op.dst, t);
}

template <typename T>
std::uint32_t equal_lanes(const T* a, std::uint32_t among, T value) {
  std::uint32_t t = 0;
  each_active(among, [&](unsigned l) { t |= a[l] == value ? 1u << l : 0; });
  return t;
}
template <typename T, bool all>
void match(Warp& w, const Op& op) {
  if (!gather(w, op, wanted(w, op))) return;
  const T* a = w.in<T>(op.a);
  alignas(64) std::uint32_t result[W] = {};
  std::uint32_t p = 0;
  each_active(w.active, [&](unsigned l) {
    const std::uint32_t m = members(w, op, l), same = equal_lanes(a, m, a[l]);
    result[l] = !all ? same : same == m ? m : 0;
    p |= all && same == m ? 1u << l : 0;
  });
  each(w, w.out<std::uint32_t>(op.dst), [&](unsigned l) { return result[l]; });
  if (op.dst2 != no_ref) set_predicate(w, op.dst2, p);
}

template <typename T, char mode>
void redux(Warp& w, const Op& op) {
  if (!gather(w, op, wanted(w, op))) return;
  const T* a = w.in<T>(op.a);
  alignas(64) T result[W] = {};
  each_active(w.active, [&](unsigned l) {
    const std::uint32_t m = members(w, op, l);
    const auto first = static_cast<unsigned>(std::countr_zero(m));
    T sum = a[first];
    each_active(m & (m - 1), [&](unsigned o) {
      const T v = a[o];
      sum = mode == '+' ? static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(v)) : mode == '<' ? (v < sum ? v : sum) : mode == '>' ? (v > sum ? v : sum)
            : mode == '&' ? sum & v : mode == '|' ? sum | v : sum ^ v;
    });
    result[l] = sum;
  });
  each(w, w.out<T>(op.dst), [&](unsigned l) { return result[l]; });
}
template <typename T>
Handler redux_for(std::string_view operation) {
  if (operation == "add") return &redux<T, '+'>;
  if (operation == "min") return &redux<T, '<'>;
  if (operation == "max") return &redux<T, '>'>;
  if (operation == "and") return &redux<T, '&'>;
  if (operation == "or") return &redux<T, '|'>;
  if (operation == "xor") return &redux<T, '^'>;
  return nullptr;
}

}  // namespace

Handler warp_handler(const Shape& s) {
  const std::string_view v = s.variant;
  if (s.opcode == "shfl") return s.type.bits != 32 ? nullptr : v == "up" ? &shfl<'u'> : v == "down" ? &shfl<'d'> : v == "bfly" ? &shfl<'b'> : v == "idx" ? &shfl<'i'> : nullptr;
  if (s.opcode == "vote") return v == "ballot" ? &vote<'b'> : v == "all" ? &vote<'a'> : v == "any" ? &vote<'o'> : v == "uni" ? &vote<'u'> : nullptr;
  if (s.opcode == "match") {
    if (s.type.bits == 64) return v == "all" ? &match<std::uint64_t, true> : v == "any" ? &match<std::uint64_t, false> : nullptr;
    return v == "all" ? &match<std::uint32_t, true> : v == "any" ? &match<std::uint32_t, false> : nullptr;
  }
  if (s.opcode == "redux") return s.type.bits != 32 ? nullptr : s.type.is_signed() ? redux_for<std::int32_t>(v) : redux_for<std::uint32_t>(v);
  return nullptr;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
