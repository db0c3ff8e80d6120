// SPDX-License-Identifier: Apache-2.0
// weft: runs programs on the GPUs of other machines. Start here for tools/weft/.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/commands.hpp"

namespace {

/// Options stand for the environment variables that the library reads.
void set(const char* variable, const std::string& value) {
  if (!value.empty()) ::setenv(variable, value.c_str(), 1);
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
  run->prefix_command();  // everything from the program's name on is the program's
  CLI::App* devices = app.add_subcommand("devices", "list the pool's GPUs");
  connection(devices);
  CLI11_PARSE(app, argc, argv);
  set("WEFT_SERVERS", servers);
  set("WEFT_TRANSPORT", transport);
  set("WEFT_TOKEN_FILE", token_file);
  if (!run->parsed()) return weft::tool::devices();
  std::vector<std::string> command = run->remaining();
  if (!command.empty() && command.front() == "--") command.erase(command.begin());
  if (command.empty()) throw std::runtime_error("weft run: name the program to run: weft run [options] -- command");
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
