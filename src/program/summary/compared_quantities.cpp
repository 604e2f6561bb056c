// SPDX-License-Identifier: Apache-2.0
#include "program/summary/compared_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace posse {
namespace {

bool finished(const RunRecord& run) {
  return run.started && run.result.outcome.status == RunStatus::finished;
}

/// The curve's value at this number of evaluations: at exactly this point for a cumulative regret,
/// at the last point up to it for a simple regret.
std::optional<double> value_at(const std::vector<RegretPoint>& curve,
                               std::string_view metric,
                               std::uint64_t evaluations) {
  const bool holds = metric.starts_with("simple");
  std::optional<double> value;
  for (const auto& point : curve)
    if (point.metric == metric &&
        (holds ? point.evaluations <= evaluations : point.evaluations == evaluations))
      value = point.value;
  return value;
}

}  // namespace

std::uint64_t messages_sent(const RunOutcome& outcome) {
  return outcome.total(&TypeAccount::sent) - outcome.total(&TypeAccount::sent, kAcknowledgement);
}
std::uint64_t payload_bytes(const TypeAccount& account) {
  return account.type == kAcknowledgement ? 0 : account.bytes - account.header_bytes;
}
std::uint64_t payload_bytes(const RunOutcome& outcome) {
  std::uint64_t sum = 0;
  for (const auto& account : outcome.accounts) sum += payload_bytes(account);
  return sum;
}

std::optional<double> quantity_value(const RunOutcome& o, std::string_view quantity) {
  const bool evaluates = o.regret.evaluations > 0;
  const auto count = [](auto n) { return std::optional<double>(static_cast<double>(n)); };
  if (quantity == "rounds") return count(o.complete_rounds);
  if (quantity == "messages") return count(messages_sent(o));
  if (quantity == "payload_bytes") return count(payload_bytes(o));
  if (quantity == "wire_bytes") return count(o.total(&TypeAccount::wire_bytes));
  if (quantity == "virtual_time_s") return o.finished_at.to_seconds();
  if (quantity == "answer_value")
    return o.arms.answer && !o.arms.maximized ? std::optional(o.arms.arms[*o.arms.answer].best)
                                              : std::nullopt;
  if (!evaluates) return std::nullopt;
  if (quantity == "evaluations") return count(o.regret.evaluations);
  const auto per_client =
      static_cast<double>(o.regret.evaluations) / static_cast<double>(o.regret.clients);
  if (quantity == "evaluations_per_client") return per_client;
  if (quantity == "regret_per_evaluation") return o.regret.cumulative / per_client;
  if (quantity == "local_regret_per_evaluation") return o.regret.local_cumulative / per_client;
  if (quantity == "cumulative_regret") return o.regret.cumulative;
  if (quantity == "local_cumulative_regret") return o.regret.local_cumulative;
  if (quantity == "simple_regret") return o.regret.simple;
  return o.regret.local_simple;
}

std::vector<Measured> compared_quantities(const Scenario& scenario, const ScenarioResult& result) {
  const std::size_t algorithms = scenario.algorithms.size();
  const std::size_t repetitions = result.runs.size() / algorithms;
  const auto collect = [&](const Quantity& quantity,
                           std::optional<std::uint64_t> evaluations,
                           const auto& value) {
    Measured measured{
        std::string(quantity.name), std::string(quantity.unit), evaluations, {}, quantity.ranked};
    measured.values.assign(algorithms, std::vector<std::optional<double>>(repetitions));
    for (std::size_t i = 0; i < result.runs.size(); ++i) {
      const auto& run = result.runs[i];
      if (finished(run)) measured.values[run.algorithm][i / algorithms] = value(run.result);
    }
    return measured;
  };
  std::vector<Measured> all;
  all.reserve(kQuantities.size());
  for (const auto& quantity : kQuantities)
    all.push_back(collect(quantity, std::nullopt, [&](const SimulationResult& r) {
      return quantity_value(r.outcome, quantity.name);
    }));
  // Clients may differ in evaluations: checkpoints end with the busiest client of the algorithm
  // that evaluates least.
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  bool any = false;
  for (const auto& run : result.runs) {
    const auto& regret = run.result.outcome.regret;
    if (!finished(run) || regret.evaluations == 0) continue;
    any = true;
    end = std::min(end, regret.max_evaluations);
  }
  if (!any) return all;
  for (const auto& quantity : kQuantities) {
    if (!quantity.is_regret) continue;
    for (std::uint64_t at = 1; at < end; at *= 2)
      all.push_back(collect(quantity, at, [&](const SimulationResult& r) {
        return value_at(r.regret_curve, quantity.name, at);
      }));
  }
  return all;
}

Finals finals_of(const RunOutcome& outcome) {
  Finals finals;
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    finals[q] = quantity_value(outcome, kQuantities[q].name);
  return finals;
}

Study study_of(const Scenario& scenario, const ScenarioResult& result) {
  Study study;
  study.name = scenario.name;
  study.settings = {""};
  study.keys.resize(1);
  for (const auto& entry : scenario.algorithms) study.algorithms.push_back(entry.label);
  for (const auto& run : result.runs) {
    const Seed seed = repetition_seed(scenario.seed, run.repetition);
    study.cells[{0, run.algorithm}].add(
        fmt::format("{:016x}", seed.value),
        finished(run) ? std::optional(finals_of(run.result.outcome)) : std::nullopt,
        run.start.facts,
        run.warnings);
  }
  return study;
}

}  // namespace posse
