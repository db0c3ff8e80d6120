// SPDX-License-Identifier: Apache-2.0
#include "gpud/worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>

#include <cstring>
#include <system_error>
#include <vector>

namespace weft::gpud {
namespace {

constexpr int control_fd = 3;            // in the worker
constexpr int ready_timeout_ms = 60000;  // a driver with many GPUs takes tens of seconds to start when nothing keeps it loaded

/// This process's environment with other visible devices.
std::vector<std::string> environment_with(const std::string& devices) {
  std::vector<std::string> environment;
  for (char** variable = environ; *variable; ++variable)
    if (devices.empty() || !std::string_view(*variable).starts_with("CUDA_VISIBLE_DEVICES=")) environment.emplace_back(*variable);
  if (!devices.empty()) environment.push_back("CUDA_VISIBLE_DEVICES=" + (devices == "none" ? "-1" : devices));
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::system_error failure(const char* what) { return std::system_error(errno, std::system_category(), what); }

}  // namespace

WorkerProcess::WorkerProcess(const Config& config, const std::string& devices) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) throw failure("no socket for a worker");
  control_.reset(pair[0]);
  const UniqueFd theirs(pair[1]);
  std::vector<std::string> arguments{"gpud",          "worker",         "--driver",
                                     config.driver,   "--log",          config.log,
                                     "--image-cache", config.image_cache.string(), "--image-cache-mib",
                                     std::to_string(config.image_cache_mib)};
  std::vector<std::string> environment = environment_with(devices);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), control_fd);
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);  // a Ctrl-C at the terminal is the supervisor's to deal with
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  const int error = ::posix_spawn(&pid_, "/proc/self/exe", &actions, &attributes, pointers(arguments).data(), pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) throw std::system_error(error, std::system_category(), "cannot start a worker");
}

std::string WorkerProcess::wait_until_ready() const {
  pollfd fd{control_.get(), POLLIN, 0};
  if (::poll(&fd, 1, ready_timeout_ms) <= 0) return "the CUDA driver of the server took too long to start";
  char text[512];
  const ssize_t length = ::recv(control_.get(), text, sizeof text, 0);
  if (length <= 0) return "the server's worker ended before its CUDA driver was ready; gpud's log says more";
  return std::string(text, static_cast<std::size_t>(length - 1));  // the last byte only makes the message never empty
}

bool WorkerProcess::give_client(int fd) const {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof fd)]{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  return ::sendmsg(control_.get(), &message, MSG_NOSIGNAL) == 1;
}

void WorkerControl::tell(const std::string& why_not) const {
  const std::string message = why_not.substr(0, 500) + std::string(1, 0);
  [[maybe_unused]] const ssize_t sent = ::send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL);
}

UniqueFd WorkerControl::wait_for_client() const {
  char byte;
  iovec data{&byte, 1};
  int fd = -1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof fd)]{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC) != 1) return {};
  const cmsghdr* rights = CMSG_FIRSTHDR(&message);
  if (!rights || rights->cmsg_type != SCM_RIGHTS || rights->cmsg_len != CMSG_LEN(sizeof fd)) return {};
  std::memcpy(&fd, CMSG_DATA(rights), sizeof fd);
  return UniqueFd(fd);
}

void WorkerControl::wait_for_end() const {
  char byte;
  while (::recv(socket_.get(), &byte, 1, 0) > 0) {
  }
}

}  // namespace weft::gpud
