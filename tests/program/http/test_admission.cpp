// SPDX-License-Identifier: Apache-2.0
// Cross-origin requests and DNS rebinding: who may ask.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/http/admission.hpp"
#include "program/http/server.hpp"
#include "tests/support/http_client.hpp"

namespace posse::test_admission {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

const HttpAddress kLoopback{.host = "127.0.0.1", .port = 8470};
const HttpAddress kEverywhere{.host = "0.0.0.0", .port = 8470};

/// 200 stands for admitted.
unsigned status(const Fields& fields,
                const HttpAddress& self = kLoopback,
                const std::string& method = "GET") {
  const auto admitted = admit({.method = method, .target = "/", .fields = fields}, self);
  const auto* refusal = std::get_if<HttpResponse>(&admitted);
  return refusal != nullptr ? refusal->status : 200;
}
unsigned status_of_host(const std::string& host, const HttpAddress& self) {
  return status({{"host", host}}, self);
}
/// With the right Host before the fields.
unsigned status_with(Fields fields, const std::string& method = "GET") {
  fields.insert(fields.begin(), {"Host", "127.0.0.1:8470"});
  return status(fields, kLoopback, method);
}

}  // namespace

TEST_CASE("on loopback, only its addresses with the right port are admitted") {
  for (const std::string host :
       {"127.0.0.1:8470", "localhost:8470", "LocalHost:8470", "[::1]:8470", "[0:0::1]:8470"}) {
    INFO(host);
    CHECK(status_of_host(host, kLoopback) == 200);
  }
  for (const std::string host : {"evil.example:8470",
                                 "evil.example",
                                 "127.0.0.1",
                                 "localhost",
                                 "127.0.0.1:80",
                                 "127.0.0.1:8471",
                                 "127.0.0.1:",
                                 "127.0.0.1:8470x",
                                 "127.0.0.1:+8470",
                                 "127.0.0.1:18446744073709560086",
                                 "127.0.0.2:8470",
                                 "192.168.1.7:8470",
                                 "0.0.0.0:8470",
                                 "127.0.0.1.evil.example:8470",
                                 "localhost.evil.example:8470",
                                 "localhost.:8470",
                                 "xlocalhost:8470",
                                 "user@127.0.0.1:8470",
                                 "127.1:8470",
                                 "2130706433:8470",
                                 "0x7f000001:8470",
                                 "0177.0.0.1:8470",
                                 "::1:8470",
                                 "[127.0.0.1]:8470",
                                 "[::ffff:127.0.0.1]:8470",
                                 "[::1]8470",
                                 "[::1",
                                 ":8470",
                                 "",
                                 " "}) {
    INFO(host);
    CHECK(status_of_host(host, kLoopback) == 421);
  }
  const HttpAddress other_loopback{.host = "127.0.0.2", .port = 8470};
  CHECK(status_of_host("127.0.0.2:8470", other_loopback) == 200);
  const HttpAddress standard{.host = "127.0.0.1", .port = 80};
  CHECK(status_of_host("127.0.0.1", standard) == 200);
  CHECK(status_of_host("localhost", standard) == 200);
  CHECK(status_of_host("[::1]", standard) == 200);
  CHECK(status_of_host("evil.example", standard) == 421);
}

TEST_CASE("on other interfaces, any IP address with the right port is admitted, a name never") {
  const HttpAddress one{.host = "192.168.1.7", .port = 8470};
  for (const auto& self : {kEverywhere, one, HttpAddress{.host = "::", .port = 8470}}) {
    for (const std::string host :
         {"192.168.1.7:8470", "10.0.0.1:8470", "[fe80::1]:8470", "localhost:8470"}) {
      INFO(host);
      CHECK(status_of_host(host, self) == 200);
    }
    for (const std::string host : {"evil.example:8470",
                                   "myhost:8470",
                                   "192.168.1.7:80",
                                   "192.168.1.7",
                                   "192.168.1.7.x:8470"}) {
      INFO(host);
      CHECK(status_of_host(host, self) == 421);
    }
  }
  const auto refusal =
      admit({.method = "GET", .target = "/", .fields = {{"Host", "myhost:8470"}}}, kEverywhere);
  CHECK(std::get<HttpResponse>(refusal).body ==
        "Reach this server at its IP address or localhost, and port 8470; the request is for "
        "another host.\n");
}

TEST_CASE("HTTP/1.1 requests need exactly one host") {
  CHECK(status({}) == 400);
  CHECK(status({{"Host", "127.0.0.1:8470"}, {"HOST", "127.0.0.1:8470"}}) == 400);
  CHECK(status({{"Host", "127.0.0.1:8470"}, {"Host", "evil.example"}}) == 400);
  const auto of_old = [](const Fields& fields) {
    return std::holds_alternative<HttpRequest>(
        admit({.method = "GET", .target = "/", .http_1_0 = true, .fields = fields}, kLoopback));
  };
  CHECK(of_old({}));
  CHECK(of_old({{"Host", "localhost:8470"}}));
  CHECK_FALSE(of_old({{"Host", "evil.example:8470"}}));
  CHECK_FALSE(of_old({{"Origin", "http://127.0.0.1:8470"}}));
}

TEST_CASE("pages of another origin are refused") {
  for (const std::string method : {"GET", "HEAD", "POST"}) {
    CHECK(status_with({}, method) == 200);
    CHECK(status_with({{"Origin", "http://127.0.0.1:8470"}}, method) == 200);
    for (const std::string origin : {"http://evil.example",
                                     "http://evil.example:8470",
                                     "https://127.0.0.1:8470",
                                     "http://127.0.0.1",
                                     "http://127.0.0.1:9090",
                                     "http://localhost:8470",  // is another origin to a browser
                                     "http://127.0.0.1:8470/",
                                     "null",
                                     "file://",
                                     ""}) {
      INFO(origin);
      CHECK(status_with({{"Origin", origin}}, method) == 403);
      CHECK(status_with({{"Origin", "http://127.0.0.1:8470"}, {"origin", origin}}, method) == 403);
    }
  }
}

TEST_CASE("cross-site and same-site requests are admitted only for followed links") {
  const auto from = [](const std::string& site, const std::string& mode, Fields more = {}) {
    more.insert(more.end(), {{"Sec-Fetch-Site", site}, {"Sec-Fetch-Mode", mode}});
    return more;
  };
  for (const std::string site : {"same-origin", "none"})
    for (const std::string mode : {"cors", "navigate", "no-cors", "same-origin"})
      CHECK(status_with(from(site, mode)) == 200);
  for (const std::string site : {"cross-site", "same-site"}) {
    for (const std::string mode : {"cors", "no-cors", "websocket", ""})
      CHECK(status_with(from(site, mode)) == 403);
    CHECK(status_with({{"Sec-Fetch-Site", site}}) == 403);
    CHECK(status_with(from(site, "navigate")) == 200);
    CHECK(status_with(from(site, "navigate", {{"Sec-Fetch-Dest", "document"}})) == 200);
    CHECK(status_with(from(site, "navigate"), "POST") == 403);  // a form
    CHECK(status_with(from(site, "navigate"), "HEAD") == 403);
    for (const std::string frame : {"iframe", "frame", "embed", "object"})
      CHECK(status_with(from(site, "navigate", {{"Sec-Fetch-Dest", frame}})) == 403);
    CHECK(status_with(from(site, "navigate", {{"Origin", "http://evil.example"}})) == 403);
  }
}

TEST_CASE("refusals are sent with an explanation, before a body is read") {
  bool reached = false;
  const HttpServer server(HttpAddress{}, [&](const HttpRequest&) {
    reached = true;
    return HttpResponse{};
  });
  const auto port = std::to_string(server.port());
  test::HttpClient rebound(server.port());
  rebound.send("POST /api HTTP/1.1\r\nHost: evil.example:" + port +
               "\r\nContent-Length: 4\r\n\r\n");
  const auto misdirected = rebound.answer();
  CHECK(misdirected.status == 421);
  CHECK(misdirected.body == "Reach this server at 127.0.0.1:" + port + " or localhost:" + port +
                                "; the request is for another host.\n");
  CHECK(misdirected.header("Connection") == "close");
  CHECK(rebound.closes());
  test::HttpClient foreign(server.port());
  foreign.send(test::http_request(server.port(), "/", "Origin: http://evil.example\r\n", "POST"));
  const auto forbidden = foreign.answer();
  CHECK(forbidden.status == 403);
  CHECK(forbidden.body == "The request comes from a page of another origin.\n");
  CHECK(forbidden.header("Access-Control-Allow-Origin").empty());
  CHECK_FALSE(reached);
}

}  // namespace posse::test_admission
