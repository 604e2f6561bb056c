// SPDX-License-Identifier: Apache-2.0
// A compared study in sentences and tables, the same for the terminal, files and pages.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/text.hpp"
#include "program/compare/comparison.hpp"
#include "program/compare/study_warnings.hpp"
#include "program/compare/wanted_width.hpp"

namespace posse {

struct StudyReport {
  Study study;
  StudyComparison comparison;
  std::string title;                  // the study's size
  std::vector<std::string> headline;  // who wins, by how much, at what cost; what settings change
  std::vector<TextTable> tables;
  std::vector<std::string> warnings;  // what is unfair or uncertain about the comparison
  std::string legend;                 // of the tables
  std::optional<WantedWidth> wanted;  // the width that was asked for
};

/// How wide an interval is, or how many repetitions it needs: "cumulative regret, as a difference
/// to fed-pne's, is known to ±5 % of fed-pne's mean with 8 repetitions".
std::string width_text(const Study& study, WantedWidth wanted);

/// The measure that decides is the first of these that some run has.
inline constexpr std::array<std::string_view, 3> kMainMeasures{
    "cumulative_regret", "answer_value", "virtual_s"};
std::size_t main_measure(const StudyComparison& comparison);

/// `measure` is the one of the headline, main_measure if there is none; `wanted`: a width for which
/// the report says how many repetitions it needs.
StudyReport study_report(Study given,
                         std::optional<std::size_t> measure = std::nullopt,
                         const std::optional<WantedWidth>& wanted = std::nullopt);

std::string to_text(const StudyReport& report);

}  // namespace posse
