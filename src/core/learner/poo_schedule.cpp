// SPDX-License-Identifier: Apache-2.0
#include "core/learner/poo_schedule.hpp"

#include <algorithm>
#include <bit>

#include "core/base/check.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

void check_smoothness(const PooSmoothness& smoothness) {
  POSSE_CHECK(smoothness.nu_max > 0 && smoothness.rho_max > 0 && smoothness.rho_max < 1,
              "nu_max {}, rho_max {}",
              smoothness.nu_max,
              smoothness.rho_max);
  POSSE_CHECK(smoothness.arity >= 2, "arity {}", smoothness.arity);
}

PooSchedule::PooSchedule(const PooSmoothness& smoothness, std::uint64_t budget)
    : smoothness_(smoothness),
      depth_constant_(theory::poo_depth_constant(smoothness.arity, smoothness.rho_max)),
      budget_(budget) {
  check_smoothness(smoothness);
}

double PooSchedule::rho(std::uint64_t instance) const {
  if (instance == 0) return smoothness_.rho_max;
  const std::uint64_t before = std::bit_floor(instance);  // N at the time it was started
  return theory::poo_rho(smoothness_.rho_max, before, instance - before + 1);
}

std::optional<PooPass> PooSchedule::next() {
  if (evaluations_ == budget_) return std::nullopt;
  return theory::poo_doubles(evaluations_, instances_, depth_constant_) ? double_instances()
                                                                        : evaluate_all();
}

PooPass PooSchedule::double_instances() {
  const std::uint64_t each = evaluations_ / instances_;
  const std::uint64_t left = std::min(budget_ - evaluations_, evaluations_);
  PooPass pass{true, instances_, std::vector<std::uint64_t>(left / each, each)};
  if (left % each > 0) pass.evaluations.push_back(left % each);
  evaluations_ += left;
  instances_ += pass.evaluations.size();
  return pass;
}

PooPass PooSchedule::evaluate_all() {
  const std::uint64_t left = budget_ - evaluations_;
  // Turns until the next doubling: the condition is monotone in n. At least one.
  std::uint64_t low = 0;
  std::uint64_t turns = left / instances_ + (left % instances_ > 0 ? 1 : 0);
  while (turns - low > 1) {
    const std::uint64_t middle = low + (turns - low) / 2;
    const bool doubles =
        theory::poo_doubles(evaluations_ + middle * instances_, instances_, depth_constant_);
    (doubles ? turns : low) = middle;
  }
  PooPass pass{evaluations_ == 0, 0, {}};
  if (turns <= left / instances_) {
    pass.evaluations.assign(instances_, turns);
    evaluations_ += turns * instances_;
  } else {  // the budget ends within the last turn
    pass.evaluations.assign(instances_, left / instances_);
    for (std::uint64_t i = 0; i < left % instances_; ++i) ++pass.evaluations[i];
    if (pass.evaluations.back() == 0) pass.evaluations.resize(left % instances_);
    evaluations_ = budget_;
  }
  return pass;
}

}  // namespace posse
