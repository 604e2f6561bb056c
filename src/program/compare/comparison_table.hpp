// SPDX-License-Identifier: Apache-2.0
// Comparisons as a table, comparison.csv.
#pragma once

#include <vector>

#include "program/base/data_table.hpp"
#include "program/compare/comparison.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// A row per measure, checkpoint and algorithm. Refers to the comparisons and the scenario. Rank,
/// best and the differences to it are empty for evaluations, which are not ranked. Columns:
///   measure            cumulative_regret, local_cumulative_regret, simple_regret,
///                      local_simple_regret (per client); rounds, messages, payload_bytes,
///                      virtual_s, evaluations
///   evaluations_per_client
///                      at a checkpoint; empty: at the end of the runs
///   algorithm          its label
///   repetitions        those in which every compared algorithm has a value
///   mean, sd           over them; sd with n - 1
///   mean_rank          1: smallest in every repetition; ties share the average of their ranks
///   best               1 for the algorithm with the smallest mean, else 0
///   minus_best, minus_best_low, minus_best_high
///                      mean paired difference to the best, and its 95 % interval (Student's t);
///                      the interval is empty with one repetition
///   reference          the label of the algorithm that the next three columns compare with: the
///                      first of the scenario that has values
///   minus_reference, minus_reference_low, minus_reference_high
DataTable comparison_table(const std::vector<CommonComparison>& comparisons,
                           const Scenario& scenario);

}  // namespace posse
