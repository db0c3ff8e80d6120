// SPDX-License-Identifier: Apache-2.0
// gpud: offers this machine's GPUs to weft's clients. Start here for the supervisor; session.hpp is where a worker's work begins.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "base/log.hpp"
#include "gpud/config.hpp"
#include "gpud/server.hpp"
#include "gpud/worker.hpp"

using namespace weft;
using gpud::Config;

namespace {

void set_log_level(const std::string& level) {
  using log::Level;
  log::set_level(level == "error" ? Level::error : level == "warning" ? Level::warning : level == "info" ? Level::info : Level::debug);
}

void add_worker_flags(CLI::App& app, Config& config) {
  app.add_option("--driver", config.driver, "the CUDA driver library that workers use")->type_name("PATH");
  app.add_option("--image-cache", config.image_cache, "folder in which module images are kept")->type_name("DIR");
  app.add_option("--image-cache-mib", config.image_cache_mib, "at most so many MiB of them")->type_name("N");
  app.add_option("--log", config.log, "error, warning, info or debug")->type_name("LEVEL");
}

void add_flags(CLI::App& app, Config& config) {
  add_worker_flags(app, config);
  app.add_option("--listen", config.listen, "address to listen on: host[:port], [v6]:port or unix:/path; may be given several times")->type_name("ADDRESS");
  app.add_option("--token-file", config.token_file, "file whose first line clients must know; needed to listen beyond this machine")->type_name("FILE");
  app.add_option("--devices", config.devices, "devices to offer, as CUDA_VISIBLE_DEVICES would say it; all if left out")->type_name("LIST");
  app.add_option("--max-clients", config.max_clients, "at most so many at once")->type_name("N");
}

/// Flags win over the file: the file is read into a fresh Config, and the flags are parsed once more over that.
int run(int argc, char** argv) {
  Config config, from_flags;
  std::string file;
  CLI::App app{"gpud: offers this machine's GPUs to weft's clients"};
  app.add_option("--config", file, "settings (TOML); see gpud.toml(5)")->type_name("FILE");
  add_flags(app, from_flags);
  CLI::App* worker = app.add_subcommand("worker", "")->group("");
  add_worker_flags(*worker, from_flags);
  CLI11_PARSE(app, argc, argv);
  if (worker->parsed()) {
    set_log_level(from_flags.log);
    gpud::run_worker(from_flags);
  }
  if (!file.empty()) read_config(file, &config);
  CLI::App again;
  again.add_option("--config", file);
  add_flags(again, config);
  CLI11_PARSE(again, argc, argv);
  complete(&config);
  set_log_level(config.log);
  gpud::Server(config).run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpud: %s\n", error.what());
    return 1;
  }
}
