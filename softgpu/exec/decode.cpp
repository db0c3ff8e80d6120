// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/decode.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "softgpu/exec/control.hpp"
#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {
namespace {

constexpr std::uint64_t most_register_bytes = 64 << 20;  // of a frame
constexpr std::uint64_t most_local_bytes = 512 << 10;    // of a lane, as on hardware

using Kind = ptx::Type::Kind;

}  // namespace

Signature signature_of(const ptx::Function& function) {
  Signature made;
  std::uint64_t at = 0;
  for (auto [list, into] : {std::pair{&function.parameters, &made.parameters}, std::pair{&function.results, &made.results}}) {
    for (const ptx::Variable& variable : *list) {
      const std::uint64_t bytes = variable.space == ptx::Space::reg ? std::max<std::uint64_t>(variable.type.bytes(), 4) : variable.bytes;
      at = aligned(at, std::max<std::uint64_t>(variable.alignment, 8));
      into->emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(bytes));
      at += bytes;
      if (at > most_local_bytes) throw ptx::Error(function.line, "parameters of " + function.name + " are too large");
    }
  }
  made.bytes = aligned(at, 16);
  return made;
}

Decoder::Decoder(CodeSet& set, Code& code, const ptx::Module& module, const Addresses& addresses, const SharedLayout& shared)
    : set_(set), code_(code), function_(*code.source), module_(module), addresses_(addresses), shared_(shared) {}

void Decoder::fail(const std::string& what) const { throw ptx::Error(now_ ? now_->line : function_.line, what + (now_ ? " in '" + now_->text() + "'" : "")); }

void Decoder::unsupported() const { throw ptx::Error(now_->line, "instruction '" + now_->text() + "' is not supported by the software GPU"); }

void Decoder::run() {
  blocks_ = blocks_of(function_);
  block_of_.resize(function_.instructions.size() + 1);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (std::size_t i = blocks_[b].first; i < std::max(blocks_[b].end, blocks_[b].first + 1) && i < block_of_.size(); ++i) block_of_[i] = b;
  lay_out();
  place_registers();
  prologue();
  for (std::size_t i = 0; i <= function_.instructions.size(); ++i) {
    const BasicBlock& block = blocks_[block_of_[i]];
    order_ = block.order;
    now_index_ = i;
    start_of_.push_back(code_.ops.size());
    now_ = i < function_.instructions.size() ? &function_.instructions[i] : nullptr;
    if (i == block.first && block.predecessors > 1) emit(flow_handler("entry")).imm = order_;
    if (!now_) ret();
    else if (!is_alias_[i]) instruction(*now_);
  }
  finish();
}

void Decoder::lay_out() {
  std::uint64_t at = 0;
  if (!function_.is_entry) {
    const Signature signature = signature_of(function_);
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) local_[function_.parameters[i].name] = signature.parameters[i].first;
    for (std::size_t i = 0; i < function_.results.size(); ++i) local_[function_.results[i].name] = signature.results[i].first;
    at = signature.bytes;
  }
  std::uint64_t shared = shared_.kernel_begin;
  for (const ptx::Variable& variable : function_.variables) {
    if (variable.space == ptx::Space::shared) {
      if (!function_.is_entry || variable.is_extern || !variable.bytes) continue;
      shared = aligned(shared, variable.alignment);
      own_shared_[variable.name] = static_cast<std::uint32_t>(shared);
      shared += variable.bytes;
    } else {
      at = aligned(at, variable.alignment);
      local_[variable.name] = static_cast<std::uint32_t>(at);
      at += variable.bytes;
      if (at > most_local_bytes) throw ptx::Error(variable.line, "more than 512 KiB of local memory");
    }
  }
  code_.local_bytes = aligned(at, 16);
  code_.shared_bytes = shared_.dynamic_begin;
}

void Decoder::finish() {
  for (const Fixup& fixup : fixups_) {
    const Op* target = &code_.ops[start_of_[fixup.instruction]];
    Op& op = code_.ops[fixup.op];
    if (fixup.index >= 0) {
      const_cast<Extra*>(op.extra)->targets[static_cast<std::size_t>(fixup.index)] = target;
    } else {
      op.target = target;
      op.imm = start_of_[fixup.instruction] <= fixup.op;
    }
  }
  for (const auto& [at, target] : skips_) {
    code_.ops[at].target = &code_.ops[target];
    code_.ops[at].imm = 0;
  }
  code_.local_bytes = aligned(code_.local_bytes, 16);
  code_.constants = make_buffer(constant_bytes_.size());
  std::memcpy(code_.constants.get(), constant_bytes_.data(), constant_bytes_.size());
  for (const auto& [special, ref] : slots_) code_.specials.emplace_back(special, ref);
}

// --- code

Op& Decoder::emit(Handler handler) {
  if (!handler) unsupported();
  code_.ops.emplace_back().run = handler;
  code_.lines.push_back(now_ ? now_->line : function_.line);
  code_.orders.push_back(order_);
  return code_.ops.back();
}

Op& Decoder::emit(const Shape& shape) { return emit(handler_for(shape)); }

Extra& Decoder::new_extra() { return *code_.extras.emplace_back(std::make_unique<Extra>()); }

Extra& Decoder::extra(Op& op) {
  if (!op.extra) op.extra = &new_extra();
  return *const_cast<Extra*>(op.extra);
}

void Decoder::instruction(const Instruction& i) {
  for (Temporary& one : temporaries_) one.used = false;
  after_.clear();
  if (flow()) return;
  const std::size_t first = code_.ops.size();
  const std::string& o = i.opcode;
  if (o == "ld" || o == "ldu" || o == "st") load_or_store();
  else if (o == "atom" || o == "red") atomic();
  else if (o == "mov") mov();
  else if (o == "cvt") cvt();
  else if (o == "set") set();
  else if (o == "cvta") cvta();
  else if (o == "isspacep") isspacep();
  else if (o == "cp") cp_async();
  else if (o == "mbarrier") mbarrier();
  else if (!texture() && !matrix()) simple();
  widen_destinations();
  if (i.guard < 0) return;
  for (std::size_t at = first; at < code_.ops.size(); ++at) {
    Op& op = code_.ops[at];
    Extra& more = extra(op);
    more.inner = op.run;
    more.guard = registers_[static_cast<std::size_t>(i.guard)];
    more.guard_negated = i.guard_negated;
    op.run = flow_handler("guarded");
  }
}

/// Destinations that are wider than the values they get.
void Decoder::widen_destinations() {
  for (const After& one : after_) {
    Op& op = emit(Shape{.opcode = "resize", .variant = {}, .type = one.to_type, .from = one.from_type});
    op.dst = one.to;
    op.a = one.from;
  }
}

// --- operands

Ref Decoder::allocate(std::size_t bytes) {
  const std::size_t at = code_.register_bytes;
  if (at + bytes > most_register_bytes) throw ptx::Error(function_.line, "too many registers in " + function_.name);
  code_.register_bytes = aligned(at + bytes, bytes >= 64 ? 64 : 4);
  if (bytes < 64) return static_cast<Ref>(at);
  const Ref start = aligned(at, 64);
  code_.register_bytes = aligned(start + bytes, 64);
  return start;
}

Ref Decoder::temporary(Type type) {
  const std::size_t bytes = width_of(type);
  for (Temporary& one : temporaries_) {
    if (one.used || one.bytes != bytes) continue;
    one.used = true;
    return one.ref;
  }
  temporaries_.push_back({allocate(bytes), bytes, true});
  return temporaries_.back().ref;
}

Ref Decoder::constant_lanes(const std::vector<std::byte>& bytes) {
  constant_bytes_.resize(aligned(constant_bytes_.size(), 64));
  const Ref at = static_cast<Ref>(constant_bytes_.size()) | constant_bit;
  constant_bytes_.insert(constant_bytes_.end(), bytes.begin(), bytes.end());
  return at;
}

Ref Decoder::constant(Type type, std::uint64_t bits) {
  const unsigned bytes = type.kind == Kind::predicate ? 0 : type.bytes();
  if (bytes && bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  auto [found, is_new] = constants_.try_emplace({bytes, bits}, no_ref);
  if (!is_new) return found->second;
  std::vector<std::byte> lanes;
  if (!bytes) {
    const std::uint32_t mask = bits ? ~0u : 0;
    lanes.resize(4);
    std::memcpy(lanes.data(), &mask, 4);
  } else {
    lanes.resize(std::size_t{bytes} * lanes_per_warp);
    for (unsigned l = 0; l < lanes_per_warp; ++l) std::memcpy(lanes.data() + l * bytes, &bits, bytes);
  }
  return found->second = constant_lanes(lanes);
}

Ref Decoder::slot(Special special) {
  auto [found, is_new] = slots_.try_emplace(special, no_ref);
  if (is_new) found->second = allocate((special == Special::gridid ? 8u : 4u) * lanes_per_warp);
  return found->second;
}

Decoder::Type Decoder::register_type(const Operand& operand) const {
  if (operand.kind != Operand::Kind::reg) fail("a register expected");
  return function_.registers[static_cast<std::size_t>(operand.reg)].type;
}

const ptx::Operand& Decoder::operand(std::size_t index) const {
  if (index >= now_->operands.size()) fail("an operand is missing");
  return now_->operands[index];
}

Ref Decoder::resized(Ref ref, Type from, Type to) {
  if (from.bits == to.bits) return ref;
  const Ref made = temporary(to);
  Op& op = emit(Shape{.opcode = "resize", .variant = {}, .type = {Kind::unsigned_, to.bits}, .from = {from.kind == Kind::signed_ ? Kind::signed_ : Kind::unsigned_, from.bits}});
  op.dst = made;
  op.a = ref;
  return made;
}

std::uint64_t Decoder::immediate(const Operand& operand, Type type) const {
  std::uint64_t bits = operand.immediate;
  if (operand.float_bits == 64 && type.bits == 32) {
    const auto value = static_cast<float>(std::bit_cast<double>(bits));
    return std::bit_cast<std::uint32_t>(value);
  }
  if (operand.float_bits == 32 && type.bits == 64) return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  if (!operand.float_bits && type.kind == Kind::floating && type.bits >= 32 && bits) {
    // "mov.f32 %f, 1": the number, not its bits.
    const auto value = static_cast<double>(static_cast<std::int64_t>(bits));
    return type.bits == 64 ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return bits;
}

/// The operand as a value of this type. A register may be wider: its lower part counts.
Ref Decoder::source(const Operand& operand, Type type) {
  switch (operand.kind) {
    case Operand::Kind::reg: {
      const Type own = register_type(operand);
      const Ref ref = registers_[static_cast<std::size_t>(operand.reg)];
      if ((own.kind == Kind::predicate) != (type.kind == Kind::predicate)) fail("a predicate among values, or the other way round,");
      if (own.bits < type.bits) fail("register " + function_.registers[static_cast<std::size_t>(operand.reg)].name + " is too narrow");
      return resized(ref, own, type);
    }
    case Operand::Kind::immediate: return constant(type, immediate(operand, type));
    case Operand::Kind::special: return special(operand.name, type);
    case Operand::Kind::symbol: return address_of(operand, type);
    default: fail("an unexpected operand");
  }
}

/// Where a value of this type goes; a wider register gets it extended, by the type's sign.
Ref Decoder::destination(const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::none) return temporary(type);
  const Type own = register_type(operand);
  const Ref ref = registers_[static_cast<std::size_t>(operand.reg)];
  if ((own.kind == Kind::predicate) != (type.kind == Kind::predicate)) fail("a predicate among values, or the other way round,");
  if (own.bits == type.bits) return ref;
  if (own.bits < type.bits) fail("register " + function_.registers[static_cast<std::size_t>(operand.reg)].name + " is too narrow");
  const Ref made = temporary(type);
  after_.push_back({ref, made, {Kind::unsigned_, own.bits}, {type.is_signed() ? Kind::signed_ : Kind::unsigned_, type.bits}});
  return made;
}

Ref Decoder::predicate(const Operand& operand) { return source(operand, {Kind::predicate, 1}); }

Ref Decoder::special(const std::string& name, Type type) {
  static const std::map<std::string_view, Special> static_ones{
      {"%tid.x", Special::tid_x}, {"%tid.y", Special::tid_y}, {"%tid.z", Special::tid_z}, {"%ntid.x", Special::ntid_x}, {"%ntid.y", Special::ntid_y},
      {"%ntid.z", Special::ntid_z}, {"%ctaid.x", Special::ctaid_x}, {"%ctaid.y", Special::ctaid_y}, {"%ctaid.z", Special::ctaid_z},
      {"%nctaid.x", Special::nctaid_x}, {"%nctaid.y", Special::nctaid_y}, {"%nctaid.z", Special::nctaid_z}, {"%laneid", Special::laneid},
      {"%warpid", Special::warpid}, {"%nwarpid", Special::nwarpid}, {"%smid", Special::smid}, {"%nsmid", Special::nsmid}, {"%gridid", Special::gridid},
      {"%lanemask_eq", Special::lanemask_eq}, {"%lanemask_le", Special::lanemask_le}, {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_ge", Special::lanemask_ge}, {"%lanemask_gt", Special::lanemask_gt}, {"%dynamic_smem_size", Special::dynamic_smem_size},
      {"%total_smem_size", Special::total_smem_size}, {"%reserved_smem_offset_begin", Special::reserved_smem}, {"%reserved_smem_offset_0", Special::reserved_smem},
      {"%reserved_smem_offset_1", Special::reserved_smem}, {"%reserved_smem_offset_end", Special::reserved_smem_end},
      {"%reserved_smem_offset_cap", Special::reserved_smem_cap}, {"%envreg1", Special::envreg1}, {"%envreg2", Special::envreg2}, {"WARP_SZ", Special::warp_size},
      // Every block is a cluster of its own.
      {"%clusterid.x", Special::ctaid_x}, {"%clusterid.y", Special::ctaid_y}, {"%clusterid.z", Special::ctaid_z}, {"%nclusterid.x", Special::nctaid_x},
      {"%nclusterid.y", Special::nctaid_y}, {"%nclusterid.z", Special::nctaid_z}, {"%cluster_nctaid.x", Special::one}, {"%cluster_nctaid.y", Special::one},
      {"%cluster_nctaid.z", Special::one}, {"%cluster_nctarank", Special::one}};
  const Type u32{Kind::unsigned_, 32}, u64{Kind::unsigned_, 64};
  for (std::string_view clock : {"clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"}) {
    if (name.substr(1) != clock) continue;
    const Type own = clock == "clock64" || clock == "globaltimer" ? u64 : u32;
    const Ref made = temporary(own);
    emit(flow_handler(clock)).dst = made;
    return resized(made, own, type);
  }
  if (type.kind == Kind::predicate) return constant(type, 0);  // %is_explicit_cluster
  const auto found = static_ones.find(name);
  return resized(slot(found == static_ones.end() ? Special::zero : found->second), name == "%gridid" ? u64 : u32, type);
}

/// A variable's or a function's address as a value.
Ref Decoder::address_of(const Operand& operand, Type type) {
  const std::string& name = operand.name;
  const ptx::Variable* variable = function_.find_variable(name);
  const bool own = variable != nullptr;
  if (!variable) variable = module_.find_variable(name);
  const Type u64{Kind::unsigned_, 64};
  if (!variable) {
    const auto function = set_.functions.find(name);
    if (function == set_.functions.end()) fail("'" + name + "' is not defined");
    return constant(type, reinterpret_cast<std::uint64_t>(function->second.get()));
  }
  if (variable->space == ptx::Space::shared) return constant(type, address(operand, ptx::Space::shared).offset);
  if (own) {
    const bool uniform = function_.is_entry && variable->space == ptx::Space::param && !local_.contains(name);
    const Ref made = temporary(u64);
    Op& op = emit(Shape{.opcode = uniform ? "parameter_address" : "local_address", .variant = {}, .type = {}, .from = {}});
    op.dst = made;
    op.imm = (uniform ? variable->offset : local_.find(name)->second) + operand.immediate;
    return resized(made, u64, type);
  }
  const auto found = addresses_.find(name);
  if (found == addresses_.end()) fail("variable '" + name + "' is declared, but not defined");
  return constant(type, found->second + operand.immediate);
}

// --- modules

std::unique_ptr<CodeSet> declare(const ptx::Module& module) {
  auto set = std::make_unique<CodeSet>();
  for (const auto& [name, function] : module.functions) {
    if (function.is_extern) continue;
    auto code = std::make_unique<Code>();
    code->name = name;
    code->set = set.get();
    code->source = &function;
    if (function.is_entry) {
      for (const ptx::Variable& parameter : function.parameters)
        code->parameter_bytes = std::max(code->parameter_bytes, static_cast<std::uint32_t>(parameter.offset + parameter.bytes));
    } else {
      Signature signature = signature_of(function);
      code->parameters = std::move(signature.parameters);
      code->results = std::move(signature.results);
    }
    set->addresses[reinterpret_cast<std::uint64_t>(code.get())] = code.get();
    set->functions[name] = std::move(code);
  }
  return set;
}

namespace {

bool is_static_shared(const ptx::Variable& variable) { return variable.space == ptx::Space::shared && !variable.is_extern && variable.bytes; }

SharedLayout lay_out_shared(const ptx::Module& module) {
  SharedLayout made;
  std::uint64_t at = 0, largest = 0, dynamic_alignment = 16;
  const auto add = [&](const std::string& name, const ptx::Variable& variable) {
    if (!is_static_shared(variable)) {
      if (variable.space == ptx::Space::shared) dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
      return;
    }
    at = aligned(at, variable.alignment);
    made.module[name] = static_cast<std::uint32_t>(at);
    at += variable.bytes;
    if (at > (1u << 24)) throw ptx::Error(variable.line, "too much shared memory");
  };
  for (const ptx::Variable& variable : module.variables) add(variable.name, variable);
  for (const auto& [name, function] : module.functions) {
    for (const ptx::Variable& variable : function.variables) {
      if (!function.is_entry) add(name + "/" + variable.name, variable);
      else if (variable.space == ptx::Space::shared) dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
    }
  }
  made.kernel_begin = static_cast<std::uint32_t>(at);
  for (const auto& [name, function] : module.functions) {
    std::uint64_t own = at;
    for (const ptx::Variable& variable : function.variables)
      if (function.is_entry && is_static_shared(variable)) own = aligned(own, variable.alignment) + variable.bytes;
    largest = std::max(largest, own);
    if (largest > (1u << 24)) throw ptx::Error(function.line, "too much shared memory");
  }
  made.dynamic_begin = aligned(std::max(at, largest), dynamic_alignment);
  return made;
}

}  // namespace

std::uint64_t shared_bytes_of(const ptx::Module& module, const ptx::Function& kernel) {
  std::set<std::string> names;
  std::vector<const ptx::Function*> rest{&kernel};
  std::set<const ptx::Function*> seen{&kernel};
  std::uint64_t bytes = 0;
  const auto note = [&](const auto& self, const ptx::Operand& operand) -> void {
    if (!operand.name.empty() && names.insert(operand.name).second) {
      const ptx::Variable* variable = module.find_variable(operand.name);
      if (variable && is_static_shared(*variable)) bytes = aligned(bytes, variable->alignment) + variable->bytes;
      auto function = module.functions.find(operand.name);
      if (function != module.functions.end() && seen.insert(&function->second).second) rest.push_back(&function->second);
    }
    for (const ptx::Operand& part : operand.parts) self(self, part);
  };
  while (!rest.empty()) {
    const ptx::Function& function = *rest.back();
    rest.pop_back();
    for (const ptx::Variable& variable : function.variables)
      if (is_static_shared(variable)) bytes = aligned(bytes, variable.alignment) + variable.bytes;
    for (const ptx::Instruction& instruction : function.instructions)
      for (const ptx::Operand& operand : instruction.operands) note(note, operand);
  }
  return bytes;
}

void decode(CodeSet& set, const ptx::Module& module, const Addresses& addresses) {
  const SharedLayout shared = lay_out_shared(module);
  for (auto& [name, code] : set.functions) Decoder(set, *code, module, addresses, shared).run();
}

}  // namespace weft::softgpu::exec
