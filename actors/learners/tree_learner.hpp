// SPDX-License-Identifier: Apache-2.0
// Common base of the tree learners as algorithms: the partition, ties, recommendations, and bounds
// that depend on the problem.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "actors/learners/learner_kind.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/partition.hpp"
#include "core/learner/choices.hpp"
#include "core/role/protocol.hpp"

namespace posse {

class TreeLearnerKind : public LearnerKind {
 public:
  const PointSet& points() const override { return partition_; }

  /// What every tree learner checks.
  static std::vector<std::string> validate(const Parameters& parameters,
                                           const ProtocolContext& context) {
    return validate_partition(parameters, context.problem->domain());
  }

 protected:
  TreeLearnerKind(const Parameters& parameters, const ProtocolContext& context);

  const Problem& problem() const { return *problem_; }
  const Partition& partition() const { return partition_; }
  /// n.
  std::uint64_t budget() const { return problem_->budget(); }
  /// A ceiling on the tree's depth: the smaller of `depth` and the partition's limit.
  Bound depth_ceiling(double depth, std::string note) const;
  /// A bound that holds with probability, given assumption (A) for (nu, rho) down to the depth that
  /// the run reached. It does not apply if (A) fails, the noise is too wide, or `why_not` is not
  /// empty.
  Bound given_smoothness(const RunOutcome& outcome,
                         double value,
                         std::string note,
                         double nu,
                         double rho,
                         std::string why_not) const;
  /// given_smoothness with (A) down to the depth `deepest`.
  Bound given_smoothness_to(std::uint32_t deepest,
                            double value,
                            std::string note,
                            double nu,
                            double rho,
                            std::string why_not) const;

 private:
  const Problem* problem_;
  Partition partition_;
};

/// The parameters `ties` and `recommendation`.
std::vector<ParameterSpec> learner_choice_parameters();
/// The parameter `recommendation` alone, for a learner without ties.
ParameterSpec recommendation_parameter();
/// The choice by the parameter `recommendation`; the ties are the default.
LearnerChoices recommendation_choice(const Parameters& parameters, Seed seed);
ComparisonFacts comparison_facts_of(Widths widths, const LearnerChoices& choices);
LearnerChoices learner_choices(const Parameters& parameters, Seed seed, std::string_view name);

}  // namespace posse
