// SPDX-License-Identifier: Apache-2.0
// Interface of policies: which arm's rewards to draw next, and how many. No network, no time.
// Maximisation.
//
// Every arm is played once first, in index order, for `first` rewards. Then each decision draws
// `batch` rewards of the arm with the largest index (ties: the lowest number), until T rewards are
// drawn. The last decision draws what is left. Answer: the arm with the largest estimate (ties: the
// lowest number). Cost of a decision: K indices and one update; O(log K) and one update if an index
// depends on its own arm only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/smallest_number.hpp"

namespace posse {

/// One decision.
struct RewardDraw {
  std::uint32_t arm = 0;    // from 0
  std::uint32_t count = 0;  // > 0
  bool operator==(const RewardDraw&) const = default;
};

class RewardPolicy {
 public:
  struct Plan {
    std::size_t arms = 1;      // K
    std::uint64_t budget = 1;  // T, the number of rewards, at least K * first
    std::uint32_t first = 1;
    std::uint32_t batch = 1;
    std::uint64_t decisions() const;
  };

  explicit RewardPolicy(const Plan& plan);
  virtual ~RewardPolicy() = default;

  /// The next decision; nothing once the budget is spent. Call it after the rewards of the last
  /// decision were taken.
  std::optional<RewardDraw> next();
  void take(const RewardDraw& draw, std::span<const double> rewards);
  std::uint32_t answer() const { return estimates_.index().value_or(0); }

  std::uint64_t pulls() const { return total_; }                           // t
  std::uint64_t pulls(std::uint32_t arm) const { return pulls_.at(arm); }  // n_i
  /// Estimate of the arm's mean. Needs its first rewards.
  virtual double estimate(std::uint32_t arm) const = 0;

 protected:
  const Plan& plan() const { return plan_; }
  /// To be called where `estimate(arm)` changes otherwise than by rewards of the arm.
  void estimate_changed(std::uint32_t arm) { estimates_.set(arm, -estimate(arm)); }

 private:
  /// pulls() and pulls(arm) do not include these rewards: pulls(arm) is 0 for the first ones.
  virtual void update(std::uint32_t arm, std::span<const double> rewards) = 0;
  /// Called once per decision, before index().
  virtual void prepare() {}
  virtual double index(std::uint32_t arm) const = 0;
  /// Whether an arm's index changes with rewards of other arms.
  virtual bool index_depends_on_others() const { return true; }
  std::uint32_t largest_index();

  Plan plan_;
  std::vector<std::uint64_t> pulls_;
  std::uint64_t total_ = 0;
  SmallestNumber estimates_;  // times -1
  /// The indices times -1, where each depends on its own arm only; made when they are first needed.
  std::optional<SmallestNumber> indices_;
};

}  // namespace posse
