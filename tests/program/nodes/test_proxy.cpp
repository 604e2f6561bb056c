// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "actors/host/line/frames.hpp"
#include "program/nodes/proxy.hpp"

namespace posse::test_proxy {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

std::string framed(FrameKind kind, const std::string& content) { return frame(kind, content); }
const std::string kHello = framed(FrameKind::hello, "a handshake");
std::string message(int number) {
  return framed(FrameKind::message, "to client " + std::to_string(number));
}

/// Both ends of a connection through a proxy.
class Line {
 public:
  explicit Line(ProxyOptions options = {})
      : acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
        proxy(with_target(options)),
        near(io_),
        far(io_) {
    near.connect({asio::ip::address_v4::loopback(), proxy.port()});
    acceptor_.accept(far);
  }
  static std::string read(tcp::socket& socket, std::size_t size) {
    std::string bytes(size, '\0');
    asio::read(socket, asio::buffer(bytes));
    return bytes;
  }
  static std::string read_all(tcp::socket& socket) {
    std::string bytes;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(bytes), end);
    return bytes;
  }

 private:
  ProxyOptions with_target(ProxyOptions options) const {
    options.to = {"127.0.0.1", acceptor_.local_endpoint().port()};
    return options;
  }
  asio::io_context io_;
  tcp::acceptor acceptor_;

 public:
  Proxy proxy;
  tcp::socket near, far;
};

/// Numbers of the messages in a stream of frames.
std::vector<int> numbers_in(const std::string& bytes) {
  PieceReader frames;
  frames.add(bytes.data(), bytes.size());
  std::vector<int> numbers;
  for (PieceReader::Piece piece; frames.next(piece);)
    if (piece.message) numbers.push_back(std::stoi(piece.bytes.substr(piece.bytes.rfind(' '))));
  return numbers;
}

}  // namespace

TEST_CASE("a proxy passes bytes on in both ways, late by the delay, and ends with either end") {
  Line line({.delay = Duration::seconds(0.05)});
  const auto began = Clock::now();
  asio::write(line.near, asio::buffer(kHello));
  CHECK(Line::read(line.far, kHello.size()) == kHello);
  CHECK(Clock::now() - began >= std::chrono::milliseconds(50));
  const auto answer = framed(FrameKind::challenge, "prove it") + message(7);
  asio::write(line.far, asio::buffer(answer));
  CHECK(Line::read(line.near, answer.size()) == answer);
  CHECK(Clock::now() - began >= std::chrono::milliseconds(100));
  // What was sent before the end still arrives.
  asio::write(line.near, asio::buffer(message(8)));
  line.near.close();
  CHECK(Line::read_all(line.far) == message(8));
  const auto counts = line.proxy.counts();
  CHECK(counts.connections == 1);
  CHECK(counts.up == kHello.size() + message(8).size());
  CHECK(counts.down == answer.size());
  CHECK(counts.message_bytes == message(7).size() + message(8).size());
}

TEST_CASE("a lossy proxy drops whole messages, the same ones for a seed, and nothing else") {
  std::string sent = kHello;
  for (int i = 0; i < 200; ++i)
    sent += message(i) + framed(FrameKind::ping, "") + framed(FrameKind::report, "a report");
  const auto received = [&](std::uint64_t seed) {
    Line line({.loss = 0.3, .seed = Seed{seed}});
    asio::write(line.near, asio::buffer(sent));
    line.near.shutdown(tcp::socket::shutdown_send);
    auto bytes = Line::read_all(line.far);
    const auto numbers = numbers_in(bytes);
    CHECK(line.proxy.counts().dropped == 200 - numbers.size());
    CHECK(numbers.size() > 110);
    CHECK(numbers.size() < 170);
    std::size_t others = 0, reports = 0;
    PieceReader frames;
    frames.add(bytes.data(), bytes.size());
    for (PieceReader::Piece piece; frames.next(piece);) {
      others += piece.bytes.size() == kFrameHeader ? 1 : 0;
      reports += piece.bytes.ends_with("a report") ? 1 : 0;
    }
    CHECK(others == 200);
    CHECK(reports == 200);
    return numbers;
  };
  CHECK(received(1) == received(1));
  CHECK(received(1) != received(2));
}

TEST_CASE("what is no frame passes unchanged, however it is cut") {
  std::mt19937 draws(1);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = i % 5 == 0 ? "" : kHello;
    for (auto n = draws() % 4; n > 0; --n) bytes += message(static_cast<int>(n));
    if (i % 2 == 0) bytes += "\x16\x03\x01 a TLS handshake";
    if (i % 3 == 0) bytes += std::string(draws() % 90, static_cast<char>(draws() % 256));
    PieceReader frames;
    std::string passed;
    for (std::size_t at = 0; at < bytes.size();) {
      const auto size = std::min<std::size_t>(1 + draws() % 50, bytes.size() - at);
      frames.add(bytes.data() + at, size);
      at += size;
      for (PieceReader::Piece piece; frames.next(piece);) passed += piece.bytes;
    }
    // Only the beginning of a frame may be kept back.
    CHECK(bytes.starts_with(passed));
    if (i % 2 == 0 && i % 3 != 0) CHECK(passed == bytes);
  }
}

TEST_CASE("a frame that is too long, and what doesn't begin with a handshake, is none") {
  for (const auto& bytes : {kHello + std::string("\xff\0\0\0\x0d", 5), message(1)}) {
    PieceReader frames;
    frames.add(bytes.data(), bytes.size());
    std::string passed;
    for (PieceReader::Piece piece; frames.next(piece);) {
      CHECK_FALSE(piece.message);
      passed += piece.bytes;
    }
    CHECK(passed == bytes);
  }
}

TEST_CASE("a proxy for TLS only ends what begins otherwise, and passes nothing of it") {
  for (const std::string first :
       {"GET / HTTP/1.1\r\n\r\n", "\x16 no version 3", "\x16\x03\x01 TLS"}) {
    Line line({.tls_only = true});
    asio::write(line.near, asio::buffer(first));
    line.near.shutdown(tcp::socket::shutdown_send);
    const bool tls = first.starts_with("\x16\x03");
    CHECK(Line::read_all(line.far) == (tls ? first : ""));
  }
}

TEST_CASE("a proxy without anybody behind it hangs up, and one without a port says so") {
  asio::io_context io;
  std::uint16_t nobody = 0;
  {
    const tcp::acceptor briefly(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    nobody = briefly.local_endpoint().port();
  }
  const Proxy proxy({.to = {"127.0.0.1", nobody}});
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), proxy.port()});
  CHECK(Line::read_all(socket).empty());
  CHECK_THROWS_WITH(Proxy({.listen = {"127.0.0.1", proxy.port()}}),
                    Catch::Matchers::Contains("can't be bound"));
}

}  // namespace posse::test_proxy
