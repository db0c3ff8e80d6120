// SPDX-License-Identifier: Apache-2.0
// What the files of the decoder share: decode.cpp (functions and operands), decode_simple.cpp (instructions that the table of patterns describes),
// decode_memory.cpp, decode_texture.cpp, decode_flow.cpp and decode_matrix.cpp.
#pragma once

#include <optional>
#include <string_view>

#include "softgpu/exec/decode.hpp"
#include "softgpu/exec/order.hpp"

namespace weft::softgpu::exec {

/// Where shared variables of the whole module are, and where dynamic shared memory begins.
struct SharedLayout {
  std::map<std::string, std::uint32_t, std::less<>> module;  // variables of the module and of device functions ("function/name")
  std::uint32_t kernel_begin = 0;   // kernels' own variables
  std::uint32_t dynamic_begin = 0;
};

class Decoder {
 public:
  Decoder(CodeSet& set, Code& code, const ptx::Module& module, const Addresses& addresses, const SharedLayout& shared);
  void run();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;
  using Type = ptx::Type;
  using Kind = ptx::Type::Kind;

  // --- decode.cpp
  void instruction(const Instruction& i);
  void widen_destinations();
  void lay_out();
  void finish();
  Ref allocate(std::size_t bytes);
  Ref temporary(Type type);
  Ref constant(Type type, std::uint64_t bits);
  Ref constant_lanes(const std::vector<std::byte>& bytes);
  Ref slot(Special special);
  Ref source(const Operand& operand, Type type);
  Ref destination(const Operand& operand, Type type);
  Ref predicate(const Operand& operand);
  Ref special(const std::string& name, Type type);
  Ref address_of(const Operand& operand, Type type);
  Ref resized(Ref ref, Type from, Type to);
  Type register_type(const Operand& operand) const;
  std::uint64_t immediate(const Operand& operand, Type type) const;
  const Operand& operand(std::size_t index) const;
  Op& emit(Handler handler);
  Op& emit(const Shape& shape);
  Extra& extra(Op& op);
  Extra& new_extra();
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void unsupported() const;

  // --- decode_alias.cpp
  void place_registers();
  bool copies_register() const;
  Ref fixed_value();

  // --- decode_simple.cpp
  Shape shape_of(const Instruction& i) const;
  void simple();
  bool pack_or_unpack();
  void mov();
  void cvt();
  void set();

  // --- decode_memory.cpp
  struct Address {
    Ref base = no_ref;
    std::uint64_t offset = 0;
    ptx::Space space = ptx::Space::none;
    std::string_view kind;  // uniform, frame, shared, local, host
    bool narrow = false;    // of 32 bits
  };
  Address address(const Operand& operand, ptx::Space space);
  /// The address in a register, whatever it is.
  Address general(Address address);
  void load_or_store();
  void atomic();
  void cvta();
  void isspacep();
  void cp_async();
  void mbarrier();
  ptx::Space space_in(const Instruction& i) const;

  // --- decode_flow.cpp
  bool flow();
  void branch();
  void call();
  void ret();
  void barrier();
  void barrier_reduction();
  void warp_operation();
  void prologue();
  struct Slot {
    std::uint32_t offset, size;
  };
  Slot argument(const Operand& operand, Type type, bool is_result);

  // --- decode_texture.cpp
  bool texture();

  // --- decode_matrix.cpp
  bool matrix();
  void load_matrices();

  CodeSet& set_;
  Code& code_;
  const ptx::Function& function_;
  const ptx::Module& module_;
  const Addresses& addresses_;
  const SharedLayout& shared_;
  std::map<std::string, std::uint32_t, std::less<>> own_shared_;
  std::map<std::string, std::uint32_t, std::less<>> local_;  // variables of local memory, parameters of calls
  std::vector<BasicBlock> blocks_;
  std::vector<std::size_t> block_of_;       // by instruction
  std::vector<Ref> registers_;
  std::vector<bool> is_alias_;              // by instruction: its register is an alias, the instruction is dropped
  std::map<std::pair<unsigned, std::uint64_t>, Ref> constants_;
  std::vector<std::byte> constant_bytes_;
  std::map<Special, Ref> slots_;
  struct Temporary {
    Ref ref;
    std::size_t bytes;
    bool used;
  };
  std::vector<Temporary> temporaries_;
  struct After {
    Ref to;
    Ref from;
    Type to_type, from_type;
  };
  std::vector<After> after_;                // destinations that are wider than their values
  struct Fixup {
    std::size_t op;
    std::size_t instruction;                // the target
    int index;                              // of extra->targets; -1 for op.target
  };
  std::vector<Fixup> fixups_;
  std::vector<std::pair<std::size_t, std::size_t>> skips_;  // branches around guarded instructions: op and target
  std::vector<std::size_t> start_of_;       // the first op of each instruction
  const Instruction* now_ = nullptr;
  std::size_t now_index_ = 0;
  std::uint32_t order_ = 0;
};

/// What a register of this type takes in a frame.
inline std::size_t width_of(ptx::Type type) { return type.kind == ptx::Type::Kind::predicate ? 4 : std::size_t{type.bytes()} * lanes_per_warp; }

/// Offsets in a device function's local memory: of its parameters, then of its results.
struct Signature {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parameters, results;
  std::uint32_t bytes = 0;
};
Signature signature_of(const ptx::Function& function);

constexpr std::uint32_t aligned(std::uint64_t at, std::uint64_t alignment) {
  const std::uint64_t to = alignment ? alignment : 1;
  return static_cast<std::uint32_t>((at + to - 1) / to * to);
}

}  // namespace weft::softgpu::exec
