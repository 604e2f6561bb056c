// `posse plot RUN… [--kind KIND]`: selects runs, kinds and output files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/plot/kinds.hpp"
#include "program/results/execution.hpp"

namespace posse {

/// The flags.
struct PlotRequest {
  std::vector<std::string> runs;  // folders
  std::string kind;               // empty: all kinds with data
  std::string algorithm;          // for kinds about one algorithm; empty: the first
  std::string out;                // the SVG, or without a kind a folder
  bool local = false, logarithmic = false;
  std::optional<double> regret;  // for kinds about the time to a regret
  // For the kind `sequence`, which runs the run again:
  std::optional<std::uint32_t> repetition;
  std::string from, until, rounds;  // times, and rounds as "3" or "2..5"
  ExecutionOptions execution;
};

/// Kinds of one run, then those of several.
const std::vector<PlotKind>& picture_kinds();

/// Writes the pictures and prints their paths; usage errors are printed on standard error. Throws
/// FileError for unreadable runs, runs without data, and files that can't be written. Signals must
/// be caught already (signals.hpp).
ExitCode plot_runs(const PlotRequest& request);

}  // namespace posse
