// SPDX-License-Identifier: Apache-2.0
// atom and red: the host's atomic instructions, lane by lane.
#include "softgpu/exec/address.hpp"

namespace weft::softgpu::exec::WEFT_ISA {
namespace {

// Each operation: what becomes of the old value. b is the second operand, c the third (cas).

template <typename T> struct Add { static T of(T old, T b) { return static_cast<T>(static_cast<unsigned_of<T>>(old) + static_cast<unsigned_of<T>>(b)); } };
template <typename T> struct Min { static T of(T old, T b) { return old < b ? old : b; } };
template <typename T> struct Max { static T of(T old, T b) { return old > b ? old : b; } };
template <typename T> struct And { static T of(T old, T b) { return old & b; } };
template <typename T> struct Or { static T of(T old, T b) { return old | b; } };
template <typename T> struct Xor { static T of(T old, T b) { return old ^ b; } };
template <typename T> struct Exch { static T of(T, T b) { return b; } };
template <typename T> struct Inc { static T of(T old, T b) { return old >= b ? 0 : static_cast<T>(old + 1); } };
template <typename T> struct Dec { static T of(T old, T b) { return old == 0 || old > b ? b : static_cast<T>(old - 1); } };

/// Floats are bits in memory: B is as wide as F.
template <typename B, typename F> struct AddFloat {
  static B of(B old, B b) { return std::bit_cast<B>(static_cast<F>(std::bit_cast<F>(old) + std::bit_cast<F>(b))); }
};
template <typename H, bool second> struct AddHalves {
  static std::uint32_t of(std::uint32_t old, std::uint32_t b) {
    const auto sum = [](std::uint32_t x, std::uint32_t y) {
      const auto h = from_float<H>(to_float(std::bit_cast<H>(static_cast<std::uint16_t>(x))) + to_float(std::bit_cast<H>(static_cast<std::uint16_t>(y))));
      return std::uint32_t{std::bit_cast<std::uint16_t>(h)};
    };
    return sum(old & 0xffff, b & 0xffff) | (second ? sum(old >> 16, b >> 16) << 16 : 0);
  }
};
template <typename H> struct AddHalf { static std::uint16_t of(std::uint16_t old, std::uint16_t b) { return static_cast<std::uint16_t>(AddHalves<H, false>::of(old, b)); } };

template <typename T, typename Operation, Where where, typename A>
void update(Warp& w, const Op& op) {
  const A* a = w.in<A>(op.a);
  const A offset = static_cast<A>(op.imm);
  const T* b = w.in<T>(op.b);
  note_waiting(w);
  if (!check<where>(w, op, a, offset, sizeof(T), sizeof(T))) return;
  T* d = op.dst == no_ref ? nullptr : w.out<T>(op.dst);
  alignas(64) A at[W];  // the destination may be an operand
  alignas(64) T operand[W];
  std::memcpy(at, a, sizeof at);
  std::memcpy(operand, b, sizeof operand);
  each_active(w.active, [&](unsigned l) {
    auto* memory = reinterpret_cast<T*>(pointer<where>(w, static_cast<A>(at[l] + offset)));
    T old = __atomic_load_n(memory, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(memory, &old, Operation::of(old, operand[l]), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
    if (d) d[l] = old;
  });
}
template <typename T, Where where, typename A>
void cas(Warp& w, const Op& op) {
  const A* a = w.in<A>(op.a);
  const A offset = static_cast<A>(op.imm);
  note_waiting(w);
  if (!check<where>(w, op, a, offset, sizeof(T), sizeof(T))) return;
  alignas(64) A at[W];
  alignas(64) T expected[W], wanted[W];
  std::memcpy(at, a, sizeof at);
  std::memcpy(expected, w.in<T>(op.b), sizeof expected);
  std::memcpy(wanted, w.in<T>(op.c), sizeof wanted);
  T* d = op.dst == no_ref ? nullptr : w.out<T>(op.dst);
  each_active(w.active, [&](unsigned l) {
    auto* memory = reinterpret_cast<T*>(pointer<where>(w, static_cast<A>(at[l] + offset)));
    __atomic_compare_exchange_n(memory, &expected[l], wanted[l], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (d) d[l] = expected[l];
  });
}

template <typename T, typename Operation>
Handler placed(const Shape& s) {
  const bool narrow = s.from.bits == 32;
  if (s.space == ptx::Space::shared) return narrow ? &update<T, Operation, Where::shared, std::uint32_t> : &update<T, Operation, Where::shared, std::uint64_t>;
  return narrow ? nullptr : &update<T, Operation, Where::host, std::uint64_t>;
}
template <typename T>
Handler placed_cas(const Shape& s) {
  const bool narrow = s.from.bits == 32;
  if (s.space == ptx::Space::shared) return narrow ? &cas<T, Where::shared, std::uint32_t> : &cas<T, Where::shared, std::uint64_t>;
  return narrow ? nullptr : &cas<T, Where::host, std::uint64_t>;
}

template <typename T>
Handler integer_operation(const Shape& s) {
  using U = unsigned_of<T>;
  if (s.variant == "add") return placed<U, Add<U>>(s);
  if (s.variant == "min") return placed<T, Min<T>>(s);
  if (s.variant == "max") return placed<T, Max<T>>(s);
  return nullptr;
}
template <typename U>
Handler bit_operation(const Shape& s) {
  if (s.variant == "and") return placed<U, And<U>>(s);
  if (s.variant == "or") return placed<U, Or<U>>(s);
  if (s.variant == "xor") return placed<U, Xor<U>>(s);
  if (s.variant == "exch") return placed<U, Exch<U>>(s);
  if (s.variant == "cas") return placed_cas<U>(s);
  return nullptr;
}

}  // namespace

/// `variant` is the operation, `from` the address's type.
Handler atomic_handler(const Shape& s) {
  if (s.opcode != "atom" && s.opcode != "red") return nullptr;
  if (s.variant == "cas" && s.type.bits == 16) return placed_cas<std::uint16_t>(s);
  switch (key(s.type)) {
    case key_of<Kind::floating, 32>: return s.variant == "add" ? placed<std::uint32_t, AddFloat<std::uint32_t, float>>(s) : bit_operation<std::uint32_t>(s);
    case key_of<Kind::floating, 64>: return s.variant == "add" ? placed<std::uint64_t, AddFloat<std::uint64_t, double>>(s) : bit_operation<std::uint64_t>(s);
    case key_of<Kind::floating, 16>: return s.variant == "add" ? placed<std::uint16_t, AddHalf<half>>(s) : nullptr;
    case key_of<Kind::brain, 16>: return s.variant == "add" ? placed<std::uint16_t, AddHalf<brain>>(s) : nullptr;
    case key_of<Kind::packed_half, 32>: return s.variant == "add" ? placed<std::uint32_t, AddHalves<half, true>>(s) : nullptr;
    case key_of<Kind::packed_brain, 32>: return s.variant == "add" ? placed<std::uint32_t, AddHalves<brain, true>>(s) : nullptr;
    default: break;
  }
  if (s.variant == "inc" || s.variant == "dec") {
    if (s.type.bits != 32) return nullptr;
    return s.variant == "inc" ? placed<std::uint32_t, Inc<std::uint32_t>>(s) : placed<std::uint32_t, Dec<std::uint32_t>>(s);
  }
  const bool sign = s.type.is_signed();
  if (s.type.bits == 32) {
    if (Handler found = sign ? integer_operation<std::int32_t>(s) : integer_operation<std::uint32_t>(s)) return found;
    return bit_operation<std::uint32_t>(s);
  }
  if (s.type.bits != 64) return nullptr;
  if (Handler found = sign ? integer_operation<std::int64_t>(s) : integer_operation<std::uint64_t>(s)) return found;
  return bit_operation<std::uint64_t>(s);
}

}  // namespace weft::softgpu::exec::WEFT_ISA
