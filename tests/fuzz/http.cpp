// SPDX-License-Identifier: Apache-2.0
// Requests to the HTTP server: the bytes of one connection, through the parser and the admission,
// to the handler of `posse serve`. A pair of connected sockets stands for the network.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "program/http/connection.hpp"
#include "program/page/run_index.hpp"
#include "program/page/serve.hpp"
#include "tests/fuzz/samples.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

/// The handler's answers, all of one stream.
struct OneEvent : EventFeed {
  std::string next() override { return std::exchange(asked_, true) ? "" : "data: x\n\n"; }
  bool asked_ = false;
};

/// What is there by now.
void read_some(int socket, std::string& all) {
  static std::array<char, 1 << 16> buffer;
  for (ssize_t got = 0; (got = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0;)
    all.append(buffer.data(), static_cast<std::size_t>(got));
}

}  // namespace

void fuzz_http(std::string_view input) {
  namespace asio = boost::asio;
  static Sandbox sandbox;
  static RunIndex& index = [&]() -> RunIndex& {
    sandbox.hold(sample_run());
    return *new RunIndex(sandbox.path());
  }();
  static const HttpHandler serve = run_index_handler(index);
  if (input.size() > 30'000) return;  // more than the socket's buffer would block

  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return;
  const auto written = ::write(ends[0], input.data(), input.size());
  require(written == static_cast<ssize_t>(input.size()), "the input fits the socket");
  ::shutdown(ends[0], SHUT_WR);
  std::string answers;
  int handled = 0;
  bool sound = true;  // the connection catches what the handler throws
  {
    asio::io_context io;
    HttpShared shared{.address = {"127.0.0.1", 8470},
                      .handler =
                          [&](const HttpRequest& request) {
                            ++handled;
                            sound = sound && request.path.starts_with('/');
                            if (request.path != "/events") return serve(request);
                            HttpResponse stream;
                            stream.feed = std::make_unique<OneEvent>();
                            return stream;
                          },
                      .limits = {},
                      .shutdown_timer = asio::steady_timer(io)};
    asio::ip::tcp::socket socket(io, asio::ip::tcp::v4(), ends[1]);
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), shared);
    shared.add(connection);
    connection->start();
    for (; !io.stopped(); io.poll()) read_some(ends[0], answers);
    require(shared.connections.empty(), "a connection ends with its input");
  }
  read_some(ends[0], answers);
  ::close(ends[0]);
  require(answers.empty() || answers.starts_with("HTTP/1.1 "), "an answer has a first line");
  require(handled == 0 || !answers.empty(), "a request that is handled is answered");
  require(sound, "a path begins with /");
}

}  // namespace posse::fuzz
