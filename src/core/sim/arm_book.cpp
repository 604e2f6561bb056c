// SPDX-License-Identifier: Apache-2.0
#include "core/sim/arm_book.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

ArmBook::ArmBook(const ArmSet& arms)
    : minimum_(arms.minimum()), rewards_(arms.first_with_rewards(true) != nullptr) {
  summary_.maximized = arms.maximized;
  for (const auto& arm : arms.arms) {
    summary_.arms.emplace_back();
    summary_.arms.back().name = arm.name;
    summary_.arms.back().optimum = arm.minimum;
  }
  instances_.resize(arms.size());
  arm_curves_.resize(arms.size());
}

void ArmBook::pulled(Time time, const ArmPulled& pulled) {
  POSSE_CHECK(pulled.arm < summary_.arms.size(),
              "a pull of arm {} of {}",
              pulled.arm,
              summary_.arms.size());
  const double least = minimum_.value_or(0);
  const auto [it, fresh] = instances_[pulled.arm].try_emplace(pulled.instance);
  InstanceState& held = it->second;
  Sums step{.cumulative = pulled.value - least};
  if (!fresh) {
    step.bounds = held.bound;
    step.last_regret = held.last - least;
    step.best_regret = held.best - least;
  }
  in_order_.add(step);
  held.sums.add(step);
  held.best = fresh ? pulled.value : std::min(held.best, pulled.value);
  held.last = pulled.value;
  held.bound = pulled.bound;

  smallest_ = summary_.pulls == 0 ? pulled.value : std::min(smallest_, pulled.value);
  last_ = time;
  ++summary_.pulls;
  ArmRecord& arm = summary_.arms[pulled.arm];
  arm.best = arm.pulls == 0 ? pulled.value : std::min(arm.best, pulled.value);
  arm.last = pulled.value;
  arm.bound = pulled.bound;
  ++arm.pulls;
  arm.last_pull = summary_.pulls;
  arm.last_pulled = time;

  if (checkpoints_.reached(summary_.pulls)) curve_.push_back(current());
  ArmCurve& curve = arm_curves_[pulled.arm];
  if (curve.checkpoints.reached(arm.pulls)) curve.points.push_back(last_point(pulled.arm));
}

ArmPoint ArmBook::last_point(std::uint32_t arm) const {
  const ArmRecord& pulled = summary_.arms[arm];
  return {arm,
          pulled.pulls,
          pulled.last_pull,
          pulled.last_pulled.to_seconds(),
          users(pulled.last),
          users(pulled.best),
          pulled.bound};
}

ArmBook::RegretState ArmBook::current() const {
  return {summary_.pulls, last_, simple_regret(), in_order_};
}

void ArmBook::Sums::add(const Sums& other) {
  cumulative += other.cumulative;
  bounds += other.bounds;
  last_regret += other.last_regret;
  best_regret += other.best_regret;
}

ArmBook::Sums ArmBook::total() const {
  Sums sum;
  for (const auto& instances : instances_)
    for (const auto& [instance, state] : instances) sum.add(state.sums);
  return sum;
}

double ArmBook::simple_regret() const {
  const double least = minimum_.value_or(0);
  if (!rewards_) return smallest_ - least;
  return summary_.arms[summary_.answer.value_or(0)].optimum.value_or(0) - least;
}

void ArmBook::fill(RunOutcome& out) const {
  const Sums sums = total();
  out.arms = summary_;
  for (auto& arm : out.arms.arms) {
    if (arm.optimum) arm.optimum = users(*arm.optimum);
    arm.last = users(arm.last);
    arm.best = users(arm.best);
  }
  out.arms.bounds_at_selection = sums.bounds;
  out.arms.last_regret_at_selection = sums.last_regret;
  out.arms.best_regret_at_selection = sums.best_regret;
  if (!minimum_ || summary_.pulls == 0) return;
  auto& regret = out.regret;
  regret.evaluations = regret.min_evaluations = regret.max_evaluations = summary_.pulls;
  regret.cumulative = regret.local_cumulative = sums.cumulative;
  regret.simple = regret.local_simple =
      summary_.answer ? summary_.arms[*summary_.answer].best - *minimum_ : simple_regret();
}

void ArmBook::conclude(const RoundTable& rounds, SimulationResult& result) {
  fill(result.outcome);
  for (std::uint32_t arm = 0; arm < arm_curves_.size(); ++arm) {
    auto& points = arm_curves_[arm].points;
    // A curve ends with the last pull.
    if (!points.empty() && points.back().pulls != summary_.arms[arm].pulls)
      points.push_back(last_point(arm));
    result.arm_curves.insert(result.arm_curves.end(), points.begin(), points.end());
  }
  if (!minimum_ || summary_.pulls == 0) return;
  if (curve_.empty() || curve_.back().pulls != summary_.pulls) curve_.push_back(current());
  // The curve ends in the totals.
  curve_.back().simple = *result.outcome.regret.simple;
  curve_.back().sums = total();
  // One deciding node and one objective: global and local regrets are equal.
  for (const auto& at : curve_) {
    const auto add = [&](std::string_view metric, double value) {
      RegretPoint point;
      point.evaluations = at.pulls;
      point.rounds = rounds.complete_with(at.pulls);
      point.virtual_s = at.time.to_seconds();
      point.metric = metric;
      point.value = value;
      result.regret_curve.push_back(point);
    };
    add("cumulative_regret", at.sums.cumulative);
    add("local_cumulative_regret", at.sums.cumulative);
    add("simple_regret", at.simple);
    add("local_simple_regret", at.simple);
    if (rewards_) continue;
    add("regret_at_selection", at.sums.best_regret);
    add("bounds_at_selection", at.sums.bounds);
  }
}

}  // namespace posse
