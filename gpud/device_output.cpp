// SPDX-License-Identifier: Apache-2.0
#include "gpud/device_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <vector>

#include "base/log.hpp"

namespace weft::gpud {
namespace {

constexpr std::size_t most_at_once = 256 << 10;  // well below the largest message

}  // namespace

DeviceOutput::DeviceOutput() {
  log::set_fd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  for (int i = 0; i < 2; ++i) {
    files_[i].file.reset(::memfd_create(i == 0 ? "stdout" : "stderr", MFD_CLOEXEC));
    if (!files_[i].file || ::fcntl(files_[i].file.get(), F_SETFL, O_APPEND) < 0 || ::dup2(files_[i].file.get(), i + 1) < 0)
      throw std::system_error(errno, std::system_category(), "cannot redirect the output of kernels");
  }
}

void DeviceOutput::forward(const std::function<void(std::int32_t fd, std::span<const std::byte> text)>& send) {
  std::lock_guard lock(mutex_);
  std::fflush(stdout);
  std::fflush(stderr);
  for (int i = 0; i < 2; ++i) {
    struct stat status;
    if (::fstat(files_[i].file.get(), &status) < 0) continue;
    std::uint64_t& sent = files_[i].sent;
    while (sent < static_cast<std::uint64_t>(status.st_size)) {
      std::vector<std::byte> text(std::min<std::uint64_t>(most_at_once, static_cast<std::uint64_t>(status.st_size) - sent));
      const ssize_t got = ::pread(files_[i].file.get(), text.data(), text.size(), static_cast<off_t>(sent));
      if (got <= 0) break;
      send(i + 1, std::span(text).first(static_cast<std::size_t>(got)));
      // The file only grows (shortening it could lose what is being printed); its memory is given back.
      ::fallocate(files_[i].file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(sent), got);
      sent += static_cast<std::uint64_t>(got);
    }
  }
}

}  // namespace weft::gpud
