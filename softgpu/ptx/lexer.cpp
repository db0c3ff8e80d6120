// SPDX-License-Identifier: Apache-2.0
#include "softgpu/ptx/lexer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "softgpu/ptx/syntax.hpp"

namespace weft::softgpu::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || c == '.'; }
/// Inside a word "::" belongs to modifiers (.shared::cta).
bool in_word(char c) { return starts_word(c) || is_digit(c); }

}  // namespace

void Lexer::skip_blank() {
  while (!rest_.empty()) {
    if (rest_.front() == '\n') ++line_;
    if (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r' || rest_.front() == '\n') {
      rest_.remove_prefix(1);
    } else if (rest_.starts_with("//")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      const std::size_t end = std::min(rest_.find("*/"), rest_.size());
      line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      rest_.remove_prefix(std::min(end + 2, rest_.size()));
    } else {
      return;
    }
  }
}

/// 12, 0x1F, 017, 0b11, 12U, 0f3F800000 (bits of a float), 0d... (bits of a double), 1.5e3.
void Lexer::number() {
  std::size_t length = 1;
  const bool hex_float = rest_.size() > 1 && rest_[0] == '0' && (rest_[1] == 'f' || rest_[1] == 'F' || rest_[1] == 'd' || rest_[1] == 'D');
  while (length < rest_.size() && (in_word(rest_[length]) || ((rest_[length] == '+' || rest_[length] == '-') && !hex_float && (rest_[length - 1] | 32) == 'e' &&
                                                             !rest_.starts_with("0x") && !rest_.starts_with("0X"))))
    ++length;
  const std::string_view text = rest_.substr(0, length);
  token_ = {Token::Kind::integer, text, 0, line_};
  auto digits = [&](std::string_view part, int base) {
    while (!part.empty() && (part.back() == 'U' || part.back() == 'u')) part.remove_suffix(1);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), token_.bits, base);
    if (error != std::errc{} || end != part.data() + part.size()) throw Error(line_, "'" + std::string(text) + "' is no number");
  };
  if (hex_float) {
    token_.kind = (text[1] | 32) == 'f' ? Token::Kind::float32 : Token::Kind::float64;
    digits(text.substr(2), 16);
  } else if (text.starts_with("0x") || text.starts_with("0X")) {
    digits(text.substr(2), 16);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    digits(text.substr(2), 2);
  } else if (text.find_first_of(".eE") != text.npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) throw Error(line_, "'" + std::string(text) + "' is no number");
    token_.kind = Token::Kind::float64;
    token_.bits = std::bit_cast<std::uint64_t>(value);
  } else {
    digits(text, text.size() > 1 && text[0] == '0' ? 8 : 10);
  }
  rest_.remove_prefix(length);
}

void Lexer::next() {
  skip_blank();
  if (rest_.empty() || rest_.front() == '\0') {
    token_ = {Token::Kind::end, {}, 0, line_};
    return;
  }
  const char first = rest_.front();
  if (is_digit(first)) return number();
  std::size_t length = 1;
  if (starts_word(first)) {
    while (length < rest_.size() && (in_word(rest_[length]) || (rest_.substr(length, 2) == "::" && ++length < rest_.size()))) ++length;
    token_ = {Token::Kind::word, rest_.substr(0, length), 0, line_};
  } else if (first == '"') {
    length = rest_.find('"', 1);
    if (length == rest_.npos) throw Error(line_, "a string without an end");
    token_ = {Token::Kind::string, rest_.substr(1, length - 1), 0, line_};
    ++length;
  } else {
    token_ = {Token::Kind::punctuation, rest_.substr(0, 1), 0, line_};
  }
  rest_.remove_prefix(length);
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) throw Error(line(), "'" + std::string(text) + "' expected before '" + std::string(token_.text) + "'");
}

std::string_view Lexer::expect_word(const char* what) {
  if (token_.kind != Token::Kind::word) throw Error(line(), std::string(what) + " expected before '" + std::string(token_.text) + "'");
  return take().text;
}

}  // namespace weft::softgpu::ptx
