// SPDX-License-Identifier: Apache-2.0
// Words that the parts of a study's report share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/compare/comparison.hpp"
#include "program/compare/study.hpp"

namespace posse {

using Sentences = std::vector<std::string>;

/// Nothing of a run that evaluates nothing.
std::optional<double> clients_of(const Finals& run);

/// "1.085× (1.05 to 1.12)", or the difference where a ratio says nothing; "=" without one.
std::string effect_text(const PairedEffect& effect, std::string_view unit);

/// Numbers as a range: "0.0031", "3.1 kB to 12 kB".
std::string range_text(const std::vector<double>& numbers, std::string_view unit = "");

std::string plural(std::size_t n, std::string_view word);
/// "a, b and c"
std::string listed(const std::vector<std::string>& words);
std::string setting_text(const Study& study, std::size_t setting);

/// False for local regrets that are the global ones, and for quantities that are no measures.
bool has_row(const StudyComparison& comparison, const MeasureComparison& measure);

/// The least and the most finished repetitions of all cells that have any, and the runs that did
/// not finish.
struct StudyCounts {
  std::size_t least = 0, most = 0, unfinished = 0;
};
StudyCounts counts_of(const Study& study);

}  // namespace posse
