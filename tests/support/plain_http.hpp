// SPDX-License-Identifier: Apache-2.0
// Asking a server on this machine over HTTP, one request per connection, and a listener that lets a
// test answer by hand.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cctype>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/http_client.hpp"

namespace posse::test {

/// A TCP socket on the loopback interface.
class LoopbackSocket {
 public:
  explicit LoopbackSocket(int fd) : fd_(fd) {}
  LoopbackSocket(LoopbackSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LoopbackSocket& operator=(LoopbackSocket&&) = delete;
  ~LoopbackSocket() {
    if (fd_ >= 0) close(fd_);
  }
  static LoopbackSocket fresh() {
    return LoopbackSocket(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }
  static sockaddr_in address(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    return at;
  }
  int fd() const { return fd_; }
  bool send_all(const std::string& text) const {
    for (std::size_t sent = 0; sent < text.size();) {
      const auto n = send(fd_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return false;
      sent += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int fd_;
};

/// One request to 127.0.0.1:port and its answer, chunked or not; status 0 if there is none.
inline HttpAnswer ask_http(std::uint16_t port, const std::string& target) {
  try {
    HttpClient client(port);
    client.send(http_request(port, target, "Connection: close\r\n"));
    auto answer = client.answer();
    if (answer.header("Transfer-Encoding") != "chunked") return answer;
    const std::string& chunks = client.read_to_end();
    for (std::size_t i = 0; i < chunks.size();) {
      const auto length = std::stoul(chunks.substr(i, 16), nullptr, 16);
      if (length == 0) break;
      i = chunks.find("\r\n", i) + 2;
      answer.body += chunks.substr(i, length);
      i += length + 2;
    }
    return answer;
  } catch (const boost::system::system_error&) {
    return {};  // no listener
  }
}

/// Percent-encoded, for a query.
inline std::string url_encoded(const std::string& text) {
  static const char* const digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte))
      out += c;
    else
      out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

/// Listens on a free port and treats one connection after the other with `serve`, on a thread of
/// its own.
class LoopbackListener {
 public:
  explicit LoopbackListener(std::function<void(const LoopbackSocket&)> serve)
      : listener_(LoopbackSocket::fresh()) {
    auto at = LoopbackSocket::address(0);
    REQUIRE(bind(listener_.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
    REQUIRE(listen(listener_.fd(), 16) == 0);
    socklen_t size = sizeof at;
    getsockname(listener_.fd(), reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this, serve = std::move(serve)] {
      for (;;) {
        const LoopbackSocket connection(accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC));
        if (connection.fd() < 0) return;
        serve(connection);
      }
    });
  }
  ~LoopbackListener() {
    shutdown(listener_.fd(), SHUT_RDWR);
    thread_.join();
  }
  std::uint16_t port() const { return port_; }

 private:
  LoopbackSocket listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

/// A port that is free at the moment.
inline std::uint16_t free_port() {
  const auto socket = LoopbackSocket::fresh();
  auto at = LoopbackSocket::address(0);
  REQUIRE(bind(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  socklen_t size = sizeof at;
  getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&at), &size);
  return ntohs(at.sin_port);
}

}  // namespace posse::test
