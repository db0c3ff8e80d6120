// SPDX-License-Identifier: Apache-2.0
// weft: runs programs on the GPUs of other machines. Start here for tools/weft/.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weft/commands.hpp"

namespace {

/// Options stand for the environment variables that the library reads.
void set(const char* variable, const std::string& value) {
  if (!value.empty()) ::setenv(variable, value.c_str(), 1);
}

/// Where the program's own words begin: at "--" or at the first word that is neither an option of ours, all of which have a value, nor that value.
int find_command(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "run") return argc;
  int at = 2;
  while (at < argc && std::string_view(argv[at]).starts_with("-") && std::string_view(argv[at]) != "--") {
    const std::string_view option = argv[at];
    const bool has_value = option.find('=') == option.npos && option != "--help" && option != "-h";
    at += has_value ? 2 : 1;
  }
  return std::min(at, argc);
}

int dispatch(int argc, char** argv) {
  CLI::App app{"weft: runs CUDA programs on the GPUs of other machines"};
  app.require_subcommand(1);
  std::string servers, transport, token_file;
  auto connection = [&](CLI::App* command) {
    command->add_option("--servers", servers, "host[:port][/gpu,gpu] or unix:/path; WEFT_SERVERS, else this machine")->type_name("LIST");
    command->add_option("--transport", transport, "auto or tcp; WEFT_TRANSPORT")->type_name("NAME");
    command->add_option("--token-file", token_file, "file with the server's token in its first line; WEFT_TOKEN_FILE")->type_name("FILE");
  };
  CLI::App* run = app.add_subcommand("run", "run a program on the pool's GPUs: weft run [options] -- command");
  connection(run);
  CLI::App* devices = app.add_subcommand("devices", "list the pool's GPUs");
  connection(devices);
  const int command_at = find_command(argc, argv);
  CLI11_PARSE(app, command_at, argv);
  set("WEFT_SERVERS", servers);
  set("WEFT_TRANSPORT", transport);
  set("WEFT_TOKEN_FILE", token_file);
  if (!run->parsed()) return weft::tool::devices();
  std::vector<std::string> command(argv + command_at, argv + argc);
  if (!command.empty() && command.front() == "--") command.erase(command.begin());
  if (command.empty()) throw std::runtime_error("name the program to run: weft run [options] -- command");
  return weft::tool::run(command);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft: %s\n", error.what());
    return 1;
  }
}
