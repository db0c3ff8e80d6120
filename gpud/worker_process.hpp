// SPDX-License-Identifier: Apache-2.0
// A worker as the supervisor sees it: a child process, and a socket over which it says that its driver is ready and is given its client's connection. When the
// socket closes, by the supervisor's will or with its death, the worker ends.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/unique_fd.hpp"
#include "gpud/config.hpp"

namespace weft::gpud {

class WorkerProcess {
 public:
  /// Starts one that sees these devices (lease_devices). Throws std::system_error.
  WorkerProcess(const Config& config, const std::string& devices);
  WorkerProcess(WorkerProcess&&) = default;
  WorkerProcess& operator=(WorkerProcess&&) = default;

  pid_t pid() const { return pid_; }
  /// Waits until its driver is ready, a minute at most. Empty, or why there is none, for the client.
  std::string wait_until_ready() const;
  /// Gives it the client; the worker serves from then on. False where it is gone.
  bool give_client(int fd) const;

 private:
  pid_t pid_ = -1;
  UniqueFd control_;
};

/// The worker's end of the socket.
class WorkerControl {
 public:
  explicit WorkerControl(int fd) : socket_(fd) {}

  /// Empty for ready, else why not.
  void tell(const std::string& why_not) const;
  /// Waits for the client's connection. Empty where the supervisor gave up.
  UniqueFd wait_for_client() const;
  /// Returns when the supervisor has closed its end.
  void wait_for_end() const;

 private:
  UniqueFd socket_;
};

}  // namespace weft::gpud
