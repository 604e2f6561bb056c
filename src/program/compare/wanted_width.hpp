// SPDX-License-Identifier: Apache-2.0
// How narrow intervals shall be, and the repetitions that it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "program/compare/study.hpp"

namespace posse {

/// A half width that an interval shall have: "0.01", or a share of the mean: "5%".
struct WantedWidth {
  std::size_t quantity = 0;
  double width = 0;
  bool relative = false;
};
/// "cumulative_regret=5%". Throws std::invalid_argument that says what is allowed.
WantedWidth parse_width(const std::string& text);

/// The width as it is judged, where comparable_measure replaces its measure: an absolute one then
/// is divided by the largest number of evaluations per client.
WantedWidth comparable_width(const Study& study, WantedWidth wanted);

/// Repetitions, in all, for which the intervals of a measure are as narrow as wanted, as far as the
/// present repetitions tell: of the differences between algorithms in each setting, or, with one
/// algorithm, of those between settings; else of the mean. Relative widths are shares of the
/// reference's mean. At least five, unless all differences are equal. Nothing if there are fewer
/// than two repetitions, or more than a million are needed.
std::optional<std::size_t> repetitions_needed(const Study& study, const WantedWidth& wanted);
/// Whether that is so now.
bool width_reached(const Study& study, const WantedWidth& wanted);
/// How many repetitions to make next if there are `now`: at most twice as many; nothing if the
/// width is reached.
std::optional<std::uint32_t> next_repetitions(const Study& study,
                                              const WantedWidth& wanted,
                                              std::uint32_t now);

}  // namespace posse
