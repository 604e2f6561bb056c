// SPDX-License-Identifier: Apache-2.0
// Every expression of the shipped dashboard, asked of a real Prometheus that scrapes real runs.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "program/metrics/definitions.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/paused_run.hpp"
#include "tests/support/prometheus_server.hpp"

namespace test_dashboard {

using namespace posse;
using namespace posse::test;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kDashboards =
    std::filesystem::path(POSSE_SOURCE_DIR) / "tools" / "dashboards";

nlohmann::json dashboard() {
  return nlohmann::json::parse(text_of((kDashboards / "grafana/dashboards/posse.json").string()));
}

std::vector<std::string> expressions() {
  std::vector<std::string> found;
  const auto json = dashboard();
  for (const auto& panel : json["panels"])
    if (panel.contains("targets"))
      for (const auto& target : panel["targets"]) found.push_back(target["expr"]);
  return found;
}

std::vector<std::string> annotation_expressions() {
  std::vector<std::string> found;
  const auto json = dashboard();
  for (const auto& annotation : json["annotations"]["list"]) found.push_back(annotation["expr"]);
  return found;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// With values in place of the dashboard's variables, as Grafana puts them.
std::string asked_for(const std::string& expression, const std::string& rate_interval = "30s") {
  auto asked = replaced(expression, "$run", ".*");
  asked = replaced(asked, "$__rate_interval", rate_interval);
  REQUIRE(asked.find('$') == std::string::npos);
  return asked;
}

// Loses, doubles and delays messages, cuts two clients off, has queues that are too short and a
// server that doesn't wait: 5 virtual seconds, and 3 more of retransmissions to closed rounds. One
// link is clogged for longer than it takes to the next scrape, one node pauses for so short a time
// that no scrape sees it.
constexpr auto kFaults = R"(
name = "faults"
repeat = 2
[[algorithm]]
kind = "fed-pne"
nu1 = 1.4
rho = 0.70710678
[population]
clients = 6
[objective]
kind = "garland"
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 3000
[network]
latency = { kind = "exponential", mean = "40 ms", floor = "10 ms" }
rate = "100 kbit/s"
queue = "200 B"
loss = { kind = "bernoulli", p = 0.05 }
duplication = 0.1
transport = "reliable"
retransmission = { timeout = "200 ms", max_timeout = "2 s" }
[compute]
evaluation = "1 ms"
[server]
policy = "deadline"
deadline = "100 ms"
[[fault]]
at = "500 ms"
kind = "partition"
groups = [["server"], ["client-0", "client-1"]]
for = "1 s"
[[fault]]
at = "1 s"
kind = "clog"
groups = [["server"], ["client-5"]]
for = "3 s"
[[fault]]
at = "2500 ms"
kind = "pause"
nodes = ["client-3"]
for = "1 ms"
)";

constexpr auto kArms = R"(
name = "arms"
[[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "smooth"
[budget]
pulls = 400
[compute]
evaluation = "5 ms"
)";

// Its server waits for all, so that counts of values have formulas.
constexpr auto kPlain = R"(
name = "plain"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
[compute]
evaluation = "1 ms"
)";

}  // namespace

TEST_CASE("the dashboard's panels have titles, units, legends and sources", "[prometheus]") {
  const auto json = dashboard();
  std::set<std::string> rows;
  std::set<int> ids;
  for (const auto& panel : json["panels"]) {
    const std::string title = panel["title"];
    INFO(title);
    CHECK_FALSE(title.empty());
    CHECK(ids.insert(panel["id"].get<int>()).second);
    if (panel["type"] == "row") {
      rows.insert(title);
      continue;
    }
    CHECK_FALSE(panel["fieldConfig"]["defaults"]["unit"].get<std::string>().empty());
    CHECK(panel["datasource"]["uid"] == "${datasource}");
    std::set<std::string> references;
    for (const auto& target : panel["targets"]) {
      CHECK(references.insert(target["refId"].get<std::string>()).second);
      if (panel["type"] != "table") CHECK_FALSE(target["legendFormat"].get<std::string>().empty());
      // Where a bound is drawn beside what it bounds, it is dashed: its name says that it is one.
      const std::string expression = target["expr"];
      if (expression.starts_with("posse_bound_value")) {
        CHECK_THAT(target["legendFormat"].get<std::string>(), Contains("bound"));
        CHECK_THAT(panel["fieldConfig"]["overrides"].dump(), Contains("dash"));
      }
    }
  }
  CHECK(rows == std::set<std::string>{
                    "Overview", "Regret", "Communication", "Rounds", "Network faults", "Arms"});
  CHECK(json["templating"]["list"][1]["name"] == "run");
}

TEST_CASE("every metric is on the dashboard, and the dashboard names no other", "[prometheus]") {
  const std::regex name("posse_[a-z_]+");
  std::set<std::string> used;
  auto all = expressions();
  const auto of_annotations = annotation_expressions();
  CHECK_FALSE(of_annotations.empty());
  all.insert(all.end(), of_annotations.begin(), of_annotations.end());
  for (const auto& expression : all)
    for (std::sregex_iterator it(expression.begin(), expression.end(), name), end; it != end; ++it)
      used.insert(std::regex_replace(it->str(), std::regex("_(bucket|sum|count)$"), ""));
  std::set<std::string> defined;
  for (const auto& definition : metric_definitions()) defined.insert(std::string(definition.name));
  CHECK(used == defined);
}

TEST_CASE("a real Prometheus has data for every expression of the dashboard", "[prometheus]") {
  const auto prometheus = needed_program("prometheus");
  const auto promtool = needed_program("promtool");
  const Folder folder;
  PausedRun faults(folder, "faults", kFaults, "1.6"), arms(folder, "arms", kArms, "0.5"),
      plain(folder, "plain", kPlain, "1");

  // The shipped configuration, with the addresses of these runs.
  auto config = text_of((kDashboards / "prometheus.yml").string());
  REQUIRE_THAT(config, Contains("127.0.0.1:9464") && Contains("127.0.0.1:9091"));
  config = replaced(config,
                    "127.0.0.1:9464",
                    faults.address() + "\", \"" + arms.address() + "\", \"" + plain.address());
  config = replaced(config, "127.0.0.1:9091", "127.0.0.1:" + std::to_string(free_port()));
  const auto config_file = folder.write("prometheus.yml", config);
  ChildProcess check(
      {promtool, "check", "config", config_file.string()}, folder.path(), "promtool");
  CHECK(check.wait(std::chrono::seconds(20)) == 0);

  const PrometheusServer server(prometheus, folder.path(), config_file);
  const auto value = [&](const std::string& expression) {
    const auto found = server.query(expression);
    return found.size() == 1 ? found[0].points[0].second : 0;
  };
  // It scrapes for the first time after about 5 seconds.
  REQUIRE(
      comes_true([&] { return value("sum(up{job=\"posse\"})") == 3; }, std::chrono::seconds(60)));
  faults.begin();
  arms.begin();
  plain.begin();
  REQUIRE(comes_true([&] { return value("sum(posse_runs_total{outcome=\"finished\"})") == 4; },
                     std::chrono::seconds(60)));
  CHECK(value("sum(rate(posse_events_total[30s]))") > 0);  // scraped while they went on
  for (const auto* cause : {"loss", "partition", "queue"}) {
    INFO(cause);
    CHECK(value("sum(posse_messages_dropped_total{cause=\"" + std::string(cause) + "\"})") > 0);
  }
  CHECK(value("sum(posse_messages_late_total)") > 0);

  for (const auto& expression : expressions()) {
    const auto found = server.query(asked_for(expression));
    std::size_t with_value = 0;
    for (const auto& series : found) with_value += std::isnan(series.points[0].second) ? 0 : 1;
    INFO(expression << "\n  series: " << found.size() << ", with a value: " << with_value);
    CHECK(with_value > 0);
  }

  // Annotations are there while something happens.
  std::set<std::string> marked;
  for (const auto& expression : annotation_expressions()) {
    const auto asked = asked_for(expression, "5s");  // of a scrape interval of 1 s
    const auto found = server.query("max_over_time((" + asked + ")[5m:1s])");
    INFO(expression);
    CHECK_FALSE(found.empty());
    for (const auto& series : found) {
      CHECK(series.points[0].second > 0);
      marked.insert(series.labels.at("kind"));
    }
  }
  CHECK(marked == std::set<std::string>{"clog", "partition", "pause"});
}

TEST_CASE("the dashboard's annotations are what Grafana needs to mark faults", "[prometheus]") {
  const auto json = dashboard();
  std::set<std::string> names;
  for (const auto& annotation : json["annotations"]["list"]) {
    CHECK(names.insert(annotation["name"].get<std::string>()).second);
    CHECK(annotation["datasource"]["uid"] == "${datasource}");
    CHECK(annotation["enable"] == true);
    CHECK(annotation["titleFormat"] == "{{kind}}");
    // It marks where the value is above 0, and joins marks that are at most a step apart.
    CHECK_THAT(annotation["expr"].get<std::string>(), Contains("posse_faults_") && Contains("> 0"));
    CHECK(annotation["step"] == "1s");
  }
  CHECK(names.size() == 2);
}

}  // namespace test_dashboard
