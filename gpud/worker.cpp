// SPDX-License-Identifier: Apache-2.0
#include "gpud/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "base/log.hpp"
#include "gpud/session.hpp"
#include "gpud/worker_process.hpp"
#include "transport/tcp.hpp"

namespace weft::gpud {

void run_worker(const Config& config) {
  static const WorkerControl control(3);
  ::fcntl(3, F_SETFD, FD_CLOEXEC);
  try {
    DeviceOutput output;
    const ImageCache images(config.image_cache, config.image_cache_mib << 20);
    const Driver driver = prepare_driver(config.driver, config.window);
    control.tell({});
    UniqueFd client = control.wait_for_client();
    if (!client) ::_exit(0);
    std::thread([] {
      control.wait_for_end();
      ::_exit(0);
    }).detach();
    auto* session = new Session(driver, transport::make_tcp(std::move(client)), images, output);  // outlives this function: its threads do
    const bool in_order = session->serve();
    log::debug("the session ended%s", in_order ? "" : " without a goodbye");
    ::_exit(0);
  } catch (const std::exception& error) {
    log::error("%s", error.what());
    control.tell(error.what());
    ::_exit(1);
  }
}

}  // namespace weft::gpud
