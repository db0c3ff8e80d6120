// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "softgpu/ptx/lexer.hpp"
#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu::ptx {
namespace {

constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;
constexpr std::size_t most_registers = 1 << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::vector<std::string> split_dots(std::string_view word) {
  std::vector<std::string> parts;
  while (!word.empty()) {
    if (word.front() == '.') word.remove_prefix(1);
    const std::size_t dot = std::min(word.find('.'), word.size());
    parts.emplace_back(word.substr(0, dot));
    word.remove_prefix(dot);
  }
  return parts;
}

Space space_of(std::string_view word) {
  if (word == ".reg") return Space::reg;
  if (word == ".global") return Space::global;
  if (word == ".const") return Space::constant;
  if (word == ".shared") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".param") return Space::param;
  return Space::none;
}

bool is_special(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('.'));
  static constexpr std::string_view known[] = {"%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid", "%clock",
                                               "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%lanemask_eq", "%lanemask_le",
                                               "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%dynamic_smem_size", "%total_smem_size", "%clusterid",
                                               "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank",
                                               "%is_explicit_cluster", "%current_graph_exec", "WARP_SZ"};
  return std::find(std::begin(known), std::end(known), base) != std::end(known) || base.starts_with("%pm") || base.starts_with("%envreg") ||
         base.starts_with("%reserved_smem_offset_");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Module run() {
    while (lexer_.peek().kind != Token::Kind::end) statement();
    return std::move(module_);
  }

 private:
  // --- the module's level

  void statement() {
    bool is_extern = false;
    for (;;) {
      if (lexer_.accept(".extern")) is_extern = true;
      else if (!lexer_.accept(".visible") && !lexer_.accept(".weak") && !lexer_.accept(".common")) break;
    }
    const std::string_view word = lexer_.peek().text;
    if (word == ".version") return version();
    if (word == ".target") return target();
    if (word == ".address_size") return address_size();
    if (word == ".file" || word == ".pragma" || word == ".alias" || word == ".loc") return skip_directive();
    if (word == ".section") return section();
    if (word == ".entry" || word == ".func") return function(is_extern);
    if (space_of(word) != Space::none) return variables(is_extern, &module_.variables);
    if (lexer_.accept(";")) return;
    throw Error(lexer_.line(), "unexpected '" + std::string(word) + "'");
  }

  void version() {
    lexer_.take();
    const Token token = lexer_.take();  // "8.7" looks like a fraction
    int major = 0, minor = 0;
    const char* end = token.text.data() + token.text.size();
    auto [dot, error] = std::from_chars(token.text.data(), end, major);
    if (error != std::errc{} || dot == end || std::from_chars(dot + 1, end, minor).ec != std::errc{}) throw Error(token.line, "a version expected");
    module_.version = 10 * major + minor;
  }

  void target() {
    lexer_.take();
    do {
      const std::string_view word = lexer_.expect_word("a target");
      if (!word.starts_with("sm_")) continue;
      int number = 0;
      std::from_chars(word.data() + 3, word.data() + word.size(), number);
      module_.target = number;
    } while (lexer_.accept(","));
  }

  void address_size() {
    lexer_.take();
    if (lexer_.take().bits != 64) throw Error(lexer_.line(), "only 64-bit addresses are supported");
  }

  /// Up to the end of its line; .file and .loc have no other end.
  void skip_directive() {
    const int line = lexer_.line();
    while (lexer_.peek().kind != Token::Kind::end && lexer_.line() == line) lexer_.take();
  }

  void section() {
    while (!lexer_.at("{") && lexer_.peek().kind != Token::Kind::end) lexer_.take();
    skip_braces();
  }

  void skip_braces() {
    lexer_.expect("{");
    for (int depth = 1; depth > 0;) {
      if (lexer_.peek().kind == Token::Kind::end) throw Error(lexer_.line(), "'}' is missing");
      if (lexer_.at("{")) ++depth;
      if (lexer_.at("}")) --depth;
      lexer_.take();
    }
  }

  // --- variables

  struct Declaration {
    Space space = Space::none;
    Type type;
    unsigned vector = 1;
    std::uint64_t alignment = 0;
  };

  Declaration declaration() {
    Declaration result;
    result.space = space_of(lexer_.take().text);
    for (;;) {
      const Token token = lexer_.peek();
      if (token.kind != Token::Kind::word || token.text.front() != '.') break;
      lexer_.take();
      if (token.text == ".align") result.alignment = positive("an alignment");
      else if (token.text == ".v2") result.vector = 2;
      else if (token.text == ".v4") result.vector = 4;
      else if (token.text == ".ptr" || token.text == ".attribute") {
        if (lexer_.at("(")) skip_parentheses();
      } else if (space_of(token.text) != Space::none) {
        continue;  // .ptr .global
      } else if (const auto type = type_of(token.text.substr(1))) {
        result.type = *type;
      } else if (token.text != ".tex" && token.text != ".texref" && token.text != ".samplerref" && token.text != ".surfref" && token.text != ".managed") {
        throw Error(token.line, "'" + std::string(token.text) + "' is no type");
      } else {
        result.type = {Type::Kind::bits, 64};
      }
    }
    return result;
  }

  void skip_parentheses() {
    lexer_.expect("(");
    while (!lexer_.accept(")")) {
      if (lexer_.peek().kind == Token::Kind::end) throw Error(lexer_.line(), "')' is missing");
      lexer_.take();
    }
  }

  std::uint64_t positive(const char* what) {
    const Token token = lexer_.take();
    if (token.kind != Token::Kind::integer || token.bits == 0) throw Error(token.line, std::string(what) + " expected");
    return token.bits;
  }

  Variable variable(const Declaration& declared) {
    Variable result;
    result.line = lexer_.line();
    result.space = declared.space;
    result.type = declared.type;
    result.name = std::string(lexer_.expect_word("a name"));
    const std::uint64_t element = std::max(1u, declared.type.bytes()) * declared.vector;
    result.alignment = std::max(declared.alignment, std::uint64_t{declared.alignment ? 1 : element});
    result.bytes = element;
    while (lexer_.accept("[")) {
      if (lexer_.accept("]")) {
        result.bytes = 0;
        continue;
      }
      if (__builtin_mul_overflow(result.bytes, lexer_.take().bits, &result.bytes) || result.bytes > largest_variable)
        throw Error(result.line, "'" + result.name + "' is too large");
      lexer_.expect("]");
    }
    return result;
  }

  void variables(bool is_extern, std::vector<Variable>* into) {
    const Declaration declared = declaration();
    do {
      Variable made = variable(declared);
      made.is_extern = is_extern;
      if (lexer_.accept("=")) initialise(made);
      into->push_back(std::move(made));
    } while (lexer_.accept(","));
    lexer_.expect(";");
  }

  void initialise(Variable& made) {
    std::vector<std::uint8_t> bytes;
    initialiser(made, bytes);
    if (made.bytes == 0) made.bytes = bytes.size();
    bytes.resize(made.bytes);
    made.initial = std::move(bytes);
  }

  void initialiser(Variable& made, std::vector<std::uint8_t>& bytes) {
    if (lexer_.accept("{")) {
      if (lexer_.accept("}")) return;
      do initialiser(made, bytes);
      while (lexer_.accept(","));
      lexer_.expect("}");
      return;
    }
    const std::size_t width = std::max(1u, made.type.bytes());
    const std::size_t at = bytes.size();
    if (at + width > largest_variable) throw Error(lexer_.line(), "too long an initialiser");
    std::uint64_t value = 0;
    if (lexer_.peek().kind == Token::Kind::word) {
      reference(made, at);
    } else {
      value = constant(made.type);
      if (lexer_.at("(")) throw Error(lexer_.line(), "masked addresses in initialisers are not supported");
    }
    bytes.resize(at + width);
    std::memcpy(bytes.data() + at, &value, width);
  }

  /// name, name+4, generic(name)+4
  void reference(Variable& made, std::uint64_t at) {
    std::string name(lexer_.expect_word("a name"));
    if (name == "generic") {
      lexer_.expect("(");
      name = lexer_.expect_word("a name");
      lexer_.expect(")");
    }
    std::int64_t addend = 0;
    const bool minus = lexer_.at("-");
    if (minus || lexer_.at("+")) {
      lexer_.take();
      addend = static_cast<std::int64_t>(lexer_.take().bits);
    }
    made.references.push_back({at, name, minus ? -addend : addend});
  }

  std::uint64_t constant(Type type) {
    const bool minus = lexer_.accept("-");
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::float32 || token.kind == Token::Kind::float64) {
      double value = token.kind == Token::Kind::float32 ? std::bit_cast<float>(static_cast<std::uint32_t>(token.bits)) : std::bit_cast<double>(token.bits);
      if (minus) value = -value;
      if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
      return token.kind == Token::Kind::float64 && type.bits == 64 && !minus ? token.bits : std::bit_cast<std::uint64_t>(value);
    }
    if (token.kind != Token::Kind::integer) throw Error(token.line, "a number expected before '" + std::string(token.text) + "'");
    if (type.is_float() && type.bits == 64) return std::bit_cast<std::uint64_t>((minus ? -1.0 : 1.0) * static_cast<double>(token.bits));
    if (type.is_float() && type.bits == 32) return std::bit_cast<std::uint32_t>((minus ? -1.0f : 1.0f) * static_cast<float>(token.bits));
    return minus ? 0 - token.bits : token.bits;
  }

  // --- functions

  std::vector<Variable> parameters() {
    std::vector<Variable> list;
    lexer_.expect("(");
    if (lexer_.accept(")")) return list;
    std::uint64_t end = 0;
    do {
      if (lexer_.accept(".visible")) continue;
      Variable parameter = variable(declaration());
      parameter.offset = end = round_up(end, parameter.alignment);
      end += parameter.bytes;
      list.push_back(std::move(parameter));
    } while (lexer_.accept(","));
    lexer_.expect(")");
    return list;
  }

  void function(bool is_extern) {
    Function made;
    made.line = lexer_.line();
    made.is_extern = is_extern;
    made.is_entry = lexer_.take().text == ".entry";
    if (lexer_.accept(".attribute")) skip_parentheses();
    if (lexer_.at("(")) made.results = parameters();
    made.name = lexer_.expect_word("a function's name");
    if (lexer_.at("(")) made.parameters = parameters();
    directives(made);
    if (lexer_.accept(";")) {
      module_.functions.try_emplace(made.name, std::move(made));
      return;
    }
    function_ = &made;
    scopes_.assign(1, {});
    // A .func may have registers as parameters; they are declared like others.
    for (const std::vector<Variable>* list : {&made.results, &made.parameters})
      for (const Variable& parameter : *list)
        if (parameter.space == Space::reg) declare_register(parameter.name, parameter.type, parameter.line);
    block();
    function_ = nullptr;
    const std::string name = made.name;
    module_.functions.insert_or_assign(name, std::move(made));
  }

  void directives(Function& made) {
    for (;;) {
      if (lexer_.accept(".maxntid")) dimensions(made.max_threads);
      else if (lexer_.accept(".reqntid")) dimensions(made.required_threads);
      else if (lexer_.accept(".minnctapersm") || lexer_.accept(".maxnreg") || lexer_.accept(".maxnctapersm") || lexer_.accept(".maxclusterrank")) lexer_.take();
      else if (lexer_.accept(".reqnctapercluster")) {
        std::uint32_t ignored[3];
        dimensions(ignored);
      } else if (!lexer_.accept(".noreturn") && !lexer_.accept(".explicitcluster") && !lexer_.accept(".unified")) {
        if (!lexer_.at(".pragma")) return;
        skip_directive();
      }
    }
  }

  void dimensions(std::uint32_t (&into)[3]) {
    into[0] = into[1] = into[2] = 1;
    int axis = 0;
    do {
      if (axis < 3) into[axis++] = static_cast<std::uint32_t>(lexer_.take().bits);
    } while (lexer_.accept(","));
  }

  void block() {
    lexer_.expect("{");
    scopes_.emplace_back();
    while (!lexer_.accept("}")) {
      if (lexer_.peek().kind == Token::Kind::end) throw Error(lexer_.line(), "'}' is missing");
      body_statement();
    }
    scopes_.pop_back();
  }

  void body_statement() {
    const Token token = lexer_.peek();
    if (token.text == "{") return block();
    if (lexer_.accept(";")) return;
    if (token.kind == Token::Kind::word && token.text.front() == '.') {
      if (token.text == ".reg") return registers();
      if (space_of(token.text) != Space::none) return local_variables();
      if (token.text == ".loc" || token.text == ".file") return skip_directive();
      if (token.text == ".pragma") {
        while (!lexer_.accept(";")) lexer_.take();
        return;
      }
      throw Error(token.line, "unexpected '" + std::string(token.text) + "'");
    }
    instruction_or_label();
  }

  // --- names of a body

  struct Scope {
    std::map<std::string, int, std::less<>> registers;
    std::map<std::string, std::string, std::less<>> variables;  // to the name that is unique in the function
  };

  int declare_register(const std::string& name, Type type, int line) {
    if (function_->registers.size() >= most_registers) throw Error(line, "too many registers");
    function_->registers.push_back({name, type});
    return scopes_.back().registers[name] = static_cast<int>(function_->registers.size()) - 1;
  }

  void registers() {
    lexer_.take();
    std::optional<Type> type;
    while (lexer_.peek().text.starts_with(".")) {
      type = type_of(lexer_.peek().text.substr(1));
      if (!type) throw Error(lexer_.line(), "'" + std::string(lexer_.peek().text) + "' is no register's type");
      lexer_.take();
    }
    if (!type) throw Error(lexer_.line(), "a register without a type");
    do {
      const std::string name(lexer_.expect_word("a register's name"));
      if (!lexer_.accept("<")) {
        declare_register(name, *type, lexer_.line());
        continue;
      }
      const std::uint64_t count = lexer_.take().bits;
      if (count > most_registers) throw Error(lexer_.line(), "too many registers");
      for (std::uint64_t i = 0; i < count; ++i) declare_register(name + std::to_string(i), *type, lexer_.line());
      lexer_.expect(">");
    } while (lexer_.accept(","));
    lexer_.expect(";");
  }

  void local_variables() {
    std::vector<Variable> made;
    variables(false, &made);
    for (Variable& one : made) {
      const std::string unique = scopes_.size() > 2 ? one.name + "#" + std::to_string(function_->variables.size()) : one.name;
      scopes_.back().variables[one.name] = unique;
      one.name = unique;
      function_->variables.push_back(std::move(one));
    }
  }

  int find_register(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (auto found = scope->registers.find(name); found != scope->registers.end()) return found->second;
    return -1;
  }

  std::string find_name(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (auto found = scope->variables.find(name); found != scope->variables.end()) return found->second;
    return std::string(name);
  }

  // --- instructions

  void instruction_or_label() {
    Instruction made;
    made.line = lexer_.line();
    if (lexer_.accept("@")) {
      made.guard_negated = lexer_.accept("!");
      made.guard = find_register(lexer_.expect_word("a predicate"));
      if (made.guard < 0) throw Error(made.line, "an unknown guard predicate");
    }
    const std::string_view word = lexer_.expect_word("an instruction");
    if (lexer_.accept(":")) return label(std::string(word));
    std::vector<std::string> parts = split_dots(word);
    made.opcode = parts.front();
    made.modifiers.assign(parts.begin() + 1, parts.end());
    while (!lexer_.accept(";")) {
      made.operands.push_back(operand());
      if (!lexer_.accept(",") && !lexer_.at(";")) throw Error(made.line, "',' or ';' expected before '" + std::string(lexer_.peek().text) + "'");
    }
    function_->instructions.push_back(std::move(made));
  }

  void label(const std::string& name) {
    if (lexer_.accept(".branchtargets") || lexer_.accept(".calltargets")) {
      do function_->tables[name].emplace_back(lexer_.expect_word("a label"));
      while (lexer_.accept(","));
      lexer_.expect(";");
    } else if (lexer_.accept(".callprototype")) {
      Function prototype;
      if (lexer_.at("(")) prototype.results = parameters();
      lexer_.expect_word("a name");
      if (lexer_.at("(")) prototype.parameters = parameters();
      directives(prototype);
      lexer_.expect(";");
      function_->prototypes[name] = std::move(prototype);
    } else {
      function_->labels[name] = function_->instructions.size();
    }
  }

  Operand operand() {
    Operand made = simple_operand();
    if (!lexer_.accept("|")) return made;
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.parts.push_back(std::move(made));
    pair.parts.push_back(simple_operand());
    return pair;
  }

  Operand simple_operand() {
    if (lexer_.accept("[")) return address();
    if (lexer_.accept("{")) return sequence("}", Operand::Kind::vector);
    if (lexer_.accept("(")) return sequence(")", Operand::Kind::list);
    const bool negated = lexer_.accept("!");
    const bool minus = lexer_.accept("-");
    const Token token = lexer_.take();
    Operand made;
    made.negated = negated;
    if (token.kind == Token::Kind::word) {
      if (minus) throw Error(token.line, "a number expected after '-'");
      name_operand(token, made);
    } else if (token.kind == Token::Kind::integer || token.kind == Token::Kind::float32 || token.kind == Token::Kind::float64) {
      made.kind = Operand::Kind::immediate;
      made.float_bits = token.kind == Token::Kind::float32 ? 32 : token.kind == Token::Kind::float64 ? 64 : 0;
      made.immediate = token.bits;
      if (minus && made.float_bits) made.immediate ^= std::uint64_t{1} << (made.float_bits - 1);
      else if (minus) made.immediate = 0 - made.immediate;
    } else {
      throw Error(token.line, "an operand expected before '" + std::string(token.text) + "'");
    }
    return made;
  }

  void name_operand(const Token& token, Operand& made) {
    made.name = std::string(token.text);
    if (made.name == "_") {
      made.kind = Operand::Kind::none;
    } else if (const int reg = find_register(token.text); reg >= 0) {
      made.kind = Operand::Kind::reg;
      made.reg = reg;
    } else if (is_special(token.text)) {
      made.kind = Operand::Kind::special;
    } else {
      made.kind = Operand::Kind::symbol;  // or a label: the instruction tells
      made.name = find_name(token.text);
      if (lexer_.at("+") || lexer_.at("-")) made.immediate = offset();
    }
  }

  std::uint64_t offset() {
    const bool minus = lexer_.accept("-");
    if (!minus) lexer_.expect("+");
    const bool inner_minus = lexer_.accept("-");
    const Token token = lexer_.take();
    if (token.kind != Token::Kind::integer) throw Error(token.line, "an offset expected");
    return minus != inner_minus ? 0 - token.bits : token.bits;
  }

  Operand address() {
    Operand made;
    const Token token = lexer_.peek();
    if (token.kind == Token::Kind::integer || lexer_.at("-")) {
      made.immediate = lexer_.accept("-") ? 0 - lexer_.take().bits : lexer_.take().bits;
    } else {
      made = simple_operand();
      if (made.kind == Operand::Kind::reg && (lexer_.at("+") || lexer_.at("-"))) made.immediate = offset();
      if (made.kind != Operand::Kind::reg && made.kind != Operand::Kind::symbol) throw Error(token.line, "an address expected");
    }
    // [tex, {coordinates}] of texture instructions.
    while (lexer_.accept(",")) made.parts.push_back(simple_operand());
    lexer_.expect("]");
    made.kind = Operand::Kind::address;
    return made;
  }

  Operand sequence(std::string_view end, Operand::Kind kind) {
    Operand made;
    made.kind = kind;
    if (lexer_.accept(end)) return made;
    do made.parts.push_back(operand());
    while (lexer_.accept(","));
    lexer_.expect(end);
    return made;
  }

  Lexer lexer_;
  Module module_;
  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
};

}  // namespace

std::optional<Type> type_of(std::string_view name) {
  using Kind = Type::Kind;
  if (!name.empty() && name.front() == '.') name.remove_prefix(1);
  static const std::map<std::string_view, Type> types{
      {"b8", {Kind::bits, 8}},       {"b16", {Kind::bits, 16}},      {"b32", {Kind::bits, 32}},       {"b64", {Kind::bits, 64}},       {"b128", {Kind::bits, 128}},
      {"u8", {Kind::unsigned_, 8}},  {"u16", {Kind::unsigned_, 16}}, {"u32", {Kind::unsigned_, 32}},  {"u64", {Kind::unsigned_, 64}},  {"s8", {Kind::signed_, 8}},
      {"s16", {Kind::signed_, 16}},  {"s32", {Kind::signed_, 32}},   {"s64", {Kind::signed_, 64}},    {"f16", {Kind::floating, 16}},   {"f32", {Kind::floating, 32}},
      {"f64", {Kind::floating, 64}}, {"bf16", {Kind::brain, 16}},    {"f16x2", {Kind::packed_half, 32}}, {"bf16x2", {Kind::packed_brain, 32}},
      {"u16x2", {Kind::packed_unsigned, 32}}, {"s16x2", {Kind::packed_signed, 32}}, {"pred", {Kind::predicate, 1}}, {"tf32", {Kind::bits, 32}}};
  auto found = types.find(name);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

std::string Instruction::text() const {
  std::string all = opcode;
  for (const std::string& modifier : modifiers) all += "." + modifier;
  return all;
}

bool Instruction::has(std::string_view modifier) const { return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end(); }

const Variable* Function::find_variable(std::string_view wanted) const {
  for (const std::vector<Variable>* list : {&variables, &parameters, &results})
    for (const Variable& variable : *list)
      if (variable.name == wanted) return &variable;
  return nullptr;
}

const Variable* Module::find_variable(std::string_view wanted) const {
  for (const Variable& variable : variables)
    if (variable.name == wanted) return &variable;
  return nullptr;
}

Module parse(std::string_view text) { return Parser(text).run(); }

}  // namespace weft::softgpu::ptx
