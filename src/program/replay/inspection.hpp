// SPDX-License-Identifier: Apache-2.0
// Why a round ended as it did: which cells were kept, what became of the optimum's cell, on whose
// means that rests, and who was missing.
//
// The run is run again, with an ear at the node that decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/role/observation.hpp"

namespace posse {

struct InspectOptions {
  std::string algorithm;  // its label; empty: the first
  std::uint32_t repetition = 0;
  std::optional<std::uint32_t> round;  // nothing: the first that eliminates the optimum's cell, or
                                       // else the last that compares cells
};

/// What one of the nodes that were asked contributed to the cell in question.
struct Contribution {
  std::string node;
  std::optional<double> mean;      // in its message; none if it has no numbers of single cells
  std::optional<double> expected;  // its client's function at the cell's point
  std::string missing;             // why it was not there in time; empty if it was
};

struct InspectedCell {
  Cell cell;
  double mean = 0;
  bool kept = true;
  double expected = 0;  // the mean of the clients' functions at its point
};

struct Inspection {
  std::string algorithm;
  std::uint32_t repetition = 0, round = 0;
  double ended_virtual_s = 0;
  std::string node;  // that decides
  std::uint64_t pulls_per_cell = 0;
  std::uint32_t answers = 0, expected_answers = 0;
  std::optional<double> threshold;  // as RoundEnded has it
  std::vector<InspectedCell> cells;
  std::size_t best = 0;                     // position in cells
  std::optional<std::size_t> optimum;       // position in cells of the optimum's cell
  std::optional<std::uint32_t> eliminated;  // if it is not there: in which round it was eliminated
  std::size_t looked_at = 0;  // the cell of `contributions`: the optimum's, or else the best
  std::vector<Contribution> contributions;
  /// The optimum's cell if the missing nodes had sent what is expected of them for every cell.
  struct WithMissing {
    double mean = 0, threshold = 0;
  };
  std::optional<WithMissing> with_missing;  // none if nobody was missing, or without a threshold
  std::vector<std::string> on_the_way;  // messages of the round that had not arrived when it ended
};

/// Throws FileError if the folder can't be read or belongs to a version with other results, and
/// std::invalid_argument if it has no such run or no such round that compares cells.
Inspection inspect_round(const std::filesystem::path& folder, const InspectOptions& options);

}  // namespace posse
