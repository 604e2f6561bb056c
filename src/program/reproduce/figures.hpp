// The papers' figures: what each claims, the shipped scenario that answers, and why the two part
// where they do. One row per figure; `posse reproduce` and `posse list figures` read them here.
//
// Adding one: a scenario below scenarios/papers, a row here, nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/plot/kinds.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

struct PaperFigure {
  std::string_view name;                // "fed-pne-fig2a-garland"
  std::string_view paper;               // citation
  std::string_view number;              // as the paper numbers it: "Figure 2(a)"
  std::string_view summary;             // one line
  std::string_view scenario;            // below scenarios/
  std::vector<std::string_view> set;    // assignments on top of the scenario, as with --set
  std::vector<std::string_view> only;   // the labels that it shows; all if empty
  std::vector<std::string_view> quick;  // assignments for a smaller run; always repeat = 3
  std::string_view data;  // a file beside the scenario that isn't shipped; "" for none. Another
                          // place for it is --set 'objective.file="…"'
  std::vector<PlotOptions> plots;  // the figure first
  std::vector<Claim> claims;
  std::vector<std::string_view> notes;  // where paper and measurement part, and why
};

/// In the papers' order.
const std::vector<PaperFigure>& paper_figures();
const PaperFigure* find_figure(std::string_view name);

}  // namespace posse
