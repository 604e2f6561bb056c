// SPDX-License-Identifier: Apache-2.0
// Comparisons as a table, comparison.csv.
#pragma once

#include <vector>

#include "program/base/data_table.hpp"
#include "program/compare/comparison.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// A row per measure, checkpoint and algorithm; docs/results.md has the columns. Rank, best and the
/// differences to it are empty for evaluations, which are not ranked. Refers to the comparisons and
/// the scenario.
DataTable comparison_table(const std::vector<CommonComparison>& comparisons,
                           const Scenario& scenario);

}  // namespace posse
