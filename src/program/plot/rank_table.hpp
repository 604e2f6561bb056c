// SPDX-License-Identifier: Apache-2.0
// The rank table of the answers of model selection, or of the algorithms.
//
// If runs answer an arm with a known rank among all arms (measurement "rank of the answer"), a row
// has the mean rank of an algorithm's answers (1 is the best arm), its standard deviation over
// repetitions, and how often the best arm was answered. Ranks come from the scenario's `ranking` of
// its arms, or else from their smallest values.
//
// Otherwise the algorithms are ranked against each other in every repetition, by their final
// regret; ties share the average of their ranks.
#pragma once

#include <optional>
#include <vector>

#include "program/plot/kinds.hpp"
#include "program/plot/table.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// Over all repetitions of all settings; regrets are ranked within each. Nothing if no answer has a
/// rank and fewer than two algorithms have regrets.
std::optional<PictureTable> rank_table(const std::vector<RunData>& settings,
                                       Scope scope = Scope::global);

}  // namespace posse
