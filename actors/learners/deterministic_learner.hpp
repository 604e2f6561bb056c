// SPDX-License-Identifier: Apache-2.0
// Common base of the searches of deterministic functions (SOO, DOO, SequOOL) as algorithms: bounds
// on their loss, which need exact values and assumption (A).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "actors/learners/tree_learner.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {

class DeterministicLearnerKind : public TreeLearnerKind {
 protected:
  DeterministicLearnerKind(const Parameters& parameters, const ProtocolContext& context);

  /// The recommended smoothness constants of the objective with its near-optimality; nothing if one
  /// of them is unknown.
  struct Known {
    theory::Smoothness smoothness;
    theory::NearOptimality near;
  };
  std::optional<Known> known() const;

  /// The bound nu rho^depth on the loss without noise, given assumption (A) for (nu, rho) down to
  /// this depth. It does not apply if rewards are noisy, if a learner sees something else than the
  /// mean objective, if the run did not finish, or for the reasons of given_smoothness.
  Bound without_noise(const RunOutcome& outcome,
                      std::uint32_t depth,
                      std::string note,
                      double nu,
                      double rho,
                      std::string why_not = {}) const;

 private:
  bool sees_mean_objective_;
};

}  // namespace posse
