// Server-sent events: news for watchers, the quick and the slow.
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

/// What all watchers see: a number that grows, told with some stuffing.
struct Story {
  std::atomic<int> chapter = 0;
  std::atomic<int> asked = 0;
  std::atomic<int> listeners = 0;
  std::size_t stuffing = 0;
};

class StoryFeed : public EventFeed {
 public:
  explicit StoryFeed(Story& story) : story_(story) { ++story_.listeners; }
  ~StoryFeed() override { --story_.listeners; }
  std::string next() override {
    ++story_.asked;
    const int chapter = story_.chapter;
    if (chapter == told_) return "";
    told_ = chapter;
    return "data: " + std::to_string(chapter) + std::string(story_.stuffing, '.') + "\n\n";
  }

 private:
  Story& story_;
  int told_ = -1;
};

HttpHandler teller(Story& story) {
  return [&story](const HttpRequest& request) {
    HttpResponse response;
    if (request.path == "/events") response.feed = std::make_unique<StoryFeed>(story);
    return response;
  };
}

struct Watcher : HttpClient {
  explicit Watcher(const HttpServer& server) : HttpClient(server.port()) {
    send(http_request(server.port(), "/events"));
  }
};

bool comes_true(const std::function<bool()>& condition) {
  for (const auto end = Clock::now() + 10s; !condition(); std::this_thread::sleep_for(1ms))
    if (Clock::now() > end) return false;
  return true;
}

}  // namespace

TEST_CASE("a watcher gets the present at once, and news whenever the server is woken") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story));
  Watcher watcher(server);
  const auto head = watcher.answer(false);
  CHECK(head.status == 200);
  CHECK(head.header("Content-Type") == "text/event-stream");
  CHECK(head.header("Cache-Control") == "no-store");
  CHECK(head.header("Content-Length").empty());
  CHECK(watcher.read_until("\n\n") == "data: 0\n\n");
  for (int chapter = 1; chapter <= 20; ++chapter) {
    story.chapter = chapter;
    server.wake();
    const auto news = "data: " + std::to_string(chapter) + "\n\n";
    REQUIRE_THAT(watcher.read_until(news), EndsWith(news));
  }
  CHECK_FALSE(watcher.closes(20ms));
}

TEST_CASE("several watchers each get the news, beside requests") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story));
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 20; ++i) watchers.push_back(std::make_unique<Watcher>(server));
  for (auto& watcher : watchers) CHECK_THAT(watcher->read_until("data: 0\n\n"), EndsWith("0\n\n"));
  story.chapter = 1;
  server.wake();
  for (auto& watcher : watchers) CHECK_THAT(watcher->read_until("data: 1\n\n"), EndsWith("1\n\n"));
  HttpClient client(server.port());
  client.send(http_request(server.port()));
  CHECK(client.answer().status == 200);
  CHECK(story.listeners == 20);
}

TEST_CASE("feeds go when their watchers go, however they go") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story));
  auto polite = std::make_unique<Watcher>(server);
  auto rude = std::make_unique<Watcher>(server);
  auto talking = std::make_unique<Watcher>(server);
  auto half_closing = std::make_unique<Watcher>(server);
  for (auto* watcher : {&polite, &rude, &talking, &half_closing}) (*watcher)->read_until("\n\n");
  CHECK(comes_true([&] { return story.listeners == 4; }));
  polite.reset();
  CHECK(comes_true([&] { return story.listeners == 3; }));
  rude->socket().set_option(boost::asio::socket_base::linger(true, 0));  // a reset
  rude.reset();
  CHECK(comes_true([&] { return story.listeners == 2; }));
  talking->send("GET / HTTP/1.1\r\n");
  CHECK(talking->closes());
  half_closing->end_sending();
  CHECK(half_closing->closes());
  CHECK(comes_true([&] { return story.listeners == 0 && server.connections() == 0; }));
}

TEST_CASE("a slow watcher skips what it missed, and nothing piles up") {
  Story story;
  story.stuffing = 1'000'000;
  HttpServer server(HttpAddress{}, teller(story));
  Watcher slow(server), quick(server);
  const auto ends_with_chapter = [](int chapter) {
    return [start = "data: " + std::to_string(chapter) + "."](const std::string& all) {
      return all.ends_with(".\n\n") && all.compare(all.rfind("data"), start.size(), start) == 0;
    };
  };
  CHECK(comes_true([&] { return story.asked >= 2; }));
  // The system's buffers swallow some chapters; then the slow one's feed isn't asked any more.
  constexpr int kChapters = 40;
  for (int chapter = 1; chapter <= kChapters; ++chapter) {
    story.chapter = chapter;
    server.wake();
    REQUIRE(ends_with_chapter(chapter)(quick.read_until(ends_with_chapter(chapter))));
  }
  const auto& told = slow.read_until(ends_with_chapter(kChapters));
  CHECK(ends_with_chapter(kChapters)(told));
  CHECK(told.find("data: 0.") != std::string::npos);
  CHECK(told.size() < kChapters * story.stuffing / 2);  // what the system buffers, and one chapter
}

TEST_CASE("a watcher that reads nothing is dropped in the end") {
  Story story;
  story.stuffing = 20'000'000;
  HttpServer server(HttpAddress{}, teller(story), {.write_time = 200ms});
  Watcher watcher(server);
  CHECK(comes_true([&] { return story.listeners == 1; }));
  CHECK(comes_true([&] { return story.listeners == 0 && server.connections() == 0; }));
}

TEST_CASE("without news there is a sign of life now and then") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story), {.request_time = 50ms, .heartbeat = 100ms});
  Watcher watcher(server);
  const auto start = Clock::now();
  watcher.read_until("data: 0\n\n");
  std::atomic<bool> over = false;
  std::thread nagging([&] {  // for nothing: it must not keep the heart from beating
    for (; !over; std::this_thread::sleep_for(1ms)) server.wake();
  });
  const std::string beat = ": heartbeat\n\n";
  CHECK_THAT(watcher.read_until(beat + beat + beat), EndsWith("data: 0\n\n" + beat + beat + beat));
  CHECK(Clock::now() - start > 290ms);
  over = true;
  nagging.join();
  story.chapter = 1;
  server.wake();
  CHECK_THAT(watcher.read_until("data: 1\n\n"), EndsWith("data: 1\n\n"));
}

TEST_CASE("many wakes are one, and the last of them is never lost") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story));
  Watcher watcher(server);
  watcher.read_until("data: 0\n\n");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50'000; ++i) {
        ++story.chapter;
        server.wake();
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_THAT(watcher.read_until("data: 200000\n\n"), EndsWith("data: 200000\n\n"));
}

TEST_CASE("when the server goes, every watcher hears the last words") {
  Story story;
  auto server = std::make_unique<HttpServer>(HttpAddress{}, teller(story));
  Watcher first(*server), second(*server);
  for (auto* watcher : {&first, &second}) watcher->read_until("data: 0\n\n");
  story.chapter = 7;  // nobody is woken
  const auto start = Clock::now();
  server.reset();
  CHECK(Clock::now() - start < 500ms);
  for (auto* watcher : {&first, &second}) {
    CHECK_THAT(watcher->read_to_end(), EndsWith("data: 0\n\ndata: 7\n\n"));
    CHECK(watcher->closes());
  }
  CHECK(story.listeners == 0);
}

TEST_CASE(
    "last words reach a watcher that is being written to, and don't wait for one that sleeps") {
  Story story;
  story.stuffing = 20'000'000;
  auto server = std::make_unique<HttpServer>(HttpAddress{}, teller(story));
  Watcher reading(*server), sleeping(*server);
  for (auto* watcher : {&reading, &sleeping}) watcher->read_until("data: 0.");
  story.chapter = 7;
  const auto start = Clock::now();
  std::thread end([&] { server.reset(); });
  const auto& told = reading.read_to_end();
  CHECK(told.find("data: 7.") != std::string::npos);
  CHECK(told.ends_with(".\n\n"));
  end.join();
  CHECK(Clock::now() - start < 3s);
  CHECK(story.listeners == 0);
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
  Watcher watcher(server);
  CHECK(watcher.closes());
  HttpClient client(server.port());
  client.send(http_request(server.port()));
  CHECK(client.answer().status == 200);
}

TEST_CASE("HEAD of an event stream is its header; HTTP/1.0 gets the stream") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story));
  HttpClient head(server.port());
  head.send(http_request(server.port(), "/events", "", "HEAD"));
  CHECK(head.answer(false).header("Content-Type") == "text/event-stream");
  CHECK(head.closes());
  CHECK(head.input().empty());
  CHECK(story.asked == 0);
  HttpClient old(server.port());
  old.send("GET /events HTTP/1.0\r\n\r\n");
  CHECK_THAT(old.read_until("data: 0\n\n"), EndsWith("\r\n\r\ndata: 0\n\n"));
}

TEST_CASE("watchers don't give way to newcomers") {
  Story story;
  HttpServer server(HttpAddress{}, teller(story), {.connections = 2});
  Watcher first(server), second(server);
  for (auto* watcher : {&first, &second}) watcher->read_until("data: 0\n\n");
  HttpClient late(server.port());
  CHECK(late.closes());
  story.chapter = 1;
  server.wake();
  for (auto* watcher : {&first, &second})
    CHECK_THAT(watcher->read_until("data: 1\n\n"), EndsWith("data: 1\n\n"));
}

}  // namespace posse::test_feeds
