// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "actors/learners/learner_kind.hpp"
#include "program/metrics/samples.hpp"
#include "tests/program/metrics/views.hpp"

namespace test_samples {

using namespace posse;
using posse::test::kArmsText;
using posse::test::kFedPneText;
using posse::test::read_valid;
using posse::test::view_of;

namespace {

/// "posse_rounds_total small/fed-pne/0 fed-pne" -> value; histograms: their count.
std::map<std::string, double> by_series(const std::vector<MetricSample>& samples) {
  std::map<std::string, double> values;
  for (const auto& sample : samples) {
    const auto& definition = definition_of(sample.metric);
    CHECK(sample.labels.size() == definition.label_count());
    std::string key(definition.name);
    for (const auto& label : sample.labels) key += " " + label;
    const auto* histogram = std::get_if<DurationHistogram>(&sample.value);
    CHECK((histogram != nullptr) == (definition.type == MetricType::histogram));
    const double value =
        histogram != nullptr ? static_cast<double>(histogram->count()) : sample.number();
    INFO(key);
    CHECK(values.emplace(key, value).second);  // no series twice
  }
  return values;
}
std::map<std::string, double> samples_of(const Scenario& scenario, const RunView& view) {
  return by_series(run_samples(scenario, view));
}
std::size_t count_of(const std::map<std::string, double>& values, const std::string& begin) {
  return static_cast<std::size_t>(std::count_if(
      values.begin(), values.end(), [&](const auto& v) { return v.first.starts_with(begin); }));
}

const std::string kRun = " small/fed-pne/0";

TypeAccount account(const std::string& type, Direction direction) {
  TypeAccount a;
  a.type = type;
  a.direction = direction;
  return a;
}

}  // namespace

TEST_CASE("every series of a run is there with 0 before it begins") {
  const auto scenario = read_valid(kFedPneText);
  const auto values = samples_of(scenario, view_of(scenario));
  for (const auto& [key, value] : values) {
    INFO(key);
    CHECK(value == (key.starts_with("posse_run_info") ? 1 : 0));
  }
  const auto types = scenario.algorithms[0].spec->messages.size() + 1;  // and acknowledgements
  for (const auto* metric : {"posse_messages_sent_total",
                             "posse_messages_delivered_total",
                             "posse_message_bytes_total",
                             "posse_message_payload_bytes_total",
                             "posse_message_values_total"})
    CHECK(count_of(values, metric + kRun) == 2 * types);
  for (const auto* type : {"Ack up", "Ack down"})
    CHECK(values.contains("posse_messages_sent_total" + kRun + " " + type));
  for (const auto* cause : {"loss", "partition", "queue", "crash"})
    CHECK(values.contains("posse_messages_dropped_total" + kRun + " " + cause));
  CHECK(count_of(values, "posse_messages_dropped_total") == 4);
  CHECK(values.contains("posse_messages_late_total" + kRun));
  for (const auto* phase : {"compute", "queue", "transfer", "propagation", "wait"})
    CHECK(values.contains("posse_round_phase_seconds_total" + kRun + " " + phase));
  for (const auto* metric : {"posse_cumulative_regret", "posse_simple_regret"})
    for (const auto* scope : {" fed-pne global", " fed-pne local"})
      CHECK(values.contains(metric + kRun + scope));
  CHECK(count_of(values, "posse_client_cumulative_regret") == 3);
  CHECK(count_of(values, "posse_message_latency_seconds") == 2);
  CHECK(count_of(values, "posse_arm_") == 0);
  CHECK(count_of(values, "posse_bound_") == 0);
  // All metrics that aren't about arms, bounds or all runs together.
  std::set<std::string> metrics;
  for (const auto& [key, value] : values) metrics.insert(key.substr(0, key.find(' ')));
  CHECK(metrics.size() == metric_definitions().size() - 3 - 3 - 2);
}

TEST_CASE("a mesh's messages have one direction, a datagram network no acknowledgements") {
  const auto scenario = read_valid(R"(
[[algorithm]]
kind = "parallel"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
)");
  const auto values = samples_of(scenario, view_of(scenario));
  const auto types = scenario.algorithms[0].spec->messages.size();
  CHECK(count_of(values, "posse_messages_sent_total") == types);
  for (const auto& [key, value] : values) {
    INFO(key);
    CHECK(key.find(" Ack ") == std::string::npos);
    if (key.starts_with("posse_messages_sent_total")) CHECK(key.ends_with(" peer"));
  }
}

TEST_CASE("each counter of an outcome arrives in its metric") {
  const auto scenario = read_valid(kFedPneText);
  const std::string type(scenario.algorithms[0].spec->messages[0]->name);
  RunOutcome o;
  auto up = account(type, Direction::up);
  up.sent = 11;
  up.repeated = 3;
  up.duplicated = 2;
  up.delivered = 9;
  up.dropped_loss = 4;
  up.dropped_queue = 5;
  up.dropped_partition = 6;
  up.dropped_crash = 7;
  up.in_flight = 8;
  up.bytes = 1100;
  up.wire_bytes = 1600;
  auto down = account("Ack", Direction::down);
  down.sent = 20;
  down.dropped_loss = 1;
  down.bytes = 80;
  o.accounts = {up, down};
  o.stale = 13;
  o.complete_rounds = 70;
  RoundRecord last;
  last.round = Round{70};
  last.active_cells = 32;
  last.bytes_so_far = 1050;
  last.values_so_far = 99;
  o.rounds = {last};
  o.regret.evaluations = 600;
  o.regret.cumulative = 1.0 / 3;
  o.regret.local_cumulative = 0.25;
  o.regret.local_simple = 0.125;
  o.regret.by_client = {0.1, 0.2, 0.3};
  o.latency[static_cast<std::size_t>(Direction::up)].add(Duration::seconds(0.05));
  o.round_durations.add(Duration::seconds(2));
  o.phases = {Duration::seconds(1),
              Duration::seconds(2),
              Duration::seconds(3),
              Duration::seconds(4),
              Duration::seconds(5)};
  o.cells = {{Cell{3, 1}}, {Cell{5, 2}}, {Cell{4, 1}}};
  o.optimum_eliminated = 1;
  o.events = 12345;
  o.last_event = Time{2'500'000'000};
  auto view = view_of(scenario, o, RunState::running);
  auto snapshot = std::make_shared<RunSnapshot>(*view.snapshot);
  snapshot->queued_events = 17;
  view.snapshot = snapshot;
  view.wall_s = 0.5;

  auto values = samples_of(scenario, view);
  const auto at = [&](const std::string& metric, const std::string& labels = "") {
    const auto key = "posse_" + metric + kRun + (labels.empty() ? "" : " " + labels);
    INFO(key);
    REQUIRE(values.contains(key));
    return values[key];
  };
  CHECK(at("run_info", "fed-pne garland 1") == 1);
  CHECK(at("messages_sent_total", type + " up") == 11);
  CHECK(at("messages_sent_total", type + " down") == 0);
  CHECK(at("messages_sent_total", "Ack down") == 20);
  CHECK(at("messages_delivered_total", type + " up") == 9);
  CHECK(at("message_bytes_total", type + " up") == 1100);  // first transmissions only
  CHECK(at("messages_dropped_total", "loss") == 5);
  CHECK(at("messages_dropped_total", "queue") == 5);
  CHECK(at("messages_dropped_total", "partition") == 6);
  CHECK(at("messages_dropped_total", "crash") == 7);
  CHECK(at("messages_late_total") == 13);
  CHECK(at("messages_retransmitted_total") == 3);
  CHECK(at("messages_duplicated_total") == 2);
  CHECK(at("messages_in_flight") == 8);
  CHECK(at("round_bytes_total") == 1050);
  CHECK(at("round_values_total") == 99);
  CHECK(at("rounds_total", "fed-pne") == 70);
  CHECK(at("evaluations_total", "fed-pne") == 600);
  CHECK(at("cumulative_regret", "fed-pne global") == 1.0 / 3);
  CHECK(at("cumulative_regret", "fed-pne local") == 0.25);
  CHECK(std::isnan(at("simple_regret", "fed-pne global")));  // begun, but none yet
  CHECK(at("simple_regret", "fed-pne local") == 0.125);
  CHECK(at("client_cumulative_regret", "fed-pne 0") == 0.1);
  CHECK(at("client_cumulative_regret", "fed-pne 2") == 0.3);
  CHECK(at("message_latency_seconds", "up") == 1);
  CHECK(at("message_latency_seconds", "down") == 0);
  CHECK(at("round_duration_seconds") == 1);
  CHECK(at("round_phase_seconds_total", "compute") == 1);
  CHECK(at("round_phase_seconds_total", "queue") == 2);
  CHECK(at("round_phase_seconds_total", "transfer") == 3);
  CHECK(at("round_phase_seconds_total", "propagation") == 4);
  CHECK(at("round_phase_seconds_total", "wait") == 5);
  CHECK(at("active_cells") == 32);
  CHECK(at("tree_depth") == 5);
  CHECK(at("optimum_eliminated_total") == 1);
  CHECK(at("virtual_time_seconds") == 2.5);
  CHECK(at("wall_time_seconds") == 0.5);
  CHECK(at("events_total") == 12345);
  CHECK(at("event_queue_length") == 17);

  o.counts[std::string(kTreeDepth)] = 9;  // what a learner says of its tree goes before
  CHECK(samples_of(scenario, view_of(scenario, o))["posse_tree_depth" + kRun] == 9);
}

TEST_CASE("above 64 clients there are minimum, median and maximum only") {
  auto scenario = read_valid(kFedPneText);
  RunOutcome o;
  o.regret.by_client = {1, 2, 3};  // as the outcome has them then
  scenario.algorithms[0].clients = 64;
  CHECK(count_of(samples_of(scenario, view_of(scenario)), "posse_client_") == 64);
  scenario.algorithms[0].clients = 1'000'000;
  auto values = samples_of(scenario, view_of(scenario, o));
  CHECK(count_of(values, "posse_client_") == 3);
  CHECK(values["posse_client_cumulative_regret" + kRun + " fed-pne min"] == 1);
  CHECK(values["posse_client_cumulative_regret" + kRun + " fed-pne median"] == 2);
  CHECK(values["posse_client_cumulative_regret" + kRun + " fed-pne max"] == 3);
}

TEST_CASE("arms have series up to 64 of them, above that minimum, median and maximum") {
  const auto scenario = read_valid(kArmsText);
  const std::string run = " arms/f-lcb/0 ";
  const auto with_arms = [&](std::uint64_t n) {
    RunOutcome o;
    for (std::uint64_t i = 0; i < n; ++i) {
      ArmRecord arm;
      arm.name = "f" + std::to_string(i + 1);
      arm.pulls = i;  // the first has none
      arm.best = static_cast<double>(i) - 5;
      arm.bound = 0.5;
      o.arms.pulls += i;
      o.arms.arms.push_back(arm);
    }
    return samples_of(scenario, view_of(scenario, o, RunState::running));
  };
  auto few = with_arms(64);
  CHECK(count_of(few, "posse_arm_pulls_total") == 64);
  CHECK(few["posse_arm_pulls_total" + run + "f3"] == 2);
  CHECK(few["posse_arm_best_value" + run + "f3"] == -3);
  CHECK(few["posse_arm_confidence_bound" + run + "f3"] == -3.5);
  CHECK(few["posse_arm_best_value" + run + "f1"] == 0);  // never pulled
  CHECK(few["posse_evaluations_total" + run + "f-lcb"] == 63 * 64 / 2);
  CHECK(std::isnan(few["posse_cumulative_regret" + run + "f-lcb global"]));  // minima unknown
  CHECK(count_of(few, "posse_client_") == 0);

  auto many = with_arms(66);
  CHECK(count_of(many, "posse_arm_") == 9);
  CHECK(many["posse_arm_pulls_total" + run + "min"] == 0);
  CHECK(many["posse_arm_pulls_total" + run + "median"] == 32.5);
  CHECK(many["posse_arm_pulls_total" + run + "max"] == 65);
  CHECK(many["posse_arm_best_value" + run + "min"] == -4);  // of those that were pulled
  CHECK(many["posse_arm_best_value" + run + "median"] == 28);
  CHECK(many["posse_arm_confidence_bound" + run + "max"] == 59.5);
}

TEST_CASE("bounds that apply have their value and headroom, each series is there once") {
  const auto scenario = read_valid(kFedPneText);
  auto view = view_of(scenario, {}, RunState::over);
  const auto measurement = [](const char* name, double measured, double value, BoundKind kind) {
    return Measurement{name, "", measured, Bound{value, kind, BoundStrength::always, false, ""}};
  };
  RunRecord record;
  record.measurements = {measurement("rounds", 4, 10, BoundKind::derived),
                         measurement("rounds", 4, 20, BoundKind::derived),
                         measurement("simple regret", 1, 2, BoundKind::does_not_apply),
                         Measurement{"messages", "", 7, std::nullopt}};
  view.record = &record;
  auto values = samples_of(scenario, view);
  CHECK(count_of(values, "posse_bound_") == 2);
  CHECK(values["posse_bound_value" + kRun + " rounds derived"] == 10);
  CHECK(values["posse_bound_headroom_ratio" + kRun + " rounds derived"] == 2.5);
}

TEST_CASE("a vacuous bound has a value and no headroom") {
  const auto scenario = read_valid(kFedPneText);
  auto view = view_of(scenario, {}, RunState::over);
  RunRecord record;
  record.result.outcome.regret.max_evaluations = 200;
  for (const auto* name : {"cumulative regret", "local cumulative regret"})
    record.measurements.push_back({name, "", 4, Bound{150, BoundKind::derived}});
  record.measurements.back().bound->value = 1e6;  // no regret of 200 evaluations is so large
  view.record = &record;
  auto values = samples_of(scenario, view);
  CHECK(values["posse_bound_value" + kRun + " cumulative regret derived"] == 150);
  CHECK(values["posse_bound_headroom_ratio" + kRun + " cumulative regret derived"] == 37.5);
  CHECK(values["posse_bound_value" + kRun + " local cumulative regret derived"] == 1e6);
  CHECK(count_of(values, "posse_bound_headroom_ratio") == 1);
}

TEST_CASE("headroom is at least 1 exactly where the bound holds") {
  const auto ratio = [](double measured, double value, bool lower = false, bool exact = false) {
    Bound bound;
    bound.value = value;
    bound.is_lower = lower;
    bound.is_identity = exact;
    const double r = headroom_ratio(measured, bound);
    const bool holds = exact ? measured == value : lower ? measured >= value : measured <= value;
    CHECK((r >= 1) == holds);
    return r;
  };
  CHECK(ratio(4, 10) == 2.5);
  CHECK(ratio(10, 4) == 0.4);
  CHECK(ratio(4, 4) == 1);
  CHECK(ratio(10, 4, true) == 2.5);
  CHECK(ratio(4, 10, true) == 0.4);
  CHECK(ratio(5, 0, true) == HUGE_VAL);
  CHECK(ratio(0, 5) == HUGE_VAL);
  CHECK(ratio(0, 0) == 1);
  CHECK(ratio(-1, 3) == 1);
  CHECK(ratio(-1, -3) == 0);
  CHECK(ratio(-1, -3, true) == 1);
  CHECK(ratio(7, 7, false, true) == 1);
  CHECK(ratio(7, 8, false, true) == 0);
}

TEST_CASE("active runs have series first, then the last ended ones, then waiting ones") {
  using enum RunState;
  std::vector<RunState> states(250, waiting);
  const auto runs_with_series = [](const std::vector<RunState>& of_runs) {
    ScenarioView view;
    for (const auto state : of_runs) {
      auto run = std::make_shared<RunView>();
      run->state = state;
      view.runs.push_back(std::move(run));
    }
    return posse::runs_with_series(view);
  };
  CHECK(runs_with_series(states).back() == 99);
  std::fill_n(states.begin(), 120, over);
  states[0] = running;
  states[5] = paused;
  states[120] = running;
  const auto chosen = runs_with_series(states);
  CHECK(chosen.size() == 100);
  CHECK(std::is_sorted(chosen.begin(), chosen.end()));
  CHECK(std::vector(chosen.begin(), chosen.begin() + 3) == std::vector<std::size_t>{0, 5, 23});
  CHECK(chosen.back() == 120);
  std::fill(states.begin(), states.end(), over);
  CHECK(runs_with_series(states).front() == 150);
  CHECK(runs_with_series(states).back() == 249);
  CHECK(runs_with_series({}).empty());
}

TEST_CASE("all runs are counted by outcome, the ones without series too") {
  const auto scenario = read_valid(kFedPneText);
  ScenarioView view{&scenario, {}};
  for (std::uint32_t i = 0; i < 150; ++i) {
    RunOutcome o;
    if (i == 3) o.status = RunStatus::stalled;
    const auto state = i < 140 ? RunState::over : i < 142 ? RunState::running : RunState::waiting;
    view.runs.push_back(std::make_shared<RunView>(view_of(scenario, o, state, i)));
  }
  auto values = by_series(overall_samples(view));
  CHECK(values["posse_runs_total finished"] == 139);
  CHECK(values["posse_runs_total stalled"] == 1);
  for (const auto* outcome : {"limit_reached", "failed", "ledger_violated"}) {
    const auto key = std::string("posse_runs_total ") + outcome;
    REQUIRE(values.contains(key));
    CHECK(values[key] == 0);
  }
  CHECK(values["posse_runs_active"] == 2);
  CHECK(count_of(values, "posse_build_info") == 1);
}

}  // namespace test_samples
