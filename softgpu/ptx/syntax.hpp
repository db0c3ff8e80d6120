// SPDX-License-Identifier: Apache-2.0
// PTX text as a tree: what the parser makes and the decoder reads. Names are resolved, numbers are bits, nothing is checked against an opcode yet.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::softgpu::ptx {

/// The text can't be used; the message says what and in which line.
class Error : public std::runtime_error {
 public:
  Error(int line, const std::string& what) : std::runtime_error("PTX line " + std::to_string(line) + ": " + what) {}
};

enum class Space : std::uint8_t { none, reg, global, constant, shared, local, param, generic };

/// A scalar type: its kind and its bits. Packed types (f16x2) count as one scalar of 32 bits.
struct Type {
  enum class Kind : std::uint8_t { none, bits, unsigned_, signed_, floating, brain, predicate, packed_half, packed_brain, packed_unsigned, packed_signed };
  Kind kind = Kind::none;
  std::uint8_t bits = 0;

  unsigned bytes() const { return bits / 8u; }
  bool is_float() const { return kind == Kind::floating || kind == Kind::brain; }
  bool is_signed() const { return kind == Kind::signed_; }
  bool operator==(const Type&) const = default;
};

/// The type that a modifier names (u32, .f16x2 ...); nothing for other modifiers.
std::optional<Type> type_of(std::string_view name);

/// A variable in memory.
struct Variable {
  std::string name;
  Space space = Space::none;
  Type type;
  std::uint64_t bytes = 0;      // of all; 0 for an array without a length (dynamic shared memory)
  std::uint64_t alignment = 1;
  bool is_extern = false;
  std::vector<std::uint8_t> initial;  // as long as bytes, or empty
  struct Reference {                  // an address inside the initial bytes
    std::uint64_t at;
    std::string symbol;
    std::int64_t addend;
  };
  std::vector<Reference> references;
  std::uint64_t offset = 0;  // in its space, where the parser lays it out (parameters, shared, local)
  int line = 0;
};

struct Operand {
  enum class Kind : std::uint8_t { none, reg, immediate, special, symbol, label, address, vector, pair, list };
  Kind kind = Kind::none;
  bool negated = false;              // !%p
  int reg = -1;                      // reg; the base of an address
  std::uint64_t immediate = 0;       // bits; of a float immediate those of its own width; the offset of an address
  std::uint8_t float_bits = 0;       // 32 or 64 for 0f and 0d immediates
  std::string name;                  // special register, symbol, label
  std::vector<Operand> parts;        // vector, pair (a|b), list of call arguments
};

struct Register {
  std::string name;
  Type type;
};

struct Instruction {
  std::string opcode;                  // "mad"
  std::vector<std::string> modifiers;  // {"lo", "s32"}
  int guard = -1;                      // register of the guard predicate
  bool guard_negated = false;
  std::vector<Operand> operands;
  int line = 0;

  std::string text() const;
  bool has(std::string_view modifier) const;
};

struct Function {
  std::string name;
  bool is_entry = false, is_extern = false;
  std::vector<Variable> parameters, results;
  std::vector<Register> registers;
  std::vector<Variable> variables;           // local and shared ones of the body, and its .param ones
  std::vector<Instruction> instructions;
  std::map<std::string, std::size_t> labels;  // index of the instruction behind it
  std::map<std::string, std::vector<std::string>> tables;  // .branchtargets, by label
  std::map<std::string, Function> prototypes;  // .callprototype, by label: parameters and results
  std::uint32_t max_threads[3] = {0, 0, 0}, required_threads[3] = {0, 0, 0};
  int line = 0;

  const Variable* find_variable(std::string_view wanted) const;
};

struct Module {
  int version = 0;  // 10 * major + minor
  int target = 0;   // 80 for sm_80
  std::vector<Variable> variables;
  std::map<std::string, Function> functions;

  const Variable* find_variable(std::string_view wanted) const;
};

/// Reads a module. Throws Error.
Module parse(std::string_view text);

}  // namespace weft::softgpu::ptx
