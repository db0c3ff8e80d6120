// SPDX-License-Identifier: Apache-2.0
#include "gpud/lease.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace weft::gpud {
namespace {

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view part = list.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    parts.push_back(part);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

std::optional<std::size_t> index_of(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

/// As CUDA does, a UUID may be shortened as long as it says which is meant.
bool names(std::string_view uuid, std::string_view text) { return text.starts_with("GPU-") && uuid.starts_with(text); }

}  // namespace

std::string lease_devices(std::string_view offered_text, std::string_view wanted) {
  if (wanted.empty()) return std::string(offered_text);
  const std::vector<std::string_view> offered = split(offered_text);
  std::string leased;
  for (std::string_view text : split(wanted)) {
    std::string_view device;
    const std::optional<std::size_t> index = index_of(text);
    if (offered.empty()) {
      if (index || text.starts_with("GPU-") || text.starts_with("MIG-")) device = text;
    } else if (index) {
      if (*index < offered.size()) device = offered[*index];
    } else {
      for (std::string_view candidate : offered)
        if (names(candidate, text)) device = candidate;
    }
    if (device.empty()) break;
    if (!leased.empty()) leased += ',';
    leased += device;
  }
  return leased.empty() ? "none" : leased;
}

}  // namespace weft::gpud
