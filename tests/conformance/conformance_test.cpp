// SPDX-License-Identifier: Apache-2.0
// What every transport must do. A transport enrols by one function that makes two connected ends.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "transport/address.hpp"
#include "transport/limits.hpp"
#include "transport/tcp.hpp"

namespace weft::transport {
namespace {

using namespace std::chrono_literals;

struct Pair {
  std::unique_ptr<Connection> a, b;
};

struct Maker {
  const char* name;
  Pair (*make)();
};

Pair over_socket(const std::string& text) {
  const Address address = parse_address(text);
  const UniqueFd listener = listen_on(address);
  std::string error;
  UniqueFd client = connect_to(address, 2s, &error);
  EXPECT_TRUE(client) << error;
  UniqueFd server;
  for (int i = 0; i < 200 && !server; ++i) {
    server.reset(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!server) std::this_thread::sleep_for(5ms);
  }
  return {make_tcp(std::move(client)), make_tcp(std::move(server))};
}

const Maker makers[] = {
    {"tcp4", [] { return over_socket("127.0.0.1:29277"); }},
    {"tcp6", [] { return over_socket("[::1]:29277"); }},
    {"unix", [] { return over_socket("unix:" + testing::TempDir() + "weft-conformance.sock"); }},
};

std::vector<std::byte> pattern(std::size_t size, unsigned seed) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i * 2654435761u + seed) >> 13);
  return bytes;
}

std::error_code post(Connection& connection, Bytes message) { return connection.post({&message, 1}); }

class Conformance : public testing::TestWithParam<Maker> {
 protected:
  void SetUp() override { pair = GetParam().make(); }

  Event next(Connection& connection) {
    for (int i = 0; i < 100; ++i)
      if (Event event = connection.poll(100ms); event.kind != Event::Kind::none) return event;
    return {};
  }

  /// Polls in the background, so that the other end can put and get.
  class Poller {
   public:
    explicit Poller(Connection& connection) : thread_([this, &connection] {
      while (!stop_) connection.poll(10ms);
    }) {}
    ~Poller() { stop_ = true; }

   private:
    std::atomic<bool> stop_{false};
    std::jthread thread_;
  };

  /// Asks the descriptor, as a loop of the program's own would.
  bool readable(int timeout_ms) {
    pollfd fd{pair.b->wait_fd(), POLLIN, 0};
    return ::poll(&fd, 1, timeout_ms) == 1;
  }

  Pair pair;
};

TEST_P(Conformance, MessagesArriveWholeAndInOrder) {
  std::jthread sender([&] {
    for (unsigned i = 0; i < 5000; ++i) {
      const auto message = pattern(i % 1000, i);
      ASSERT_FALSE(post(*pair.a, message));
      if (i % 64 == 0) {
        ASSERT_FALSE(pair.a->flush());
      }
    }
    ASSERT_FALSE(pair.a->flush());
  });
  for (unsigned i = 0; i < 5000; ++i) {
    const Event event = next(*pair.b);
    ASSERT_EQ(event.kind, Event::Kind::message) << i;
    const auto expected = pattern(i % 1000, i);
    ASSERT_TRUE(std::equal(event.message.begin(), event.message.end(), expected.begin(), expected.end())) << i;
  }
}

TEST_P(Conformance, PartsOfAMessageArriveAsOne) {
  const auto whole = pattern(300, 1);
  const Bytes parts[] = {Bytes(whole).first(100), Bytes(whole).subspan(100, 0), Bytes(whole).subspan(100)};
  ASSERT_FALSE(pair.a->post(parts));
  ASSERT_FALSE(pair.a->flush());
  const Event event = next(*pair.b);
  EXPECT_TRUE(std::equal(event.message.begin(), event.message.end(), whole.begin(), whole.end()));
}

TEST_P(Conformance, TheLargestMessageGoesAndALargerOneIsRefused) {
  std::jthread sender([&] {
    ASSERT_FALSE(post(*pair.a, pattern(max_message_bytes, 3)));
    EXPECT_TRUE(post(*pair.a, pattern(max_message_bytes + 1, 3)));
    ASSERT_FALSE(post(*pair.a, pattern(1, 3)));
    ASSERT_FALSE(pair.a->flush());
  });
  EXPECT_EQ(next(*pair.b).message.size(), max_message_bytes);
  EXPECT_EQ(next(*pair.b).message.size(), 1u);
}

TEST_P(Conformance, PutsOfAllSizesAreThereBeforeTheNextMessage) {
  for (std::size_t size : {std::size_t{1}, std::size_t{4095}, std::size_t{4097}, std::size_t{1} << 20, (std::size_t{64} << 20) + 3}) {
    std::vector<std::byte> memory(size + 10);
    const std::uint64_t key = pair.b->register_memory(memory);
    const auto bytes = pattern(size, 7);
    std::jthread sender([&] {
      ASSERT_FALSE(pair.a->put(bytes, key, 5));
      ASSERT_FALSE(post(*pair.a, pattern(8, 1)));
      ASSERT_FALSE(pair.a->flush());
    });
    ASSERT_EQ(next(*pair.b).kind, Event::Kind::message);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), memory.begin() + 5)) << size;
    EXPECT_EQ(memory[4], std::byte{0});
    EXPECT_EQ(memory[size + 5], std::byte{0});
    pair.b->deregister_memory(key);
  }
}

TEST_P(Conformance, GetsBringTheBytes) {
  const auto bytes = pattern(3 << 20, 9);
  auto source = bytes;
  const std::uint64_t key = pair.b->register_memory(source);
  const Poller poller(*pair.b);
  std::vector<std::byte> memory(1 << 20);
  for (std::uint64_t cookie = 1; cookie <= 3; ++cookie) {
    ASSERT_FALSE(pair.a->get(memory, key, (cookie - 1) << 20, cookie));
    const Event event = next(*pair.a);
    ASSERT_EQ(event.kind, Event::Kind::get_done);
    EXPECT_EQ(event.cookie, cookie);
    EXPECT_TRUE(std::equal(memory.begin(), memory.end(), bytes.begin() + static_cast<std::ptrdiff_t>((cookie - 1) << 20)));
  }
}

TEST_P(Conformance, ManyThreadsPostAtOnce) {
  constexpr unsigned threads = 4, each = 2000;
  std::vector<std::jthread> senders;
  for (unsigned t = 0; t < threads; ++t)
    senders.emplace_back([&, t] {
      for (unsigned i = 0; i < each; ++i) {
        const unsigned message[] = {t, i};
        ASSERT_FALSE(post(*pair.a, std::as_bytes(std::span(message))));
        ASSERT_FALSE(pair.a->flush());
      }
    });
  std::vector<unsigned> seen(threads, 0);
  for (unsigned i = 0; i < threads * each; ++i) {
    unsigned message[2];
    const Event event = next(*pair.b);
    ASSERT_EQ(event.message.size(), sizeof message);
    std::memcpy(message, event.message.data(), sizeof message);
    ASSERT_EQ(message[1], seen[message[0]]++);
  }
}

TEST_P(Conformance, ASlowReceiverLosesNothing) {
  const auto message = pattern(100000, 5);
  std::jthread sender([&] {
    for (int i = 0; i < 200; ++i) ASSERT_FALSE(post(*pair.a, message));
    ASSERT_FALSE(pair.a->flush());
  });
  std::this_thread::sleep_for(100ms);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(next(*pair.b).message.size(), message.size());
}

TEST_P(Conformance, BeyondTheRegisteredBytesFailsWhoTried) {
  struct Try {
    std::uint64_t offset, size;
    bool known;
  };
  for (const Try& t : {Try{1, 16, true}, Try{~std::uint64_t{0}, 16, true}, Try{17, 0, true}, Try{0, 1, false}}) {
    Pair fresh = GetParam().make();
    std::vector<std::byte> memory(16);
    const std::uint64_t key = fresh.b->register_memory(memory) + (t.known ? 0 : 1000);
    const auto bytes = pattern(t.size, 1);
    (void)fresh.a->put(bytes, key, t.offset);
    EXPECT_EQ(next(*fresh.b).kind, Event::Kind::closed);
    EXPECT_EQ(next(*fresh.a).kind, Event::Kind::closed);
    EXPECT_TRUE(std::all_of(memory.begin(), memory.end(), [](std::byte byte) { return byte == std::byte{0}; }));
  }
}

TEST_P(Conformance, AMemoryThatIsGoneIsNotWritten) {
  std::vector<std::byte> memory(16);
  const std::uint64_t key = pair.b->register_memory(memory);
  pair.b->deregister_memory(key);
  EXPECT_NE(pair.b->register_memory(memory), key);
  (void)pair.a->put(pattern(16, 1), key, 0);
  EXPECT_EQ(next(*pair.b).kind, Event::Kind::closed);
}

TEST_P(Conformance, ClosingReachesThePeerAndEveryCall) {
  pair.a->close();
  EXPECT_EQ(next(*pair.a).kind, Event::Kind::closed);
  EXPECT_TRUE(post(*pair.a, pattern(1, 1)));
  const Event event = next(*pair.b);
  EXPECT_EQ(event.kind, Event::Kind::closed);
  EXPECT_FALSE(event.error) << event.error.message();
  pair.a->close();
}

TEST_P(Conformance, ClosingWakesAPollUnderWay) {
  std::jthread closer([&] {
    std::this_thread::sleep_for(50ms);
    pair.a->close();
  });
  EXPECT_EQ(pair.a->poll(10s).kind, Event::Kind::closed);
}

TEST_P(Conformance, SilenceCostsNoTime) {
  timespec before, after;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  EXPECT_EQ(pair.a->poll(500ms).kind, Event::Kind::none);
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  const double used = static_cast<double>(after.tv_sec - before.tv_sec) + 1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec);
  EXPECT_LT(used, 0.1);
}

TEST_P(Conformance, TheDescriptorTellsWhatPollWouldFind) {
  EXPECT_EQ(pair.b->poll(0us).kind, Event::Kind::none);
  EXPECT_FALSE(readable(20));
  ASSERT_FALSE(post(*pair.a, pattern(4, 1)));
  ASSERT_FALSE(pair.a->flush());
  EXPECT_TRUE(readable(5000));
  EXPECT_EQ(pair.b->poll(0us).kind, Event::Kind::message);
}

INSTANTIATE_TEST_SUITE_P(Transports, Conformance, testing::ValuesIn(makers), [](const auto& maker) { return std::string(maker.param.name); });

}  // namespace
}  // namespace weft::transport
