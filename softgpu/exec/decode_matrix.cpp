// SPDX-License-Identifier: Apache-2.0
// wmma, mma and ldmatrix.
#include <charconv>

#include "softgpu/exec/decoder.hpp"
#include "softgpu/exec/matrix.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;
constexpr ptx::Type u32{Kind::unsigned_, 32}, u64{Kind::unsigned_, 64}, b32{Kind::bits, 32}, b64{Kind::bits, 64};

struct Size {
  unsigned m = 0, n = 0, k = 0;
};
/// m16n8k16
std::optional<Size> size_named(std::string_view name) {
  Size made;
  const char* at = name.data();
  const char* end = at + name.size();
  for (auto [letter, into] : {std::pair{'m', &made.m}, std::pair{'n', &made.n}, std::pair{'k', &made.k}}) {
    if (at == end || *at != letter) return std::nullopt;
    const auto [stopped, error] = std::from_chars(at + 1, end, *into);
    if (error != std::errc{}) return std::nullopt;
    at = stopped;
  }
  return at == end ? std::optional(made) : std::nullopt;
}

std::optional<Element> element_named(std::string_view name) {
  static const std::map<std::string_view, Element> all{{"f16", Element::f16}, {"bf16", Element::bf16}, {"tf32", Element::tf32}, {"f32", Element::f32},
                                                       {"f64", Element::f64}, {"s8", Element::s8}, {"u8", Element::u8}, {"s32", Element::s32}};
  auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

bool is_known_size(const Size& s, bool documented) {
  if (documented) return (s.m == 16 && s.n == 8 && (s.k == 4 || s.k == 8 || s.k == 16 || s.k == 32)) || (s.m == 8 && s.n == 8 && s.k == 4);
  return (s.m == 16 && s.n == 16 && (s.k == 16 || s.k == 8)) || (s.m == 32 && s.n == 8 && s.k == 16) || (s.m == 8 && s.n == 32 && s.k == 16) ||
         (s.m == 8 && s.n == 8 && s.k == 4);
}

}  // namespace

bool Decoder::matrix() {
  const Instruction& i = *now_;
  if (i.opcode == "ldmatrix") {
    load_matrices();
    return true;
  }
  if (i.opcode != "wmma" && i.opcode != "mma") return false;
  const bool documented = i.opcode == "mma", loads = i.has("load"), stores = i.has("store");
  if (i.guard >= 0) fail("a guard");
  Size size;
  std::vector<Element> elements;
  std::vector<bool> layouts;  // true: by rows
  char use = 'd';
  bool saturate = false;
  for (const std::string& m : i.modifiers) {
    if (const auto named = size_named(m)) size = *named;
    else if (const auto element = element_named(m)) elements.push_back(*element);
    else if (m == "row" || m == "col") layouts.push_back(m == "row");
    else if (m == "a" || m == "b" || m == "c" || m == "d") use = m[0];
    else if (m == "satfinite") saturate = true;
    else if (m != "load" && m != "store" && m != "mma" && m != "sync" && m != "aligned" && m != "rn" && m != "global" && !m.starts_with("shared")) unsupported();
  }
  if (!is_known_size(size, documented) || elements.empty()) unsupported();
  auto made = std::make_unique<MatrixExtra>();
  made->saturate = saturate;
  const auto fragment = [&](char which, Element element) {
    Fragment f{.use = which == 'a' ? Fragment::a : which == 'b' ? Fragment::b : Fragment::c, .element = element, .documented = documented,
               .rows = which == 'b' ? size.k : size.m, .columns = which == 'a' ? size.k : size.n, .registers = 0, .places = {}};
    f.locate();
    return f;
  };
  const auto take = [&](Fragment& f, const Operand& registers, bool is_destination) {
    const std::vector<Operand> single{registers};
    const std::vector<Operand>& parts = registers.kind == Operand::Kind::vector ? registers.parts : single;
    f.registers = static_cast<unsigned>(parts.size());
    if (f.registers * f.elements_per_register() < f.per_lane()) fail("too few registers");
    const Type type = f.element == Element::f64 ? b64 : b32;
    for (const Operand& one : parts) made->refs.push_back(is_destination ? destination(one, type) : source(one, type));
  };
  if (loads || stores) {
    if (documented) unsupported();
    if (layouts.size() != 1 || elements.size() != 1) unsupported();
    made->by_rows = layouts[0];
    made->d = fragment(use, elements[0]);
    Address at = general(address(operand(loads ? 1 : 0), space_in(i)));
    if (at.narrow) at.base = resized(at.base, u32, u64);
    take(made->d, operand(loads ? 0 : 1), loads);
    const Ref stride = i.operands.size() > 2 ? source(operand(2), u32) : constant(u32, made->by_rows ? made->d.columns : made->d.rows);
    Op& op = emit(Shape{.opcode = loads ? "matrix.load" : "matrix.store", .variant = {}, .type = {Kind::bits, static_cast<std::uint8_t>(made->d.element_bits())}, .from = {},
                        .space = at.kind == "shared" ? ptx::Space::shared : ptx::Space::generic});
    op.a = at.base;
    op.imm = at.offset;
    op.b = stride;
    op.extra = code_.extras.emplace_back(std::move(made)).get();
    return true;
  }
  // d, c and the types of a and b, which wmma leaves out for f16
  Element d = elements.front(), c = elements.back(), a = Element::f16, b = Element::f16;
  if (elements.size() == 4) a = elements[1], b = elements[2];
  else if (elements.size() != 2) unsupported();
  if (documented && (layouts.size() != 2 || !layouts[0] || layouts[1])) unsupported();
  made->d = fragment('d', d);
  made->a = fragment('a', a);
  made->b = fragment('b', b);
  made->c = fragment('c', c);
  if (documented && made->d.element == Element::f16 && size.m == 8) unsupported();
  take(made->d, operand(0), true);
  take(made->a, operand(1), false);
  take(made->b, operand(2), false);
  take(made->c, operand(3), false);
  const Type sum = d == Element::s32 ? Type{Kind::signed_, 64} : d == Element::f64 ? Type{Kind::floating, 64} : Type{Kind::floating, 32};
  Op& op = emit(Shape{.opcode = "matrix.multiply", .variant = {}, .type = sum, .from = {}});
  op.extra = code_.extras.emplace_back(std::move(made)).get();
  return true;
}

/// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r...}, [p]
void Decoder::load_matrices() {
  const Instruction& i = *now_;
  if (!i.has("m8n8") || !i.has("b16") || i.guard >= 0) unsupported();
  Address at = address(operand(1), ptx::Space::shared);
  if (at.base == no_ref) at = general(at);
  if (at.narrow) at.base = resized(at.base, u32, u64);
  const Operand& to = operand(0);
  const std::size_t count = i.has("x4") ? 4 : i.has("x2") ? 2 : 1;
  std::vector<Ref> refs;
  for (const Operand& one : to.kind == Operand::Kind::vector ? to.parts : std::vector<Operand>{to}) refs.push_back(destination(one, b32));
  if (refs.size() != count) fail("a wrong number of registers");
  Op& op = emit(Shape{.opcode = "matrix.load8x8", .variant = {}, .type = {}, .from = {}});
  op.a = at.base;
  op.imm = at.offset;
  op.c = i.has("trans");
  extra(op).refs = std::move(refs);
}

}  // namespace weft::softgpu::exec
