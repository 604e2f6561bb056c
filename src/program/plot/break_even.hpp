// SPDX-License-Identifier: Apache-2.0
// What regret and a cost come to together, over the price of the cost.
//
// With a price p per byte (round, evaluation, second of virtual time) an algorithm costs
// R + p C, R being its regret per client and C what all nodes need together. Where two of these
// lines cross is the price from which on the one with the smaller cost is the better choice: p =
// (R_a - R_b) / (C_b - C_a), a ratio of means of paired differences, with its interval by Fieller
// (1954).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/compare/study.hpp"
#include "program/plot/chart.hpp"

namespace posse {

/// From this price on `to` is better than `from`, which is better below.
struct BreakEven {
  std::string from, to;
  double price = 0;
  std::optional<Interval> interval;  // 95 %
};

/// Along increasing prices, which is best: the break-evens between neighbours of the lower
/// envelope. Empty if one is best at every price. `quantity` and `cost` are positions in
/// kQuantities.
std::vector<BreakEven> break_evens(const Study& study, std::size_t quantity, std::size_t cost);

/// Needs one measure, two algorithms or settings, and costs that differ.
MaybeChart break_even_chart(const Study& study, std::size_t quantity, std::size_t cost);

}  // namespace posse
