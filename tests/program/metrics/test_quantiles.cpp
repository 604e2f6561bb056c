// SPDX-License-Identifier: Apache-2.0
// Quantiles that Prometheus computes from the exposed buckets, beside the durations themselves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program/metrics/collector.hpp"
#include "program/metrics/open_metrics.hpp"
#include "program/metrics/shown_buckets.hpp"
#include "tests/program/metrics/views.hpp"
#include "tests/support/bucket_quantile.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/paused_run.hpp"
#include "tests/support/prometheus_server.hpp"

namespace test_quantiles {

using namespace posse;
using namespace posse::test;

namespace {

using Buckets = std::map<double, double>;  // cumulative counts by bound

/// The latest buckets of each series of a histogram, by the other labels.
std::map<ExposedLabels, Buckets> buckets_of(const std::string& text,
                                            bool open_metrics,
                                            const std::string& metric) {
  const Exposition exposition(text, open_metrics);
  std::map<ExposedLabels, Buckets> found;
  for (const auto& [key, points] : exposition.families.at(metric).series) {
    if (key.first != metric + "_bucket") continue;
    auto labels = key.second;
    const auto le = labels.extract("le").mapped();
    found[labels][le == "+Inf" ? HUGE_VAL : std::stod(le)] = points.back().value;
  }
  return found;
}

std::string echo(const std::string& latency) {
  return R"(
name = "echo"
repeat = 2
[[algorithm]]
kind = "echo"
rounds = 30
[population]
clients = 5
[network]
latency = )" +
         latency + "\n";
}

ScenarioResult run(const Scenario& scenario) {
  const RunOptions options;
  RunMonitor monitor(number_of_runs(scenario, options));
  return run_scenario(scenario, options, monitor);
}

std::string scrape_of(const Scenario& scenario, const ScenarioResult& result) {
  const MetricsCollector collector([&] {
    ScenarioView view{&scenario, {}};
    for (const auto& record : result.runs)
      view.runs.push_back(std::make_shared<RunView>(view_of_record(scenario, record)));
    return view;
  });
  return metrics_text(collector);
}

std::string file_of(const Scenario& scenario, const ScenarioResult& result) {
  std::ostringstream out;
  write_open_metrics(out, scenario, result);
  return out.str();
}

/// What a scrape shows of one histogram of messages that go up.
Buckets scraped(const Scenario& scenario, const DurationHistogram& latencies) {
  RunOutcome outcome;
  outcome.latency[static_cast<std::size_t>(Direction::up)] = latencies;
  const MetricsCollector collector(
      [&] { return views_of(scenario, view_of(scenario, outcome, RunState::running)); });
  const auto all = buckets_of(metrics_text(collector), false, "posse_message_latency_seconds");
  return all.at({{"run", "small/fed-pne/0"}, {"direction", "up"}});
}

void check_quantiles(std::vector<double> durations, const Buckets& buckets) {
  std::sort(durations.begin(), durations.end());
  REQUIRE(buckets.rbegin()->second == static_cast<double>(durations.size()));
  for (const double q : {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0}) {
    const auto n = static_cast<double>(durations.size());
    const double exact = durations[static_cast<std::size_t>(std::ceil(q * n)) - 1];
    const double found = bucket_quantile(q, buckets);
    INFO("quantile " << q << ": " << exact << " s, from buckets " << found << " s");
    CHECK(std::abs(found - exact) <= 0.1 * exact);
  }
}

}  // namespace

TEST_CASE(
    "latencies of 3 us, 50 ms and 3 h have quantiles within 10 %, in scrapes and metrics.om") {
  for (const auto& [written, seconds] : {std::pair{"\"3 us\"", 3e-6},
                                         {"\"50 ms\"", 0.05},
                                         {"\"3 h\"", 10'800.0},
                                         {"\"1 ns\"", 1e-9},
                                         {"\"3 ns\"", 3e-9},
                                         {"\"5000 h\"", 1.8e7}}) {
    INFO(written);
    const auto scenario = read_valid(echo(written));
    const auto result = run(scenario);
    for (const auto* metric : {"posse_message_latency_seconds", "posse_round_duration_seconds"}) {
      const double expected = metric == std::string("posse_message_latency_seconds") ? 1 : 2;
      for (const bool file : {false, true}) {
        const auto all = file ? buckets_of(file_of(scenario, result), true, metric)
                              : buckets_of(scrape_of(scenario, result), false, metric);
        REQUIRE(all.size() >= 2);
        for (const auto& [labels, buckets] : all) {
          for (const double q : {0.01, 0.5, 0.99, 1.0})
            CHECK(bucket_quantile(q, buckets) == Approx(expected * seconds).epsilon(0.1 / 1.0001));
          CHECK(buckets.size() <= (file ? 3 : 50));
        }
      }
    }
  }
}

TEST_CASE("latencies of 0 have quantiles of 0") {
  const auto scenario = read_valid(echo("\"0 s\""));
  const auto result = run(scenario);
  for (const auto& [labels, buckets] :
       buckets_of(scrape_of(scenario, result), false, "posse_message_latency_seconds")) {
    CHECK(bucket_quantile(0.5, buckets) == 0);
    CHECK(bucket_quantile(1, buckets) == 0);
  }
}

TEST_CASE("quantiles of any durations are within 10 %, expected or not") {
  const auto scenario = read_valid(kFedPneText);  // expects 50 ms
  std::mt19937_64 random(1);
  for (int kind = 0; kind < 40; ++kind) {
    std::vector<double> durations;
    DurationHistogram histogram;
    for (int i = 0; i < 2000; ++i) {
      std::int64_t ns = 0;
      if (kind % 4 == 0) ns = static_cast<std::int64_t>(random() >> (2 + random() % 62)) | 1;
      if (kind % 4 == 1) ns = 50'000'000;
      if (kind % 4 == 2)
        ns = std::llround(
            std::min(9e18, std::lognormal_distribution<>(kind, 1 + kind / 20.0)(random) + 1));
      if (kind % 4 == 3)
        ns = std::llround(std::exponential_distribution<>()(random) * std::pow(10, kind / 3)) + 1;
      histogram.add(Duration{ns});
      durations.push_back(static_cast<double>(ns) / 1e9);
    }
    INFO("durations of kind " << kind);
    check_quantiles(durations, scraped(scenario, histogram));
  }
}

TEST_CASE("the bounds of the scenario's latencies are there before the first message") {
  const auto bounds = [](const std::string& latency) {
    const auto scenario = read_valid(echo(latency));
    std::set<double> found;
    const MetricsCollector collector([&] { return views_of(scenario, view_of(scenario)); });
    for (const auto& [labels, buckets] :
         buckets_of(metrics_text(collector), false, "posse_message_latency_seconds"))
      for (const auto& [bound, count] : buckets) {
        CHECK(count == 0);
        found.insert(bound);
      }
    return found;
  };
  const auto constant = bounds("\"3 us\"");
  CHECK(constant.contains(3e-6));
  CHECK(constant.contains(2.8e-6));
  for (int power = -9; power <= 9; ++power)
    CHECK(constant.contains(std::stod("1e" + std::to_string(power))));
  CHECK(constant.size() == 19 + 2 + 1);
  const auto exponential = bounds(R"({ kind = "exponential", mean = "40 ms", floor = "10 ms" })");
  CHECK(std::distance(exponential.lower_bound(0.01), exponential.upper_bound(0.28)) > 38);
  CHECK(exponential.size() < 70);
}

TEST_CASE("every latency that a scenario's rules are likely to give is expected") {
  const auto scenario = read_valid(R"(
[[algorithm]]
kind = "echo"
[population]
clients = 3
[network]
latency = "3 us"
[[network.link]]
from = "server"
latency = { kind = "uniform", min = "2 h", max = "3 h" }
)");
  const auto ranges = likely_latencies(scenario);
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0] == DurationRange{Duration{3000}, Duration{3000}});
  CHECK(ranges[1] == DurationRange{Duration::seconds(7200), Duration::seconds(10800)});
  const auto queue = read_valid(echo("\"3 us\"") + "rate = \"1 Mbit/s\"\n");
  CHECK(likely_latencies(queue) == std::vector{DurationRange{Duration{3000}, Duration{30'000}}});
}

TEST_CASE("bounds never disappear while a run goes on, and a decade comes as a whole", "[long]") {
  const auto scenario = read_valid(kFedPneText);
  DurationHistogram latencies;
  std::set<double> before;
  std::mt19937_64 random(3);
  std::size_t grew = 0;
  for (int i = 0; i < 300; ++i) {
    latencies.add(Duration{static_cast<std::int64_t>(random() >> (5 + random() % 40)) + 1});
    std::set<double> now;
    for (const auto& [bound, count] : scraped(scenario, latencies)) now.insert(bound);
    CHECK(std::includes(now.begin(), now.end(), before.begin(), before.end()));
    if (!before.empty() && now != before) {
      ++grew;
      CHECK(now.size() - before.size() >= 25);
    }
    before = now;
  }
  CHECK(grew > 3);
  CHECK(grew <= 19);
}

TEST_CASE("all series of a metric have the same bounds, so that they can be added") {
  const auto scenario = read_valid(echo(R"({ kind = "lognormal", median = "1 ms", sigma = 2.0 })"));
  const auto result = run(scenario);
  for (const auto* metric : {"posse_message_latency_seconds", "posse_round_duration_seconds"})
    for (const bool file : {false, true}) {
      const auto all = file ? buckets_of(file_of(scenario, result), true, metric)
                            : buckets_of(scrape_of(scenario, result), false, metric);
      REQUIRE(all.size() >= 2);
      for (const auto& [labels, buckets] : all)
        CHECK(std::equal(buckets.begin(),
                         buckets.end(),
                         all.begin()->second.begin(),
                         all.begin()->second.end(),
                         [](const auto& a, const auto& b) { return a.first == b.first; }));
    }
}

TEST_CASE("a real Prometheus finds 3 us, 50 ms and 3 h within 10 %, also in a rate",
          "[prometheus]") {
  const auto prometheus = needed_program("prometheus");
  const Folder folder;
  // Each latency in a process of its own, paced so that a run lasts a few seconds. All wait until
  // Prometheus has scraped them once: a rate needs counts from before the first message.
  struct Watched {
    std::string name, latency, pace;
    double seconds;
  };
  const std::vector<Watched> all{{"micro", "\"3 us\"", "0.00006", 3e-6},
                                 {"milli", "\"50 ms\"", "1", 0.05},
                                 {"hours", "\"3 h\"", "216000", 10'800}};
  std::vector<std::unique_ptr<PausedRun>> runs;
  std::string targets;
  for (const auto& each : all) {
    auto text = echo(each.latency);
    text.replace(text.find("\"echo\""), 6, "\"" + each.name + "\"");
    text.replace(text.find("rounds = 30"), 11, "rounds = 60");
    runs.push_back(std::make_unique<PausedRun>(folder, each.name, text, each.pace));
    targets += (targets.empty() ? "\"" : ", \"") + runs.back()->address() + "\"";
  }
  const PrometheusServer server(prometheus,
                                folder.path(),
                                folder.write("prometheus.yml",
                                             "global: {scrape_interval: 500ms, scrape_timeout: "
                                             "500ms}\nscrape_configs:\n  - job_name: posse\n    "
                                             "static_configs: [{targets: [" +
                                                 targets + "]}]\n"));
  REQUIRE(comes_true([&] {
    const auto found = server.query("sum(up)");
    return found.size() == 1 && found[0].points[0].second == 3;
  }));
  for (const auto& run : runs) run->begin();
  REQUIRE(comes_true(
      [&] {
        const auto found = server.query("sum(posse_runs_total{outcome=\"finished\"})");
        return found.size() == 1 && found[0].points[0].second == 6;
      },
      std::chrono::seconds(60)));
  for (const auto& each : all) {
    const auto series = "posse_message_latency_seconds_bucket{run=~\"" + each.name + "/.*\"}";
    for (const std::string& counts : {series, "rate(" + series + "[1m])"})
      for (const std::string q : {"0.01", "0.5", "0.99"}) {
        const auto expression =
            "histogram_quantile(" + q + ", sum by (direction, le) (" + counts + "))";
        const auto found = server.query(expression);
        INFO(expression);
        REQUIRE(found.size() == 2);
        for (const auto& direction : found)
          CHECK(direction.points[0].second == Approx(each.seconds).epsilon(0.1));
      }
  }
}

}  // namespace test_quantiles
