// SPDX-License-Identifier: Apache-2.0
// Plots of final numbers over settings: a measure against a swept key, and against what it cost.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "program/base/statistics.hpp"
#include "program/compare/study.hpp"
#include "program/plot/chart.hpp"

namespace posse {

/// More lines or points than this can't be told apart.
inline constexpr std::size_t kMostLines = 14;

/// The beginning of why there is no picture then.
inline constexpr std::string_view kTooManyLines = "would have";
std::string too_many_lines(std::size_t lines);

/// Means over repetitions with their 95 % intervals, a line for each algorithm and each setting of
/// the other keys. `quantity` is a position in kQuantities.
MaybeChart sweep_chart(const Study& study,
                       const std::string& key,
                       std::size_t quantity,
                       Band band = Band::interval,
                       std::size_t most_lines = kMostLines);

/// Means with their bands, and the Pareto front: what nothing beats in both. `cost`
/// and `quantity` are positions in kQuantities.
MaybeChart pareto_chart(const Study& study,
                        std::size_t quantity,
                        std::size_t cost,
                        Band band = Band::interval);

/// In kQuantities, by the name that a flag has. Throws std::invalid_argument.
std::size_t position_of_quantity(const std::string& name, std::string_view flag);

/// "sweep-simple-regret": of the plot of a kind that shows the quantity.
std::string plot_id(const std::string& kind, const Quantity& quantity);

/// A quantity's axis; `means` decide whether it is logarithmic.
AxisSpec quantity_axis(std::size_t quantity, const std::vector<double>& means);

/// "regrets: 5 repetitions".
std::string repetitions_text(const Study& study);

}  // namespace posse
