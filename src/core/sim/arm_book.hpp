// SPDX-License-Identifier: Apache-2.0
// Accounts of a functional bandit's pulls: regret, and the curve of every arm.
//
// Source: Dorn, Katrutsa, Latypov & Soboleva 2025. Regret R_O = sum over pulls of (value - f*),
// f* = min_i f_i*, including the first pull of each arm (see PAPERS.md, f-lcb-2 and f-lcb-3).
// Simple regret = (smallest value seen) - f*; at the end, the answered arm's smallest value - f*.
// Arms with rewards: value = -mean, so regret is pseudo-regret, and simple regret is that of the
// current answer. If f* is unknown there are curves of the arms but no regrets. One node observes
// all pulls, in an order that may depend on the network. Curves are summed in that order; totals
// are summed per instance of an arm, then over the instances and arms, so that they do not depend
// on it. Cost: O(1) per pull; memory: a point per checkpoint, per arm and for the whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/arm/arm.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/observation.hpp"
#include "core/sim/round_table.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

class ArmBook {
 public:
  /// `arms` must outlive the book.
  explicit ArmBook(const ArmSet& arms);

  void pulled(Time time, const ArmPulled& pulled);
  void answered(const ArmAnswered& answered) { summary_.answer = answered.arm; }
  /// Fills in what conclude() does, except for the curves.
  void fill(RunOutcome& out) const;
  /// `rounds`: concluded; their steps are pulls.
  void conclude(const RoundTable& rounds, SimulationResult& result);

 private:
  struct Sums {
    double cumulative = 0;
    // Over all pulls but the first of each instance, of quantities at the selection (Lemma 1):
    double bounds = 0, last_regret = 0, best_regret = 0;
    void add(const Sums& other);
  };
  /// The state of one instance of an arm.
  struct InstanceState {
    double last = 0, best = 0, bound = 0;
    Sums sums;
  };
  struct RegretState {
    std::uint64_t pulls = 0;
    Time time;
    double simple = 0;
    Sums sums;
  };
  struct ArmCurve {
    Checkpoints checkpoints;
    std::vector<ArmPoint> points;
  };
  RegretState current() const;
  /// Of the curve of an arm that was pulled.
  ArmPoint last_point(std::uint32_t arm) const;
  Sums total() const;
  double simple_regret() const;
  /// A value f as the user's.
  double users(double f) const { return summary_.maximized ? 0.0 - f : f; }

  std::optional<double> minimum_;  // f*
  bool rewards_ = false;  // arms give rewards: values are the arms' means, which are not observed
  ArmsSummary summary_;   // values f
  std::vector<std::map<std::uint32_t, InstanceState>> instances_;  // by arm, then by instance
  Sums in_order_;                                                  // in the order of observation
  double smallest_ = 0;                                            // of all values
  Time last_;
  Checkpoints checkpoints_;
  std::vector<RegretState> curve_;
  std::vector<ArmCurve> arm_curves_;  // by arm
};

}  // namespace posse
