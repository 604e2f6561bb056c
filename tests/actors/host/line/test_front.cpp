// SPDX-License-Identifier: Apache-2.0
// What strangers can do to the port that a listener opens: nothing that others notice.
#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "actors/host/line/connect.hpp"
#include "actors/host/line/front.hpp"
#include "core/base/module.hpp"
#include "tests/support/child_process.hpp"

namespace posse::test_front {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using test::comes_true;

EntranceOptions keys(bool listens, const std::string& token = "a secret") {
  EntranceOptions options;
  options.mac = module<TlsModule>().mac;
  options.token = token;
  options.listens = listens;
  return options;
}

/// A front whose lines say what came over them, and answer with it.
class Echo {
 public:
  explicit Echo(FrontOptions options = {})
      : front_(with(std::move(options)), [this](std::unique_ptr<OpenedLine> opened) {
          const auto line = std::make_shared<Line>(io_.io(), std::move(*opened));
          ++lines;
          asio::post(io_.io(), [this, line] {
            const std::weak_ptr<Line> self = line;
            line->start({[self](const Frame& frame) {
                           if (const auto here = self.lock()) here->send(frame.kind, frame.content);
                         },
                         [this](const std::string& why) {
                           const std::lock_guard lock(mutex_);
                           whys_ += why + ";";
                         }});
          });
        }) {}
  std::uint16_t port() const { return front_.port(); }
  std::string told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  std::string whys() const {
    const std::lock_guard lock(mutex_);
    return whys_;
  }
  std::atomic<int> lines{0};

 private:
  FrontOptions with(FrontOptions options) {
    options.entrance.mac = module<TlsModule>().mac;
    options.entrance.token = "a secret";
    options.entrance.listens = true;
    options.tell = [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      told_ += text + "\n";
    };
    return options;
  }
  mutable std::mutex mutex_;
  std::string told_, whys_;
  IoThread io_;
  Front front_;
};

/// A member's line that notes what it hears.
class Caller {
 public:
  explicit Caller(std::uint16_t port) {
    auto opened = connect_to("127.0.0.1", port, keys(false), [] { return false; });
    REQUIRE(opened);
    line = std::make_shared<Line>(io_.io(), std::move(*opened));
    asio::post(io_.io(), [this] {
      line->start({[this](const Frame& frame) {
                     const std::lock_guard lock(mutex_);
                     heard_ += frame.content;
                   },
                   [this](const std::string&) { ended = true; }});
    });
  }
  ~Caller() { io_.stop(); }
  std::string heard() const {
    const std::lock_guard lock(mutex_);
    return heard_;
  }
  bool hears_back(const std::string& text) {
    line->send(FrameKind::message, text);
    return comes_true([&] { return heard().ends_with(text); });
  }
  std::atomic<bool> ended{false};

 private:
  IoThread io_;

 public:
  std::shared_ptr<Line> line;

 private:
  mutable std::mutex mutex_;
  std::string heard_;
};

class Stranger {
 public:
  explicit Stranger(std::uint16_t port) : socket_(io_) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
  }
  void send(const std::string& bytes) {
    boost::system::error_code ignored;
    asio::write(socket_, asio::buffer(bytes), ignored);
  }
  /// What came until the other end hung up.
  std::string read_to_end() {
    std::string bytes;
    boost::system::error_code end;
    asio::read(socket_, asio::dynamic_buffer(bytes), end);
    return bytes;
  }

 private:
  asio::io_context io_;
  tcp::socket socket_;
};

}  // namespace

TEST_CASE("members with the token get a line, and long frames arrive whole") {
  Echo echo;
  Caller one(echo.port()), two(echo.port());
  CHECK(one.hears_back("hello"));
  CHECK(two.hears_back(std::string(3'000'000, 'x')));
  one.line->end();
  CHECK(comes_true([&] { return one.ended.load(); }));
  CHECK(two.hears_back("still there"));
}

TEST_CASE("whoever sends anything else is hung up on, and members notice nothing") {
  Echo echo;
  Caller member(echo.port());
  for (const std::string& garbage :
       {std::string("hello\r\n"),
        std::string(32, '\0'),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
        std::string(100'000, '\xff'),
        frame(FrameKind::join, "let me in")}) {
    Stranger stranger(echo.port());
    stranger.send(garbage);
    CHECK(stranger.read_to_end().empty());
  }
  CHECK(member.hears_back("all is well"));
  CHECK(echo.lines == 1);
}

TEST_CASE("a member with another token is told so, and a few times a minute the listener") {
  Echo echo;
  for (int i = 0; i < 8; ++i)
    CHECK_THROWS_WITH(
        connect_to("127.0.0.1", echo.port(), keys(false, "wrong"), [] { return false; }),
        "refused: the token is not the one of this run");
  const auto told = echo.told();
  CHECK(std::count(told.begin(), told.end(), '\n') == 5);
  CHECK(told.starts_with("refused: the token is not the one of this run\n"));
}

TEST_CASE("who says nothing, or too slowly, goes when the time is over") {
  Echo echo({.entrance = {.time = 150ms}});
  Stranger silent(echo.port()), slow(echo.port());
  std::jthread drip([&] {
    for (int i = 0; i < 20; ++i) {
      slow.send(std::string(1, '\0'));
      std::this_thread::sleep_for(20ms);
    }
  });
  CHECK(silent.read_to_end().empty());
  CHECK(slow.read_to_end().empty());
}

TEST_CASE("strangers that hold connections make room, those that have come least far first") {
  Echo echo({.strangers = 20});
  Caller member(echo.port());
  std::vector<std::unique_ptr<Stranger>> held;
  auto halfway = member_handshake({module<TlsModule>().mac, "a secret", random_nonce(), ""});
  Stranger waits(echo.port());
  waits.send(halfway->begin());
  for (int i = 0; i < 60; ++i) held.push_back(std::make_unique<Stranger>(echo.port()));
  Caller another(echo.port());
  CHECK(another.hears_back("let in"));
  CHECK(member.hears_back("undisturbed"));
  CHECK(held.front()->read_to_end().empty());
}

TEST_CASE("a line ends when what comes is no frame, and says why") {
  Echo echo;
  Caller member(echo.port());
  auto handshake = member_handshake({module<TlsModule>().mac, "a secret", random_nonce(), ""});
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), echo.port()});
  asio::write(socket, asio::buffer(handshake->begin()));
  std::string out;
  for (auto state = Handshake::State::going_on; state == Handshake::State::going_on;) {
    std::string came(1, '\0');
    asio::read(socket, asio::buffer(came));
    state = handshake->take(came, out);
    if (!out.empty()) asio::write(socket, asio::buffer(std::exchange(out, {})));
    REQUIRE(state != Handshake::State::refused);
  }
  asio::write(socket, asio::buffer(std::string("\xff\xff\xff\xff\x0d", 5)));  // four gigabytes
  CHECK(comes_true([&] { return echo.whys() == "it sent what is no frame, or too long a one;"; }));
  CHECK(member.hears_back("all is well"));
}

TEST_CASE("a member that meets a hostile listener says so, and doesn't wait for ever") {
  asio::io_context io;
  tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  const auto port = acceptor.local_endpoint().port();
  const auto challenge =
      frame(FrameKind::challenge, std::string("\0\0\0\3", 4) + std::string(32, 'n'));
  for (const std::string& hostile :
       {std::string(),
        std::string("SSH-2.0-OpenSSH_9.2\r\n"),
        std::string(200'000, '\0'),
        frame(FrameKind::verdict, '\1' + std::string(32, 'x')),
        challenge + frame(FrameKind::verdict, '\1' + std::string(32, 'x')),
        challenge + challenge,
        challenge + std::string("\xff\xff\xff\xff\x05", 5)}) {
    std::jthread listens([&] {
      tcp::socket socket(io);
      acceptor.accept(socket);
      boost::system::error_code ignored;
      asio::write(socket, asio::buffer(hostile), ignored);
      socket.shutdown(tcp::socket::shutdown_send, ignored);
      std::string rest;
      asio::read(socket, asio::dynamic_buffer(rest), ignored);
    });
    CHECK_THROWS_AS(connect_to("127.0.0.1", port, keys(false), [] { return false; }),
                    OutsideFailure);
  }
  std::jthread silent([&] {
    tcp::socket socket(io);
    acceptor.accept(socket);
    std::string rest;
    boost::system::error_code ignored;
    asio::read(socket, asio::dynamic_buffer(rest), ignored);
  });
  auto hasty = keys(false);
  hasty.time = 100ms;
  CHECK_THROWS_AS(connect_to("127.0.0.1", port, hasty, [] { return false; }), NotReached);
}

TEST_CASE("a port that is taken is named") {
  Echo echo;
  CHECK_THROWS_WITH(Front({.port = echo.port()}, [](auto) {}),
                    Catch::Matchers::Contains("can't listen at 127.0.0.1:"));
}

}  // namespace posse::test_front
