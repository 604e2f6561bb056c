// SPDX-License-Identifier: Apache-2.0
// Malformed requests. POSSE_FUZZ_SECONDS=60 in the environment makes it longer.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "program/http/server.hpp"
#include "tests/support/http_client.hpp"

namespace posse::test_fuzz {
namespace {

using namespace std::chrono_literals;
using test::http_request;
using test::HttpClient;
using Clock = std::chrono::steady_clock;

constexpr HttpLimits kLimits{
    .connections = 32, .request_time = 300ms, .write_time = 300ms, .heartbeat = 5ms};

struct CountingFeed : EventFeed {
  std::string next() override { return asked++ % 3 == 0 ? "data: x\n\n" : ""; }
  int asked = 0;
};

/// Makes byte strings that were requests once. Draws its numbers itself: the standard's
/// distributions aren't the same everywhere.
class Mutator {
 public:
  Mutator(std::uint64_t seed, std::uint16_t port) : random_(seed) {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    seeds_ = {http_request(port),
              http_request(port, "/a%20b?c=d&e=%26", "Authorization: Bearer abc\r\n"),
              http_request(port, "/events"),
              http_request(port, "/large"),
              http_request(port, "/throw", "", "POST", "{\"action\":\"pause\"}"),
              http_request(port, "/", chunked, "POST") + "5\r\nhello\r\n3;a=b\r\nabc\r\n0\r\n\r\n",
              http_request(port, "/", chunked, "POST") + "1\r\nx\r\n0\r\nTrailer: y\r\n\r\n",
              http_request(port, "/", "Expect: 100-continue\r\nContent-Length: 3\r\n", "POST"),
              http_request(port, "/", "", "POST", std::string(5000, 'x')),
              http_request(port, "/", "Connection: close\r\n", "HEAD"),
              http_request(port, "/", "Origin: http://evil.example\r\nSec-Fetch-Site: none\r\n"),
              "GET / HTTP/1.0\r\nConnection: keep-alive\r\nX: a\r\n b\r\n\tc\r\n\r\n",
              "OPTIONS * HTTP/1.1\r\nHost: [::1]:" + std::to_string(port) + "\r\n\r\n"};
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string next() {
    std::string text = pick();
    while (below(4) == 0) text += pick();  // in one piece
    for (std::size_t left = below(6); left > 0; --left) mutate(text);
    return text;
  }

 private:
  const std::string& pick() { return seeds_[below(seeds_.size())]; }

  void mutate(std::string& text) {
    static const std::array<std::string, 22> kTokens = {"\r\n",
                                                        "\r\n\r\n",
                                                        "\n",
                                                        "\r",
                                                        std::string(1, '\0'),
                                                        "%00",
                                                        "%",
                                                        ":",
                                                        " ",
                                                        "HTTP/1.1",
                                                        "0",
                                                        "-1",
                                                        "ffffffffffffffff",
                                                        "\x80",
                                                        "\xff",
                                                        "Content-Length: 7\r\n",
                                                        "Transfer-Encoding: chunked\r\n",
                                                        "Host: x\r\n",
                                                        "Expect: 100-continue\r\n",
                                                        "Connection: upgrade, close\r\n",
                                                        "0\r\n\r\n",
                                                        ";a=\"\\\""};
    const std::size_t at = below(text.size() + 1);
    switch (below(9)) {
      case 0:  // a bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // a byte
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        text.erase(at, below(20));
        break;
      case 4: {  // a part twice
        const std::string part = text.substr(at, below(60));
        text.insert(below(text.size() + 1), part);
        break;
      }
      case 5:
        text.insert(at, kTokens[below(kTokens.size())]);
        break;
      case 6:  // a part of another request
        text.insert(at, pick().substr(below(30), below(100)));
        break;
      case 7:  // a run
        text.insert(at, below(8) == 0 ? 20000 : below(300), static_cast<char>(below(256)));
        break;
      default:  // a number grows
        for (std::size_t i = at; i < text.size(); ++i)
          if ('0' <= text[i] && text[i] <= '9') {
            text.insert(i, below(4) == 0 ? "99999999999999999999" : "9");
            break;
          }
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> seeds_;
};

/// What came back, over all threads.
struct Tally {
  std::atomic<std::uint64_t> requests = 0, odd_answers = 0;
  std::array<std::atomic<std::uint64_t>, 600> statuses{};

  void count(const std::string& input) {
    const std::string start = "HTTP/1.1 ";
    if (!input.starts_with(start.substr(0, input.size()))) ++odd_answers;
    if (input.size() < start.size() + 3) return;
    const auto status = static_cast<std::size_t>(std::atoi(input.c_str() + start.size()));
    if (status < 100 || status >= statuses.size())
      ++odd_answers;
    else
      ++statuses[status];
  }
};

/// Sends one after the other over connections that it opens, leaves and breaks at random, as long
/// as `more` says so. Every answer must at least begin like one.
void fuzz(std::uint64_t seed, std::uint16_t port, const std::function<bool()>& more, Tally& tally) {
  Mutator mutator(seed, port);
  std::array<std::unique_ptr<HttpClient>, 8> clients;
  while (more()) {
    auto& client = clients[mutator.below(clients.size())];
    if (!client) client = std::make_unique<HttpClient>(port);
    const std::string bytes = mutator.next();
    const std::size_t cut = mutator.below(bytes.size() + 1);
    const bool in_two = mutator.below(4) == 0;
    bool alive = client->send(in_two ? bytes.substr(0, cut) : bytes);
    if (in_two && alive) alive = client->send(bytes.substr(cut));
    switch (mutator.below(6)) {
      case 0:  // whatever is there by now
        client->read_to_end(1ms);
        break;
      case 1:
        client->read_until("\r\n\r\n", 3ms);
        break;
      case 2:
        client->end_sending();
        client->read_to_end(5ms);
        alive = false;
        break;
      case 3:
        client->socket().set_option(boost::asio::socket_base::linger(true, 0));
        alive = false;
        break;
      default:
        break;
    }
    const auto& input = client->input();
    if (!alive || mutator.below(8) == 0 || input.size() > 1'000'000) {
      tally.count(input);
      client.reset();
    }
  }
}

}  // namespace

TEST_CASE("no bytes harm the server") {
  Tally tally;
  std::atomic<std::uint64_t> handled = 0;
  HttpServer server(
      HttpAddress{},
      [&](const HttpRequest& request) {
        ++handled;
        HttpResponse response;
        response.body = request.body;
        if (request.path.starts_with("/events")) response.feed = std::make_unique<CountingFeed>();
        if (request.path.starts_with("/large")) response.body.assign(500'000, 'x');
        if (request.path.starts_with("/throw")) throw 1;
        return response;
      },
      kLimits);
  const auto works = [&] {
    HttpClient client(server.port());
    client.send(http_request(server.port(), "/", "", "POST", "still here?"));
    return client.answer().body == "still here?";
  };
  REQUIRE(works());
  const auto memory_before = mallinfo2().uordblks;

  const char* text = std::getenv("POSSE_FUZZ_SECONDS");
  const double seconds = text != nullptr ? std::atof(text) : 0;
  constexpr std::uint64_t kThreads = 4, kRequests = 10000;  // each, by default
  const auto start = Clock::now();
  std::atomic<bool> over = false;
  std::thread waking([&] {
    for (; !over; std::this_thread::sleep_for(1ms)) server.wake();
  });
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::uint64_t sent = 0;
      const auto more = [&] {
        ++tally.requests;
        ++sent;
        return seconds > 0 ? Clock::now() - start < std::chrono::duration<double>(seconds)
                           : sent <= kRequests;
      };
      fuzz(1000 + t, server.port(), more, tally);
    });
  for (auto& thread : threads) thread.join();
  over = true;
  waking.join();
  const std::chrono::duration<double> took = Clock::now() - start;

  CHECK(works());
  for (int i = 0; i < 2000 && server.connections() > 0; ++i) std::this_thread::sleep_for(5ms);
  CHECK(server.connections() == 0);
  CHECK(tally.odd_answers == 0);
  CHECK(handled > tally.requests / 50);  // the mutations leave enough whole to get that far
  for (const std::size_t status : {200, 400, 403, 405, 413, 417, 421, 431, 500, 501, 505}) {
    INFO(status);
    CHECK(tally.statuses[status] > 0);
  }
  CHECK(mallinfo2().uordblks < memory_before + 4'000'000);
  if (seconds > 0) {
    std::string measurements;
    for (std::size_t status = 0; status < tally.statuses.size(); ++status)
      if (const auto n = tally.statuses[status].load(); n > 0)
        measurements += ", " + std::to_string(status) + ": " + std::to_string(n);
    WARN(tally.requests << " strings in " << took.count() << " s, " << handled
                        << " requests reached the handler; first answers" << measurements);
  }
}

}  // namespace posse::test_fuzz
