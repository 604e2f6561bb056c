// SPDX-License-Identifier: Apache-2.0
// The schedule of POO: when instances are started, and how often each one evaluates.
//
// Paper: Grill, Valko & Munos, "Black-box optimization of noisy functions with unknown smoothness"
// (NIPS 2015). The schedule does not depend on rewards:
//     n = 0; N = 1; S = { A(nu_max, rho_max) }
//     while budget:
//       while n >= 3 and N <= 1/2 D_max ln(n / ln n):            (n >= 3: PAPERS.md, poo-1)
//         for i = 1 … N: start A(nu_max, rho_max^{2N/(2i+1)}), run it for n/N evaluations
//         n = 2n; N = 2N
//       one evaluation with every instance in S, in order; n = n + |S|
// Instances are numbered from 0 in the order of starting: number N-1+i above. Instances do not see
// each other's rewards, so the single evaluations between two doublings can be made as one batch:
// a protocol needs one message per pass and instance, not one per evaluation (see PAPERS.md,
// poo-2). The budget may end anywhere; the last pass then contains what is left of it, in the
// listing's order.
// Cost: O(N + log budget) per pass, O(log N) passes. PyXAB: see PAPERS.md, pyxab-7.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace posse {

struct PooSmoothness {
  double nu_max = 1;        // > 0
  double rho_max = 0.9;     // in (0, 1)
  std::uint32_t arity = 2;  // k >= 2, children per cell
};

/// Checks that the constants are in their ranges.
void check_smoothness(const PooSmoothness& smoothness);

/// Instances first, first + 1, … make these numbers of evaluations, in this order.
struct PooPass {
  /// True: the instances are new and run one after the other. False: these are all instances, and
  /// they evaluate once each in turn until each has made its number of evaluations.
  bool starts = false;
  std::uint64_t first = 0;
  std::vector<std::uint64_t> evaluations;  // no zeros
};

class PooSchedule {
 public:
  PooSchedule(const PooSmoothness& smoothness, std::uint64_t budget);

  /// The next pass; nothing when the budget is used up.
  std::optional<PooPass> next();

  double nu() const { return smoothness_.nu_max; }
  /// rho of an instance, started or not.
  double rho(std::uint64_t instance) const;
  std::uint64_t budget() const { return budget_; }
  /// Evaluations and instances of the passes returned: n and N.
  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t instances() const { return evaluations_ == 0 ? 0 : instances_; }

 private:
  PooPass double_instances();
  PooPass evaluate_all();

  PooSmoothness smoothness_;
  double depth_constant_;  // D_max
  std::uint64_t budget_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t instances_ = 1;
};

}  // namespace posse
