// SPDX-License-Identifier: Apache-2.0
// The figures of a paper: claims, the scenario that tests them, and the reasons for differences.
// They are data, from a claims file (claims_file.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/plot/kinds.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

/// A file that isn't shipped.
struct FigureData {
  std::string file;  // beside the scenario; "": the figure needs none
  std::string key;   // that names it: "objective.file"
  std::string kind;  // whose description says where it is from; may be empty
};

struct PaperFigure {
  std::string name;                // "fed-pne-fig2a-garland"
  std::string paper;               // citation
  std::string number;              // as the paper numbers it: "Figure 2(a)"
  std::string summary;             // one line
  std::string scenario;            // its path as shown; of a shipped figure in scenarios/
  std::string file;                // its path
  bool shipped = false;            // with Posse
  std::vector<std::string> set;    // overrides of the scenario, as with --set
  std::vector<std::string> only;   // the labels shown; empty: all
  std::vector<std::string> quick;  // overrides for a smaller run; always repeat = 3
  std::vector<std::string> wrong;  // overrides with which some verdict must be another
  std::string unknown;             // what of the setting the paper doesn't state; else empty
  FigureData data = {};
  std::vector<PlotOptions>
      plots;  // the paper's figure first; those of a sweep follow from its claims
  std::vector<Claim> claims;
  std::vector<std::string> notes;  // differences between paper and measurement, and their reasons
  Value source;                    // its table in the claims file
  std::string path;                // of this table: "figure.0"
};

/// What of a paper has no figure, and why.
struct LeftOut {
  std::string what, why;
};

struct Paper {
  std::string citation;
  std::vector<PaperFigure> figures;
  std::vector<LeftOut> left_out;
};

const PaperFigure* find_figure(const std::vector<Paper>& papers, std::string_view name);

}  // namespace posse
