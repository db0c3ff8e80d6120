// SPDX-License-Identifier: Apache-2.0
// ld, st, cp.async, and the instructions that turn addresses of one space into those of another.
#include <cstdio>

#include "abi/cuda.hpp"
#include "softgpu/exec/address.hpp"

namespace weft::softgpu::exec::WEFT_ISA {

namespace {

bool within(std::uint64_t low, std::uint64_t high, const std::byte* base, std::uint64_t bytes) {
  const auto first = reinterpret_cast<std::uint64_t>(base);
  return low >= first && high <= first + bytes && low <= high;
}

bool in_shared(const Warp& w, std::uint64_t low, std::uint64_t high) { return within(low, high, w.block->shared, w.grid->shared_bytes); }

bool in_local(const Warp& w, std::uint64_t low, std::uint64_t high) {
  for (const Frame* frame = w.frame; frame; frame = frame->caller)
    if (within(low, high, frame->local.get(), std::uint64_t{frame->code->local_bytes} * W)) return true;
  return false;
}

bool in_parameters(const Warp& w, std::uint64_t low, std::uint64_t high) { return within(low, high, w.grid->parameters.data(), w.grid->parameters.size()); }

}  // namespace

bool reachable(Warp& w, std::uint64_t low, std::uint64_t high) {
  return in_local(w, low, high) || in_shared(w, low, high) || in_parameters(w, low, high) || w.ranges->known(low, high) || w.ranges->search(low, high);
}

bool check_each(Warp& w, const Op& op, Where where, const std::uint64_t (&addresses)[W], std::uint64_t bytes, std::uint64_t alignment) {
  for (unsigned l = 0; l < W; ++l) {
    if (!(w.active >> l & 1)) continue;
    const std::uint64_t at = addresses[l];
    const bool misaligned = at & (alignment - 1);
    const bool fits = at + bytes >= at && (where == Where::shared ? at + bytes <= w.grid->shared_bytes : reachable(w, at, at + bytes));
    if (fits && !misaligned) continue;
    char text[160];
    std::snprintf(text, sizeof text, "%s of %llu bytes at %s0x%llx", misaligned ? "misaligned access" : "access out of bounds", static_cast<unsigned long long>(bytes),
                  where == Where::shared ? "shared memory " : "", static_cast<unsigned long long>(at));
    fault(w, op, misaligned ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_ERROR_ILLEGAL_ADDRESS, l, text);
    return false;
  }
  return true;
}

namespace {

// For loads and stores: a is the address (no_ref: none but the offset), imm the offset, d is 1 where loops wait with it. Values: dst or b; vectors in extra->refs.

template <typename T, unsigned n>
[[gnu::always_inline]] inline Ref value_ref(const Op& op, Ref single, unsigned i) {
  if constexpr (n == 1) return single;
  else return op.extra->refs[i];
}

template <typename A>
alignas(64) inline constexpr A no_addresses[W] = {};

template <typename A>
const A* addresses_of(const Warp& w, const Op& op) { return op.a == no_ref ? no_addresses<A> : w.in<A>(op.a); }

enum class Layout { scattered, consecutive, same };

/// True where a[lane] is a[0] + lane * step for all lanes. The compiler knows step.
template <unsigned step, typename A>
[[gnu::always_inline]] inline bool is_progression(const A* a) {
#if defined(__AVX2__)
  constexpr unsigned n = 32 / sizeof(A);  // lanes of a vector
  const auto load = [&](const A* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); };
  __m256i first, ramp, next;
  if constexpr (sizeof(A) == 4) {
    first = _mm256_set1_epi32(static_cast<int>(a[0]));
    ramp = _mm256_setr_epi32(0, step, 2 * step, 3 * step, 4 * step, 5 * step, 6 * step, 7 * step);
    next = _mm256_set1_epi32(n * step);
    first = _mm256_add_epi32(first, ramp);
  } else {
    first = _mm256_set1_epi64x(static_cast<long long>(a[0]));
    ramp = _mm256_setr_epi64x(0, step, 2 * step, 3 * step);
    next = _mm256_set1_epi64x(n * step);
    first = _mm256_add_epi64(first, ramp);
  }
  __m256i differences = _mm256_xor_si256(load(a), first);
  for (unsigned l = n; l < W; l += n) {
    if constexpr (step) first = sizeof(A) == 4 ? _mm256_add_epi32(first, next) : _mm256_add_epi64(first, next);
    differences = _mm256_or_si256(differences, _mm256_xor_si256(load(a + l), first));
  }
  return _mm256_testz_si256(differences, differences);
#else
  A differences = 0;
  for (unsigned l = 0; l < W; ++l) differences |= static_cast<A>(a[l] - a[0] - l * step);
  return !differences;
#endif
}

/// How all lanes' addresses lie to each other; scattered where not all are active.
template <unsigned bytes, typename A>
[[gnu::always_inline]] inline Layout layout_of(std::uint32_t active, const A* a) {
  if (active != ~0u) return Layout::scattered;
  const A step = static_cast<A>(a[1] - a[0]);
  if (step == bytes) return is_progression<bytes>(a) ? Layout::consecutive : Layout::scattered;
  return step == 0 && is_progression<0>(a) ? Layout::same : Layout::scattered;
}

/// True where the first lane's elements, and as many behind it as its layout says, may be used: what check() finds out for all others.
template <Where where, unsigned bytes, typename A>
[[gnu::always_inline]] inline bool check_layout(const Warp& w, Layout layout, A first) {
  const std::uint64_t end = std::uint64_t{first} + (layout == Layout::same ? bytes : W * bytes);
  if (first & (bytes - 1) || end < first) return false;
  if constexpr (where == Where::shared) return end <= w.grid->shared_bytes;
  else return w.ranges->known(first, end);
}

/// All lanes' elements from wherever they are.
template <typename T, Where where, typename A>
[[gnu::always_inline]] inline void gather_all(const Warp& w, T* d, const A* a, A offset) {
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4 && sizeof(A) == 4) {
    // Indices and the offset count as signed here, so that their sum is right where it wraps around.
    const auto* base = reinterpret_cast<const int*>(w.block->shared + static_cast<std::int32_t>(offset));
    for (unsigned l = 0; l < W; l += 8) {
      const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + l));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + l), _mm256_i32gather_epi32(base, index, 1));
    }
    return;
  } else if constexpr (sizeof(T) == 4 && where != Where::shared) {
    const auto* base = reinterpret_cast<const int*>(offset);
    for (unsigned l = 0; l < W; l += 4) {
      const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + l));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(d + l), _mm256_i64gather_epi32(base, index, 1));
    }
    return;
  } else if constexpr (sizeof(T) == 8 && where != Where::shared) {
    const auto* base = reinterpret_cast<const long long*>(offset);
    for (unsigned l = 0; l < W; l += 4) {
      const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + l));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + l), _mm256_i64gather_epi64(base, index, 1));
    }
    return;
  }
#endif
  for (unsigned l = 0; l < W; ++l) std::memcpy(&d[l], pointer<where>(w, static_cast<A>(a[l] + offset)), sizeof(T));
}

/// d[i][lane] = the elements of one array, lane by lane.
template <typename T, unsigned n>
[[gnu::always_inline]] inline void load_array(const Warp& w, const Op& op, const std::byte* from) {
  if constexpr (n == 1) {
    std::memcpy(w.out<T>(op.dst), from, W * sizeof(T));
  } else {
    alignas(64) T elements[W * n];
    std::memcpy(elements, from, sizeof elements);
    for (unsigned i = 0; i < n; ++i) {
      T* d = w.out<T>(op.extra->refs[i]);
#pragma GCC ivdep
      for (unsigned l = 0; l < W; ++l) d[l] = elements[l * n + i];
    }
  }
}
template <typename T, unsigned n>
[[gnu::always_inline]] inline void store_array(const Warp& w, const Op& op, std::byte* to) {
  if constexpr (n == 1) {
    std::memcpy(to, w.in<T>(op.b), W * sizeof(T));
  } else {
    alignas(64) T elements[W * n];
    for (unsigned i = 0; i < n; ++i) {
      const T* v = w.in<T>(op.extra->refs[i]);
#pragma GCC ivdep
      for (unsigned l = 0; l < W; ++l) elements[l * n + i] = v[l];
    }
    std::memcpy(to, elements, sizeof elements);
  }
}
/// The same elements for all lanes.
template <typename T, unsigned n>
[[gnu::always_inline]] inline void load_same(const Warp& w, const Op& op, const std::byte* from) {
  T values[n];
  std::memcpy(values, from, sizeof values);
  for (unsigned i = 0; i < n; ++i) {
    T* d = w.out<T>(value_ref<T, n>(op, op.dst, i));
    for (unsigned l = 0; l < W; ++l) d[l] = values[i];
  }
}

/// Lanes whose elements lie anywhere, and whatever is bad.
template <typename T, unsigned n, Where where, typename A>
[[gnu::noinline]] void load_scattered(Warp& w, const Op& op) {
  constexpr unsigned bytes = sizeof(T) * n;
  const A* a = addresses_of<A>(w, op);
  const A offset = static_cast<A>(op.imm);
  if (!check<where>(w, op, a, offset, bytes, bytes)) return;
  if constexpr (n == 1) {
    T* d = w.out<T>(op.dst);
    if (w.active == ~0u) return gather_all<T, where>(w, d, a, offset);
    each_active(w.active, [&](unsigned l) { std::memcpy(&d[l], pointer<where>(w, static_cast<A>(a[l] + offset)), sizeof(T)); });
  } else {
    T* d[n];
    for (unsigned i = 0; i < n; ++i) d[i] = w.out<T>(op.extra->refs[i]);
    // The address may be among the destinations.
    alignas(64) A at[W];
    std::memcpy(at, a, sizeof at);
    each_active(w.active, [&](unsigned l) {
      T values[n];
      std::memcpy(values, pointer<where>(w, static_cast<A>(at[l] + offset)), sizeof values);
      for (unsigned i = 0; i < n; ++i) d[i][l] = values[i];
    });
  }
}

template <typename T, unsigned n, Where where, typename A>
void load(Warp& w, const Op& op) {
  constexpr unsigned bytes = sizeof(T) * n;
  const A* a = addresses_of<A>(w, op);
  if (op.d == 1) note_waiting(w);
  const Layout layout = layout_of<bytes>(w.active, a);
  const A first = static_cast<A>(a[0] + static_cast<A>(op.imm));
  if (layout == Layout::scattered || !check_layout<where, bytes>(w, layout, first)) return load_scattered<T, n, where, A>(w, op);
  const std::byte* from = pointer<where>(w, first);
  if (layout == Layout::same) load_same<T, n>(w, op, from);
  else load_array<T, n>(w, op, from);
}

template <typename T, unsigned n, Where where, typename A>
[[gnu::noinline]] void store_scattered(Warp& w, const Op& op) {
  constexpr unsigned bytes = sizeof(T) * n;
  const A* a = addresses_of<A>(w, op);
  const A offset = static_cast<A>(op.imm);
  if (!check<where>(w, op, a, offset, bytes, bytes)) return;
  const T* v[n];
  for (unsigned i = 0; i < n; ++i) v[i] = w.in<T>(value_ref<T, n>(op, op.b, i));
  each_active(w.active, [&](unsigned l) {
    T values[n];
    for (unsigned i = 0; i < n; ++i) values[i] = v[i][l];
    std::memcpy(pointer<where>(w, static_cast<A>(a[l] + offset)), values, sizeof values);
  });
}

template <typename T, unsigned n, Where where, typename A>
void store(Warp& w, const Op& op) {
  constexpr unsigned bytes = sizeof(T) * n;
  const A* a = addresses_of<A>(w, op);
  const A first = static_cast<A>(a[0] + static_cast<A>(op.imm));
  if (w.active != ~0u || !is_progression<bytes>(a) || !check_layout<where, bytes>(w, Layout::consecutive, first)) return store_scattered<T, n, where, A>(w, op);
  store_array<T, n>(w, op, pointer<where>(w, first));
}

/// Kernel parameters: the same for all lanes.
template <typename T, unsigned n>
void load_uniform(Warp& w, const Op& op) {
  T values[n];
  std::memcpy(values, w.grid->parameters.data() + op.imm, sizeof values);
  for (unsigned i = 0; i < n; ++i) each(w, w.out<T>(value_ref<T, n>(op, op.dst, i)), [v = values[i]](unsigned) { return v; });
}

template <typename T, unsigned n>
void load_frame(Warp& w, const Op& op) {
  each_active(w.active, [&](unsigned l) {
    T values[n];
    std::memcpy(values, w.frame->local_of(l) + op.imm, sizeof values);
    for (unsigned i = 0; i < n; ++i) w.out<T>(value_ref<T, n>(op, op.dst, i))[l] = values[i];
  });
}
template <typename T, unsigned n>
void store_frame(Warp& w, const Op& op) {
  each_active(w.active, [&](unsigned l) {
    T values[n];
    for (unsigned i = 0; i < n; ++i) values[i] = w.in<T>(value_ref<T, n>(op, op.b, i))[l];
    std::memcpy(w.frame->local_of(l) + op.imm, values, sizeof values);
  });
}

template <typename T, unsigned n, bool is_load>
Handler access_for(const Shape& s) {
  // variant says whose addresses they are and how wide: see decode_memory.cpp
  if (s.variant == "uniform") return is_load ? &load_uniform<T, n> : nullptr;
  if (s.variant == "frame") return is_load ? &load_frame<T, n> : &store_frame<T, n>;
  const bool narrow = s.from.bits == 32;
  if (s.variant == "shared") {
    if (narrow) return is_load ? &load<T, n, Where::shared, std::uint32_t> : &store<T, n, Where::shared, std::uint32_t>;
    return is_load ? &load<T, n, Where::shared, std::uint64_t> : &store<T, n, Where::shared, std::uint64_t>;
  }
  if (narrow) return nullptr;
  if (s.variant == "local") return is_load ? &load<T, n, Where::local, std::uint64_t> : &store<T, n, Where::local, std::uint64_t>;
  return is_load ? &load<T, n, Where::host, std::uint64_t> : &store<T, n, Where::host, std::uint64_t>;
}
template <typename T, bool is_load>
Handler access_of(const Shape& s) {
  switch (s.vector) {
    case 1: return access_for<T, 1, is_load>(s);
    case 2: return access_for<T, 2, is_load>(s);
    case 4: return access_for<T, 4, is_load>(s);
    case 8: return sizeof(T) <= 4 ? access_for<T, 8, is_load>(s) : nullptr;
    default: return nullptr;
  }
}
template <bool is_load>
Handler access_handler(const Shape& s) {
  switch (s.type.bits) {
    case 8: return access_of<std::uint8_t, is_load>(s);
    case 16: return access_of<std::uint16_t, is_load>(s);
    case 32: return access_of<std::uint32_t, is_load>(s);
    case 64: return access_of<std::uint64_t, is_load>(s);
    default: return nullptr;
  }
}

// --- addresses

/// dst = address of a variable in the lane's local memory; imm: its offset.
void local_address(Warp& w, const Op& op) {
  const auto base = reinterpret_cast<std::uint64_t>(w.frame->local.get()) + op.imm;
  const std::uint64_t bytes = w.frame->code->local_bytes;
  each(w, w.out<std::uint64_t>(op.dst), [=](unsigned l) { return base + l * bytes; });
}
void parameter_address(Warp& w, const Op& op) {
  const auto at = reinterpret_cast<std::uint64_t>(w.grid->parameters.data()) + op.imm;
  each(w, w.out<std::uint64_t>(op.dst), [=](unsigned) { return at; });
}
template <bool to_generic>
void cvta_shared(Warp& w, const Op& op) {
  const auto base = reinterpret_cast<std::uint64_t>(w.block->shared);
  const auto* a = w.in<std::uint64_t>(op.a);
  each(w, w.out<std::uint64_t>(op.dst), [=](unsigned l) { return to_generic ? a[l] + base : a[l] - base; });
}
template <char space>
void isspacep(Warp& w, const Op& op) {
  const auto* a = w.in<std::uint64_t>(op.a);
  std::uint32_t t = 0;
  each_active(w.active, [&](unsigned l) {
    const bool shared = in_shared(w, a[l], a[l]), local = in_local(w, a[l], a[l]), parameter = in_parameters(w, a[l], a[l]);
    const bool is = space == 's' ? shared : space == 'l' ? local : space == 'p' ? parameter : space == 'c' ? false : !shared && !local && !parameter;
    t |= is ? 1u << l : 0;
  });
  set_predicate(w, op.dst, t);
}

/// cp.async: at once. a: address in shared memory (u64), imm its offset; b: in global memory, numbers: its offset, and how many bytes; c: how many to read (u32), or
/// none; d: a predicate under which nothing is read, or none.
void copy_async(Warp& w, const Op& op) {
  const auto* to = addresses_of<std::uint64_t>(w, op);
  const auto* from = op.b == no_ref ? no_addresses<std::uint64_t> : w.in<std::uint64_t>(op.b);
  const std::uint64_t bytes = op.extra->numbers[1], source_offset = op.extra->numbers[0];
  if (!check<Where::shared>(w, op, to, op.imm, static_cast<unsigned>(bytes), static_cast<unsigned>(bytes))) return;
  std::uint64_t count[W];
  const std::uint32_t ignored = op.d == no_ref ? 0 : mask_of(w, op.d);
  each_active(w.active, [&](unsigned l) { count[l] = ignored >> l & 1 ? 0 : op.c == no_ref ? bytes : std::min<std::uint64_t>(w.in<std::uint32_t>(op.c)[l], bytes); });
  const std::uint32_t all = w.active;
  for (unsigned l = 0; l < W; ++l)
    if (!count[l] || !(all >> l & 1)) w.active &= ~(1u << l);
  const bool fine = !w.active || check<Where::host>(w, op, from, source_offset, static_cast<unsigned>(bytes), static_cast<unsigned>(bytes));
  w.active = all;
  if (!fine) return;
  each_active(w.active, [&](unsigned l) {
    std::byte* d = pointer<Where::shared>(w, to[l] + op.imm);
    std::memcpy(d, reinterpret_cast<const std::byte*>(from[l] + source_offset), count[l]);
    std::memset(d + count[l], 0, bytes - count[l]);
  });
}

}  // namespace

Handler memory_handler(const Shape& s) {
  if (s.opcode == "ld") return access_handler<true>(s);
  if (s.opcode == "st") return access_handler<false>(s);
  if (s.opcode == "local_address") return &local_address;
  if (s.opcode == "parameter_address") return &parameter_address;
  if (s.opcode == "cvta.shared") return &cvta_shared<true>;
  if (s.opcode == "cvta.to.shared") return &cvta_shared<false>;
  if (s.opcode == "cp.async") return &copy_async;
  if (s.opcode == "isspacep") {
    switch (s.space) {
      case ptx::Space::shared: return &isspacep<'s'>;
      case ptx::Space::local: return &isspacep<'l'>;
      case ptx::Space::global: return &isspacep<'g'>;
      case ptx::Space::constant: return &isspacep<'c'>;
      case ptx::Space::param: return &isspacep<'p'>;
      default: return nullptr;
    }
  }
  return nullptr;
}

}  // namespace weft::softgpu::exec::WEFT_ISA
