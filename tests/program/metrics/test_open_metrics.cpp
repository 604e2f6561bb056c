// SPDX-License-Identifier: Apache-2.0
// metrics.om: what the format's description asks for, what the results say, and what a real
// Prometheus makes of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <sstream>

#include "program/metrics/open_metrics.hpp"
#include "program/metrics/samples.hpp"
#include "tests/program/metrics/views.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/prometheus_server.hpp"

namespace test_open_metrics {

using namespace posse;
using namespace posse::test;

namespace {

std::string text_of_runs(const Scenario& scenario, const ScenarioResult& result) {
  std::ostringstream out;
  write_open_metrics(out, scenario, result);
  return out.str();
}

ScenarioResult run(const Scenario& scenario) {
  const RunOptions options;
  RunMonitor monitor(number_of_runs(scenario, options));
  return run_scenario(scenario, options, monitor);
}

/// One finished run made by hand.
ScenarioResult result_of(RunOutcome outcome) {
  ScenarioResult result;
  auto& record = result.runs.emplace_back();
  record.started = true;
  record.result.outcome = std::move(outcome);
  return result;
}

RoundRecord round(std::uint32_t number, double began, double ended) {
  RoundRecord row;
  row.round = Round{number};
  row.began = Time{} + Duration::seconds(began);
  row.ended = Time{} + Duration::seconds(ended);
  row.bytes_so_far = 100 * number;
  row.compute = Duration::seconds(0.5);
  return row;
}

double in_ms(Time time) { return static_cast<double>(time.ns / 1'000'000) / 1000; }

const ExposedLabels kRunLabel{{"run", "small/fed-pne/0"}};
const ExposedLabels kRounds{{"run", "small/fed-pne/0"}, {"algorithm", "fed-pne"}};

std::vector<std::pair<double, double>> points(const std::string& text,
                                              const std::string& sample,
                                              const ExposedLabels& labels) {
  std::vector<std::pair<double, double>> found;
  for (const auto& point : Exposition(text, true).points(sample, labels))
    found.emplace_back(point.time_s.value(), point.value);
  return found;
}
using Points = std::vector<std::pair<double, double>>;

}  // namespace

TEST_CASE("metrics.om of real runs is valid and ends with what the results say") {
  for (const auto& text : {kFedPneText, kArmsText}) {
    auto scenario = read_valid(text);
    scenario.repeat = 2;
    const auto result = run(scenario);
    const auto written = text_of_runs(scenario, result);
    const Exposition exposition(written, true);
    CHECK(written.ends_with("\n# EOF\n"));
    for (const auto& record : result.runs) {
      const auto end = in_ms(record.result.outcome.finished_at);
      for (const auto& sample : run_samples(scenario, view_of_record(scenario, record))) {
        const auto& definition = definition_of(sample.metric);
        ExposedLabels labels;
        for (std::size_t i = 0; i < sample.labels.size(); ++i)
          labels[std::string(definition.labels[i])] = sample.labels[i];
        const bool histogram = definition.type == MetricType::histogram;
        const auto found =
            exposition.points(std::string(definition.name) + (histogram ? "_count" : ""), labels);
        const double value =
            histogram ? static_cast<double>(std::get<DurationHistogram>(sample.value).count())
                      : sample.number();
        INFO(definition.name);
        if (std::isnan(value)) {
          CHECK(found.empty());
          continue;
        }
        REQUIRE_FALSE(found.empty());
        CHECK(found.back().value == value);
        CHECK(found.back().time_s >= end);
        CHECK(found.back().time_s <= end + 1);  // the last recommendation may come after the end
        if (definition.type == MetricType::counter) {
          CHECK(found.front().value == (found.front().time_s == found.back().time_s ? value : 0));
          CHECK(found.front().time_s == 0);
        }
      }
    }
  }
}

TEST_CASE("families have OpenMetrics' names, types and units") {
  const auto scenario = read_valid(kFedPneText);
  const auto families = Exposition(text_of_runs(scenario, result_of({})), true).families;
  CHECK(families.at("posse_build").type == "info");
  CHECK(families.at("posse_run").type == "info");
  CHECK(families.at("posse_runs").type == "counter");
  CHECK(families.at("posse_message_bytes").unit == "bytes");
  CHECK(families.at("posse_round_phase_seconds").unit == "seconds");
  CHECK(families.at("posse_round_phase_seconds").type == "counter");
  CHECK(families.at("posse_bound_headroom_ratio").unit == "ratio");
  CHECK(families.at("posse_message_latency_seconds").type == "histogram");
  CHECK(families.size() == metric_definitions().size());
}

TEST_CASE("rounds have the times at which they ended, and 0 before") {
  const auto scenario = read_valid(kFedPneText);
  RunOutcome o;
  o.rounds = {round(1, 0, 0.5), round(2, 0.5, 2.0004), round(3, 2.0004, 3)};
  o.complete_rounds = 3;
  o.finished_at = Time{3'000'000'000};
  const auto text = text_of_runs(scenario, result_of(o));
  CHECK(points(text, "posse_rounds_total", kRounds) == Points{{0, 0}, {0.5, 1}, {2, 2}, {3, 3}});
  CHECK(points(text, "posse_round_bytes_total", kRunLabel) ==
        Points{{0, 0}, {0.5, 100}, {2, 200}, {3, 300}});
}

TEST_CASE("of several values in one millisecond the last stays, and time never steps back") {
  const auto scenario = read_valid(kFedPneText);
  RunOutcome o;
  // The third round ends before the second: it counts when all before it have ended.
  o.rounds = {round(1, 0, 0.0101),
              round(2, 0, 0.5),
              round(3, 0, 0.2),
              round(4, 0, 0.5001),
              round(5, 0, 0.5009)};
  o.complete_rounds = 5;
  o.finished_at = Time{501'000'000};
  CHECK(points(text_of_runs(scenario, result_of(o)), "posse_rounds_total", kRounds) ==
        Points{{0, 0}, {0.01, 1}, {0.5, 5}, {0.501, 5}});
}

TEST_CASE("a run of which no time passed has one sample per series") {
  const auto scenario = read_valid(kFedPneText);
  RunOutcome o;
  o.rounds = {round(1, 0, 0)};
  o.complete_rounds = 1;
  CHECK(points(text_of_runs(scenario, result_of(o)), "posse_rounds_total", kRounds) ==
        Points{{0, 1}});
}

TEST_CASE("long runs' thinned rounds keep their numbers, and phases stop at the gaps") {
  const auto scenario = read_valid(kFedPneText);
  RunOutcome o;
  for (std::uint32_t r = 1; r <= 5000; ++r)
    if (r != 700) o.rounds.push_back(round(r, r - 1, r));  // round 700 never ended
  o.complete_rounds = o.rounds.size();
  o.phases.compute = Duration::seconds(0.5) * 5000;
  o.finished_at = Time{5'000'000'000'000};
  for (const auto& row : o.rounds) o.round_durations.add(row.ended - row.began);
  const auto whole = text_of_runs(scenario, result_of(o));
  thin_rounds(o.rounds);
  REQUIRE(o.rounds.size() < 1100);
  const auto text = text_of_runs(scenario, result_of(o));
  const auto rounds = points(text, "posse_rounds_total", kRounds);
  CHECK(rounds.size() > 251);
  CHECK(rounds.size() < 350);
  for (const auto& [time, count] : rounds) CHECK(count == time - (time >= 700 ? 1 : 0));
  const auto phase = points(
      text, "posse_round_phase_seconds_total", {{"run", "small/fed-pne/0"}, {"phase", "compute"}});
  REQUIRE(phase.size() > 10);
  CHECK(phase.back() == std::pair{5000.0, 2500.0});
  CHECK(phase[phase.size() - 2].first < 1001);
  for (const auto& [time, seconds] : phase)
    if (time < 700) CHECK(seconds == time / 2);
  // Where every row is there, histograms follow to the end, at some rounds only.
  ExposedLabels all = kRunLabel;
  all["le"] = "+Inf";
  const auto durations = points(whole, "posse_round_duration_seconds_bucket", all);
  CHECK(durations.back().second == 4999);
  CHECK(durations.size() > 20);
  CHECK(durations.size() < 60);
}

TEST_CASE("faults are there when they begin and until they end, by kind") {
  const auto scenario = read_valid(kFedPneText + R"(
[[fault]]
kind = "partition"
groups = [["server"], ["client-0"]]
at = "20 ms"
for = "30 ms"
every = "100 ms"
until = "200 ms"
[[fault]]
kind = "pause"
nodes = ["client-1", "client-2"]
at = "40 ms"
for = "20 ms"
)");
  const auto result = run(scenario);
  const auto text = text_of_runs(scenario, result);
  const auto labels = [](const char* kind) {
    return ExposedLabels{{"run", "small/fed-pne/0"}, {"kind", kind}};
  };
  const double end = in_ms(result.runs[0].result.outcome.finished_at);
  REQUIRE(end > 0.15);
  CHECK(points(text, "posse_faults_total", labels("partition")) ==
        Points{{0, 0}, {0.02, 1}, {0.12, 2}, {end, 2}});
  CHECK(points(text, "posse_faults_active", labels("partition")) ==
        Points{{0, 0}, {0.02, 1}, {0.05, 0}, {0.12, 1}, {0.15, 0}, {end, 0}});
  CHECK(points(text, "posse_faults_total", labels("pause")) == Points{{0, 0}, {0.04, 2}, {end, 2}});
  CHECK(points(text, "posse_faults_active", labels("pause")) ==
        Points{{0, 0}, {0.04, 2}, {0.06, 0}, {end, 0}});
  CHECK(points(text, "posse_faults_total", labels("crash")) == Points{{0, 0}, {end, 0}});
}

TEST_CASE("arms and regrets follow their curves") {
  const auto scenario = read_valid(kArmsText);
  const auto result = run(scenario);
  const auto text = text_of_runs(scenario, result);
  const auto& record = result.runs.front();
  const Exposition exposition(text, true);
  REQUIRE_FALSE(record.result.arm_curves.empty());
  for (const auto& point : record.result.arm_curves) {
    const auto& name = record.result.outcome.arms.arms[point.arm].name;
    const ExposedLabels labels{{"run", "arms/f-lcb/0"}, {"arm", name}};
    const auto at = [&](const std::string& metric) {
      double value = NAN;  // of the last sample up to the point's millisecond
      for (const auto& p : exposition.points(metric, labels))
        if (*p.time_s <= std::floor(point.virtual_s * 1000 + 1e-6) / 1000) value = p.value;
      return value;
    };
    // Later pulls of the same millisecond go before.
    CHECK(at("posse_arm_pulls_total") >= static_cast<double>(point.pulls));
    CHECK(at("posse_arm_best_value") <= point.best);
  }
  double pulls = 0;
  for (const auto& p : exposition.points("posse_evaluations_total",
                                         {{"run", "arms/f-lcb/0"}, {"algorithm", "f-lcb"}}))
    pulls = p.value;
  CHECK(pulls == 60);
}

TEST_CASE("above 64 arms and 100 runs metrics.om stays small") {
  auto scenario = read_valid(kFedPneText);
  scenario.repeat = 150;
  ScenarioResult result;
  for (std::uint32_t i = 0; i < 150; ++i) {
    auto& record = result.runs.emplace_back();
    record.repetition = i;
    record.started = i < 140;  // then the user pressed Ctrl-C
  }
  const Exposition exposition(text_of_runs(scenario, result), true);
  CHECK(exposition.families.at("posse_run").series.size() == 100);
  CHECK(exposition.points("posse_runs_total", {{"outcome", "finished"}}).back().value == 140);

  const auto arms = read_valid(kArmsText);
  RunOutcome o;
  o.arms.arms.resize(65);
  auto many = result_of(o);
  for (std::uint32_t i = 0; i < 65; ++i) many.runs[0].result.arm_curves.push_back({i, 1, i, 1});
  const Exposition of_arms(text_of_runs(arms, many), true);
  CHECK(of_arms.families.at("posse_arm_pulls").series.size() == 3);
}

TEST_CASE("a real Prometheus finds a run's rounds at their virtual times", "[prometheus]") {
  const auto promtool = needed_program("promtool");
  const auto prometheus = needed_program("prometheus");
  auto scenario = read_valid(kFedPneText);
  scenario.repeat = 2;
  scenario.problem->budget = 10'000;
  const auto result = run(scenario);
  const Folder folder;
  folder.write("metrics.om", text_of_runs(scenario, result));
  ChildProcess import({promtool, "tsdb", "create-blocks-from", "openmetrics", "metrics.om", "data"},
                      folder.path(),
                      "promtool");
  INFO(import.err());
  REQUIRE(import.wait(std::chrono::seconds(20)) == 0);
  const PrometheusServer server(prometheus, folder.path(), folder.write("empty.yml", ""));

  for (const auto& record : result.runs) {
    const auto& outcome = record.result.outcome;
    const auto id = run_id(scenario, 0, record.repetition);
    REQUIRE(outcome.rounds.size() > 3);
    std::map<double, double> expected{{0, 0}, {in_ms(outcome.finished_at), 0}};
    for (std::size_t i = 0; i < outcome.rounds.size(); ++i)
      expected[in_ms(outcome.rounds[i].ended)] = static_cast<double>(i + 1);
    expected.rbegin()->second = static_cast<double>(outcome.complete_rounds);
    const auto found = server.query("posse_rounds_total{run=\"" + id + "\"}[1d]", 3600);
    REQUIRE(found.size() == 1);
    CHECK(found[0].labels.at("algorithm") == "fed-pne");
    CHECK(std::map<double, double>(found[0].points.begin(), found[0].points.end()) == expected);
    // As a person would ask.
    const auto third = outcome.rounds[2];
    const auto at = server.query("posse_rounds_total{run=\"" + id + "\"}", in_ms(third.ended));
    REQUIRE(at.size() == 1);
    CHECK(at[0].points[0].second == 3);
    const auto quantile = server.query(
        "histogram_quantile(1, sum by (le) (posse_round_duration_seconds_bucket{run=\"" + id +
            "\"}))",
        in_ms(outcome.finished_at));
    REQUIRE(quantile.size() == 1);
    CHECK(quantile[0].points[0].second > 0);
    const auto regret =
        server.query("posse_cumulative_regret{scope=\"global\", run=\"" + id + "\"}",
                     in_ms(outcome.finished_at) + 1);
    REQUIRE(regret.size() == 1);
    CHECK(regret[0].points[0].second == outcome.regret.cumulative);
  }
}

}  // namespace test_open_metrics
