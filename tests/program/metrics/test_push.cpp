// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "program/metrics/collector.hpp"
#include "program/metrics/push.hpp"
#include "tests/program/metrics/views.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/plain_http.hpp"

namespace test_push {

using namespace posse;
using namespace posse::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

std::string base_url(std::uint16_t port) { return "http://127.0.0.1:" + std::to_string(port); }

class Pushed {
 public:
  Pushed() {
    RunOutcome o;
    o.complete_rounds = 7;
    o.regret.evaluations = 600;
    o.regret.cumulative = 0.1 + 0.2;
    view_ = view_of(scenario_, o, RunState::over);
  }
  std::string to(const std::string& base, std::chrono::milliseconds patience = 5s) const {
    const MetricsCollector collector([this] { return views_of(scenario_, view_); });
    return push_metrics(base, "20261121T120000Z-0badcafe", collector, patience);
  }

 private:
  Scenario scenario_ = read_valid(kFedPneText);
  RunView view_;
};

}  // namespace

TEST_CASE("a Pushgateway's URL is checked and says what is wrong with it") {
  CHECK(parse_push_url("http://localhost:9091") == "http://localhost:9091");
  CHECK(parse_push_url("http://[::1]:9091/") == "http://[::1]:9091");
  CHECK(parse_push_url("https://gateway.example/below/here/") ==
        "https://gateway.example/below/here");
  for (const auto& [url, problem] : {std::pair{"", "doesn't begin with http://"},
                                     {"localhost:9091", "doesn't begin with http://"},
                                     {"ftp://x", "doesn't begin with http://"},
                                     {"http://", "names no host"},
                                     {"http://:9091", "names no host"},
                                     {"http://x:", "no port"},
                                     {"http://x:0", "no port"},
                                     {"http://x:65536", "no port"},
                                     {"http://x:80y", "no port"},
                                     {"http://[::1]9091", "no port"},
                                     {"http://me:secret@x:9091", "user or a password"},
                                     {"http://x/?a=b", "query or a fragment"},
                                     {"http://x/#a", "query or a fragment"},
                                     {"http://a b", "character that is not allowed in a URL"},
                                     {"http://a\n", "character that is not allowed in a URL"}}) {
    INFO(url);
    CHECK_THROWS_WITH(parse_push_url(url), Contains(problem) && Contains("http://127.0.0.1:9091"));
  }
}

TEST_CASE("a group is named by job and instance, encoded where it has to be") {
  CHECK(push_group_url("http://x", "2026-ab") == "http://x/metrics/job/posse/instance/2026-ab");
  CHECK(push_group_url("http://x", "a b%") == "http://x/metrics/job/posse/instance/a%20b%25");
  CHECK(push_group_url("http://x", "") == "http://x/metrics/job/posse");
  // RFC 4648's examples; base64 is how the gateway takes slashes.
  CHECK(push_group_url("http://x", "a/b") == "http://x/metrics/job/posse/instance@base64/YS9i");
  CHECK(push_group_url("http://x", "/") == "http://x/metrics/job/posse/instance@base64/Lw");
  CHECK(push_group_url("http://x", "//") == "http://x/metrics/job/posse/instance@base64/Ly8");
}

TEST_CASE("pushing to a missing, refusing, broken or silent gateway fails in time") {
  const Pushed pushed;
  const auto missing = base_url(free_port());
  CHECK_THAT(pushed.to(missing), Contains(missing) && (Contains("refused") || Contains("connect")));

  LoopbackListener refuses([](const LoopbackSocket& connection) {
    char buffer[65536];
    for (std::string got; got.find("\r\n\r\n") == std::string::npos;) {
      const auto n = recv(connection.fd(), buffer, sizeof buffer, 0);
      if (n <= 0) return;
      got.append(buffer, static_cast<std::size_t>(n));
    }
    connection.send_all(
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 18\r\n\r\nno, \x1b[31m thank you");
    shutdown(connection.fd(), SHUT_WR);
    while (recv(connection.fd(), buffer, sizeof buffer, 0) > 0) continue;
  });
  const auto refused = pushed.to(base_url(refuses.port()));
  CHECK_THAT(refused, Contains("HTTP status 400: no, \\x1b[31m thank"));
  CHECK(refused.find('\x1b') == std::string::npos);

  LoopbackListener nonsense([](const LoopbackSocket& connection) {
    connection.send_all(std::string("SSH-2.0-\0\1\2 no HTTP at all\r\n", 28));
  });
  CHECK_FALSE(pushed.to(base_url(nonsense.port())).empty());

  std::atomic<bool> stop{false};
  LoopbackListener silent([&](const LoopbackSocket&) {
    while (!stop) std::this_thread::sleep_for(5ms);
  });
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(pushed.to(base_url(silent.port()), 300ms), Contains("no answer within 0.3 s"));
  CHECK(std::chrono::steady_clock::now() - start < 3s);
  stop = true;
}

TEST_CASE("a real Pushgateway has what was pushed, and only the latest") {
  const auto program = needed_program("prometheus-pushgateway");
  const Folder folder;
  const auto port = free_port();
  ChildProcess gateway({program, "--web.listen-address=127.0.0.1:" + std::to_string(port)},
                       folder.path(),
                       "gateway");
  REQUIRE(comes_true([&] { return ask_http(port, "/-/ready").status == 200; }));
  const Pushed pushed;
  CHECK(pushed.to(base_url(port)).empty());
  CHECK(pushed.to(parse_push_url(base_url(port) + "/")).empty());
  CHECK_THAT(pushed.to(base_url(port) + "/nowhere"), Contains("HTTP status 404"));

  const auto groups = nlohmann::json::parse(ask_http(port, "/api/v1/metrics").body);
  REQUIRE(groups["data"].size() == 1);
  const auto& group = groups["data"][0];
  CHECK(group["labels"] ==
        nlohmann::json{{"job", "posse"}, {"instance", "20261121T120000Z-0badcafe"}});
  CHECK(group["last_push_successful"] == true);
  const auto& regrets = group["posse_cumulative_regret"];
  CHECK(regrets["type"] == "GAUGE");
  REQUIRE(regrets["metrics"].size() == 2);
  CHECK(regrets["metrics"][0]["value"] == "0.30000000000000004");
  CHECK(group["posse_rounds_total"]["metrics"][0]["value"] == "7");
  CHECK(ask_http(port, "/metrics")
            .body.find("posse_runs_total{instance=\"20261121T120000Z-"
                       "0badcafe\",job=\"posse\",outcome=\"finished\"} 1") != std::string::npos);
}

}  // namespace test_push
