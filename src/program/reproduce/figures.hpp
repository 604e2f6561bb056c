// SPDX-License-Identifier: Apache-2.0
// The papers' figures: claims, the shipped scenario that tests them, and the reasons for
// differences. One row per figure, for `posse reproduce` and `posse list figures`.
//
// A new figure is a scenario in scenarios/papers and a row in figures.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/plot/kinds.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

/// A file that isn't shipped.
struct FigureData {
  std::string_view file;  // beside the scenario; "": the figure needs none
  std::string_view key;   // that names it: "objective.file"
  std::string_view kind;  // whose description says where it is from
};

struct PaperFigure {
  std::string_view name;                // "fed-pne-fig2a-garland"
  std::string_view paper;               // citation
  std::string_view number;              // as the paper numbers it: "Figure 2(a)"
  std::string_view summary;             // one line
  std::string_view scenario;            // path in scenarios/
  std::vector<std::string_view> set;    // overrides of the scenario, as with --set
  std::vector<std::string_view> only;   // the labels shown; empty: all
  std::vector<std::string_view> quick;  // overrides for a smaller run; always repeat = 3
  bool sweep = false;                   // the scenario has several settings, in [sweep]
  FigureData data = {};
  std::vector<PlotOptions> plots;  // the paper's figure first
  std::vector<Claim> claims;
  std::vector<std::string_view>
      notes;  // differences between paper and measurement, and their reasons
};

/// What of the papers has no row, and why.
struct LeftOut {
  std::string_view paper, what, why;
};
const std::vector<LeftOut>& left_out();

/// In the papers' order.
const std::vector<PaperFigure>& paper_figures();
const PaperFigure* find_figure(std::string_view name);

}  // namespace posse
