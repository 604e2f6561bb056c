// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "actors/learners/learner_kind.hpp"
#include "core/base/median.hpp"
#include "program/base/version.hpp"
#include "program/run/quantity_values.hpp"
#include "program/run/verdict.hpp"

namespace posse {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Messages of one type in one direction, whether any were sent or not.
struct Flow {
  std::string_view type;
  Direction direction;
  TypeAccount account;
};

std::vector<Flow> flows_of(const Scenario& scenario,
                           const AlgorithmSpec& spec,
                           const RunOutcome& outcome) {
  std::vector<std::string_view> types;
  for (const auto* type : spec.messages) types.push_back(type->name);
  if (scenario.network.transport == Transport::reliable) types.push_back(kAcknowledgement);
  std::vector<Direction> directions;
  if (spec.topology == Topology::star) directions = {Direction::up, Direction::down};
  if (spec.topology == Topology::full_mesh) directions = {Direction::peer};
  std::vector<Flow> flows;
  for (const auto type : types)
    for (const auto direction : directions) flows.push_back({type, direction, {}});
  for (const auto& account : outcome.accounts) {
    auto flow = std::find_if(flows.begin(), flows.end(), [&](const Flow& f) {
      return f.type == account.type && f.direction == account.direction;
    });
    // Parameters may choose another topology than the algorithm's usual one.
    if (flow == flows.end()) flow = flows.insert(flow, {account.type, account.direction, {}});
    flow->account = account;
  }
  return flows;
}

/// What evaluates: its samples have regrets and clients.
bool evaluates(const AlgorithmSpec& spec) { return spec.needs_problem || spec.needs_arms; }

std::string objective_of(const Scenario& scenario) {
  if (scenario.problem) return scenario.problem->objective.kind;
  std::string kinds;
  if (scenario.arms)
    for (const auto& entry : scenario.arms->entries)
      kinds += (kinds.empty() ? "" : ",") + entry.arms.kind;
  return kinds;
}

bool is_active(RunState state) { return state == RunState::running || state == RunState::paused; }

void sort_by_metric(std::vector<MetricSample>& samples) {
  std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) {
    return a.metric < b.metric;
  });
}

class RunSampler {
 public:
  RunSampler(const Scenario& scenario, const RunView& run)
      : scenario_(scenario),
        entry_(scenario.algorithms[run.algorithm]),
        run_(run),
        outcome_(run.outcome()) {}

  std::vector<MetricSample> take() {
    add(Metric::run_info,
        {run_.id, entry_.label, objective_of(scenario_), fmt::format("{}", scenario_.seed)},
        1);
    add(Metric::evaluations, {run_.id, entry_.label}, as_real(evaluations()));
    add(Metric::rounds, {run_.id, entry_.label}, as_real(outcome_.complete_rounds));
    add_messages();
    add_faults();
    add_rounds();
    if (evaluates(*entry_.spec)) add_regrets();
    if (run_.record != nullptr) add_bounds(*run_.record);
    add(Metric::active_cells,
        {run_.id},
        outcome_.rounds.empty() ? 0.0 : as_real(outcome_.rounds.back().active_cells));
    add(Metric::tree_depth, {run_.id}, tree_depth());
    add(Metric::optimum_eliminated, {run_.id}, as_real(outcome_.optimum_eliminated));
    if (entry_.spec->needs_arms) add_arms();
    add(Metric::virtual_time, {run_.id}, run_.now().to_seconds());
    add(Metric::wall_time, {run_.id}, run_.wall_s);
    add(Metric::events, {run_.id}, as_real(outcome_.events));
    add(Metric::event_queue_length, {run_.id}, as_real(run_.snapshot->queued_events));
    sort_by_metric(samples_);
    return std::move(samples_);
  }

 private:
  using Labels = std::vector<std::string>;

  void add(Metric metric, Labels labels, double value) {
    samples_.push_back({metric, std::move(labels), value});
  }
  void add(Metric metric, Labels labels, const DurationHistogram& histogram) {
    samples_.push_back({metric, std::move(labels), histogram});
  }

  /// Regret is undefined where an arm's minimum is unknown; pulls are always counted.
  std::uint64_t evaluations() const {
    return std::max(outcome_.regret.evaluations, outcome_.arms.pulls);
  }

  void add_messages() {
    const auto flows = flows_of(scenario_, *entry_.spec, outcome_);
    const auto by_flow = [&](Metric metric, const auto& count) {
      for (const auto& flow : flows)
        add(metric,
            {run_.id, std::string(flow.type), std::string(to_string(flow.direction))},
            as_real(count(flow.account)));
    };
    by_flow(Metric::messages_sent, [](const TypeAccount& a) { return a.sent; });
    by_flow(Metric::messages_delivered, [](const TypeAccount& a) { return a.delivered; });
    by_flow(Metric::message_bytes, [](const TypeAccount& a) { return a.bytes; });
    by_flow(Metric::message_payload, [](const TypeAccount& a) { return payload_bytes(a); });
    by_flow(Metric::message_values, [](const TypeAccount& a) { return a.values; });
    const std::array<std::pair<const char*, std::uint64_t>, 4> drops{
        {{"loss", outcome_.total(&TypeAccount::dropped_loss)},
         {"partition", outcome_.total(&TypeAccount::dropped_partition)},
         {"queue", outcome_.total(&TypeAccount::dropped_queue)},
         {"crash", outcome_.total(&TypeAccount::dropped_crash)}}};
    for (const auto& [cause, count] : drops)
      add(Metric::messages_dropped, {run_.id, cause}, as_real(count));
    add(Metric::messages_late, {run_.id}, as_real(outcome_.stale));
    const std::array<std::pair<Metric, std::uint64_t TypeAccount::*>, 4> by_run{
        {{Metric::messages_retransmitted, &TypeAccount::repeated},
         {Metric::messages_needless, &TypeAccount::needless},
         {Metric::messages_duplicated, &TypeAccount::duplicated},
         {Metric::messages_in_flight, &TypeAccount::in_flight}}};
    for (const auto& [metric, field] : by_run)
      add(metric, {run_.id}, as_real(outcome_.total(field)));
    std::set<Direction> directions;
    for (const auto& flow : flows) directions.insert(flow.direction);
    for (const auto direction : directions)
      add(Metric::message_latency,
          {run_.id, std::string(to_string(direction))},
          outcome_.latency[static_cast<std::size_t>(direction)]);
  }

  void add_faults() {
    for (const auto& [kind, field] : kFaultCountsKinds) {
      const auto& count = outcome_.faults.*field;
      const Labels labels{run_.id, std::string(kind)};
      add(Metric::faults, labels, as_real(count.begun));
      add(Metric::faults_active,
          labels,
          run_.state == RunState::over ? 0.0 : as_real(count.active()));
    }
  }

  void add_rounds() {
    const bool any = !outcome_.rounds.empty();
    add(Metric::round_bytes, {run_.id}, any ? as_real(outcome_.rounds.back().bytes_so_far) : 0.0);
    add(Metric::round_values, {run_.id}, any ? as_real(outcome_.rounds.back().values_so_far) : 0.0);
    add(Metric::round_duration, {run_.id}, outcome_.round_durations);
    const PhaseTotals& phases = outcome_.phases;
    const std::array<std::pair<const char*, Duration>, 5> parts{
        {{"compute", phases.compute},
         {"queue", phases.queueing},
         {"transfer", phases.transfer},
         {"propagation", phases.propagation},
         {"wait", phases.waiting}}};
    for (const auto& [phase, duration] : parts)
      add(Metric::round_phase, {run_.id, phase}, duration.to_seconds());
  }

  void add_regrets() {
    const RegretSummary& regret = outcome_.regret;
    const bool started = evaluations() > 0, known = regret.evaluations > 0;
    const double nothing = started ? kNone : 0.0;
    const auto add_scopes = [&](Metric metric, double global, double local) {
      add(metric, {run_.id, entry_.label, "global"}, global);
      add(metric, {run_.id, entry_.label, "local"}, local);
    };
    add_scopes(Metric::cumulative_regret,
               known ? regret.cumulative : nothing,
               known ? regret.local_cumulative : nothing);
    add_scopes(Metric::simple_regret,
               regret.simple.value_or(nothing),
               regret.local_simple.value_or(nothing));
    if (entry_.spec->needs_problem) add_clients();
  }

  void add_clients() {
    const bool listed = entry_.clients <= kMostClientsListed;
    static constexpr std::array<const char*, 3> kOrder{"min", "median", "max"};
    const std::size_t series = listed ? entry_.clients : kOrder.size();
    const auto& by_client = outcome_.regret.by_client;
    for (std::size_t i = 0; i < series; ++i)
      add(Metric::client_cumulative_regret,
          {run_.id, entry_.label, listed ? fmt::format("{}", i) : std::string(kOrder[i])},
          i < by_client.size() ? by_client[i] : 0.0);
  }

  void add_bounds(const RunRecord& record) {
    const auto worst = worst_case(scenario_, record.result.outcome);
    std::set<std::pair<std::string_view, BoundKind>> seen;  // series must be unique
    for (const auto& measurement : record.measurements) {
      if (!measurement.bound || measurement.bound->kind == BoundKind::does_not_apply) continue;
      if (!seen.emplace(measurement.name, measurement.bound->kind).second) continue;
      const Labels labels{
          run_.id, measurement.name, std::string(to_string(measurement.bound->kind))};
      add(Metric::bound_value, labels, measurement.bound->value);
      if (!is_vacuous(measurement, worst))
        add(Metric::bound_headroom,
            labels,
            headroom_ratio(measurement.measured, *measurement.bound));
    }
  }

  double tree_depth() const {
    if (const auto depth = outcome_.counts.find(kTreeDepth); depth != outcome_.counts.end())
      return as_real(depth->second);
    std::uint32_t deepest = 0;
    for (const auto& record : outcome_.cells) deepest = std::max(deepest, record.cell.depth);
    return deepest;
  }

  void add_arms() {
    const auto& arms = outcome_.arms.arms;
    const std::size_t known = scenario_.arms ? number_of_arms(*scenario_.arms) : 0;
    const bool listed = std::max(arms.size(), known) <= kMostClientsListed;
    const auto add_all = [&](Metric metric, const auto& value_of) {
      if (listed) {
        for (const auto& arm : arms)
          add(metric, {run_.id, arm.name}, arm.pulls > 0 ? value_of(arm) : 0.0);
        return;
      }
      std::vector<double> values;
      for (const auto& arm : arms)
        if (arm.pulls > 0 || metric == Metric::arm_pulls) values.push_back(value_of(arm));
      if (values.empty()) values.push_back(0);
      const auto [least, largest] = std::minmax_element(values.begin(), values.end());
      const double low = *least, high = *largest;
      add(metric, {run_.id, "min"}, low);
      add(metric, {run_.id, "median"}, median(values));
      add(metric, {run_.id, "max"}, high);
    };
    add_all(Metric::arm_pulls, [](const ArmRecord& arm) { return as_real(arm.pulls); });
    add_all(Metric::arm_confidence_bound, [&](const ArmRecord& arm) {
      return outcome_.arms.confidence_bound(arm.best, arm.bound);
    });
    add_all(Metric::arm_best_value, [](const ArmRecord& arm) { return arm.best; });
  }

  const Scenario& scenario_;
  const AlgorithmEntry& entry_;
  const RunView& run_;
  const RunOutcome& outcome_;
  std::vector<MetricSample> samples_;
};

}  // namespace

std::vector<std::size_t> runs_with_series(const ScenarioView& view) {
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t i, bool wanted) {
    if (wanted && chosen.size() < kMostRunsWithSeries) chosen.push_back(i);
  };
  const auto& runs = view.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) choose(i, is_active(runs[i]->state));
  for (std::size_t i = runs.size(); i-- > 0;)
    choose(i, runs[i]->state == RunState::over && runs[i]->has_details());
  for (std::size_t i = 0; i < runs.size(); ++i) choose(i, runs[i]->state == RunState::waiting);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<MetricSample> run_samples(const Scenario& scenario, const RunView& run) {
  return RunSampler(scenario, run).take();
}

std::vector<MetricSample> overall_samples(const ScenarioView& view) {
  const auto& runs = view.runs;
  std::vector<MetricSample> samples;
  samples.push_back({Metric::build_info, {version(), commit()}, 1.0});
  for (const auto status : {RunStatus::finished,
                            RunStatus::stalled,
                            RunStatus::limit_reached,
                            RunStatus::failed,
                            RunStatus::ledger_violated,
                            RunStatus::stopped}) {
    const auto count = std::count_if(runs.begin(), runs.end(), [&](const auto& run) {
      return run->state == RunState::over && run->status() == status;
    });
    samples.push_back({Metric::runs, {std::string(to_string(status))}, static_cast<double>(count)});
  }
  const auto active = std::count_if(
      runs.begin(), runs.end(), [](const auto& run) { return is_active(run->state); });
  samples.push_back({Metric::runs_active, {}, static_cast<double>(active)});
  return samples;
}

std::vector<MetricSample> all_samples(const ScenarioView& view) {
  auto samples = overall_samples(view);
  for (const std::size_t i : runs_with_series(view)) {
    auto of_run = run_samples(*view.scenario, *view.runs[i]);
    std::move(of_run.begin(), of_run.end(), std::back_inserter(samples));
  }
  sort_by_metric(samples);
  return samples;
}

double headroom_ratio(double measured, const Bound& bound) {
  const auto verdict = [](bool holds) { return holds ? 1.0 : 0.0; };
  if (bound.is_identity) return verdict(measured == bound.value);
  const double small = bound.is_lower ? bound.value : measured,
               large = bound.is_lower ? measured : bound.value;
  if (!(small >= 0 && large >= 0)) return verdict(small <= large);
  return small == large ? 1.0 : large / small;  // infinite where the measured value is 0
}

}  // namespace posse
