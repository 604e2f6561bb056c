// SPDX-License-Identifier: Apache-2.0
// SGD-UCB-SMoM and its functional version SGD-UCB-SMoM-F: upper confidence bounds around means that
// clipped gradient descent estimates from smoothed medians of means.
//
// Source: Dorn, Katrutsa, Latypov & Pudovikov, "Fast UCB-type algorithms for stochastic bandits
// with heavy and super heavy symmetric noise" (2024), as Appendix D of Dorn, Katrutsa, Latypov &
// Soboleva (2025) runs it. A decision draws q = (2m + 1) n rewards of one arm:
//   SMoM = median over 2m + 1 of (mean of n rewards, in order, + theta N(0, 1))
//   x_i -= gamma clip(x_i - SMoM, r),  gamma = 1/ln(4 (T + 1) T^2)
// The first 2m + 1 rewards of each arm give x_i = their median. Index, with t rewards so far, n_i
// of them of arm i:
//   estimate     x_i + c sqrt(ln t / n_i)                          SGD-UCB-SMoM, c = 0.1
//   functional   -f + c/sqrt(n_i), f = -x_i^2/2 the plug-in value  SGD-UCB-SMoM-F, c = 1
//   printed       f + c/sqrt(n_i)                                  as printed in Appendix D
// The function of an arm is (x - mu)^2/2 - mu^2/2 with the minimum -mu^2/2. The best arm has the
// *smallest* minimum, so the printed sign prefers the worst arms (see PAPERS.md, smom-1). The
// functional index cannot tell x from -x and is meant for means >= 0, as the paper says. A last
// decision of fewer than q rewards changes no estimate. Defaults: see PAPERS.md, smom-2. Cost of a
// decision: O(K + q) with `estimate`, else O(log K + q).
// Streams: `smoothing/ARM` with ARM = `arm-1` …; draw u for update number u of the arm, from 0.
#pragma once

#include <optional>

#include "actors/reward_bandit/policy/reward_policy.hpp"
#include "core/base/ids.hpp"
#include "core/random/stream.hpp"

namespace posse {

enum class SmomIndex { estimate, functional, printed };

struct SmomOptions {
  std::uint32_t m = 1;         // >= 0
  std::uint32_t n = 2;         // >= 1
  double theta = 0.001;        // >= 0
  double clip = 0.9;           // r > 0
  std::optional<double> step;  // gamma > 0
  double c = 0.1;              // >= 0; C of the functional version
  SmomIndex index = SmomIndex::estimate;
};

class SgdUcbSmom final : public RewardPolicy {
 public:
  SgdUcbSmom(std::size_t arms, std::uint64_t budget, const SmomOptions& options, Seed seed);

  static Plan plan_of(std::size_t arms, std::uint64_t budget, const SmomOptions& options);
  double estimate(std::uint32_t arm) const override { return x_.at(arm); }

 private:
  void update(std::uint32_t arm, std::span<const double> rewards) override;
  void prepare() override;
  double index(std::uint32_t arm) const override;
  bool index_depends_on_others() const override { return options_.index == SmomIndex::estimate; }

  SmomOptions options_;
  double step_;
  double log_pulls_ = 0;  // ln t
  std::vector<double> x_;
  std::vector<StreamKey> smoothing_;
  std::vector<std::uint64_t> updates_;
  std::vector<double> means_;  // scratch space of update()
};

}  // namespace posse
