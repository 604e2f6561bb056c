// SPDX-License-Identifier: Apache-2.0
// The HTTP server from outside: what it answers, what it refuses, what it survives.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/read.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "program/http/server.hpp"
#include "tests/support/http_client.hpp"
#include "tests/support/skip.hpp"

namespace posse::test_server {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using test::http_request;
using test::HttpClient;
using Clock = std::chrono::steady_clock;

/// Tells what it was asked.
HttpResponse echo(const HttpRequest& request) {
  HttpResponse response;
  response.body = request.method + "|" + request.path;
  for (const auto& [key, value] : request.query) response.body += "|" + key + "=" + value;
  response.body += "|" + request.authorization + "|" + request.body;
  return response;
}

struct EchoServer : HttpServer {
  explicit EchoServer(HttpLimits limits = {}) : HttpServer(HttpAddress{}, echo, limits) {}
  /// The status of the answer to these bytes on a connection of their own.
  unsigned status(const std::string& bytes) const {
    HttpClient client(port());
    client.send(bytes);
    return client.answer().status;
  }
  bool works() const { return status(http_request(port())) == 200; }
};

bool comes_true(const std::function<bool()>& condition) {
  for (const auto end = Clock::now() + 10s; !condition(); std::this_thread::sleep_for(2ms))
    if (Clock::now() > end) return false;
  return true;
}

}  // namespace

TEST_CASE("a request reaches the handler decoded, and its answer comes back") {
  const EchoServer server;
  CHECK(server.url() == "http://127.0.0.1:" + std::to_string(server.port()));
  HttpClient client(server.port());
  client.send(http_request(server.port(),
                           "/a%20b/%C3%BC+?x=1+2&y=%26%3d&flag&=e&&z=a=b",
                           "Authorization: Bearer t\r\n"));
  const auto answer = client.answer();
  CHECK(answer.status == 200);
  CHECK(answer.body == "GET|/a b/ü+|x=1 2|y=&=|flag=|=e|z=a=b|Bearer t|");
  CHECK(answer.header("Content-Type") == "text/plain; charset=utf-8");
  CHECK(answer.header("X-Content-Type-Options") == "nosniff");
  CHECK(answer.header("Referrer-Policy") == "no-referrer");
  CHECK(answer.header("Cache-Control") == "no-store");
  CHECK(answer.header("Connection") == "keep-alive");

  client.send(http_request(server.port(), "/post", "", "POST", "the body"));
  CHECK(client.answer().body == "POST|/post||the body");
  HttpRequest request;
  request.query = {{"a", "1"}, {"a", "2"}};
  CHECK(request.parameter("a") == "1");
  CHECK(request.parameter("b").empty());
}

TEST_CASE("HEAD gets the header that GET would get, and nothing else") {
  const EchoServer server;
  HttpClient client(server.port());
  client.send(http_request(server.port(), "/x", "", "HEAD"));
  const auto answer = client.answer(false);
  CHECK(answer.status == 200);
  CHECK(answer.header("Content-Length") == "9");  // HEAD|/x||
  client.send(http_request(server.port(), "/y"));
  CHECK(client.answer().body == "GET|/y||");
}

TEST_CASE("the handler's headers take the place of the default ones, failures have no details") {
  HttpServer server(HttpAddress{}, [](const HttpRequest& request) -> HttpResponse {
    if (request.path == "/throw") throw std::runtime_error("the secret");
    if (request.path == "/odd") throw 7;
    HttpResponse response;
    if (request.path == "/none") response.status = 204;
    if (request.path == "/split") response.headers = {{"X-A", "a\r\nX-B: b"}};
    if (request.path == "/name") response.headers = {{"X A", "a"}};
    if (request.path == "/length") response.headers = {{"content-length", "7"}};
    if (request.path == "/type") response.content_type = "a\nb";
    if (request.path == "/status") response.status = 99;
    if (request.path == "/ok") {
      response.content_type = "application/json";
      response.headers = {{"cache-control", "max-age=60"}, {"X-Own", "1"}};
    }
    return response;
  });
  HttpClient client(server.port());
  for (const std::string path :
       {"/throw", "/odd", "/split", "/name", "/length", "/type", "/status"}) {
    client.send(http_request(server.port(), path));
    const auto answer = client.answer();
    INFO(path);
    CHECK(answer.status == 500);
    CHECK(answer.body == "Internal error.\n");
    CHECK(answer.header("X-B").empty());
  }
  client.send(http_request(server.port(), "/ok"));
  const auto answer = client.answer();
  CHECK(answer.header("cache-control") == "max-age=60");
  CHECK(answer.header("Cache-Control").empty());
  CHECK(answer.header("X-Own") == "1");
  CHECK(answer.header("Content-Type") == "application/json");
  client.send(http_request(server.port(), "/none"));
  const auto none = client.answer();
  CHECK(none.status == 204);
  CHECK(none.header("Content-Length").empty());
  client.send(http_request(server.port(), "/ok"));
  CHECK(client.answer().status == 200);
}

TEST_CASE("requests that come in one piece are answered one after the other") {
  const EchoServer server;
  HttpClient client(server.port());
  std::string all;
  for (int i = 0; i < 100; ++i)
    all += http_request(server.port(), "/" + std::to_string(i), "", "POST", "b");
  client.send(all);
  for (int i = 0; i < 100; ++i)
    REQUIRE(client.answer().body == "POST|/" + std::to_string(i) + "||b");
  CHECK(client.input().empty());
}

TEST_CASE("requests may come byte by byte") {
  const EchoServer server;
  HttpClient client(server.port());
  for (const char c : http_request(server.port(), "/slow", "", "POST", "body"))
    client.send(std::string(1, c));
  CHECK(client.answer().body == "POST|/slow||body");
}

TEST_CASE("connections are kept as HTTP/1.0 and 1.1 say") {
  const EchoServer server;
  const auto port = server.port();
  struct Case {
    std::string request;
    bool kept;
  };
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  for (const auto& [request, kept] :
       {Case{"GET / HTTP/1.1\r\n" + host + "\r\n", true},
        Case{"GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", false},
        Case{"GET / HTTP/1.0\r\n\r\n", false},
        Case{"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true}}) {
    INFO(request);
    HttpClient client(port);
    client.send(request);
    const auto answer = client.answer();
    CHECK(answer.status == 200);
    CHECK(answer.header("Connection") == (kept ? "keep-alive" : "close"));
    CHECK(client.closes(kept ? 50ms : 5000ms) == !kept);
  }
  HttpClient half_closed(port);
  half_closed.send(http_request(port));
  half_closed.end_sending();
  CHECK(half_closed.answer().status == 200);
  CHECK(half_closed.closes());
}

TEST_CASE("chunked bodies are put together, up to the limit") {
  const EchoServer server({.body_bytes = 100});
  const auto port = server.port();
  HttpClient client(port);
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  client.send(http_request(port, "/c", chunked, "POST") +
              "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n");
  CHECK(client.answer().body == "POST|/c||abc0123456789");
  client.send(http_request(port, "/c", chunked, "POST") + "64\r\n" + std::string(100, 'x') +
              "\r\n0\r\n\r\n");
  CHECK(client.answer().body == "POST|/c||" + std::string(100, 'x'));

  const std::string ten = "a\r\n0123456789\r\n";
  std::string endless;
  for (int i = 0; i < 1000; ++i) endless += ten;
  for (const std::string& body :
       {std::string("65\r\n"), endless, std::string("ffffffffffffffff\r\n")}) {
    HttpClient other(port);
    other.send(http_request(port, "/c", chunked, "POST") + body);
    CHECK(other.answer().status == 413);
    CHECK(other.closes());
  }
}

TEST_CASE("Expect: 100-continue is answered before the body") {
  const EchoServer server({.body_bytes = 100});
  const auto port = server.port();
  HttpClient client(port);
  const std::string expects = "Expect: 100-continue\r\n";
  client.send(http_request(port, "/e", expects + "Content-Length: 4\r\n", "POST"));
  CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  CHECK_THAT(client.read_until("body"), Contains("HTTP/1.1 200 OK") && Contains("POST|/e||body"));

  HttpClient large(port);
  large.send(http_request(port, "/e", expects + "Content-Length: 101\r\n", "POST"));
  CHECK(large.answer().status == 413);
  HttpClient foreign(port);
  foreign.send("POST / HTTP/1.1\r\nHost: evil.example\r\n" + expects + "Content-Length: 4\r\n\r\n");
  CHECK(foreign.answer().status == 421);
  HttpClient other(port);
  other.send(http_request(port, "/e", "Expect: a-miracle\r\nContent-Length: 4\r\n", "POST"));
  CHECK(other.answer().status == 417);
  HttpClient without(port);
  without.send(http_request(port, "/e", expects));
  CHECK(without.answer().status == 200);
}

TEST_CASE("what isn't HTTP is a bad request, and the connection ends") {
  const EchoServer server;
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  const auto get = [&](const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\n" + host + "\r\n";
  };
  for (const std::string& bytes :
       {std::string("\r\n\r\n"),
        std::string("hello\r\n\r\n"),
        std::string("GET /\r\n\r\n"),
        std::string("GET  / HTTP/1.1\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15),  // TLS
        std::string(200, '\0'),
        "GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + "X : y\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + ": y\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + std::string("X: a\0b\r\n\r\n", 10),
        "GET / HTTP/1.1\r\n" + host + "X: a\rb\r\n\r\n",
        "POST / HTTP/1.1\r\n" + host + "Content-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        get("/%"),
        get("/%4"),
        get("/%4g"),
        get("/%zz"),
        get("/a%00b"),
        get("/?a=%"),
        get("/?%f"),
        get("/?a=%00"),
        get("/#a"),
        get("*"),
        get("a"),
        get("http://127.0.0.1:" + std::to_string(server.port()) + "/")}) {
    INFO(bytes);
    HttpClient client(server.port());
    client.send(bytes);
    CHECK(client.answer().status == 400);
    CHECK(client.closes());
  }
  CHECK(server.status("GET / HTTP/2.0\r\n" + host + "\r\n") == 505);
  CHECK(server.works());
}

TEST_CASE("a body's end can't be told in two ways") {
  const EchoServer server;
  const std::string start =
      "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  const std::string smuggled = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nX: y\r\n\r\n";
  for (const std::string fields : {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                                   "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                                   "Content-Length: 5\r\nTransfer-Encoding: gzip\r\n",
                                   "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n",
                                   "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                                   "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
                                   "Content-Length: 5\r\nContent-Length: 6\r\n",
                                   "Content-Length: 5, 6\r\n"}) {
    INFO(fields);
    HttpClient client(server.port());
    client.send(start + fields + "\r\n" + smuggled);
    CHECK(client.answer().status == 400);
    CHECK(client.closes());
    CHECK(client.input().empty());  // no second answer
  }
  for (const std::string coding :
       {"gzip", "identity", "gzip, chunked", "chunked, gzip", "xchunked"})
    CHECK(server.status(start + "Transfer-Encoding: " + coding + "\r\n\r\n" + smuggled) == 501);
  CHECK(server.status("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + smuggled) == 400);
}

TEST_CASE("only GET, HEAD and POST are known") {
  const EchoServer server;
  for (const std::string method :
       {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "BREW"}) {
    HttpClient client(server.port());
    client.send(http_request(server.port(), "/", "", method));
    const auto answer = client.answer();
    INFO(method);
    CHECK(answer.status == 405);
    CHECK(answer.header("Allow") == "GET, HEAD, POST");
  }
}

TEST_CASE("headers and bodies have limits, and refusals say so") {
  const EchoServer server({.header_bytes = 1000, .body_bytes = 500});
  const auto port = server.port();
  CHECK(server.status(http_request(port, "/" + std::string(800, 'x'))) == 200);
  CHECK(server.status(http_request(port, "/" + std::string(1000, 'x'))) == 431);
  CHECK(server.status(http_request(port, "/", "X: " + std::string(1000, 'x') + "\r\n")) == 431);
  CHECK(server.status(std::string(1000, 'x')) == 431);
  CHECK(server.status(http_request(port, "/", "", "POST", std::string(500, 'x'))) == 200);
  CHECK(server.status(http_request(port, "/", "", "POST", std::string(501, 'x'))) == 413);
  // The answer arrives although the client goes on sending.
  CHECK(server.status(http_request(port, "/", "", "POST", std::string(600000, 'x'))) == 413);
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  CHECK(server.status(http_request(port, "/", many)) == 431);
  HttpClient flood(port);  // in the end it is cut off
  flood.send(http_request(port, "/", "", "POST", std::string(50'000'000, 'x')));
  CHECK(flood.closes());
  CHECK(server.works());
}

TEST_CASE("a request has one deadline, however slowly it arrives") {
  const EchoServer server({.request_time = 300ms});
  const auto request = http_request(server.port(), "/", "", "POST", std::string(1000, 'x'));
  const auto header_size = request.find("\r\n\r\n") + 4;
  for (const std::size_t at_once : {std::size_t{5}, header_size}) {  // in the header, in the body
    HttpClient client(server.port());
    const auto start = Clock::now();
    client.send(request.substr(0, at_once));
    std::size_t sent = at_once;
    while (client.read_until("\r\n\r\n", 20ms).empty() && sent < request.size())
      client.send(request.substr(sent++, 1));
    const auto took = Clock::now() - start;
    CHECK(client.answer().status == 408);
    CHECK(client.closes());
    CHECK(took > 250ms);
    CHECK(took < 3s);
  }
  HttpClient silent(server.port());
  CHECK(silent.closes());
  CHECK(silent.input().empty());  // nothing was asked, nothing is answered
  HttpClient kept(server.port());
  for (int i = 0; i < 4; ++i) {  // every request has a deadline of its own
    std::this_thread::sleep_for(100ms);
    kept.send(http_request(server.port()));
    CHECK(kept.answer().status == 200);
  }
  HttpClient asked(server.port());
  asked.send(
      http_request(server.port(), "/", "Expect: 100-continue\r\nContent-Length: 4\r\n", "POST"));
  CHECK_THAT(asked.read_to_end(), Contains("HTTP/1.1 408"));
}

TEST_CASE("a client that doesn't read its answer is disconnected") {
  HttpServer server(HttpAddress{},
                    [](const HttpRequest&) {
                      HttpResponse response;
                      response.body.assign(30'000'000, 'x');
                      return response;
                    },
                    {.write_time = 200ms});
  HttpClient lazy(server.port());
  lazy.send(http_request(server.port()));
  HttpClient eager(server.port());
  eager.send(http_request(server.port()));
  CHECK(eager.answer().body.size() == 30'000'000);
  HttpClient slow(server.port());  // slow, but it goes on: longer than write_time in all
  slow.send(http_request(server.port()));
  for (std::size_t size = 0; size < 30'000'000; std::this_thread::sleep_for(5ms)) {
    size += 400'000;
    REQUIRE(slow.read_until([&](const std::string& all) { return all.size() >= size; }).size() >=
            size);
  }
  CHECK(comes_true([&] { return server.connections() == 2; }));
  CHECK(lazy.read_to_end().size() < 30'000'000);
}

TEST_CASE("idle connections make room for new ones, the longest idle first") {
  const EchoServer server({.connections = 64, .request_time = 60s});
  std::vector<std::unique_ptr<HttpClient>> idle;
  const auto start = Clock::now();
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<HttpClient>(server.port()));
  CHECK(server.works());
  CHECK(Clock::now() - start < 5s);
  CHECK(server.connections() <= 64);
  CHECK(idle.front()->closes());
  CHECK(comes_true([&] {  // once it has accepted all
    return std::count_if(idle.begin(), idle.end(), [](auto& c) { return !c->closes(1ms); }) <= 64;
  }));
  idle.back()->send(http_request(server.port()));  // the newest is still there
  CHECK(idle.back()->answer().status == 200);
}

TEST_CASE("200 idle connections fit in by default, and requests are answered beside them") {
  const EchoServer server;
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<HttpClient>(server.port()));
  HttpClient client(server.port());
  const auto start = Clock::now();
  for (int i = 0; i < 100; ++i) {
    client.send(http_request(server.port()));
    REQUIRE(client.answer().status == 200);
  }
  CHECK(Clock::now() - start < 2s);  // 20 ms each; it takes far less than one
  CHECK(server.connections() == 201);
}

TEST_CASE("connections with a request in progress are not closed for new ones") {
  const EchoServer server({.connections = 3, .request_time = 60s});
  std::vector<std::unique_ptr<HttpClient>> busy;
  const auto request = http_request(server.port());
  for (int i = 0; i < 3; ++i) {
    busy.push_back(std::make_unique<HttpClient>(server.port()));
    busy.back()->send(http_request(server.port()));
    CHECK(busy.back()->answer().status == 200);
    busy.back()->send(request.substr(0, 10));
  }
  // The halves sent above may still be on their way: until they are read, they look idle.
  std::this_thread::sleep_for(100ms);
  HttpClient late(server.port());
  CHECK(late.closes());
  for (auto& client : busy) {
    client->send(request.substr(10));
    CHECK(client->answer().status == 200);
  }
  CHECK(server.works());
}

TEST_CASE("requests that are held back make room for new ones") {
  const EchoServer server({.connections = 3, .request_time = 60s});
  std::vector<std::unique_ptr<HttpClient>> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(std::make_unique<HttpClient>(server.port()));
    slow.back()->send(http_request(server.port()).substr(0, 10));
  }
  std::this_thread::sleep_for(1100ms);  // the time that a request may be held back
  CHECK(server.works());
}

TEST_CASE("clients that vanish leave no connections and do not disturb others") {
  const EchoServer server;
  for (int i = 0; i < 50; ++i) {
    HttpClient client(server.port());
    std::string many;
    for (int k = 0; k < 20; ++k) many += http_request(server.port());
    client.send(many);  // gone before the answers: writing would raise SIGPIPE
    client.socket().set_option(boost::asio::socket_base::linger(true, i % 2 == 0 ? 0 : 1));
  }
  CHECK(server.works());
  CHECK(comes_true([&] { return server.connections() == 0; }));
}

TEST_CASE("a port in use and a foreign address are named in the error") {
  const EchoServer server;
  const auto text = "127.0.0.1:" + std::to_string(server.port());
  CHECK_THROWS_AS(HttpServer({.port = server.port()}, echo), std::system_error);
  CHECK_THROWS_WITH(HttpServer({.port = server.port()}, echo),
                    text + " can't be bound: Address already in use");
  CHECK_THROWS_WITH(HttpServer({.host = "192.0.2.1", .port = 80}, echo),
                    "192.0.2.1:80 can't be bound: Cannot assign requested address");
  CHECK_THROWS_WITH(HttpServer({.host = "nonsense", .port = 80}, echo),
                    "nonsense:80 can't be bound: Invalid argument");
  CHECK(server.works());
}

TEST_CASE("a server can restart on the port of a server that has just stopped") {
  auto first = std::make_unique<EchoServer>();
  const auto port = first->port();
  HttpClient client(port);
  client.send(http_request(port));
  CHECK(client.answer().status == 200);
  first.reset();  // closes first: the connection lingers in the system (TIME_WAIT)
  const HttpServer second({.port = port}, echo);
  HttpClient other(port);
  other.send(http_request(port));
  CHECK(other.answer().status == 200);
}

TEST_CASE("it speaks IPv6 where the machine does") {
  std::unique_ptr<HttpServer> server;
  try {
    server = std::make_unique<HttpServer>(HttpAddress{.host = "::1"}, echo);
  } catch (const std::system_error&) {
    test::skip_test("this machine has no IPv6 address ::1");
  }
  CHECK(server->url() == "http://[::1]:" + std::to_string(server->port()));
  HttpClient client(server->port(), "::1");
  client.send("GET /six HTTP/1.1\r\nHost: [::1]:" + std::to_string(server->port()) + "\r\n\r\n");
  CHECK(client.answer().body == "GET|/six||");
}

TEST_CASE("a server on all interfaces says where this machine finds it") {
  const HttpServer server({.host = "0.0.0.0"}, echo);
  CHECK(server.url() == "http://127.0.0.1:" + std::to_string(server.port()));
  HttpClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: 10.1.2.3:" + std::to_string(server.port()) + "\r\n\r\n");
  CHECK(client.answer().status == 200);
}

TEST_CASE("answers in progress are finished when the server stops") {
  const auto long_answer = [](const HttpRequest&) {
    HttpResponse response;
    response.body.assign(10'000'000, 'x');
    return response;
  };
  auto server =
      std::make_unique<HttpServer>(HttpAddress{}, long_answer, HttpLimits{.farewell = 60s});
  HttpClient client(server->port());
  HttpClient idle(server->port());
  client.send(http_request(server->port()));
  client.read_until("\r\n\r\n");
  std::thread end([&] { server.reset(); });
  CHECK(client.answer().body.size() == 10'000'000);
  CHECK(client.closes());
  CHECK(idle.closes());
  end.join();
}

TEST_CASE("a client that doesn't read can't keep the server from stopping") {
  const auto long_answer = [](const HttpRequest&) {
    HttpResponse response;
    response.body.assign(30'000'000, 'x');
    return response;
  };
  auto server =
      std::make_unique<HttpServer>(HttpAddress{}, long_answer, HttpLimits{.farewell = 300ms});
  HttpClient client(server->port());
  client.send(http_request(server->port()));
  client.read_until("\r\n\r\n");
  const auto start = Clock::now();
  server.reset();
  const auto took = Clock::now() - start;
  CHECK(took > 250ms);
  CHECK(took < 3s);
  auto unused = std::make_unique<EchoServer>(HttpLimits{.farewell = 60s});
  const HttpClient idle(unused->port());
  const auto again = Clock::now();
  unused.reset();
  CHECK(Clock::now() - again < 30s);
}

TEST_CASE("a process that runs out of descriptors answers as soon as it has some again") {
  const EchoServer server;
  HttpClient::Tcp::endpoint endpoint(boost::asio::ip::make_address("127.0.0.1"), server.port());
  boost::asio::io_context io;
  HttpClient::Tcp::socket socket(io, endpoint.protocol());
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{.rlim_cur = std::min<rlim_t>(before.rlim_cur, 256), .rlim_max = before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  std::vector<int> taken;
  for (int fd; (fd = dup(socket.native_handle())) >= 0;) taken.push_back(fd);
  socket.connect(endpoint);
  const auto request = http_request(server.port(), "/", "Connection: close\r\n");
  boost::asio::write(socket, boost::asio::buffer(request));
  std::this_thread::sleep_for(50ms);
  // Sanitizers need descriptors for their own checks: nothing is checked until there are some
  // again.
  const auto connections = server.connections();
  for (const int fd : taken) close(fd);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(connections == 0);
  std::string answer;
  boost::system::error_code end;
  boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
  CHECK_THAT(answer, Contains("HTTP/1.1 200 OK"));
}

}  // namespace posse::test_server
