// SPDX-License-Identifier: Apache-2.0
// All that can be drawn of runs: the kinds of curves (kinds.hpp), and those over settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/plot/drawing.hpp"
#include "program/plot/drawn_runs.hpp"
#include "program/plot/kinds.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/results/execution.hpp"

namespace posse {

/// What is drawn, as flags and programs ask for it.
struct DrawingRequest {
  std::string kind;  // empty: all kinds with data
  /// For kinds about one algorithm: empty is the first. Else "a,b" or "fed-*"; empty is all.
  std::string algorithm;
  bool local = false, logarithmic = false;
  Band band = Band::interval;
  std::optional<double> regret;  // for kinds about the time to a regret
  // For kinds over settings: keys, names of quantities, an algorithm.
  std::string x, y, measure, cost, against;
  // Panels, for each value of a key, each "algorithm" or each "measure".
  std::string columns, rows;
  // For the kind `sequence`, which runs the run again:
  std::optional<std::uint32_t> repetition;
  std::string from, until, rounds;  // times, and rounds as "3" or "2..5"
  ExecutionOptions execution;
  std::size_t most_lines = kMostLines;  // of a picture without panels
};

/// All kinds, in the order of their help.
const std::vector<PlotKind>& picture_kinds();

/// Throws std::invalid_argument for a kind that isn't there, and for what it doesn't take.
void check_request(const DrawingRequest& request);
/// False for kinds whose pictures have a style of their own.
bool has_style(const std::string& kind);

/// The requested kind. Throws FileError if the runs have no data for it, and std::invalid_argument
/// as check_request() does, and for algorithms, keys and measures that the runs don't have.
Drawing draw(const DrawingRequest& request, DrawnRuns& runs);
/// All kinds with data, with all that they can show without being asked. Throws FileError if there
/// are none.
struct AllDrawings {
  std::vector<Drawing> drawings;
  bool too_many_lines = false;  // of a kind that is left out
};
AllDrawings draw_all(const DrawingRequest& request, DrawnRuns& runs);

}  // namespace posse
