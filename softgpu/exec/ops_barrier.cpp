// SPDX-License-Identifier: Apache-2.0
// mbarrier objects: 64 bits of shared memory, laid out as here: bit 63 the phase, 20 bits the expected arrivals, 20 bits those that are pending.
#include "softgpu/exec/address.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

constexpr std::uint64_t count_mask = 0xfffff;
constexpr unsigned expected_shift = 32;
constexpr std::uint64_t phase_bit = std::uint64_t{1} << 63;

std::uint64_t pending(std::uint64_t state) { return state & count_mask; }
std::uint64_t expected(std::uint64_t state) { return state >> expected_shift & count_mask; }

/// One object in reach, or null with the kernel failed.
std::uint64_t* object_at(Warp& w, const Op& op, unsigned lane, bool shared) {
  const std::uint64_t at = w.in<std::uint64_t>(op.a)[lane] + op.imm;
  std::uint64_t addresses[W] = {};
  addresses[lane] = at;
  const std::uint32_t all = w.active;
  w.active = 1u << lane;
  const bool fine = check_each(w, op, shared ? Where::shared : Where::host, addresses, 8, 8);
  w.active = all;
  if (!fine) return nullptr;
  return reinterpret_cast<std::uint64_t*>(shared ? w.block->shared + at : reinterpret_cast<std::byte*>(at));
}

template <bool shared, typename F>
void objects(Warp& w, const Op& op, F f) {
  each_active(w.active, [&](unsigned l) {
    if (!w.running) return;
    if (std::uint64_t* object = object_at(w, op, l, shared)) f(l, *object);
  });
}

std::uint32_t count_of(const Warp& w, const Op& op, unsigned lane) { return op.b == no_ref ? 1 : w.in<std::uint32_t>(op.b)[lane]; }

/// `count` arrive; the last begins the next phase.
void arrive_at(std::uint64_t& object, std::uint64_t count, bool drops) {
  if (drops) object -= count << expected_shift;
  const std::uint64_t left = pending(object) > count ? pending(object) - count : 0;
  object = left ? (object & ~count_mask) | left : ((object & ~count_mask) ^ phase_bit) | expected(object);
}

template <bool shared> void init(Warp& w, const Op& op) {
  objects<shared>(w, op, [&](unsigned l, std::uint64_t& object) {
    const std::uint64_t count = count_of(w, op, l) & count_mask;
    object = count << expected_shift | count;
  });
}
template <bool shared> void inval(Warp& w, const Op& op) {
  objects<shared>(w, op, [](unsigned, std::uint64_t& object) { object = 0; });
}
template <bool shared, bool drops> void arrive_op(Warp& w, const Op& op) {
  objects<shared>(w, op, [&](unsigned l, std::uint64_t& object) {
    if (op.dst != no_ref) w.out<std::uint64_t>(op.dst)[l] = object;
    arrive_at(object, count_of(w, op, l), drops);
  });
}
/// cp.async.mbarrier.arrive: the copies are done, so it is an arrival, which without .noinc was not expected.
template <bool shared, bool expects> void copied(Warp& w, const Op& op) {
  objects<shared>(w, op, [&](unsigned, std::uint64_t& object) {
    if (expects) ++object;  // pending; and the arrival takes it away again
    arrive_at(object, 1, false);
  });
}
/// The phase that a token or a parity names is over.
template <bool shared, bool parity> void test(Warp& w, const Op& op) {
  note_waiting(w);
  std::uint32_t t = 0;
  objects<shared>(w, op, [&](unsigned l, std::uint64_t& object) {
    const bool phase = object & phase_bit;
    const bool asked = parity ? w.in<std::uint32_t>(op.b)[l] & 1 : (w.in<std::uint64_t>(op.b)[l] & phase_bit) != 0;
    t |= phase != asked ? 1u << l : 0;
  });
  if (op.dst != no_ref) set_predicate(w, op.dst, t);
}
void pending_count(Warp& w, const Op& op) {
  const auto* a = w.in<std::uint64_t>(op.a);
  each(w, w.out<std::uint32_t>(op.dst), [=](unsigned l) { return static_cast<std::uint32_t>(a[l] & count_mask); });
}

template <bool shared>
Handler handler(std::string_view name) {
  if (name == "init") return &init<shared>;
  if (name == "inval") return &inval<shared>;
  if (name == "arrive" || name == "arrive.noComplete") return &arrive_op<shared, false>;
  if (name == "arrive_drop" || name == "arrive_drop.noComplete") return &arrive_op<shared, true>;
  if (name == "test_wait" || name == "try_wait") return &test<shared, false>;
  if (name == "test_wait.parity" || name == "try_wait.parity") return &test<shared, true>;
  if (name == "copied") return &copied<shared, true>;
  if (name == "copied_noinc") return &copied<shared, false>;
  return nullptr;
}

}  // namespace

Handler barrier_handler(const Shape& s) {
  if (!s.opcode.starts_with("mbarrier.")) return nullptr;
  const std::string_view name = s.opcode.substr(9);
  if (name == "pending_count") return &pending_count;
  return s.space == ptx::Space::shared ? handler<true>(name) : handler<false>(name);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
