// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/deterministic_learner.hpp"

#include <utility>

#include "actors/learners/single_learner.hpp"
#include "core/base/math.hpp"

namespace posse {

DeterministicLearnerKind::DeterministicLearnerKind(const Parameters& parameters,
                                                   const ProtocolContext& context)
    : TreeLearnerKind(parameters, context),
      sees_mean_objective_(context.problem->homogeneous() ||
                           (detail::placement_of(parameters) == Placement::central &&
                            context.policy.kind == PolicyKind::all)) {}

std::optional<DeterministicLearnerKind::Known> DeterministicLearnerKind::known() const {
  const auto smoothness = theory::valid_smoothness(problem().objective_kind(),
                                                   partition().kind(),
                                                   partition().children_per_cell(),
                                                   problem().domain().dimension());
  if (!smoothness) return std::nullopt;
  const auto near =
      theory::near_optimality_of(problem(), partition(), smoothness->nu1, smoothness->rho);
  if (!near) return std::nullopt;
  return Known{*smoothness, *near};
}

Bound DeterministicLearnerKind::without_noise(const RunOutcome& outcome,
                                              std::uint32_t depth,
                                              std::string note,
                                              double nu,
                                              double rho,
                                              std::string why_not) const {
  const auto fails = [&why_not](std::string_view reason) {
    why_not += (why_not.empty() ? "" : ", ") + std::string(reason);
  };
  if (problem().noise().range_width() > 0)
    fails("rewards are noisy, and the algorithm takes each of them for the exact value");
  if (!sees_mean_objective_) fails("the clients differ, and a learner does not see their mean");
  if (outcome.status != RunStatus::finished) fails("the run did not finish");
  return given_smoothness_to(
      depth, nu * math::pow(rho, depth), std::move(note), nu, rho, std::move(why_not));
}

}  // namespace posse
