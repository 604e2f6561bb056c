// The rank table: of the answers of model selection, or of the algorithms themselves.
//
// Where runs answer an arm whose place among all arms is known (measurement "rank of the answer"),
// a row says which rank an algorithm's answers had on average (1 is the best arm), its standard
// deviation over repetitions, and how often the best arm was answered. The place is by the
// scenario's own `ranking` of its arms, or else by their smallest values.
//
// Elsewhere the algorithms are ranked against each other in every repetition, by their final
// regret; ties share the average of their places.
#pragma once

#include <optional>

#include "program/plot/kinds.hpp"
#include "program/plot/table.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// Nothing if no answer has a rank and there are no two algorithms with regrets to rank.
std::optional<PictureTable> rank_table(const RunData& run, Scope scope = Scope::global);

}  // namespace posse
