// SPDX-License-Identifier: Apache-2.0
// Registers that need no instruction. Compilers write each register once, and many only name something that stays as it is: a special register, a constant, a
// kernel's parameter, another register. Such a register is an alias, and the instruction that sets it is dropped.
//
// This is right where every use comes behind the definition, which compilers make sure of: the register that is named can't have changed in between, since its
// only definition comes before that of the alias.
#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;

/// Counts the registers in an operand that may be a destination.
void count_registers(const ptx::Operand& operand, std::vector<unsigned>& counts) {
  if (operand.kind == ptx::Operand::Kind::reg) ++counts[static_cast<std::size_t>(operand.reg)];
  for (const ptx::Operand& part : operand.parts) count_registers(part, counts);
}

/// How often each register is set, at most: every instruction's destinations are its first operand, if it has any.
std::vector<unsigned> definitions(const ptx::Function& function) {
  std::vector<unsigned> counts(function.registers.size());
  for (const ptx::Instruction& one : function.instructions)
    if (!one.operands.empty()) count_registers(one.operands[0], counts);
  for (std::size_t i = 0; i < function.registers.size(); ++i)
    for (const ptx::Variable& parameter : function.parameters)
      if (parameter.space == ptx::Space::reg && parameter.name == function.registers[i].name) ++counts[i];
  return counts;
}

bool is_clock(const std::string& special) { return special.starts_with("%clock") || special.starts_with("%globaltimer"); }

}  // namespace

/// Gives registers_ its places, and is_alias_ the instructions that are to be dropped.
void Decoder::place_registers() {
  const std::vector<unsigned> counts = definitions(function_);
  registers_.assign(function_.registers.size(), no_ref);
  std::vector<int> named(function_.registers.size(), -1);  // the register that this one is an alias of
  is_alias_.assign(function_.instructions.size(), false);
  for (std::size_t at = 0; at < function_.instructions.size(); ++at) {
    now_ = &function_.instructions[at];
    if (now_->guard >= 0 || now_->operands.size() != 2 || now_->operands[0].kind != Operand::Kind::reg) continue;
    const auto reg = static_cast<std::size_t>(now_->operands[0].reg);
    if (counts[reg] != 1) continue;
    const Operand& from = now_->operands[1];
    if (from.kind == Operand::Kind::reg) {
      if (counts[static_cast<std::size_t>(from.reg)] != 1 || from.negated || !copies_register()) continue;
      named[reg] = from.reg;
    } else {
      registers_[reg] = fixed_value();
      if (registers_[reg] == no_ref) continue;
    }
    is_alias_[at] = true;
  }
  now_ = nullptr;
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (registers_[i] == no_ref && named[i] < 0) registers_[i] = allocate(width_of(function_.registers[i].type));
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    std::size_t to = i;
    for (std::size_t steps = 0; named[to] >= 0; to = static_cast<std::size_t>(named[to]))
      if (++steps > registers_.size()) throw ptx::Error(function_.line, "registers that are copies of each other");
    registers_[i] = registers_[to];
  }
}

/// True where the instruction copies a register as it is.
bool Decoder::copies_register() const {
  const Type to = register_type(operand(0)), from = register_type(operand(1));
  if (to.bits != from.bits || to.kind == Kind::predicate || from.kind == Kind::predicate) return false;
  if (now_->opcode == "cvta") return to.bits == 64 && space_in(*now_) != ptx::Space::shared;
  return now_->opcode == "mov" && shape_of(*now_).type.bits == to.bits;
}

/// Where the value that the instruction gives its register always is; no_ref if it takes an instruction to make it.
Ref Decoder::fixed_value() {
  const Operand& from = operand(1);
  const Type to = register_type(operand(0));
  if (to.kind == Kind::predicate) return no_ref;
  if (now_->opcode == "mov") {
    const Type type = shape_of(*now_).type;
    if (type.bits != to.bits) return no_ref;
    if (from.kind == Operand::Kind::immediate) return constant(type, immediate(from, type));
    if (from.kind == Operand::Kind::special && !is_clock(from.name) && to.bits == (from.name == "%gridid" ? 64 : 32)) return special(from.name, type);
    return no_ref;
  }
  if (now_->opcode != "ld" || !function_.is_entry || from.kind != Operand::Kind::address || from.reg >= 0 || now_->has("volatile")) return no_ref;
  const ptx::Variable* variable = function_.find_variable(from.name);
  if (!variable || variable->space != ptx::Space::param || local_.contains(from.name)) return no_ref;
  const auto type = now_->modifiers.empty() ? std::nullopt : ptx::type_of(now_->modifiers.back());
  const std::uint64_t offset = variable->offset + from.immediate;
  if (!type || type->bits != to.bits || offset > code_.parameter_bytes || type->bytes() > code_.parameter_bytes - offset) return no_ref;
  for (const auto& one : code_.parameter_slots)
    if (one.offset == offset && one.bytes == type->bytes()) return one.ref;
  const Ref made = allocate(width_of(*type));
  code_.parameter_slots.push_back({static_cast<std::uint32_t>(offset), type->bytes(), made});
  return made;
}

}  // namespace weft::softgpu::exec
