// SPDX-License-Identifier: Apache-2.0
// Server-sent events for fast and slow clients.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "program/http/server.hpp"
#include "tests/support/http_client.hpp"

namespace posse::test_feeds {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::http_request;
using test::HttpClient;
using Clock = std::chrono::steady_clock;

/// What all clients see: a growing number with some padding.
struct Source {
  std::atomic<int> number = 0;
  std::atomic<int> asked = 0;
  std::atomic<int> listeners = 0;
  std::size_t padding = 0;
};

class SourceFeed : public EventFeed {
 public:
  explicit SourceFeed(Source& source) : source_(source) { ++source_.listeners; }
  ~SourceFeed() override { --source_.listeners; }
  std::string next() override {
    ++source_.asked;
    const int number = source_.number;
    if (number == sent_) return "";
    sent_ = number;
    return "data: " + std::to_string(number) + std::string(source_.padding, '.') + "\n\n";
  }

 private:
  Source& source_;
  int sent_ = -1;
};

HttpHandler source_handler(Source& source) {
  return [&source](const HttpRequest& request) {
    HttpResponse response;
    if (request.path == "/events") response.feed = std::make_unique<SourceFeed>(source);
    return response;
  };
}

struct FeedClient : HttpClient {
  explicit FeedClient(const HttpServer& server) : HttpClient(server.port()) {
    send(http_request(server.port(), "/events"));
  }
};

bool comes_true(const std::function<bool()>& condition) {
  for (const auto end = Clock::now() + 10s; !condition(); std::this_thread::sleep_for(1ms))
    if (Clock::now() > end) return false;
  return true;
}

}  // namespace

TEST_CASE("a client gets the current state at once, and an update whenever the server is woken") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source));
  FeedClient client(server);
  const auto head = client.answer(false);
  CHECK(head.status == 200);
  CHECK(head.header("Content-Type") == "text/event-stream");
  CHECK(head.header("Cache-Control") == "no-store");
  CHECK(head.header("Content-Length").empty());
  CHECK(client.read_until("\n\n") == "data: 0\n\n");
  for (int number = 1; number <= 20; ++number) {
    source.number = number;
    server.wake();
    const auto update = "data: " + std::to_string(number) + "\n\n";
    REQUIRE_THAT(client.read_until(update), EndsWith(update));
  }
  CHECK_FALSE(client.closes(20ms));
}

TEST_CASE("several clients get every update, alongside requests") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source));
  std::vector<std::unique_ptr<FeedClient>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<FeedClient>(server));
  for (auto& client : clients) CHECK_THAT(client->read_until("data: 0\n\n"), EndsWith("0\n\n"));
  source.number = 1;
  server.wake();
  for (auto& client : clients) CHECK_THAT(client->read_until("data: 1\n\n"), EndsWith("1\n\n"));
  HttpClient other(server.port());
  other.send(http_request(server.port()));
  CHECK(other.answer().status == 200);
  CHECK(source.listeners == 20);
}

TEST_CASE("feeds are destroyed when their clients leave, in any way") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source));
  auto polite = std::make_unique<FeedClient>(server);
  auto rude = std::make_unique<FeedClient>(server);
  auto talking = std::make_unique<FeedClient>(server);
  auto half_closing = std::make_unique<FeedClient>(server);
  for (auto* client : {&polite, &rude, &talking, &half_closing}) (*client)->read_until("\n\n");
  CHECK(comes_true([&] { return source.listeners == 4; }));
  polite.reset();
  CHECK(comes_true([&] { return source.listeners == 3; }));
  rude->socket().set_option(boost::asio::socket_base::linger(true, 0));  // a reset
  rude.reset();
  CHECK(comes_true([&] { return source.listeners == 2; }));
  talking->send("GET / HTTP/1.1\r\n");
  CHECK(talking->closes());
  half_closing->end_sending();
  CHECK(half_closing->closes());
  CHECK(comes_true([&] { return source.listeners == 0 && server.connections() == 0; }));
}

TEST_CASE("a slow client skips updates, and nothing accumulates") {
  Source source;
  source.padding = 1'000'000;
  HttpServer server(HttpAddress{}, source_handler(source));
  FeedClient slow(server), quick(server);
  const auto ends_with_number = [](int number) {
    return [start = "data: " + std::to_string(number) + "."](const std::string& all) {
      return all.ends_with(".\n\n") && all.compare(all.rfind("data"), start.size(), start) == 0;
    };
  };
  CHECK(comes_true([&] { return source.asked >= 2; }));
  // The system's buffers swallow some chapters; then the slow one's feed isn't asked any more.
  constexpr int kChapters = 40;
  for (int number = 1; number <= kChapters; ++number) {
    source.number = number;
    server.wake();
    REQUIRE(ends_with_number(number)(quick.read_until(ends_with_number(number))));
  }
  const auto& told = slow.read_until(ends_with_number(kChapters));
  CHECK(ends_with_number(kChapters)(told));
  CHECK(told.find("data: 0.") != std::string::npos);
  CHECK(told.size() < kChapters * source.padding / 2);  // what the system buffers, and one number
}

TEST_CASE("a client that reads nothing is disconnected") {
  Source source;
  source.padding = 20'000'000;
  HttpServer server(HttpAddress{}, source_handler(source), {.write_time = 200ms});
  FeedClient client(server);
  CHECK(comes_true([&] { return source.listeners == 1; }));
  CHECK(comes_true([&] { return source.listeners == 0 && server.connections() == 0; }));
}

TEST_CASE("without updates there are heartbeats") {
  Source source;
  HttpServer server(
      HttpAddress{}, source_handler(source), {.request_time = 50ms, .heartbeat = 100ms});
  const auto start = Clock::now();  // before the server sends anything
  FeedClient client(server);
  client.read_until("data: 0\n\n");
  std::atomic<bool> over = false;
  std::thread nagging([&] {  // for nothing: it must not keep the heart from beating
    for (; !over; std::this_thread::sleep_for(1ms)) server.wake();
  });
  const std::string beat = ": heartbeat\n\n";
  CHECK_THAT(client.read_until(beat + beat + beat), EndsWith("data: 0\n\n" + beat + beat + beat));
  CHECK(Clock::now() - start > 290ms);
  over = true;
  nagging.join();
  source.number = 1;
  server.wake();
  CHECK_THAT(client.read_until("data: 1\n\n"), EndsWith("data: 1\n\n"));
}

TEST_CASE("wakes are merged, and the last one is never lost") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source));
  FeedClient client(server);
  client.read_until("data: 0\n\n");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50'000; ++i) {
        ++source.number;
        server.wake();
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_THAT(client.read_until("data: 200000\n\n"), EndsWith("data: 200000\n\n"));
}

TEST_CASE("when the server stops, every client gets the last events") {
  Source source;
  auto server = std::make_unique<HttpServer>(
      HttpAddress{}, source_handler(source), HttpLimits{.farewell = 60s});
  FeedClient first(*server), second(*server);
  for (auto* client : {&first, &second}) client->read_until("data: 0\n\n");
  source.number = 7;  // without waking the server
  const auto start = Clock::now();
  server.reset();
  CHECK(Clock::now() - start < 30s);
  for (auto* client : {&first, &second}) {
    CHECK_THAT(client->read_to_end(), EndsWith("data: 0\n\ndata: 7\n\n"));
    CHECK(client->closes());
  }
  CHECK(source.listeners == 0);
}

TEST_CASE("last events reach a client that is being written to, beside one that sleeps") {
  Source source;
  source.padding = 20'000'000;
  auto server = std::make_unique<HttpServer>(
      HttpAddress{}, source_handler(source), HttpLimits{.farewell = 60s});
  FeedClient reading(*server);
  auto sleeping = std::make_unique<FeedClient>(*server);
  for (auto* client : {&reading, sleeping.get()}) client->read_until("data: 0.");
  source.number = 7;
  std::thread end([&] { server.reset(); });
  const auto told = reading.read_to_end(30s);  // before the farewell ends
  sleeping.reset();
  CHECK(told.find("data: 7.") != std::string::npos);
  CHECK(told.ends_with(".\n\n"));
  end.join();
  CHECK(source.listeners == 0);
}

TEST_CASE("a server that stops doesn't wait for a client that reads nothing") {
  Source source;
  source.padding = 20'000'000;
  auto server = std::make_unique<HttpServer>(
      HttpAddress{}, source_handler(source), HttpLimits{.farewell = 50ms});
  FeedClient client(*server);
  client.read_until("data: 0.");
  const auto start = Clock::now();
  server.reset();
  CHECK(Clock::now() - start < 3s);
  CHECK(source.listeners == 0);
}

TEST_CASE("a feed that fails ends its stream, not the server") {
  struct Failing : EventFeed {
    std::string next() override { throw std::runtime_error("no"); }
  };
  const HttpServer server(HttpAddress{}, [](const HttpRequest& request) {
    HttpResponse response;
    if (request.path == "/events") response.feed = std::make_unique<Failing>();
    return response;
  });
  FeedClient client(server);
  CHECK(client.closes());
  HttpClient other(server.port());
  other.send(http_request(server.port()));
  CHECK(other.answer().status == 200);
}

TEST_CASE("HEAD of an event stream is its header, HTTP/1.0 gets the stream") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source));
  HttpClient head(server.port());
  head.send(http_request(server.port(), "/events", "", "HEAD"));
  CHECK(head.answer(false).header("Content-Type") == "text/event-stream");
  CHECK(head.closes());
  CHECK(head.input().empty());
  CHECK(source.asked == 0);
  HttpClient old(server.port());
  old.send("GET /events HTTP/1.0\r\n\r\n");
  CHECK_THAT(old.read_until("data: 0\n\n"), EndsWith("\r\n\r\ndata: 0\n\n"));
}

TEST_CASE("clients with feeds are not closed for new connections") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source), {.connections = 2});
  FeedClient first(server), second(server);
  for (auto* client : {&first, &second}) client->read_until("data: 0\n\n");
  HttpClient late(server.port());
  CHECK(late.closes());
  source.number = 1;
  server.wake();
  for (auto* client : {&first, &second})
    CHECK_THAT(client->read_until("data: 1\n\n"), EndsWith("data: 1\n\n"));
}

TEST_CASE("streams that are held leave room for others, and the oldest makes room for a new one") {
  Source source;
  HttpServer server(HttpAddress{}, source_handler(source), {.connections = 8, .streams = 3});
  std::vector<std::unique_ptr<FeedClient>> held;
  for (int i = 0; i < 10; ++i) {
    held.push_back(std::make_unique<FeedClient>(server));
    held.back()->read_until("data: 0\n\n");
  }
  CHECK(comes_true([&] { return server.connections() == 3; }));
  HttpClient other(server.port());
  other.send(http_request(server.port()));
  CHECK(other.answer().status == 200);
  for (std::size_t i = 0; i < held.size(); ++i) CHECK(held[i]->closes(1ms) == (i < 7));
}

}  // namespace posse::test_feeds
