// SPDX-License-Identifier: Apache-2.0
// What kernels print. The driver writes it to this process's stdout and stderr; here both are memory files, and what is new in them goes to the client.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>

#include "base/unique_fd.hpp"

namespace weft::gpud {

class DeviceOutput {
 public:
  /// Puts memory files in the place of this process's stdout and stderr; its log goes on where stderr went before. Once a process, before other threads.
  /// Throws std::system_error.
  DeviceOutput();

  /// Calls send(fd, text) with what was printed since the last time; fd is 1 or 2. Any thread; texts come in order.
  void forward(const std::function<void(std::int32_t fd, std::span<const std::byte> text)>& send);

 private:
  struct File {
    UniqueFd file;
    std::uint64_t sent = 0;
  };

  std::mutex mutex_;
  File files_[2];
};

}  // namespace weft::gpud
