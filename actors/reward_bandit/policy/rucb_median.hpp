// SPDX-License-Identifier: Apache-2.0
// RUCB-Median: robust upper confidence bounds around medians of means.
//
// Source: Bubeck, Cesa-Bianchi & Lugosi, "Bandits with heavy tail" (2013), section 2.2, as Appendix
// D of Dorn, Katrutsa, Latypov & Soboleva (2025) runs it.
// Two rewards of each arm first, then one per decision. With t rewards so far, n of them of an arm,
// and L = 1/8 + 2 ln(1 + t):
//   k = floor(min(8 L, n/2)) blocks of N = floor(n/k) rewards, in order; the remainder waits
//   index = median of the blocks' means + (12 v)^{1/(1+e)} (16 L/n)^{e/(1+e)}
// Assumption: the moment of order 1 + e is at most v. Defaults: e = 0 and v = 0.9; see PAPERS.md,
// rucb-1.
//
// An estimate depends only on (k, N) and the first kN rewards, and is kept until k or N changes.
// Block sums are differences of prefix sums, each held in two doubles so that one huge reward does
// not destroy the precision of the others. Cost: O(K) per decision and O(k) = O(ln t) per new
// estimate.
#pragma once

#include "actors/reward_bandit/policy/reward_policy.hpp"

namespace posse {

struct RucbOptions {
  double epsilon;  // e in [0, 1]
  double v;        // > 0
};

class RucbMedian final : public RewardPolicy {
 public:
  RucbMedian(std::size_t arms, std::uint64_t budget, const RucbOptions& options);

  static Plan plan_of(std::size_t arms, std::uint64_t budget) { return {arms, budget, 2, 1}; }
  /// The estimate at the last decision, or after the arm's first rewards.
  double estimate(std::uint32_t arm) const override { return held_.at(arm).estimate; }

 private:
  /// A sum held as high + low, with |low| at most half a unit in the last place of high.
  struct Sum {
    double high = 0, low = 0;
    void add(double x);
  };
  struct Held {
    std::vector<Sum> prefix{Sum{}};  // of the arm's first 0, 1, 2 … rewards
    std::uint64_t blocks = 0;        // k
    std::uint64_t length = 0;        // N
    double estimate = 0;
  };
  void update(std::uint32_t arm, std::span<const double> rewards) override;
  void prepare() override;
  double index(std::uint32_t arm) const override;
  void renew(std::uint32_t arm);

  double factor_;    // (12 v)^{1/(1+e)}
  double exponent_;  // e/(1+e)
  double log_ = 0;   // L
  std::vector<Held> held_;
  std::vector<double> means_;
};

}  // namespace posse
