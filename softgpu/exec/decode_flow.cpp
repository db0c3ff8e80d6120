// SPDX-License-Identifier: Apache-2.0
// Branches, calls, barriers and instructions between lanes.
#include <algorithm>

#include "softgpu/exec/builtins.hpp"
#include "softgpu/exec/control.hpp"
#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;
constexpr ptx::Type u32{Kind::unsigned_, 32}, u64{Kind::unsigned_, 64}, pred{Kind::predicate, 1};

}  // namespace

/// True where the instruction was one of those here. A guard becomes a branch around it.
bool Decoder::flow() {
  using Member = void (Decoder::*)();
  static const std::map<std::string_view, Member> members{
      {"bra", &Decoder::branch}, {"brx", &Decoder::branch}, {"call", &Decoder::call}, {"ret", &Decoder::ret}, {"bar", &Decoder::barrier},
      {"barrier", &Decoder::barrier}, {"shfl", &Decoder::warp_operation}, {"vote", &Decoder::warp_operation}, {"match", &Decoder::warp_operation},
      {"redux", &Decoder::warp_operation}, {"activemask", &Decoder::warp_operation}};
  static const std::map<std::string_view, std::string_view> plain{
      {"exit", "exit"}, {"trap", "trap"}, {"brkpt", "trap"}, {"membar", "fence"}, {"fence", "fence"}, {"nanosleep", "nanosleep"}, {"pmevent", "nothing"},
      {"prefetch", "nothing"}, {"prefetchu", "nothing"}, {"applypriority", "nothing"}, {"discard", "nothing"}, {"griddepcontrol", "nothing"},
      {"setmaxnreg", "nothing"}};
  const auto member = members.find(now_->opcode);
  const auto simple = plain.find(now_->opcode);
  if (member == members.end() && simple == plain.end()) return false;
  const bool guarded = now_->guard >= 0;
  if (guarded && now_->opcode == "bra") {
    branch();
    return true;
  }
  std::size_t skip = 0;
  if (guarded) {
    skip = code_.ops.size();
    Op& op = emit(flow_handler(now_->guard_negated ? "branch" : "branch_not"));
    op.a = registers_[static_cast<std::size_t>(now_->guard)];
    op.d = 0;
  }
  if (member != members.end()) (this->*member->second)();
  else emit(flow_handler(simple->second));
  widen_destinations();
  if (guarded) {
    // Where both ways meet; patched by hand, since it is no instruction of the text.
    skips_.emplace_back(skip, code_.ops.size());
    emit(flow_handler("entry")).imm = order_;
  }
  return true;
}

void Decoder::branch() {
  if (now_->opcode == "brx") {
    if (!now_->has("idx")) unsupported();
    const Ref index = source(operand(0), u32);
    const std::size_t at = code_.ops.size();
    Op& op = emit(flow_handler("brx.idx"));
    op.a = index;
    const auto& names = function_.tables.at(operand(1).name);  // which order.cpp has checked
    extra(op).targets.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) fixups_.push_back({at, function_.labels.at(names[i]), static_cast<int>(i)});
    return;
  }
  const std::size_t target = function_.labels.at(operand(0).name);
  const bool guarded = now_->guard >= 0;
  fixups_.push_back({code_.ops.size(), target, -1});
  Op& op = emit(flow_handler(!guarded ? "jump" : now_->guard_negated ? "branch_not" : "branch"));
  if (!guarded) return;
  op.a = registers_[static_cast<std::size_t>(now_->guard)];
  const std::size_t next = std::min(now_index_ + 1, block_of_.size() - 1);
  op.d = blocks_[block_of_[target]].order < blocks_[block_of_[next]].order;
}

// --- calls

/// Where an argument or result lies in this function's local memory; values in registers get a place there.
Decoder::Slot Decoder::argument(const Operand& operand, Type type, bool is_result) {
  if (operand.kind == Operand::Kind::symbol) {
    const ptx::Variable* variable = function_.find_variable(operand.name);
    const auto place = local_.find(operand.name);
    if (!variable || place == local_.end()) fail("'" + operand.name + "' is no parameter of a call");
    return {place->second, static_cast<std::uint32_t>(variable->bytes)};
  }
  const std::uint32_t bytes = std::max(type.bytes(), 4u);
  code_.local_bytes = aligned(code_.local_bytes, 8);
  const Slot made{code_.local_bytes, bytes};
  code_.local_bytes = aligned(code_.local_bytes + bytes, 16);
  if (!is_result) {
    const Ref value = source(operand, type);
    Op& op = emit(Shape{.opcode = "st", .variant = "frame", .type = type, .from = u64});
    op.b = value;
    op.imm = made.offset;
  }
  return made;
}

void Decoder::call() {
  const auto& operands = now_->operands;
  std::size_t at = 0;
  const Operand empty;
  const Operand& results = !operands.empty() && operands[0].kind == Operand::Kind::list ? operands[at++] : empty;
  const Operand& target = operand(at++);
  const Operand& arguments = at < operands.size() && operands[at].kind == Operand::Kind::list ? operands[at++] : empty;
  const bool indirect = target.kind == Operand::Kind::reg;
  const ptx::Function* callee = nullptr;
  if (!indirect) {
    auto found = module_.functions.find(target.name);
    if (found == module_.functions.end()) fail("'" + target.name + "' is not declared");
    callee = &found->second;
  } else {
    if (at >= operands.size()) fail("an indirect call without a prototype");
    const std::string& label = operands[at].name;
    if (auto prototype = function_.prototypes.find(label); prototype != function_.prototypes.end()) callee = &prototype->second;
    else if (auto table = function_.tables.find(label); table != function_.tables.end() && !table->second.empty() && module_.functions.contains(table->second.front()))
      callee = &module_.functions.at(table->second.front());
    else fail("'" + label + "' is no prototype");
  }
  const Builtin builtin = callee->is_extern && !indirect ? builtin_named(target.name) : nullptr;
  if (callee->is_extern && !builtin && !indirect) fail("function '" + target.name + "' is declared, but not defined");
  const Signature signature = signature_of(*callee);
  if (arguments.parts.size() != signature.parameters.size() || results.parts.size() != signature.results.size()) fail("a call with a wrong number of arguments");
  std::vector<std::uint64_t> triples;
  for (std::size_t i = 0; i < arguments.parts.size(); ++i) {
    const Slot slot = argument(arguments.parts[i], callee->parameters[i].type, false);
    const auto& [offset, bytes] = signature.parameters[i];
    if (slot.size < bytes) fail("an argument is too small");
    triples.insert(triples.end(), {slot.offset, offset, bytes});
  }
  std::vector<Slot> result_slots;
  for (std::size_t i = 0; i < results.parts.size(); ++i) {
    result_slots.push_back(argument(results.parts[i], callee->results[i].type, true));
    const auto& [offset, bytes] = signature.results[i];
    if (result_slots.back().size < bytes) fail("a result is too small");
    triples.insert(triples.end(), {result_slots.back().offset, offset, bytes});
  }
  const Ref address = indirect ? source(target, u64) : no_ref;
  Op& op = emit(flow_handler(indirect ? "call_indirect" : builtin ? "call_builtin" : "call"));
  op.a = address;
  op.c = static_cast<Ref>(arguments.parts.size());
  Extra& more = extra(op);
  more.numbers = std::move(triples);
  more.builtin = builtin;
  more.callee = indirect || builtin ? nullptr : set_.functions.at(target.name).get();
  for (std::size_t i = 0; i < results.parts.size(); ++i) {
    if (results.parts[i].kind == Operand::Kind::symbol) continue;
    const Type type = callee->results[i].type;
    const Ref to = destination(results.parts[i], type);
    Op& load = emit(Shape{.opcode = "ld", .variant = "frame", .type = type, .from = u64});
    load.dst = to;
    load.imm = result_slots[i].offset;
  }
}

/// Parameters that the function has in registers come from its local memory.
void Decoder::prologue() {
  if (function_.is_entry) return;
  for (const ptx::Variable& parameter : function_.parameters) {
    if (parameter.space != ptx::Space::reg) continue;
    const auto found = std::find_if(function_.registers.begin(), function_.registers.end(), [&](const auto& one) { return one.name == parameter.name; });
    Op& op = emit(Shape{.opcode = "ld", .variant = "frame", .type = parameter.type, .from = u64});
    op.dst = registers_[static_cast<std::size_t>(found - function_.registers.begin())];
    op.imm = local_.at(parameter.name);
  }
}

void Decoder::ret() {
  for (const ptx::Variable& result : function_.results) {
    if (function_.is_entry || result.space != ptx::Space::reg) continue;
    const auto found = std::find_if(function_.registers.begin(), function_.registers.end(), [&](const auto& one) { return one.name == result.name; });
    Op& op = emit(Shape{.opcode = "st", .variant = "frame", .type = result.type, .from = u64});
    op.b = registers_[static_cast<std::size_t>(found - function_.registers.begin())];
    op.imm = local_.at(result.name);
  }
  emit(flow_handler("ret"));
}

// --- barriers and lanes

void Decoder::barrier() {
  const Instruction& i = *now_;
  if (i.has("cluster")) {
    // A cluster is one block: its barrier is the block's, its arrival waits already.
    if (i.has("arrive")) {
      emit(flow_handler("nothing"));
      return;
    }
    emit(flow_handler("bar.sync")).a = constant(u32, 0);
    return;
  }
  if (i.has("warp")) {
    const Ref mask = source(operand(0), u32);
    emit(flow_handler("bar.warp")).a = mask;
    return;
  }
  if (i.has("red")) return barrier_reduction();
  const bool arrives = i.has("arrive");
  if (!arrives && !i.has("sync")) unsupported();
  const Ref number = i.operands.empty() ? constant(u32, 0) : source(operand(0), u32);
  const Ref count = i.operands.size() > 1 ? source(operand(1), u32) : no_ref;
  Op& op = emit(flow_handler(arrives ? "bar.arrive" : "bar.sync"));
  op.a = number;
  op.b = count;
}

/// bar.red.popc.u32 d, a, {b,} {!}c and bar.red.and.pred p, a, {b,} {!}c
void Decoder::barrier_reduction() {
  const bool count_lanes = now_->has("popc"), all = now_->has("and");
  if (!count_lanes && !all && !now_->has("or")) unsupported();
  const Operand& value = operand(now_->operands.size() - 1);
  const Ref number = source(operand(1), u32), p = predicate(value);
  const Ref count = now_->operands.size() > 3 ? source(operand(2), u32) : no_ref;
  Op& op = emit(flow_handler("bar.red"));
  op.a = number;
  op.b = count;
  op.c = p;
  op.d = value.negated;
  const Ref to = destination(operand(0), count_lanes ? u32 : pred);
  Op& result = emit(flow_handler(count_lanes ? "bar.result.popc" : all ? "bar.result.and" : "bar.result.or"));
  result.dst = to;
  result.a = number;
}

void Decoder::warp_operation() {
  const Instruction& i = *now_;
  if (i.opcode == "activemask") {
    const Ref to = destination(operand(0), u32);
    emit(flow_handler("activemask")).dst = to;
    return;
  }
  Shape s{.opcode = i.opcode, .variant = {}, .type = u32, .from = {}};
  for (const std::string& m : i.modifiers) {
    if (const auto type = ptx::type_of(m)) s.type = *type;
    else if (m != "sync" && s.variant.empty()) s.variant = m;
    else if (m != "sync") unsupported();
  }
  const bool sync = i.has("sync");
  std::size_t sources = i.opcode == "shfl" ? 3 : 1;
  if (i.operands.size() != 1 + sources + sync) fail("a wrong number of operands");
  const Ref mask = sync ? source(operand(1 + sources), u32) : no_ref;
  const bool votes = i.opcode == "vote";
  Ref refs[3] = {no_ref, no_ref, no_ref};
  if (votes) refs[0] = predicate(operand(1)), refs[1] = operand(1).negated;
  else if (i.opcode == "shfl") for (std::size_t k = 0; k < 3; ++k) refs[k] = source(operand(1 + k), k ? u32 : s.type);
  else refs[0] = source(operand(1), s.type);
  const Operand& to = operand(0);
  const bool pair = to.kind == Operand::Kind::pair;
  const Type result = votes && s.variant != "ballot" ? pred : i.opcode == "match" ? u32 : votes ? u32 : s.type;
  const Ref first = destination(pair ? to.parts[0] : to, result);
  const Ref second = pair ? destination(to.parts[1], pred) : no_ref;
  Op& op = emit(s);
  op.dst = first;
  op.dst2 = second;
  op.a = refs[0];
  op.b = refs[1];
  op.c = refs[2];
  op.d = mask;
}

}  // namespace weft::softgpu::exec
