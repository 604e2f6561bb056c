// Which arm's rewards are drawn next, and how many: the agent's part of a stochastic bandit,
// without network or time. Maximisation.
//
// First every arm once, in index order, `first` rewards each; then decision by decision the arm of
// the largest index, lowest number on a tie, `batch` rewards each, until T rewards are drawn: the
// last decision gets what is left of them. Answer: the arm of the largest estimate, lowest number
// on a tie. Cost of a decision: K indices and one update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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
    std::uint64_t budget = 1;  // T, rewards in all, at least K * first
    std::uint32_t first = 1;
    std::uint32_t batch = 1;
    std::uint64_t decisions() const;
  };

  explicit RewardPolicy(const Plan& plan);
  virtual ~RewardPolicy() = default;

  /// The next decision; nothing once the budget is spent. Call it when the last one was taken.
  std::optional<RewardDraw> next();
  void take(const RewardDraw& draw, std::span<const double> rewards);
  std::uint32_t answer() const;

  std::uint64_t pulls() const { return total_; }                           // t
  std::uint64_t pulls(std::uint32_t arm) const { return pulls_.at(arm); }  // n_i
  /// Of the arm's mean; after its first rewards.
  virtual double estimate(std::uint32_t arm) const = 0;

 protected:
  const Plan& plan() const { return plan_; }

 private:
  /// pulls(), pulls(arm) are those before this update: 0 of `arm` for its first rewards.
  virtual void update(std::uint32_t arm, std::span<const double> rewards) = 0;
  /// Called once before the indices of a decision are asked for.
  virtual void prepare() {}
  virtual double index(std::uint32_t arm) const = 0;

  Plan plan_;
  std::vector<std::uint64_t> pulls_;
  std::uint64_t total_ = 0;
};

}  // namespace posse
