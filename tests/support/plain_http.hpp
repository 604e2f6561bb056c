// HTTP as a test needs it to ask a server on this machine: one request per connection, and a
// listener that lets a test answer by hand.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

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
  std::string receive_all() const {
    std::string text;
    char buffer[65536];
    for (ssize_t n = 0; (n = recv(fd_, buffer, sizeof buffer, 0)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }

 private:
  int fd_;
};

struct HttpAnswer {
  int status = 0;  // 0: there was no answer
  std::string head, body;
};

/// Sends one request to 127.0.0.1:port and reads the answer, chunked or not.
inline HttpAnswer ask_http(std::uint16_t port,
                           const std::string& target,
                           const std::string& method = "GET",
                           const std::string& body = "") {
  const auto socket = LoopbackSocket::fresh();
  const auto at = LoopbackSocket::address(port);
  const timeval patience{10, 0};
  setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return {};
  socket.send_all(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                  "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
                  "\r\n\r\n" + body);
  const auto text = socket.receive_all();
  const auto split = text.find("\r\n\r\n");
  if (split == std::string::npos || text.size() < 12) return {};
  HttpAnswer answer{std::atoi(text.c_str() + 9), text.substr(0, split), text.substr(split + 4)};
  if (answer.head.find("chunked") == std::string::npos) return answer;
  std::string whole;
  for (std::size_t i = 0; i < answer.body.size();) {
    const auto length = std::stoul(answer.body.substr(i), nullptr, 16);
    if (length == 0) break;
    i = answer.body.find("\r\n", i) + 2;
    whole += answer.body.substr(i, length);
    i += length + 2;
  }
  answer.body = whole;
  return answer;
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

/// A port that nobody listens on at the moment.
inline std::uint16_t free_port() {
  const auto socket = LoopbackSocket::fresh();
  auto at = LoopbackSocket::address(0);
  REQUIRE(bind(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  socklen_t size = sizeof at;
  getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&at), &size);
  return ntohs(at.sin_port);
}

}  // namespace posse::test
