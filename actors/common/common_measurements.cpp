// SPDX-License-Identifier: Apache-2.0
#include "actors/common/common_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace posse {
namespace {

/// True if none of the cells, in ascending order, contains a known maximiser of f_m. False if there
/// are no cells.
bool lost_optimum(const Problem& problem,
                  const Partition& partition,
                  std::size_t client,
                  const std::vector<Cell>& kept) {
  if (kept.empty()) return false;
  std::set<std::uint32_t> depths;
  for (const Cell& cell : kept) depths.insert(cell.depth);
  const auto maximisers = problem.local_maximisers(client);
  for (const auto& x : maximisers)
    for (const auto depth : depths)
      if (std::binary_search(kept.begin(), kept.end(), partition.locate(depth, x))) return false;
  return !maximisers.empty();
}

}  // namespace

Bound ceiling(double value, std::string note) {
  return {value, BoundKind::exact, BoundStrength::always, false, std::move(note)};
}

Measurement identity(std::string name,
                     std::string unit,
                     std::uint64_t measured,
                     double formula,
                     std::string note,
                     bool applies) {
  Measurement measurement{
      std::move(name), std::move(unit), static_cast<double>(measured), std::nullopt};
  if (applies)
    measurement.bound =
        Bound{formula, BoundKind::exact, BoundStrength::always, false, std::move(note), true};
  return measurement;
}

bool may_answer_twice(const RunOutcome& outcome) {
  return outcome.state_lost && outcome.total(&TypeAccount::duplicated) > 0;
}

Measurement rounds_within(const RunOutcome& outcome, Bound bound) {
  return {"rounds", "", static_cast<double>(outcome.complete_rounds), std::move(bound)};
}

void add_simple_regret(const RunOutcome& outcome,
                       std::optional<Bound> bound,
                       std::vector<Measurement>& measurements) {
  if (const auto regret = outcome.regret.simple)
    measurements.push_back({"simple regret", "", *regret, std::move(bound)});
}

std::uint64_t payload_bytes(const RunOutcome& outcome, std::string_view type) {
  return outcome.total(&TypeAccount::bytes, type) - outcome.total(&TypeAccount::header_bytes, type);
}

double true_delta(const Problem& problem) {
  double delta = 0;
  for (std::size_t m = 0; m < problem.clients(); ++m)
    delta =
        std::max(delta, std::abs(problem.mean_maximum().value - problem.local_maximum(m).value));
  return delta;
}

void add_regrets(const Problem& problem,
                 const RunOutcome& outcome,
                 std::optional<Bound> bound,
                 std::vector<Measurement>& measurements) {
  const auto& regret = outcome.regret;
  measurements.push_back({"cumulative regret", "", regret.cumulative, std::move(bound)});
  if (regret.evaluations > 0 && !problem.homogeneous()) {
    measurements.push_back({"local cumulative regret", "", regret.local_cumulative, std::nullopt});
    measurements.push_back({"true Delta", "", true_delta(problem), std::nullopt});
  }
  add_simple_regret(outcome, std::nullopt, measurements);
}

void add_personal_regrets(const Problem& problem,
                          const RunOutcome& outcome,
                          std::optional<Bound> local_bound,
                          std::vector<Measurement>& measurements) {
  const auto& regret = outcome.regret;
  measurements.push_back(
      {"local cumulative regret", "", regret.local_cumulative, std::move(local_bound)});
  measurements.push_back({"cumulative regret", "", regret.cumulative, std::nullopt});
  for (const auto& [name, estimate] : outcome.estimates)
    measurements.push_back({name, "", estimate, std::nullopt});
  measurements.push_back({"true Delta", "", true_delta(problem), std::nullopt});
  if (regret.local_simple)
    measurements.push_back({"local simple regret", "", *regret.local_simple, std::nullopt});
  add_simple_regret(outcome, std::nullopt, measurements);
}

void add_own_searches(const Problem& problem,
                      const Partition& partition,
                      const RunOutcome& outcome,
                      std::string depth,
                      std::vector<Measurement>& measurements) {
  if (outcome.own_searches.empty()) return;
  double depths = 0;
  double lost = 0;
  for (std::size_t m = 0; m < outcome.own_searches.size(); ++m) {
    const OwnSearch& search = outcome.own_searches[m];
    depths += search.depth;
    lost += lost_optimum(problem, partition, m, search.kept) ? 1 : 0;
  }
  measurements.push_back({std::move(depth),
                          "",
                          depths / static_cast<double>(outcome.own_searches.size()),
                          std::nullopt});
  measurements.push_back({"clients that lost their optimum", "", lost, std::nullopt});
}

Bound regret_floor_of_arms(const Problem& problem,
                           const ArmPoints& arms,
                           const RunOutcome& outcome) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint32_t arm = 1; arm <= arms.size(); ++arm)
    best = std::max(best, problem.mean(arms.point(arm)));
  const double gap = problem.mean_maximum().value - best;
  const double evaluations =
      static_cast<double>(outcome.regret.evaluations) / static_cast<double>(problem.clients());
  // Covers the rounding errors of the measured sum, which grow with the size of the values.
  const double slack = 1e-9 * (1 + std::abs(problem.mean_maximum().value) + std::abs(best));
  return {evaluations * (gap - slack),
          BoundKind::exact,
          BoundStrength::always,
          true,
          fmt::format("the best of the {} arms is {:.4g} below the maximum: the cost of the choice "
                      "of arms",
                      arms.size(),
                      gap)};
}

}  // namespace posse
