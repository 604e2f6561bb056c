// SPDX-License-Identifier: Apache-2.0
// A client of HTTP servers on loopback that sends any bytes, and waits for answers only so long.
#pragma once

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posse::test {

struct HttpAnswer {
  unsigned status = 0;  // 0: none came
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  /// Of the first header of that name (as spelt by the server); empty if there is none.
  std::string header(std::string_view name) const {
    for (const auto& [key, value] : headers)
      if (key == name) return value;
    return "";
  }
};

class HttpClient {
 public:
  using Tcp = boost::asio::ip::tcp;
  static constexpr std::chrono::seconds kPatience{10};

  explicit HttpClient(std::uint16_t port, const std::string& host = "127.0.0.1")
      : HttpClient(Tcp::endpoint(boost::asio::ip::make_address(host), port)) {}
  explicit HttpClient(const Tcp::endpoint& server) : socket_(io_, server.protocol()) {
    socket_.connect(server);
  }

  Tcp::socket& socket() { return socket_; }

  /// False if the server didn't take it all.
  bool send(std::string_view bytes) {
    bool sent = false;
    boost::asio::async_write(socket_,
                             boost::asio::buffer(bytes.data(), bytes.size()),
                             [&](const Error& error, std::size_t) { sent = !error; });
    run(kPatience);
    return sent;
  }
  /// The client won't send more, but reads on.
  void end_sending() {
    Error ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
  }

  /// Reads until what came satisfies `enough`, the server closes, or patience ends; what came since
  /// the last answer.
  const std::string& read_until(const std::function<bool(const std::string&)>& enough,
                                std::chrono::milliseconds patience = kPatience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!closed_ && !enough(input_)) {
      const auto now = std::chrono::steady_clock::now();
      if (now >= deadline) break;
      std::array<char, 16384> buffer;
      bool read = false;
      socket_.async_read_some(boost::asio::buffer(buffer),
                              [&](const Error& error, std::size_t count) {
                                read = true;
                                if (error && error != boost::asio::error::operation_aborted)
                                  closed_ = true;
                                input_.append(buffer.data(), count);
                              });
      run(deadline - now);
      if (!read) break;
    }
    return input_;
  }
  const std::string& read_until(std::string_view part,
                                std::chrono::milliseconds patience = kPatience) {
    return read_until([&](const std::string& all) { return all.find(part) != std::string::npos; },
                      patience);
  }
  /// All until the server closes.
  const std::string& read_to_end(std::chrono::milliseconds patience = kPatience) {
    return read_until([](const std::string&) { return false; }, patience);
  }
  /// Whether the server closed the connection by then.
  bool closes(std::chrono::milliseconds patience = kPatience) {
    read_to_end(patience);
    return closed_;
  }
  /// Reads the next answer and takes it off; `with_body` false after HEAD.
  HttpAnswer answer(bool with_body = true) {
    HttpAnswer result;
    read_until("\r\n\r\n");
    const auto end = input_.find("\r\n\r\n");
    if (end == std::string::npos || !input_.starts_with("HTTP/1.1 ")) return result;
    const std::string head = input_.substr(0, end + 2);
    input_.erase(0, end + 4);
    result.status = static_cast<unsigned>(std::atoi(head.c_str() + 9));
    for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
      const auto colon = head.find(": ", at), line_end = head.find("\r\n", at);
      result.headers.emplace_back(head.substr(at, colon - at),
                                  head.substr(colon + 2, line_end - colon - 2));
      at = line_end + 2;
    }
    if (const auto length = result.header("Content-Length"); with_body && !length.empty()) {
      const auto size = static_cast<std::size_t>(std::stoull(length));
      read_until([&](const std::string& all) { return all.size() >= size; });
      result.body = input_.substr(0, size);
      input_.erase(0, size);
    }
    return result;
  }
  /// What came and was not taken.
  const std::string& input() const { return input_; }

 private:
  using Error = boost::system::error_code;

  void run(std::chrono::steady_clock::duration patience) {
    io_.restart();
    io_.run_for(patience);
    if (io_.stopped()) return;
    socket_.cancel();
    io_.restart();
    io_.run();
  }

  boost::asio::io_context io_;
  Tcp::socket socket_;
  std::string input_;
  bool closed_ = false;
};

/// A whole request as a browser would send it to a server on that port; `more` are further header
/// lines, each with its end.
inline std::string http_request(std::uint16_t port,
                                std::string_view target = "/",
                                std::string_view more = "",
                                std::string_view method = "GET",
                                std::string_view body = "") {
  std::string text(method);
  text.append(" ").append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1:");
  text += std::to_string(port) + "\r\n";
  text.append(more);
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text.append("\r\n").append(body);
}

}  // namespace posse::test
