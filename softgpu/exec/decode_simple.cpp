// SPDX-License-Identifier: Apache-2.0
// Instructions that take values and give values: a table says of which types.
#include <algorithm>

#include "softgpu/exec/decoder.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;

/// Letters: t the instruction's type, f its second type, w twice as wide, u 32 bits, p a predicate. An 'i' is a number in the instruction itself.
struct Pattern {
  std::string_view destination, sources;
};

const std::map<std::string_view, Pattern>& patterns() {
  static const std::map<std::string_view, Pattern> all{
      {"add", {"t", "tt"}}, {"sub", {"t", "tt"}}, {"mul", {"t", "tt"}}, {"mad", {"t", "ttt"}}, {"mul24", {"t", "tt"}}, {"mad24", {"t", "ttt"}},
      {"fma", {"t", "ttt"}}, {"sad", {"t", "ttt"}}, {"div", {"t", "tt"}}, {"rem", {"t", "tt"}}, {"min", {"t", "tt"}}, {"max", {"t", "tt"}},
      {"neg", {"t", "t"}}, {"abs", {"t", "t"}}, {"and", {"t", "tt"}}, {"or", {"t", "tt"}}, {"xor", {"t", "tt"}}, {"not", {"t", "t"}}, {"cnot", {"t", "t"}},
      {"selp", {"t", "ttp"}}, {"slct", {"t", "ttf"}}, {"shl", {"t", "tu"}}, {"shr", {"t", "tu"}}, {"popc", {"u", "t"}}, {"clz", {"u", "t"}},
      {"brev", {"t", "t"}}, {"bfind", {"u", "t"}}, {"bfe", {"t", "tuu"}}, {"bfi", {"t", "ttuu"}}, {"bmsk", {"t", "tt"}}, {"shf", {"t", "ttu"}},
      {"lop3", {"t", "ttti"}}, {"prmt", {"t", "ttt"}}, {"dp4a", {"u", "uuu"}}, {"dp2a", {"u", "uuu"}}, {"sqrt", {"t", "t"}}, {"rcp", {"t", "t"}},
      {"rsqrt", {"t", "t"}}, {"ex2", {"t", "t"}}, {"lg2", {"t", "t"}}, {"sin", {"t", "t"}}, {"cos", {"t", "t"}}, {"tanh", {"t", "t"}},
      {"copysign", {"t", "tt"}}, {"testp", {"p", "t"}}, {"setp", {"p", "tt"}},
      {"vabsdiff2", {"u", "uuu"}}, {"vabsdiff4", {"u", "uuu"}}, {"vadd2", {"u", "uuu"}}, {"vadd4", {"u", "uuu"}}, {"vsub2", {"u", "uuu"}},
      {"vsub4", {"u", "uuu"}}, {"vavrg2", {"u", "uuu"}}, {"vavrg4", {"u", "uuu"}}, {"vmin2", {"u", "uuu"}}, {"vmin4", {"u", "uuu"}}, {"vmax2", {"u", "uuu"}},
      {"vmax4", {"u", "uuu"}}};
  return all;
}

std::optional<Rounding> rounding_of(std::string_view name, bool* to_integer) {
  *to_integer = name.size() == 3 && name[2] == 'i' && name != "rni" ? true : name == "rni";
  if (name == "rn" || name == "rni") return Rounding::rn;
  if (name == "rz" || name == "rzi") return Rounding::rz;
  if (name == "rm" || name == "rmi") return Rounding::rm;
  if (name == "rp" || name == "rpi") return Rounding::rp;
  if (name == "rna") return Rounding::rna;
  return std::nullopt;
}

}  // namespace

/// All modifiers, sorted into what they say. What nobody knows becomes the variant; two such are an error.
Shape Decoder::shape_of(const Instruction& i) const {
  Shape s{.opcode = i.opcode, .variant = {}, .type = {}, .from = {}};
  int types = 0;
  for (const std::string& m : i.modifiers) {
    bool to_integer = false;
    if (const auto type = ptx::type_of(m)) {
      (types == 0 ? s.type : s.from) = *type;
      ++types;
    } else if (const auto rounding = rounding_of(m, &to_integer)) {
      s.rounding = *rounding;
      s.to_integer = to_integer;
    } else if (m == "ftz") s.ftz = true;
    else if (m == "sat") s.sat = true;
    else if (m == "NaN") s.nan = true;
    else if (m == "xorsign" || m == "satfinite") unsupported();
    else if (m == "relu") s.relu = true;
    else if (m == "approx") s.approx = true;
    else if (i.opcode == "shf" && (m == "clamp" || m == "wrap")) continue;  // read by simple()
    else if (m == "noftz" || m == "full" || m == "pack" || m == "sync" || m == "aligned") continue;
    else if (m == "cc") s.carry_out = true;
    else if (s.variant.empty()) s.variant = m;
    else if (s.combine.empty() && (m == "and" || m == "or" || m == "xor" || i.opcode.starts_with("v"))) s.combine = m;
    else unsupported();
  }
  return s;
}

void Decoder::simple() {
  Shape s = shape_of(*now_);
  std::string full = now_->opcode;
  if (full == "addc" || full == "subc" || full == "madc") {
    full.pop_back();
    s.carry_in = true;
  }
  if (full == "shf") {
    if (s.variant != "l" && s.variant != "r") unsupported();
    full = s.variant == "l" ? "shf.l" : "shf.r";
    s.variant = now_->has("clamp") ? "clamp" : now_->has("wrap") ? "wrap" : "";
  }
  auto found = patterns().find(full.substr(0, full.find('.')));
  if (found == patterns().end()) unsupported();
  const Pattern& pattern = found->second;
  const bool lop3_with_predicate = full == "lop3" && !s.variant.empty();
  if (lop3_with_predicate) unsupported();
  s.opcode = full;
  const Type wide{s.type.kind, static_cast<std::uint8_t>(2 * s.type.bits)}, u32{Kind::unsigned_, 32};
  const auto type_of = [&](char letter) { return letter == 't' ? s.type : letter == 'f' ? s.from : letter == 'w' ? wide : letter == 'u' ? u32 : Type{Kind::predicate, 1}; };
  const bool widens = s.variant == "wide", video = full.front() == 'v';
  if (video) s.carry_in = now_->modifiers.size() > 2 && now_->modifiers[2].front() == 's';  // the third type
  const Operand& to = operand(0);
  Ref refs[4] = {no_ref, no_ref, no_ref, no_ref};
  std::uint64_t number = 0;
  std::size_t at = 1;
  for (std::size_t k = 0; k < pattern.sources.size(); ++k, ++at) {
    const Operand& from = operand(at);
    if (pattern.sources[k] == 'i') number = from.immediate;
    else refs[k] = source(from, widens && k == 2 ? wide : type_of(pattern.sources[k]));
  }
  if (full == "setp" && !s.combine.empty()) {
    const Operand& other = operand(at++);
    refs[2] = predicate(other);
    refs[3] = other.negated;
  }
  if (at != now_->operands.size()) fail("a wrong number of operands");
  Ref second = no_ref, first;
  if (to.kind == Operand::Kind::pair) {
    if (full != "setp") unsupported();
    first = destination(to.parts[0], {Kind::predicate, 1});
    second = destination(to.parts[1], {Kind::predicate, 1});
  } else {
    first = destination(to, widens ? wide : type_of(pattern.destination[0]));
  }
  Op& op = emit(s);
  op.dst = first;
  op.dst2 = second;
  op.a = refs[0];
  op.b = refs[1];
  op.c = refs[2];
  op.d = refs[3];
  op.imm = video ? (now_->has("add") ? 1u : 0u) | (s.sat ? 2u : 0u) | (s.type.is_signed() ? 4u : 0u) : number;
  if (full == "prmt" && !s.variant.empty()) extra(op).text = s.variant;
}

/// mov.b64 {lo, hi}, x and mov.b64 x, {lo, hi}: true if it was one.
bool Decoder::pack_or_unpack() {
  const Operand &to = operand(0), &from = operand(1);
  if (to.kind != Operand::Kind::vector && from.kind != Operand::Kind::vector) return false;
  const Type type = shape_of(*now_).type;
  const Operand& parts = to.kind == Operand::Kind::vector ? to : from;
  if (parts.parts.empty() || type.bits % parts.parts.size()) fail("a wrong number of parts");
  const Type part{Kind::bits, static_cast<std::uint8_t>(type.bits / parts.parts.size())};
  const bool packs = &parts == &from;
  std::vector<Ref> refs;
  Ref whole;
  if (packs) {
    for (const Operand& one : parts.parts) refs.push_back(source(one, part));
    whole = destination(to, type);
  } else {
    whole = source(from, type);
    for (const Operand& one : parts.parts) refs.push_back(destination(one, part));
  }
  Op& op = emit(Shape{.opcode = packs ? "pack" : "unpack", .variant = {}, .type = type, .from = part});
  op.a = op.dst = whole;
  extra(op).refs = std::move(refs);
  return true;
}

void Decoder::mov() {
  if (pack_or_unpack()) return;
  Shape s = shape_of(*now_);
  const Ref from = source(operand(1), s.type), to = destination(operand(0), s.type);
  Op& op = emit(s);
  op.dst = to;
  op.a = from;
}

void Decoder::cvt() {
  Shape s = shape_of(*now_);
  const Type f32{Kind::floating, 32}, s32{Kind::signed_, 32}, b32{Kind::bits, 32};
  Ref a, b = no_ref, c = no_ref;
  if (now_->has("tf32")) {
    s.opcode = "cvt.tf32";
    a = source(operand(1), f32);
  } else if (now_->has("pack")) {
    // cvt.pack.sat.u8.s32.b32 d, a, b, c
    s.opcode = "cvt.pack";
    a = source(operand(1), s32);
    b = source(operand(2), s32);
    if (now_->operands.size() == 4) {
      c = source(operand(3), b32);
      s.combine = "c";
    }
    s.from = s32;
    const Ref to = destination(operand(0), b32);
    Op& op = emit(s);
    op.dst = to;
    op.a = a;
    op.b = b;
    op.c = c;
    return;
  } else {
    a = source(operand(1), s.from);
    if (s.type.kind == Kind::packed_half || s.type.kind == Kind::packed_brain) b = source(operand(2), s.from);
    else if (now_->operands.size() != 2) unsupported();
  }
  // Between integers and for widening, a rounding mode says nothing; where f32 becomes a half or f64 becomes f32, the manual asks for one.
  const Ref to = destination(operand(0), s.type);
  Op& op = emit(s);
  op.dst = to;
  op.a = a;
  op.b = b;
  op.imm = (s.ftz ? 1u : 0u) | (s.sat ? 2u : 0u) | (s.relu ? 4u : 0u);
}

void Decoder::set() {
  Shape s = shape_of(*now_);
  const Type result = s.type, compared = s.from;
  if (compared.kind == Kind::packed_half || compared.kind == Kind::packed_brain) s.opcode = "set2";
  s.type = compared;
  s.from = result;
  const Ref a = source(operand(1), compared), b = source(operand(2), compared);
  Ref c = no_ref, d = no_ref;
  if (!s.combine.empty()) {
    c = predicate(operand(3));
    d = operand(3).negated;
  }
  const Ref to = destination(operand(0), result);
  Op& op = emit(s);
  op.dst = to;
  op.a = a;
  op.b = b;
  op.c = c;
  op.d = d;
  op.imm = result == Type{Kind::floating, 32} ? 0x3f800000 : result == Type{Kind::floating, 16} ? 0x3c00 : result == Type{Kind::brain, 16} ? 0x3f80 : ~std::uint64_t{0};
}

}  // namespace weft::softgpu::exec
