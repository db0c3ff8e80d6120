// SPDX-License-Identifier: Apache-2.0
#include "gpud/config.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <toml++/toml.h>

#include "base/log.hpp"
#include "transport/address.hpp"

namespace weft::gpud {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, const toml::node& node, const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}: {}", file, node.source().begin.line, what));
}

void read(const std::string& file, const toml::key& key, const toml::node& node, std::string* value) {
  if (!node.is_string()) refuse(file, node, fmt::format("{} wants a text in quotes", key.str()));
  *value = node.as_string()->get();
}

template <typename Number>
void read_number(const std::string& file, const toml::key& key, const toml::node& node, Number* value, std::int64_t least, std::int64_t most) {
  const auto* number = node.as_integer();
  if (!number || number->get() < least || number->get() > most) refuse(file, node, fmt::format("{} wants a number from {} to {}", key.str(), least, most));
  *value = static_cast<Number>(number->get());
}

void read_list(const std::string& file, const toml::key& key, const toml::node& node, std::vector<std::string>* value) {
  const auto* list = node.as_array();
  if (!list || !list->is_homogeneous(toml::node_type::string)) refuse(file, node, fmt::format("{} wants a list of texts, as [\"127.0.0.1\"]", key.str()));
  value->clear();
  for (const toml::node& element : *list) value->push_back(element.as_string()->get());
}

/// The folder for what this user may keep: of the system for root, else as XDG says.
fs::path cache_folder() {
  if (::geteuid() == 0) return "/var/cache/weft";
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return fs::path(xdg) / "weft";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache/weft";
  return fs::temp_directory_path() / fmt::format("weft-{}", ::geteuid());
}

std::string default_socket() {
  if (::geteuid() == 0) return "unix:/run/weft/gpud.sock";
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime) return fmt::format("unix:{}/weft-gpud.sock", runtime);
  return fmt::format("unix:/tmp/weft-{}/gpud.sock", ::geteuid());
}

/// The software GPU beside this program, in the build folder or where both are installed.
std::string software_gpu() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path candidates[] = {here / "../softgpu/libcuda.so.1", here / ".." / WEFT_LIBDIR / "weft/soft/libcuda.so.1"};
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate)) return fs::canonical(candidate).string();
  throw std::runtime_error(fmt::format("driver: no software GPU at {} or {}", candidates[0].string(), candidates[1].string()));
}

std::string read_token(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  if (!file || !std::getline(file, token)) throw std::runtime_error(fmt::format("cannot read a token from {}", path));
  if (token.empty()) throw std::runtime_error(fmt::format("the first line of the token file {} is empty", path));
  return token;
}

}  // namespace

void read_config(const std::string& file, Config* config) {
  toml::table settings;
  try {
    settings = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    if (line == 0) throw std::runtime_error(fmt::format("{}: {}", file, error.description()));
    throw std::runtime_error(fmt::format("{}:{}: {}", file, line, error.description()));
  }
  for (const auto& [key, node] : settings) {
    const std::string_view name = key.str();
    if (name == "listen") read_list(file, key, node, &config->listen);
    else if (name == "token_file") read(file, key, node, &config->token_file);
    else if (name == "driver") read(file, key, node, &config->driver);
    else if (name == "devices") read(file, key, node, &config->devices);
    else if (name == "image_cache_mib") read_number(file, key, node, &config->image_cache_mib, 1, std::int64_t{1} << 30);
    else if (name == "max_clients") read_number(file, key, node, &config->max_clients, 1, 1 << 20);
    else if (name == "log") read(file, key, node, &config->log);
    else if (name == "image_cache") {
      std::string path;
      read(file, key, node, &path);
      config->image_cache = path;
    } else {
      throw std::runtime_error(fmt::format("{}:{}: unknown setting '{}'", file, key.source().begin.line, name));
    }
  }
}

void complete(Config* config) {
  if (config->listen.empty()) config->listen = {"127.0.0.1", default_socket()};
  if (config->image_cache.empty()) config->image_cache = cache_folder() / "images";
  if (config->driver == "soft") config->driver = software_gpu();
  if (!config->token_file.empty()) config->token = read_token(config->token_file);
  for (const std::string& text : config->listen) {
    if (config->token.empty() && !transport::is_loopback(transport::parse_address(text)))
      throw std::runtime_error(fmt::format("will not listen on {} for everyone: name a token_file, or listen on a loopback address or a unix socket", text));
  }
  if (config->log != "error" && config->log != "warning" && config->log != "info" && config->log != "debug")
    throw std::runtime_error(fmt::format("log: '{}' is none of error, warning, info, debug", config->log));
}

}  // namespace weft::gpud
