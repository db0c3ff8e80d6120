// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu::ptx {
namespace {

constexpr const char* header = ".version 8.7\n.target sm_80\n.address_size 64\n";

Module parse_body(const std::string& body) {
  return parse(header + std::string(".visible .entry k(.param .u64 a, .param .align 8 .b8 s[24], .param .u8 c)\n{\n") + body + "\n}\n");
}

TEST(Parser, ParametersAreLaidOut) {
  const Module module = parse_body("ret;");
  EXPECT_EQ(module.version, 87);
  EXPECT_EQ(module.target, 80);
  const Function& kernel = module.functions.at("k");
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.parameters[1].bytes, 24u);
  EXPECT_EQ(kernel.parameters[2].offset, 32u);
}

TEST(Parser, InstructionsWithTheirOperands) {
  const Module module = parse_body(
      ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
      "@!%p1 bra $L__end;\nld.global.v2.u32 {%r0, _}, [%rd1+-8];\nshfl.sync.idx.b32 %r1|%p0, %r2, 3, 0x1f, -1;\nmov.f32 %r3, 0f3F800000;\n$L__end:\nret;");
  const Function& kernel = module.functions.at("k");
  ASSERT_EQ(kernel.instructions.size(), 5u);
  EXPECT_EQ(kernel.labels.at("$L__end"), 4u);
  EXPECT_TRUE(kernel.instructions[0].guard_negated);
  EXPECT_EQ(kernel.instructions[1].text(), "ld.global.v2.u32");
  EXPECT_EQ(kernel.instructions[1].operands[0].parts[1].kind, Operand::Kind::none);
  EXPECT_EQ(static_cast<std::int64_t>(kernel.instructions[1].operands[1].immediate), -8);
  EXPECT_EQ(kernel.instructions[2].operands[0].kind, Operand::Kind::pair);
  EXPECT_EQ(kernel.instructions[2].operands[4].immediate, ~std::uint64_t{0});
  EXPECT_EQ(kernel.instructions[3].operands[1].float_bits, 32);
}

TEST(Parser, InnerScopesHaveNamesOfTheirOwn) {
  const Module module = parse_body(".reg .b32 t;\n{ .reg .b64 t; mov.b64 t, 1; }\nmov.b32 t, 2;");
  const Function& kernel = module.functions.at("k");
  EXPECT_NE(kernel.instructions[0].operands[0].reg, kernel.instructions[1].operands[0].reg);
}

TEST(Parser, VariablesWithInitialisers) {
  const Module module = parse(header + std::string(".global .align 4 .u32 a[3] = {1, 2};\n.const .f32 f = 0f40000000;\n.global .u64 p = generic(a)+4;\n"
                                                   ".extern .shared .align 16 .b8 dynamic[];\n"));
  EXPECT_EQ(module.find_variable("a")->initial, (std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(module.find_variable("f")->initial, (std::vector<std::uint8_t>{0, 0, 0, 0x40}));
  EXPECT_EQ(module.find_variable("p")->references.at(0).symbol, "a");
  EXPECT_EQ(module.find_variable("p")->references.at(0).addend, 4);
  EXPECT_EQ(module.find_variable("dynamic")->bytes, 0u);
}

TEST(Parser, MistakesAreNamedWithTheirLine) {
  for (const char* body : {"add.s32 %r0", "ld.u32 %r, [;", "@ ret;", ".reg x;", "mov.b32 a, 0xzz;", "{"}) {
    try {
      parse_body(body);
      ADD_FAILURE() << body;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("PTX line "), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace weft::softgpu::ptx
