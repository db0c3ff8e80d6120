// SPDX-License-Identifier: Apache-2.0
// The supervisor: listens, greets clients, starts a worker for each and buries it. One thread runs the loop; each greeting has a short-lived thread of its own, so
// that a slow or hostile client delays nobody.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/unique_fd.hpp"
#include "gpud/config.hpp"
#include "gpud/worker_process.hpp"

namespace weft::gpud {

class Server {
 public:
  /// Opens the listening sockets. Throws std::system_error or std::invalid_argument.
  explicit Server(const Config& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Serves until SIGTERM or SIGINT; then ends all workers.
  void run();

 private:
  struct Greeting {
    std::jthread thread;
    std::atomic<bool> done{false};
  };

  void accept_client(int listener);
  void serve(UniqueFd client);
  void start_worker(int client, const struct Introduction& introduction);
  void bury_workers();
  void end_workers();
  void forget_greetings(bool all);

  const Config& config_;
  std::vector<UniqueFd> listeners_;
  std::vector<std::string> socket_files_;
  UniqueFd signals_;
  std::list<Greeting> greetings_;

  std::mutex workers_mutex_;
  struct Client {
    WorkerProcess worker;
    std::string name;
  };
  std::map<pid_t, Client> clients_;
  std::map<pid_t, int> buried_early_;  // ended before they were entered above
};

}  // namespace weft::gpud
