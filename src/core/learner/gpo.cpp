// SPDX-License-Identifier: Apache-2.0
#include "core/learner/gpo.hpp"

#include <algorithm>
#include <utility>

#include "core/base/check.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

GpoPlan plan_gpo(const PooSmoothness& smoothness, std::uint64_t budget) {
  check_smoothness(smoothness);
  GpoPlan plan;
  plan.instances = theory::gpo_instances(
      budget, theory::poo_depth_constant(smoothness.arity, smoothness.rho_max));
  plan.evaluations = budget / (2 * plan.instances);
  plan.rest = budget - 2 * plan.instances * plan.evaluations;
  plan.nu = smoothness.nu_max;
  for (std::uint64_t i = 1; i <= plan.instances; ++i)
    plan.rhos.push_back(theory::poo_rho(smoothness.rho_max, plan.instances, i));
  return plan;
}

Gpo::Gpo(const PooSmoothness& smoothness, std::uint64_t budget, InstanceFactory factory)
    : plan_(plan_gpo(smoothness, budget)), factory_(std::move(factory)) {
  candidates_.reserve(plan_.instances);
  // With a budget of one, the only instance recommends without an evaluation.
  if (plan_.evaluations == 0) candidates_.push_back({factory_(request(0))->recommend()});
}

InstanceRequest Gpo::request(std::uint64_t number) const {
  return {.number = number,
          .nu = plan_.nu,
          .rho = plan_.rhos[number],
          .horizon = std::max<std::uint64_t>(1, plan_.evaluations)};
}

Cell Gpo::next() {
  const std::uint64_t running = plan_.instances * plan_.evaluations;
  if (evaluations_ < running) {
    if (!instance_) instance_ = factory_(request(candidates_.size()));
    return instance_->next();
  }
  if (evaluations_ < 2 * running)
    return candidates_[(evaluations_ - running) / plan_.evaluations].cell;
  return recommend();
}

void Gpo::tell(double reward) {
  const std::uint64_t running = plan_.instances * plan_.evaluations;
  const std::uint64_t t = evaluations_++;
  if (t < running) {
    POSSE_CHECK(static_cast<bool>(instance_), "tell() before next()");
    instance_->tell(reward);
    if (evaluations_ % plan_.evaluations == 0) {
      candidates_.push_back({instance_->recommend()});
      instance_.reset();
    }
  } else if (t < 2 * running) {
    Candidate& candidate = candidates_[(t - running) / plan_.evaluations];
    ++candidate.evaluations;
    candidate.sum += reward;
  }
}

const Gpo::Candidate* Gpo::best() const {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_)
    if (candidate.evaluations > 0 && (best == nullptr || candidate.mean() > best->mean()))
      best = &candidate;
  return best;
}

Cell Gpo::recommend() const {
  if (const Candidate* winner = best()) return winner->cell;
  if (instance_) return instance_->recommend();
  return candidates_.empty() ? Cell{} : candidates_.back().cell;
}

}  // namespace posse
