// SPDX-License-Identifier: Apache-2.0
// The arms of a functional bandit. Each arm is a function with an optimizer that minimises it, or,
// in a stochastic bandit (Dorn et al. 2025, Appendix D), a source of rewards.
//
// A pull of an arm is one optimizer step, which gives a value and a bound (Dorn et al. 2025,
// Algorithm 1); or it is one reward. Arms are immutable and shared by all nodes of a run. The
// optimizer with its state belongs to the node that runs the arm, and can be restarted (the
// instances of Hyperband).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.hpp"

namespace posse {

class Optimizer;  // optimizer/optimizer.hpp

/// Kind of guarantee of an arm's bound g: certain, with the probability that its optimizer states,
/// or a guess from typical learning curves.
enum class Certificate { valid, likely, guess };

struct Arm {
  std::string name;
  /// f_i*: the minimum of the function, if known. Regrets need it for every arm.
  std::optional<double> minimum;
  /// A new optimizer at its start. `instance` numbers the instances of the arm from 0; each has its
  /// own noise.
  std::function<std::unique_ptr<Optimizer>(std::uint32_t instance)> start;
  Certificate certificate = Certificate::valid;
  /// Why there is no bound g, which is infinite then; empty: there is one.
  std::string no_bound = {};
  /// Rank by an external criterion, 1 for the best; none: by the minimum.
  std::optional<double> rank;
  /// Reward number `pull`, from 0; replaces `start`, which is then empty. Equal arguments give
  /// equal rewards. The mean (or centre, if there is no mean) is -*minimum: with -mean as the value
  /// of a pull, regret is the pseudo-regret max_i mean_i - mean.
  std::function<double(std::uint64_t pull)> reward = nullptr;
  /// The smallest value of the first `pulls` pulls, at least one, of an instance, where that is
  /// known without making them.
  std::function<double(std::uint64_t pulls)> smallest_within = nullptr;
};

struct ArmSet {
  std::vector<Arm> arms;     // not empty
  std::uint64_t budget = 1;  // T, the number of pulls including the first one of each arm
  /// f is the user's value with the other sign: results have the user's.
  bool maximized = false;
  std::size_t size() const { return arms.size(); }
  /// min_i f_i*, if all are known.
  std::optional<double> minimum() const;
  /// The arm's rank, from 1: its `rank`, else 1 plus the number of arms with a smaller minimum.
  /// Nothing if neither is known, or if all minima are equal.
  std::optional<double> rank_of(std::size_t arm) const;
  /// The first arm that gives rewards (true) or has an optimizer (false); null if there is none.
  const Arm* first_with_rewards(bool rewards) const;
};

/// One arm's answer to a pull.
struct ArmReply {
  std::uint64_t pulls = 0;  // k, of this instance
  double value = 0;         // f_i at the iterate for which the bound holds
  double bound = 0;         // g_i(k)
};

}  // namespace posse
