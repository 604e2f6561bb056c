#include "core/sim/arm_book.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

ArmBook::ArmBook(const ArmSet& arms)
    : minimum_(arms.minimum()), rewards_(arms.first_with_rewards(true) != nullptr) {
  for (const auto& arm : arms.arms) {
    summary_.arms.emplace_back();
    summary_.arms.back().name = arm.name;
    summary_.arms.back().minimum = arm.minimum;
  }
  arm_checkpoints_.resize(arms.size());
  arm_curves_.resize(arms.size());
}

void ArmBook::pulled(Time time, const ArmPulled& pulled) {
  POSSE_CHECK(pulled.arm < summary_.arms.size(),
              "a pull of arm {} of {}",
              pulled.arm,
              summary_.arms.size());
  const double least = minimum_.value_or(0);
  const auto [it, fresh] = instances_.try_emplace({pulled.arm, pulled.instance});
  InstanceState& held = it->second;
  if (!fresh) {
    summary_.bounds_at_selection += held.bound;
    summary_.last_regret_at_selection += held.last - least;
    summary_.best_regret_at_selection += held.best - least;
  }
  held.best = fresh ? pulled.value : std::min(held.best, pulled.value);
  held.last = pulled.value;
  held.bound = pulled.bound;

  smallest_ = summary_.pulls == 0 ? pulled.value : std::min(smallest_, pulled.value);
  cumulative_ += pulled.value - least;
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
  auto& curve = arm_curves_[pulled.arm];
  const ArmPoint point{pulled.arm,
                       arm.pulls,
                       summary_.pulls,
                       time.to_seconds(),
                       pulled.value,
                       arm.best,
                       pulled.bound};
  // The last point is always the last pull; it is kept only if it is at a checkpoint.
  if (!curve.empty() && !arm_checkpoints_[pulled.arm].reached(curve.back().pulls))
    curve.back() = point;
  else
    curve.push_back(point);
}

ArmBook::RegretState ArmBook::current() const {
  return {summary_.pulls,
          last_,
          cumulative_,
          simple_regret(),
          summary_.best_regret_at_selection,
          summary_.bounds_at_selection};
}

double ArmBook::simple_regret() const {
  const double least = minimum_.value_or(0);
  if (!rewards_) return smallest_ - least;
  return summary_.arms[summary_.answer.value_or(0)].minimum.value_or(0) - least;
}

void ArmBook::fill(RunOutcome& out) const {
  out.arms = summary_;
  if (!minimum_ || summary_.pulls == 0) return;
  auto& regret = out.regret;
  regret.evaluations = regret.min_evaluations = regret.max_evaluations = summary_.pulls;
  regret.cumulative = regret.local_cumulative = cumulative_;
  regret.simple = regret.local_simple =
      summary_.answer ? summary_.arms[*summary_.answer].best - *minimum_ : simple_regret();
}

void ArmBook::conclude(const std::function<std::uint32_t(std::uint64_t)>& rounds_after,
                       SimulationResult& result) {
  for (auto& curve : arm_curves_)
    result.arm_curves.insert(result.arm_curves.end(), curve.begin(), curve.end());
  if (minimum_ && summary_.pulls > 0) {
    auto& regret = result.outcome.regret;
    regret.evaluations = regret.min_evaluations = regret.max_evaluations = summary_.pulls;
    regret.cumulative = regret.local_cumulative = cumulative_;
    if (curve_.empty() || curve_.back().pulls != summary_.pulls) curve_.push_back(current());
    if (summary_.answer) curve_.back().simple = summary_.arms[*summary_.answer].best - *minimum_;
    regret.simple = regret.local_simple = curve_.back().simple;
    // One deciding node and one objective: global and local regrets are equal.
    for (const auto& at : curve_) {
      const auto add = [&](std::string_view metric, double value) {
        RegretPoint point;
        point.evaluations = at.pulls;
        point.rounds = rounds_after(at.pulls);
        point.virtual_s = at.time.to_seconds();
        point.metric = metric;
        point.value = value;
        result.regret_curve.push_back(point);
      };
      add("cumulative_regret", at.cumulative);
      add("local_cumulative_regret", at.cumulative);
      add("simple_regret", at.simple);
      add("local_simple_regret", at.simple);
      if (rewards_) continue;
      add("regret_at_selection", at.at_selection);
      add("bounds_at_selection", at.bounds);
    }
  }
  result.outcome.arms = std::move(summary_);
}

}  // namespace posse
