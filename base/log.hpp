// SPDX-License-Identifier: Apache-2.0
// Diagnostics on stderr, one write a line, from any thread. Start here for base/.
//
// The interposer lives in other people's processes, so this is plain stdio formatting: no allocation, no locks of its own, no state but
// the level. WEFT_LOG is a comma-separated list: error, warning (the default), info or debug set the level; other words (stats, calls)
// switch on the reports that ask for them with wanted().
#pragma once

#include <string_view>

namespace weft::log {

enum class Level { error, warning, info, debug };

/// The level said by WEFT_LOG, read once.
Level level();
/// Replaces the level (gpud's --log).
void set_level(Level level);
/// True where WEFT_LOG has this word.
bool wanted(std::string_view word);
/// Where lines go; stderr unless said otherwise (a worker's own stderr is a file that belongs to its client).
void set_fd(int fd);

[[gnu::format(printf, 1, 2)]] void error(const char* format, ...);
[[gnu::format(printf, 1, 2)]] void warning(const char* format, ...);
[[gnu::format(printf, 1, 2)]] void info(const char* format, ...);
[[gnu::format(printf, 1, 2)]] void debug(const char* format, ...);

}  // namespace weft::log
