// SPDX-License-Identifier: Apache-2.0
// --metrics, --linger, --push and metrics.om through the built executable.
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/plain_http.hpp"
#include "tests/support/program_folder.hpp"

namespace test_flags {

using namespace posse;
using namespace posse::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr auto kLossy = R"(
name = "lossy"
seed = 7
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 1000
[network]
latency = { kind = "exponential", mean = "40 ms", floor = "10 ms" }
loss = { kind = "bernoulli", p = 0.1 }
transport = "reliable"
header_bytes = "40 B"
)";

std::uint16_t port_of(ChildProcess& process) {
  const auto url = process.line_after("metrics: http://127.0.0.1:");
  return static_cast<std::uint16_t>(std::stoul(url));
}

json results_of(const ProgramFolder& folder) {
  return json::parse(folder.content("runs/lossy/latest/results.json"));
}

/// The sum of a field over the ledger's accounts.
double ledger(const json& run, const std::string& field) {
  double sum = 0;
  for (const auto& account : run["ledger"]) sum += account[field].get<double>();
  return sum;
}

}  // namespace

TEST_CASE(
    "the last scrape, metrics.om and results.json agree, and scraping does not change results") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  REQUIRE(folder.posse("run lossy.toml").code == 0);
  const auto fingerprint = results_of(folder)["fingerprint"];

  ChildProcess process({test::posse_executable(),
                        "run",
                        "lossy.toml",
                        "--metrics=127.0.0.1:0",
                        "--linger",
                        "until-scraped"},
                       folder.path(),
                       "posse");
  const auto port = port_of(process);
  process.line_after("waiting until the metrics are scraped");
  CHECK(process.running());
  CHECK(ask_http(port, "/").status == 200);  // no scrape
  CHECK(ask_http(port, "/nowhere").status == 404);
  const auto answer = ask_http(port, "/metrics");
  CHECK(answer.status == 200);
  CHECK(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(process.wait(10s) == 0);

  const auto results = results_of(folder);
  CHECK(results["fingerprint"] == fingerprint);
  const Exposition scraped(answer.body, false);
  const Exposition history(folder.content("runs/lossy/latest/metrics.om"), true);
  REQUIRE(results["runs"].size() == 4);
  for (const auto& run : results["runs"]) {
    const std::string label = run["algorithm"];
    const std::string id = "lossy/" + label + "/" + std::to_string(run["repetition"].get<int>());
    const auto agrees = [&](const std::string& metric, ExposedLabels labels, double expected) {
      labels["run"] = id;
      INFO(metric << " of " << id);
      CHECK(scraped.value(metric, labels) == expected);
      const auto points = history.points(metric, labels);
      REQUIRE_FALSE(points.empty());
      CHECK(points.back().value == expected);
    };
    const auto& regret = run["regret"];
    agrees("posse_rounds_total", {{"algorithm", label}}, run["rounds"]);
    agrees("posse_evaluations_total", {{"algorithm", label}}, regret["evaluations"]);
    for (const std::string scope : {"global", "local"}) {
      const std::string prefix = scope == "local" ? "local_" : "";
      agrees("posse_cumulative_regret",
             {{"algorithm", label}, {"scope", scope}},
             regret[prefix + "cumulative_regret"]);
      agrees("posse_simple_regret",
             {{"algorithm", label}, {"scope", scope}},
             regret[prefix + "simple_regret"]);
    }
    agrees("posse_virtual_time_seconds", {}, run["virtual_s"]);
    agrees("posse_events_total", {}, run["events"]);
    agrees("posse_messages_retransmitted_total", {}, ledger(run, "retransmitted"));
    for (const auto& account : run["ledger"]) {
      const ExposedLabels labels{{"type", account["type"]}, {"direction", account["direction"]}};
      agrees("posse_messages_sent_total", labels, account["sent"]);
      agrees("posse_messages_delivered_total", labels, account["delivered"]);
      agrees("posse_message_bytes_total", labels, account["bytes"]);
      agrees("posse_message_payload_bytes_total",
             labels,
             account["type"] == "Ack"
                 ? 0
                 : account["bytes"].get<double>() - account["header_bytes"].get<double>());
      agrees("posse_message_values_total", labels, account["values"]);
    }
    double lost = 0;
    for (const auto& account : run["ledger"]) lost += account["dropped"]["loss"].get<double>();
    CHECK(lost > 0);
    agrees("posse_messages_dropped_total", {{"cause", "loss"}}, lost);
    // What the dashboard draws beside identities counts what they count.
    const auto sent = [&](const std::string& metric, const std::string& direction) {
      double sum = 0;
      for (const auto& account : run["ledger"]) {
        if (account["type"] == "Ack") continue;
        if (!direction.empty() && account["direction"] != direction) continue;
        sum += scraped.value(
            metric, {{"run", id}, {"type", account["type"]}, {"direction", account["direction"]}});
      }
      return sum;
    };
    std::size_t identities = 0;
    for (const auto& measurement : run["measurements"]) {
      const std::string name = measurement["name"];
      const auto space = name.find(' ');
      const auto direction = space == std::string::npos ? "" : name.substr(space + 1);
      const auto* metric = name == "messages"            ? "posse_messages_sent_total"
                           : name.starts_with("payload") ? "posse_message_payload_bytes_total"
                           : name.starts_with("values ") ? "posse_message_values_total"
                                                         : nullptr;
      if (metric == nullptr || measurement["bound"]["side"] != "equal") continue;
      INFO(name);
      CHECK(sent(metric, direction) == measurement["bound"]["value"].get<double>());
      ++identities;
    }
    CHECK(identities == (label == "fed-pne" ? 5 : 2));
    for (const auto& measurement : run["measurements"]) {
      const auto& bound = measurement["bound"];
      if (bound.is_null() || bound["kind"] == "does_not_apply") continue;
      agrees("posse_bound_value",
             {{"quantity", measurement["name"]}, {"kind", bound["kind"]}},
             bound["value"]);
    }
  }
  CHECK(scraped.value("posse_runs_total", {{"outcome", "finished"}}) == 4);
  CHECK(scraped.value("posse_runs_active", {}) == 0);
}

TEST_CASE("a run has the same result while it is scraped without pause") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  REQUIRE(folder.posse("run lossy.toml").code == 0);
  const auto fingerprint = results_of(folder)["fingerprint"];
  ChildProcess process(
      {test::posse_executable(), "run", "lossy.toml", "--metrics=127.0.0.1:0", "--pace", "4"},
      folder.path(),
      "posse");
  const auto port = port_of(process);
  std::size_t scrapes = 0;
  double evaluations = 0;
  while (process.running()) {
    const auto answer = ask_http(port, "/metrics");
    if (answer.status == 0) continue;  // it ends
    REQUIRE(answer.status == 200);
    const Exposition scraped(answer.body, false);
    double sum = 0;
    for (const auto& [key, points] : scraped.families.at("posse_evaluations_total").series)
      sum += points.front().value;
    CHECK(sum >= evaluations);
    evaluations = sum;
    ++scrapes;
  }
  CHECK(process.wait(0ms) == 0);
  CHECK(scrapes > 5);
  CHECK(evaluations > 0);
  CHECK(results_of(folder)["fingerprint"] == fingerprint);
}

TEST_CASE("requests that name another host are refused") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  ChildProcess process(
      {test::posse_executable(), "run", "lossy.toml", "--metrics=127.0.0.1:0", "--linger", "60s"},
      folder.path(),
      "posse");
  const auto port = port_of(process);
  HttpClient client(port);
  client.send("GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  const auto answer = client.answer();
  CHECK(answer.status >= 400);
  CHECK(answer.status < 500);
  CHECK(answer.body.find("posse_") == std::string::npos);
}

TEST_CASE("200 idle connections don't keep a scraper waiting") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  ChildProcess process(
      {test::posse_executable(), "run", "lossy.toml", "--metrics=127.0.0.1:0", "--linger", "60s"},
      folder.path(),
      "posse");
  const auto port = port_of(process);
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<HttpClient>(port));
  const auto start = std::chrono::steady_clock::now();
  CHECK(ask_http(port, "/metrics").status == 200);
  CHECK(std::chrono::steady_clock::now() - start < 2s);
}

TEST_CASE("a port that is taken ends with exit code 10, before anything runs") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  const LoopbackListener taken([](const LoopbackSocket&) {});
  const auto address = "127.0.0.1:" + std::to_string(taken.port());
  const auto outcome = folder.posse("run lossy.toml --metrics=" + address);
  CHECK(outcome.code == 10);
  CHECK_THAT(outcome.err, Contains(address));
  CHECK(outcome.out.empty());
  CHECK_FALSE(fs::exists(folder / "runs/lossy/latest"));
}

TEST_CASE("a Pushgateway that isn't there is an error that keeps the results") {
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  const auto url = "http://127.0.0.1:" + std::to_string(free_port());
  const auto outcome = folder.posse("run lossy.toml --push " + url);
  CHECK(outcome.code == 11);
  CHECK_THAT(outcome.err, Contains(url) && Contains("Connection refused"));
  CHECK(results_of(folder)["runs"].size() == 4);
  CHECK(folder.posse("run lossy.toml --push localhost:9091").code == 2);
}

TEST_CASE("a run pushes its end to a real Pushgateway, grouped by its folder's name") {
  const auto program = needed_program("prometheus-pushgateway");
  const ProgramFolder folder;
  folder.write("lossy.toml", kLossy);
  const auto port = free_port();
  ChildProcess gateway({program, "--web.listen-address=127.0.0.1:" + std::to_string(port)},
                       folder.path(),
                       "gateway");
  REQUIRE(comes_true([&] { return ask_http(port, "/-/ready").status == 200; }));
  const auto outcome =
      folder.posse("run lossy.toml --push http://127.0.0.1:" + std::to_string(port));
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  const auto groups = json::parse(ask_http(port, "/api/v1/metrics").body)["data"];
  REQUIRE(groups.size() == 1);
  CHECK(groups[0]["labels"]["job"] == "posse");
  CHECK(groups[0]["labels"]["instance"] ==
        fs::read_symlink(folder / "runs/lossy/latest").filename().string());
  CHECK(groups[0]["posse_rounds_total"]["metrics"].size() == 4);
}

}  // namespace test_flags
