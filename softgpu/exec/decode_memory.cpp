// SPDX-License-Identifier: Apache-2.0
// Loads, stores, atomics and addresses.
#include <algorithm>

#include "softgpu/exec/control.hpp"
#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;
using ptx::Space;
constexpr ptx::Type u64{Kind::unsigned_, 64}, u32{Kind::unsigned_, 32};

std::optional<Space> space_named(std::string_view name) {
  const std::string_view base = name.substr(0, name.find(':'));
  if (base == "global") return Space::global;
  if (base == "shared") return Space::shared;
  if (base == "local") return Space::local;
  if (base == "const") return Space::constant;
  if (base == "param") return Space::param;
  return std::nullopt;
}

/// What caches and scopes are asked for changes nothing here: every access is done at once, in the memory that all see.
bool is_about_caches(std::string_view m) {
  static constexpr std::string_view known[] = {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "weak", "cta", "gpu", "sys", "cluster", "release", "unified", "noftz"};
  return m.starts_with("L1::") || m.starts_with("L2::") || std::find(std::begin(known), std::end(known), m) != std::end(known);
}

bool is_of_wait_loops(std::string_view m) { return m == "volatile" || m == "acquire" || m == "relaxed" || m == "acq_rel" || m == "mmio"; }

}  // namespace

Space Decoder::space_in(const Instruction& i) const {
  for (const std::string& m : i.modifiers)
    if (const auto space = space_named(m)) return *space;
  return Space::generic;
}

Decoder::Address Decoder::address(const Operand& operand, Space space) {
  Address made{.base = no_ref, .offset = operand.immediate, .space = space, .kind = space == Space::shared ? "shared" : space == Space::local ? "local" : "host"};
  if (operand.reg >= 0) {
    Operand base = operand;
    base.kind = Operand::Kind::reg;
    const Type own = register_type(base);
    if (own.bits != 64 && !(own.bits == 32 && space == Space::shared)) fail("an address in a register of " + std::to_string(own.bits) + " bits");
    made.narrow = own.bits == 32;
    made.base = registers_[static_cast<std::size_t>(operand.reg)];
    return made;
  }
  if (operand.name.empty()) return made;
  const ptx::Variable* variable = function_.find_variable(operand.name);
  const bool own = variable != nullptr;
  if (!variable) variable = module_.find_variable(operand.name);
  if (!variable) fail("variable '" + operand.name + "' is not defined");
  if (variable->space == Space::shared) {
    made.kind = "shared";
    made.space = Space::shared;
    if (auto mine = own_shared_.find(operand.name); mine != own_shared_.end()) made.offset += mine->second;
    else if (auto inside = shared_.module.find(own ? function_.name + "/" + operand.name : operand.name); inside != shared_.module.end()) made.offset += inside->second;
    else made.offset += shared_.dynamic_begin;
    return made;
  }
  if (!own) {
    const auto found = addresses_.find(operand.name);
    if (found == addresses_.end()) fail("variable '" + operand.name + "' is declared, but not defined");
    made.offset += found->second;
    return made;
  }
  if (const auto found = local_.find(operand.name); found != local_.end()) {
    made.kind = "frame";
    made.offset += found->second;
  } else {
    made.kind = "uniform";
    made.offset += variable->offset;
  }
  return made;
}

Decoder::Address Decoder::general(Address from) {
  if (from.kind == "uniform" || from.kind == "frame") {
    const Ref made = temporary(u64);
    Op& op = emit(Shape{.opcode = from.kind == "uniform" ? "parameter_address" : "local_address", .variant = {}, .type = {}, .from = {}});
    op.dst = made;
    op.imm = from.offset;
    return {.base = made, .offset = 0, .space = from.space, .kind = "host"};
  }
  if (from.base == no_ref) {
    from.base = constant(u64, from.offset);
    from.offset = 0;
  }
  return from;
}

void Decoder::load_or_store() {
  const bool is_load = now_->opcode != "st";
  Shape s{.opcode = is_load ? "ld" : "st", .variant = {}, .type = {}, .from = {}};
  bool waits = false;
  for (const std::string& m : now_->modifiers) {
    if (const auto type = ptx::type_of(m)) s.type = *type;
    else if (m == "v2" || m == "v4" || m == "v8") s.vector = static_cast<unsigned>(m[1] - '0');
    else if (is_of_wait_loops(m)) waits = true;
    else if (!space_named(m) && !is_about_caches(m)) unsupported();
  }
  if (s.type.kind == Kind::none || s.type.kind == Kind::predicate) fail("a type is missing");
  const Operand &where = operand(is_load ? 1 : 0), &value = operand(is_load ? 0 : 1);
  const Address at = address(where, space_in(*now_));
  s.variant = at.kind;
  s.from = at.narrow ? u32 : u64;
  const std::uint64_t bytes = std::uint64_t{s.type.bytes()} * s.vector;
  const std::uint64_t room = at.kind == "uniform" ? code_.parameter_bytes : at.kind == "frame" ? code_.local_bytes : ~std::uint64_t{0};
  if (at.offset > room || (room != ~std::uint64_t{0} && bytes > room - at.offset)) fail("an address beyond the variable");
  std::vector<Ref> refs;
  if ((s.vector > 1) != (value.kind == Operand::Kind::vector) || (s.vector > 1 && value.parts.size() != s.vector)) fail("a vector of another length");
  for (unsigned i = 0; i < s.vector; ++i) {
    const Operand& one = s.vector > 1 ? value.parts[i] : value;
    refs.push_back(is_load ? destination(one, s.type) : source(one, s.type));
  }
  Op& op = emit(s);
  op.a = at.base;
  op.imm = at.offset;
  op.d = waits;
  if (s.vector > 1) extra(op).refs = std::move(refs);
  else (is_load ? op.dst : op.b) = refs.front();
}

void Decoder::atomic() {
  const bool returns = now_->opcode == "atom";
  Shape s{.opcode = now_->opcode, .variant = {}, .type = {}, .from = {}};
  for (const std::string& m : now_->modifiers) {
    if (const auto type = ptx::type_of(m)) s.type = *type;
    else if (space_named(m) || is_about_caches(m) || is_of_wait_loops(m)) continue;
    else if (s.variant.empty()) s.variant = m;
    else unsupported();
  }
  std::size_t at = returns ? 1 : 0;
  const Address where = general(address(operand(at++), space_in(*now_)));
  s.space = where.kind == "shared" ? Space::shared : Space::generic;
  s.from = where.narrow ? u32 : u64;
  const Ref b = source(operand(at++), s.type);
  const Ref c = s.variant == "cas" ? source(operand(at++), s.type) : no_ref;
  if (at != now_->operands.size()) unsupported();
  const bool unused = !returns || operand(0).kind == Operand::Kind::none;
  const Ref to = unused ? no_ref : destination(operand(0), s.type);
  Op& op = emit(s);
  op.dst = to;
  op.a = where.base;
  op.imm = where.offset;
  op.b = b;
  op.c = c;
}

void Decoder::cvta() {
  const bool to = now_->has("to");
  const Space space = space_in(*now_);
  const Type type = shape_of(Instruction{.opcode = "cvta", .modifiers = {now_->modifiers.back()}, .operands = {}}).type;
  Ref from;
  const Operand& operand_from = operand(1);
  if (operand_from.kind == Operand::Kind::symbol) from = address_of(operand_from, u64);
  else from = resized(source(operand_from, register_type(operand_from)), register_type(operand_from), u64);
  const bool converts = space == Space::shared;
  const Ref dst = destination(operand(0), type);
  const Ref whole = type.bits == 64 ? dst : temporary(u64);
  Op& op = converts ? emit(Shape{.opcode = to ? "cvta.to.shared" : "cvta.shared", .variant = {}, .type = u64, .from = {}})
                    : emit(Shape{.opcode = "mov", .variant = {}, .type = u64, .from = {}});
  op.dst = whole;
  op.a = from;
  if (whole != dst) after_.push_back({dst, whole, type, u64});
}

void Decoder::isspacep() {
  const Space space = space_in(*now_);
  const Ref from = source(operand(1), u64), to = destination(operand(0), {Kind::predicate, 1});
  Op& op = emit(Shape{.opcode = "isspacep", .variant = {}, .type = u64, .from = {}, .space = space});
  op.dst = to;
  op.a = from;
}

/// cp.async: copies at once, so that waiting for groups is nothing.
void Decoder::cp_async() {
  if (!now_->has("async") || now_->has("bulk")) unsupported();
  if (now_->has("commit_group") || now_->has("wait_group") || now_->has("wait_all")) {
    emit(flow_handler("nothing"));
    return;
  }
  if (now_->has("mbarrier")) return mbarrier();
  for (const std::string& m : now_->modifiers)
    if (m != "async" && !space_named(m) && !is_about_caches(m)) unsupported();
  Address to = address(operand(0), Space::shared), from = address(operand(1), Space::global);
  if (to.narrow) to.base = resized(to.base, u32, u64);
  const std::uint64_t bytes = operand(2).immediate;
  if (bytes != 4 && bytes != 8 && bytes != 16) fail("cp.async of other than 4, 8 or 16 bytes");
  Ref count = no_ref, ignored = no_ref;
  if (now_->operands.size() > 3) {
    const Operand& more = operand(3);
    if (more.kind == Operand::Kind::reg && register_type(more).kind == Kind::predicate) ignored = predicate(more);
    else count = source(more, u32);
  }
  Op& op = emit(Shape{.opcode = "cp.async", .variant = {}, .type = {}, .from = {}});
  op.a = to.base;
  op.imm = to.offset;
  op.b = from.base;
  op.c = count;
  op.d = ignored;
  extra(op).numbers = {from.offset, bytes};
}

/// mbarrier.* and cp.async.mbarrier.arrive: dst the token or predicate, a the address, b the count or token or parity.
void Decoder::mbarrier() {
  std::string name = "mbarrier";
  Type type = u64;
  for (const std::string& m : now_->modifiers) {
    if (m == "async" || m == "mbarrier" || m == "b64" || space_named(m) || is_about_caches(m) || is_of_wait_loops(m)) continue;
    name += "." + m;
  }
  const bool is_copy = now_->opcode == "cp", pending = name == "mbarrier.pending_count";
  if (is_copy) name = now_->has("noinc") ? "mbarrier.copied_noinc" : "mbarrier.copied";
  const bool tests = name.starts_with("mbarrier.test_wait") || name.starts_with("mbarrier.try_wait");
  const bool gives = tests || pending || (!is_copy && name.starts_with("mbarrier.arrive"));
  std::size_t at = gives ? 1 : 0;
  Ref b = no_ref;
  if (pending) {
    const Ref from = source(operand(1), u64), to = destination(operand(0), u32);
    Op& op = emit(Shape{.opcode = name, .variant = {}, .type = {}, .from = {}});
    op.dst = to;
    op.a = from;
    return;
  }
  Address where = general(address(operand(at++), space_in(*now_)));
  if (where.narrow) where.base = resized(where.base, u32, u64);
  if (tests) b = source(operand(at++), now_->has("parity") ? u32 : u64);
  else if (at < now_->operands.size()) b = source(operand(at++), u32);
  Ref to = no_ref;
  if (gives && operand(0).kind != Operand::Kind::none) to = tests ? destination(operand(0), {Kind::predicate, 1}) : destination(operand(0), type);
  Op& op = emit(Shape{.opcode = name, .variant = {}, .type = {}, .from = {}, .space = where.kind == "shared" ? Space::shared : Space::generic});
  op.dst = to;
  op.a = where.base;
  op.imm = where.offset;
  op.b = b;
}

}  // namespace weft::softgpu::exec
