// SPDX-License-Identifier: Apache-2.0
// Plans of successive halving and Hyperband: how many arms get how many pulls.
//
// A bracket has rungs. Those that reach a rung are pulled until each has as many pulls as the rung
// says, in all; the best of them reach the next. T: the budget of pulls; K: the number of arms.
//
//   halving_of_budget  Jamieson & Talwalkar (2016): R = ceil(log2 K) rungs, each of which gives
//                      every arm in it floor(T/R/arms) more pulls, at least 1; floor(arms/2) of
//                      them, at least 1, reach the next. The last one gets what is left of T
//   halving_to         rungs at r, r eta, r eta^2 … below R, then R; floor(arms/eta) of them, at
//                      least 1, reach the next. May exceed T
//   hyperband_to       Li et al. (2018): smax = floor(log_eta(R/r)). For s = smax … 0 a bracket of
//                      n = ceil((smax+1)/(s+1) eta^s) new instances of arms, with rungs
//                      i = 0 … s at ceil(R eta^{i-s}), which floor(n eta^-i) reach. As many rounds
//                      of all brackets as fit in T; at least one, which may exceed T
//   hyperband_of_2025  as section 5.4 of Dorn et al. (2025) runs it: R solves R ln^2(eta R) =
//                      T ln^2 eta, rounded up; r = 1; rung i gives ceil(R eta^{i-s}) *more* pulls.
//                      One round, whose number of pulls is not T: PAPERS.md, hyperband-1
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posse {

struct PlannedRung {
  std::uint64_t arms = 0;   // or instances of arms, that reach it
  std::uint64_t pulls = 0;  // of each, in all
  bool operator==(const PlannedRung&) const = default;
};
using Bracket = std::vector<PlannedRung>;

struct RungPlan {
  std::vector<Bracket> brackets;  // not empty
  std::uint64_t rounds = 1;       // of all brackets
  /// The plan ends after so many pulls, wherever it stands.
  std::uint64_t limit = ~std::uint64_t{0};
  /// Brackets are of new instances of arms, in drawn orders; else of the arms, in index order.
  bool of_instances = false;
  /// A rung ranks by its own values; else by the smallest value at this or an earlier rung's end.
  bool by_last_value = false;

  std::uint64_t pulls() const;
  /// Pulls of an arm or instance that reaches the last rung.
  std::uint64_t longest() const;
  /// "8 at 1, 4 at 2, 2 at 4, 1 at 8", brackets separated by semicolons.
  std::string text() const;
};

RungPlan halving_of_budget(std::uint64_t arms, std::uint64_t budget);
/// eta > 1, 1 <= least <= longest.
RungPlan halving_to(std::uint64_t arms, double eta, std::uint64_t least, std::uint64_t longest);
/// eta > 1, 1 <= least <= longest.
RungPlan hyperband_to(double eta, std::uint64_t least, std::uint64_t longest, std::uint64_t budget);
/// The smallest longest run of which Hyperband has two brackets.
std::uint64_t hyperband_shortest(double eta, std::uint64_t least);
/// The longest runs, at least `hyperband_shortest`, of which one round fits in the budget.
std::optional<std::uint64_t> hyperband_longest(double eta,
                                               std::uint64_t least,
                                               std::uint64_t budget);
RungPlan hyperband_of_2025(double eta, std::uint64_t budget);

}  // namespace posse
