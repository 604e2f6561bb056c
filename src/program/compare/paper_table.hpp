// SPDX-License-Identifier: Apache-2.0
// A comparison as a table for papers: a column per measure in one unit, means with their intervals,
// bold where an algorithm is shown to be best in its setting.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/compare/study_report.hpp"

namespace posse {

enum class TableFormat { latex, markdown, csv };
enum class TableInterval { plus_minus, range, none };

struct PaperTableRequest {
  TableFormat format = TableFormat::markdown;
  TableInterval interval = TableInterval::plus_minus;
  std::vector<std::size_t> measures;  // positions in kQuantities; empty: all that have a row
};

/// What a reader of a table must know first: that algorithms did not make equal numbers of
/// evaluations, then the comparison's warnings.
std::vector<std::string> warnings_of(const StudyReport& report);

/// Rows are algorithms, or settings and algorithms; with several settings and one measure, settings
/// are rows and algorithms columns. CSV has a row per setting, algorithm and measure, in base
/// units. LaTeX needs booktabs. Warnings are comments, or lines below the table.
/// Throws std::invalid_argument if no run has one of the measures.
std::string paper_table(const StudyReport& report, const PaperTableRequest& request);

}  // namespace posse
