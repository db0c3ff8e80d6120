// SPDX-License-Identifier: Apache-2.0
// PTX text as words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::softgpu::ptx {

struct Token {
  enum class Kind : std::uint8_t { end, word, integer, float32, float64, string, punctuation };
  Kind kind = Kind::end;
  std::string_view text;   // a word with its dots ("ld.global.u32", ".reg", "%tid.x"); one character of punctuation
  std::uint64_t bits = 0;  // of numbers
  int line = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) { next(); }

  const Token& peek() const { return token_; }
  Token take() {
    const Token token = token_;
    next();
    return token;
  }
  bool at(std::string_view text) const { return token_.text == text && token_.kind != Token::Kind::string; }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    next();
    return true;
  }
  /// Throws Error where something else stands there.
  void expect(std::string_view text);
  std::string_view expect_word(const char* what);
  int line() const { return token_.line; }

 private:
  void next();
  void skip_blank();
  void number();

  std::string_view rest_;
  int line_ = 1;
  Token token_;
};

}  // namespace weft::softgpu::ptx
