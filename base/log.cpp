// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace weft::log {
namespace {

std::string_view words() {
  const char* value = std::getenv("WEFT_LOG");
  return value ? value : "";
}

Level level_from_environment() {
  if (wanted("debug")) return Level::debug;
  if (wanted("info")) return Level::info;
  if (wanted("error")) return Level::error;
  return Level::warning;
}

std::atomic<int> chosen_level{-1};
std::atomic<int> output_fd{STDERR_FILENO};

void write_line(const char* format, va_list arguments) {
  char line[1024] = "weft: ";
  constexpr int prefix = 6;
  int length = std::vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
  length = prefix + std::clamp<int>(length, 0, sizeof line - prefix - 2);
  line[length++] = '\n';
  [[maybe_unused]] ssize_t written = ::write(output_fd, line, static_cast<size_t>(length));
}

}  // namespace

bool wanted(std::string_view word) {
  std::string_view rest = words();
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    if (rest.substr(0, comma) == word) return true;
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return false;
}

Level level() {
  int current = chosen_level.load(std::memory_order_relaxed);
  if (current < 0) {
    current = static_cast<int>(level_from_environment());
    chosen_level.store(current, std::memory_order_relaxed);
  }
  return static_cast<Level>(current);
}

void set_level(Level level) { chosen_level = static_cast<int>(level); }

void set_fd(int fd) { output_fd = fd; }

void error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void warning(const char* format, ...) {
  if (level() < Level::warning) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void info(const char* format, ...) {
  if (level() < Level::info) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void debug(const char* format, ...) {
  if (level() < Level::debug) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

}  // namespace weft::log
