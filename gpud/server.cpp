// SPDX-License-Identifier: Apache-2.0
#include "gpud/server.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/log.hpp"
#include "gpud/handshake.hpp"
#include "gpud/lease.hpp"
#include "transport/address.hpp"

namespace weft::gpud {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_greetings = 256;  // at once; more wait in the listening sockets' queues

UniqueFd watch_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal : {SIGTERM, SIGINT, SIGCHLD}) ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) throw std::system_error(errno, std::system_category(), "cannot watch signals");
  return fd;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return std::string("was killed by signal ") + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  return WEXITSTATUS(status) == 0 ? "ended" : "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Server::Server(const Config& config) : config_(config), signals_(watch_signals()) {
  for (const std::string& text : config.listen) {
    const transport::Address address = transport::parse_address(text);
    if (!address.path.empty()) std::filesystem::create_directories(std::filesystem::path(address.path).parent_path());
    listeners_.push_back(transport::listen_on(address));
    if (!address.path.empty()) socket_files_.push_back(address.path);
    log::info("listening on %s", address.text().c_str());
  }
}

Server::~Server() {
  for (const std::string& path : socket_files_) ::unlink(path.c_str());
}

void Server::run() {
  for (;;) {
    forget_greetings(false);
    std::vector<pollfd> fds{{signals_.get(), POLLIN, 0}};
    if (greetings_.size() < most_greetings)
      for (const UniqueFd& listener : listeners_) fds.push_back({listener.get(), POLLIN, 0});
    // With greetings under way the time-out brings us back to the listeners soon.
    if (::poll(fds.data(), fds.size(), greetings_.empty() ? -1 : 100) < 0 && errno != EINTR) throw std::system_error(errno, std::system_category(), "poll");
    signalfd_siginfo signal;
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo == SIGCHLD) continue;
      log::info("ending on signal %u", signal.ssi_signo);
      end_workers();
      return;
    }
    bury_workers();
    for (std::size_t i = 1; i < fds.size(); ++i)
      if (fds[i].revents) accept_client(fds[i].fd);
  }
}

void Server::accept_client(int listener) {
  UniqueFd client(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!client) {
    if (errno == EMFILE || errno == ENFILE) {
      log::warning("out of file descriptors; clients must wait");
      std::this_thread::sleep_for(100ms);
    }
    return;
  }
  Greeting& greeting = greetings_.emplace_back();
  greeting.thread = std::jthread([this, &greeting, fd = std::move(client)]() mutable {
    try {
      serve(std::move(fd));
    } catch (const std::exception& error) {
      log::error("%s", error.what());
    }
    greeting.done = true;
  });
}

void Server::forget_greetings(bool all) {
  greetings_.remove_if([&](const Greeting& greeting) { return all || greeting.done; });
}

void Server::serve(UniqueFd client) {
  Introduction introduction;
  if (std::string wrong = greet(client.get(), config_.token, &introduction); !wrong.empty()) {
    log::warning("refused a connection: %s", wrong.c_str());
    return;
  }
  std::size_t clients;
  {
    std::lock_guard lock(workers_mutex_);
    clients = clients_.size();
  }
  if (clients >= config_.max_clients) {
    log::warning("refused %s: all %u places are taken", introduction.client().c_str(), config_.max_clients);
    return welcome(client.get(), introduction, "all " + std::to_string(config_.max_clients) + " places of this server are taken; try again later");
  }
  if (introduction.hello.probe) return welcome(client.get(), introduction, {});
  start_worker(client.get(), introduction);
}

void Server::start_worker(int client, const Introduction& introduction) {
  const char* field = introduction.hello.devices;
  const std::string wanted(field, ::strnlen(field, sizeof introduction.hello.devices));
  pid_t pid;
  std::string why_not;
  {
    WorkerProcess worker(config_, lease_devices(config_.devices, wanted));
    pid = worker.pid();
    why_not = worker.wait_until_ready();
    std::lock_guard lock(workers_mutex_);
    if (why_not.empty() && !buried_early_.contains(pid)) clients_.emplace(pid, Client{std::move(worker), introduction.client()});
    buried_early_.erase(pid);
  }
  welcome(client, introduction, why_not);
  if (!why_not.empty()) {
    log::warning("refused %s: %s", introduction.client().c_str(), why_not.c_str());
    return;
  }
  log::info("worker %d serves %s", pid, introduction.client().c_str());
  std::lock_guard lock(workers_mutex_);
  if (auto found = clients_.find(pid); found != clients_.end()) found->second.worker.give_client(client);
}

void Server::bury_workers() {
  int status;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    std::lock_guard lock(workers_mutex_);
    auto client = clients_.extract(pid);
    if (client.empty()) {
      if (WIFSIGNALED(status)) log::warning("worker %d %s while it prepared its driver", pid, how_it_ended(status).c_str());
      buried_early_[pid] = status;
      continue;
    }
    const bool in_order = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (in_order) log::info("worker %d of %s ended", pid, client.mapped().name.c_str());
    else log::warning("worker %d of %s %s", pid, client.mapped().name.c_str(), how_it_ended(status).c_str());
  }
}

void Server::end_workers() {
  for (UniqueFd& listener : listeners_) listener.reset();
  std::vector<pid_t> pids;
  {
    std::lock_guard lock(workers_mutex_);
    for (const auto& [pid, client] : clients_) pids.push_back(pid);
    clients_.clear();  // closing its control socket ends a worker
  }
  for (const auto deadline = std::chrono::steady_clock::now() + 2s; !pids.empty() && std::chrono::steady_clock::now() < deadline;) {
    std::erase_if(pids, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
    if (!pids.empty()) std::this_thread::sleep_for(10ms);
  }
  for (pid_t pid : pids) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  forget_greetings(true);
}

}  // namespace weft::gpud
