// SPDX-License-Identifier: Apache-2.0
// A picture as panels: for each value of a key, each algorithm, each measure.
#pragma once

#include "program/plot/drawing.hpp"
#include "program/plot/drawn_runs.hpp"
#include "program/plot/picture_kinds.hpp"

namespace posse {

/// What --columns and --rows call panels by measure.
inline constexpr const char* kMeasures = "measure";

/// A kind of charts that may be divided.
struct Divisible {
  MaybeDrawing (*make)(const DrawingRequest&, DrawnRuns&);
  bool by_measure = false;  // it shows a measure, and may have a panel for each of several
  bool over_key = false;    // its x axis is a key
};

/// Whether there is no picture since it would have too many lines.
bool is_too_many(const MaybeDrawing& made);

/// Panels for the columns and rows that the request names.
MaybeDrawing in_panels(const Divisible& kind, const DrawingRequest& request, DrawnRuns& runs);

/// Panels by the keys that make the fewest; where none do, one picture with names for the lowest
/// lines. `made`: why there is no picture; the request has its x.
MaybeDrawing less_crowded(const Divisible& kind,
                          const DrawingRequest& request,
                          DrawnRuns& runs,
                          MaybeDrawing made);

}  // namespace posse
