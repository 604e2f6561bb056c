// SPDX-License-Identifier: Apache-2.0
// The bandit that one agent of FN-UCB runs, without messages. Symbols: see protocol.hpp.
//
// Inverses follow each reward by a rank-one update and are recomputed after every p updates, so
// that rounding errors stay at the size of those of one inversion. What no score needs is not
// computed: V̄^-1 if alpha = 1 and only diagonals are compared, UCB1 if alpha = 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actors/fn_ucb/messages.hpp"
#include "core/learner/relu_features.hpp"
#include "core/learner/symmetric_matrix.hpp"

namespace posse {

struct FnUcbOptions {
  double lambda = 0.1;  // > 0
  double nu = 0.1;
  double nu2 = 0.1;
  double sync_threshold = 0;  // D
  bool exact_det = false;
  std::uint32_t train_steps = 30;
  double rate = 0.01;
  std::uint64_t train_until = 2000;
  std::uint64_t ramp = 700;  // >= 1

  /// alpha_t.
  double alpha(std::uint64_t step) const;
};

/// The inverse of a symmetric p x p matrix that grows by terms x x^T.
class GrowingInverse {
 public:
  GrowingInverse(std::size_t size, double lambda);

  /// (lambda I + gram)^-1.
  void restart(std::span<const double> gram);
  /// Adds x x^T. `product` and the return value: as in SymmetricMatrix::update_inverse.
  double grow(std::span<const double> x, std::span<double> product);
  /// True if the last grow() recomputed the inverse.
  bool was_refreshed() const { return since_ == 0; }
  const SymmetricMatrix& inverse() const { return inverse_; }

 private:
  double lambda_;
  SymmetricMatrix matrix_;  // V
  SymmetricMatrix inverse_;
  std::size_t since_ = 0;  // rank-one updates
};

class NeuralUcb {
 public:
  /// `features` must outlive this object.
  NeuralUcb(const ReluFeatures& features, const FnUcbOptions& options);

  std::uint64_t step() const { return step_; }
  /// The arm to play in this step, from 1. Call it once per step.
  std::uint32_t choose();
  /// Takes the reward of that arm. Returns true if this agent's criterion holds, so that all agents
  /// have to synchronise.
  bool tell(double reward);
  /// The update for the server; trains the net. Call it after tell().
  AgentUpdate update();
  /// Ends the step with a synchronisation, or without one.
  void synchronise(const SyncedModel& model);
  void go_on() { ++step_; }

  const SymmetricMatrix& own_inverse() const { return own_.inverse(); }
  /// V̄^-1; valid after choose() if a score needs it.
  const SymmetricMatrix& shared_inverse() const { return shared_.inverse(); }

 private:
  bool needs_shared_inverse() const { return options_.exact_det || options_.alpha(step_) < 1; }
  void refresh_linear();
  void refresh_net();
  double log_growth() const;

  const ReluFeatures* features_;
  FnUcbOptions options_;
  std::uint64_t step_ = 0;
  std::uint64_t last_sync_ = 0;  // t_last
  std::uint32_t arm_ = 0;        // of this step
  std::vector<ArmRewards> rewards_;
  std::vector<double> theta_;      // own net
  SymmetricMatrix gram_;           // W_i
  std::vector<double> responses_;  // B_i
  GrowingInverse own_;             // V_i
  std::vector<double> diagonal_;   // of V̄, and at the last synchronisation
  std::vector<double> synced_diagonal_;
  double log_det_growth_ = 0;  // ln(det V̄ / det(lambda I + W)), for exact_det

  std::vector<double> synced_responses_;  // B
  std::vector<double> synced_gram_;       // W
  std::vector<double> synced_net_;
  std::vector<double> synced_inverse_;  // V_inv

  GrowingInverse shared_;               // V̄; valid unless `linear_stale_`
  std::vector<double> means_;           // g^T theta̅
  std::vector<double> forms_;           // g^T V̄^-1 g
  std::vector<double> net_values_;      // net(x; theta_sync)
  std::vector<double> net_forms_;       // g^T V_inv g
  std::vector<std::uint32_t> pending_;  // arms played since shared_ was brought up to date
  bool linear_stale_ = true;            // shared_ must be computed anew
  bool net_stale_ = true;
  std::vector<double> scores_;
  std::vector<double> work_, on_arms_, product_;
};

}  // namespace posse
