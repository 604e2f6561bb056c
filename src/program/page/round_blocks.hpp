// SPDX-License-Identifier: Apache-2.0
// The table of rounds as a chart can show it: of many rounds, a row for each block of consecutive
// ones. Nothing is left out, as what happens in every tenth round could vanish if every twentieth
// were shown.
#pragma once

#include <cstddef>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/base/json.hpp"

namespace posse {

/// About so many, more if rounds are missing: blocks end where they do.
inline constexpr std::size_t kRoundBlocks = 300;

/// Columns as in rounds.csv, and last_round. Numbers are means over the block, texts are those that
/// all its rounds have, and its time is from the begin of the first to the end of the last.
Json round_blocks(const std::vector<Column>& columns, const std::vector<TableRow>& rounds);

}  // namespace posse
