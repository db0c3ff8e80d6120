// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/decoder.hpp"
#include "softgpu/exec/texture.hpp"

namespace weft::softgpu::exec {
namespace {

using Kind = ptx::Type::Kind;
constexpr ptx::Type u64{Kind::unsigned_, 64}, b32{Kind::bits, 32};

/// "2d", "a1d", "cube", "acube" ...: how many coordinates, and whether a layer comes before them.
bool read_geometry(std::string_view m, TextureExtra* extra) {
  const bool layered = m.starts_with("a");
  const std::string_view base = layered ? m.substr(1) : m;
  if (base != "1d" && base != "2d" && base != "3d" && base != "cube") return false;
  extra->layered = layered;
  extra->cube = base == "cube";
  extra->axes = extra->cube ? 3 : static_cast<unsigned>(base[0] - '0');
  return true;
}

}  // namespace

/// tex{.level}.2d.v4.f32.f32 {r, g, b, a}, [handle, {coordinates}]{, level}; suld.b and sust.b.
bool Decoder::texture() {
  const Instruction& i = *now_;
  const bool fetches = i.opcode == "tex", loads = i.opcode == "suld", stores = i.opcode == "sust";
  if (!fetches && !loads && !stores) return false;
  auto made = std::make_unique<TextureExtra>();
  Type value, coordinate{Kind::signed_, 32};
  bool geometry = false;
  unsigned vector = 1, types = 0;
  for (const std::string& m : i.modifiers) {
    if (const auto type = ptx::type_of(m)) (types++ ? coordinate : value) = *type;
    else if (read_geometry(m, made.get())) geometry = true;
    else if (m == "v2" || m == "v4") vector = static_cast<unsigned>(m[1] - '0');
    else if (m == "clamp") made->clamps = true;
    else if (m == "trap") made->traps = true;
    else if (m != "zero" && m != "b" && m != "level" && m != "grad" && m != "ca" && m != "cg" && m != "cs" && m != "cv" && m != "wb" && m != "wt") unsupported();
  }
  if (!geometry || (fetches ? value.bits != 32 || coordinate.bits != 32 : types != 1)) unsupported();
  made->integers = coordinate.kind == Kind::signed_;
  const Operand &place = operand(stores ? 0 : 1), &values = operand(stores ? 1 : 0);
  if (place.parts.size() != 1) unsupported();  // a sampler of its own, offsets
  Operand handle = place;
  handle.kind = place.reg >= 0 ? Operand::Kind::reg : Operand::Kind::symbol;
  if (handle.kind == Operand::Kind::symbol) unsupported();  // texture references went with CUDA 12
  const Ref object = source(handle, u64);
  const std::vector<Operand> single{place.parts[0]};
  const std::vector<Operand>& coordinates = place.parts[0].kind == Operand::Kind::vector ? place.parts[0].parts : single;
  const std::size_t needed = made->axes + made->layered;
  if (coordinates.size() < needed) fail("too few coordinates");
  for (std::size_t k = 0; k < needed; ++k) made->coordinates.push_back(source(coordinates[k], b32));
  const std::vector<Operand> one{values};
  const std::vector<Operand>& parts = values.kind == Operand::Kind::vector ? values.parts : one;
  if (parts.size() != vector) fail("a vector of another length");
  for (const Operand& part : parts) made->refs.push_back(stores ? source(part, value) : destination(part, value));
  Op& op = emit(fetches ? &tex : surface_handler(value.bits, loads));
  op.a = object;
  op.extra = code_.extras.emplace_back(std::move(made)).get();
  return true;
}

}  // namespace weft::softgpu::exec
