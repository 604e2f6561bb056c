// `posse plot RUN… [--kind KIND]`: which pictures, of which runs, into which files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/plot/kinds.hpp"

namespace posse {

/// The flags.
struct PlotRequest {
  std::vector<std::string> runs;  // folders
  std::string kind;               // empty: all that there is data for
  std::string algorithm;          // whose arms; empty: the first one's
  std::string out;                // the SVG, or without a kind a folder
  bool local = false, logarithmic = false;
  std::optional<double> regret;  // for kinds about the time to a regret
};

/// Kinds of one run, then those of several.
const std::vector<PlotKind>& picture_kinds();

/// Writes the pictures and prints their paths; what is wrong with the request is said on standard
/// error. Throws FileError for runs that can't be read or have no data, and files that can't be
/// written.
ExitCode plot_runs(const PlotRequest& request);

}  // namespace posse
