// The arms of a functional bandit: each a function with the optimizer that works on it, or, in a
// stochastic bandit (paper 004, Appendix D), each a source of rewards.
//
// An arm answers pulls: one pull is one optimizer step, then a value and a bound (paper 004,
// section 2); or it is one reward. Immutable and shared by all nodes of a run; the optimizer with
// its state belongs to whoever hosts the arm, and can be started afresh (Hyperband's instances).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

/// How sure an arm's bound g is: valid always, with the probability its optimizer states, or a
/// guess from how learning curves look.
enum class Certificate { valid, likely, guess };

struct Arm {
  std::string name;
  /// f_i*: the least value the arm can reach, where known. Regrets need it of every arm.
  std::optional<double> minimum;
  /// A new optimizer at its start. `instance` numbers the fresh instances from 0: each has noise of
  /// its own.
  std::function<std::unique_ptr<Optimizer>(std::uint32_t instance)> start;
  Certificate certificate = Certificate::valid;
  /// Where an outside judge puts it, 1 for the best; none: by minimum.
  std::optional<double> rank;
  /// Reward number `pull`, from 0, in place of `start`, which is empty then: always the same
  /// number for the same pull. Its mean (or centre, if it has none) is -*minimum: with -mean as
  /// the value of a pull, regret is the pseudo-regret max_i mean_i - mean.
  std::function<double(std::uint64_t pull)> reward = nullptr;
};

struct ArmSet {
  std::vector<Arm> arms;     // not empty
  std::uint64_t budget = 1;  // T, pulls in all, the first one of each arm included
  std::size_t size() const { return arms.size(); }
  /// min_i f_i*, if all are known.
  std::optional<double> minimum() const;
  /// The arm's place, from 1: its `rank`, else 1 more than there are arms with a smaller minimum.
  /// Nothing if neither is known, or if all minima are the same.
  std::optional<double> rank_of(std::size_t arm) const;
  /// The first arm that gives rewards (true) or optimizes (false); null if there is none.
  const Arm* first_with_rewards(bool rewards) const;
};

/// One arm's answer to a pull.
struct ArmReply {
  std::uint64_t pulls = 0;  // k, of this instance
  double value = 0;         // f_i at the iterate that carries the guarantee
  double bound = 0;         // g_i(k)
};

}  // namespace posse
