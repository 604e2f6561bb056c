// SPDX-License-Identifier: Apache-2.0
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
  std::vector<std::string> sources;  // run folders and stores
  std::string kind;                  // empty: all kinds with data
  std::string algorithm;             // for kinds about one algorithm; empty: the first
  std::string out;                   // the picture, or without a kind a folder
  bool local = false, logarithmic = false;
  Band band = Band::interval;
  std::optional<double> regret;  // for kinds about the time to a regret
  // For kinds over settings: keys, names of quantities, an algorithm.
  std::string x, y, measure, cost, against;
  std::vector<std::string> where;  // "KEY=VALUE"
  // For the kind `sequence`, which runs the run again:
  std::optional<std::uint32_t> repetition;
  std::string from, until, rounds;  // times, and rounds as "3" or "2..5"
  ExecutionOptions execution;
  // How it looks.
  std::string width, font_size;  // "3.3in", "8pt"
  bool no_title = false, pdf = false;
  bool json = false;  // print the files as JSON
};

/// All kinds, in the order of their help.
const std::vector<PlotKind>& picture_kinds();

/// Writes the pictures and prints their paths; usage errors are printed on standard error. Throws
/// FileError for unreadable runs, runs without data, and files that can't be written. Signals must
/// be caught already (signals.hpp).
ExitCode plot_runs(const PlotRequest& request);

}  // namespace posse
