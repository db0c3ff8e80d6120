// SPDX-License-Identifier: Apache-2.0
// Decoded kernels: what decode.cpp makes of a ptx::Function, once per module, and what warps execute.
//
// A register is an array of 32 lanes, each as wide as the register's type (8 to 64 bits); a predicate is a mask of 32 bits. Registers lie in a frame's block of
// memory, immediates in a block of the code. An operand is a Ref: the offset in one of the two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu::exec {

constexpr unsigned lanes_per_warp = 32;
/// Of each block's shared memory, at its end: what the system keeps for itself, and cooperative groups for their scratch (%reserved_smem_offset_*).
constexpr std::uint32_t reserved_shared_bytes = 1024;

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
/// Memory that starts at a multiple of 64.
using Buffer = std::unique_ptr<std::byte[], Free>;
Buffer make_buffer(std::size_t bytes);

struct Warp;
struct Op;
struct Code;

using Handler = void (*)(Warp&, const Op&);

using Ref = std::uint32_t;
constexpr Ref constant_bit = 0x80000000;  // the offset is one into the code's constants
constexpr Ref no_ref = 0x7fffffff;

/// One decoded instruction. What a field means depends on the handler; each says so.
struct Op {
  Handler run = nullptr;
  Ref dst = no_ref, dst2 = no_ref;
  Ref a = no_ref, b = no_ref, c = no_ref, d = no_ref;
  std::uint64_t imm = 0;              // offset of an address, number of a barrier, ...
  const Op* target = nullptr;         // of a branch
  const struct Extra* extra = nullptr;
};

/// What few instructions need.
struct Extra {
  virtual ~Extra() = default;
  Handler inner = nullptr;            // of a guarded instruction
  Ref guard = no_ref;
  bool guard_negated = false;
  std::vector<Ref> refs;              // elements of a vector, fragments of a matrix
  std::vector<std::uint64_t> numbers;
  std::vector<const Op*> targets;     // brx.idx
  std::string text;
  const Code* callee = nullptr;       // call; null for one through a register
  void (*builtin)(Warp&, const Op&, const Extra&) = nullptr;
};

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna };

/// What a handler is chosen by.
struct Shape {
  std::string_view opcode;
  std::string_view variant;           // lo, hi, wide; the comparison of setp; the operation of atom ...
  ptx::Type type, from;
  Rounding rounding = Rounding::none;
  bool to_integer = false;            // cvt.rni and the like: the value becomes integral
  bool ftz = false, sat = false, nan = false, relu = false;
  bool approx = false;
  bool carry_in = false, carry_out = false;
  ptx::Space space = ptx::Space::none;
  unsigned vector = 1;
  std::string_view combine;           // and, or, xor of setp and set
};

/// Slots that are filled when a frame begins.
enum class Special : std::uint8_t {
  tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z, laneid, warpid, nwarpid, smid, nsmid, gridid,
  lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt, dynamic_smem_size, total_smem_size, reserved_smem, reserved_smem_end, reserved_smem_cap, envreg1, envreg2, zero, one, warp_size,
};

struct CodeSet;

/// A function that was decoded.
struct Code {
  std::string name;
  const CodeSet* set = nullptr;
  const ptx::Function* source = nullptr;
  std::vector<Op> ops;
  std::vector<int> lines;                    // PTX line of each op
  std::vector<std::uint32_t> orders;         // place of each op's block in the order of execution
  std::vector<std::unique_ptr<Extra>> extras;
  Buffer constants;
  std::vector<std::pair<Special, Ref>> specials;
  struct ParameterSlot {
    std::uint32_t offset, bytes;             // in the kernel's parameters
    Ref ref;
  };
  std::vector<ParameterSlot> parameter_slots;  // registers that are parameters
  std::uint32_t register_bytes = 0;          // of a frame
  std::uint32_t local_bytes = 0;             // of a lane: local variables and parameters of calls
  std::uint32_t shared_bytes = 0;            // of a block, without dynamic shared memory
  std::uint32_t parameter_bytes = 0;         // of a kernel
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parameters, results;  // of a device function: offset in its local bytes, size

  std::size_t index_of(const Op* op) const { return static_cast<std::size_t>(op - ops.data()); }
};

/// All functions of a module.
struct CodeSet {
  std::map<std::string, std::unique_ptr<Code>, std::less<>> functions;
  std::map<std::uint64_t, const Code*> addresses;  // what a function's address in a register means
};

}  // namespace weft::softgpu::exec
