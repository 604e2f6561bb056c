// SPDX-License-Identifier: Apache-2.0
// `posse plot RUN… [--kind KIND]`: selects runs, kinds and output files.
#pragma once

#include <string>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/plot/picture_kinds.hpp"

namespace posse {

/// The flags.
struct PlotRequest {
  std::vector<std::string> sources;  // run folders and stores
  DrawingRequest drawing;
  std::string out;                 // the picture, or without a kind a folder
  std::vector<std::string> where;  // "KEY=VALUE"
  // How it looks.
  std::string width, font_size;  // "3.3in", "8pt"
  bool no_title = false, pdf = false;
  bool json = false;  // print the files as JSON
};

/// Writes the pictures and prints their paths; usage errors are printed on standard error. Throws
/// FileError for unreadable runs, runs without data, and files that can't be written. Signals must
/// be caught already (signals.hpp).
ExitCode plot_runs(const PlotRequest& request);

}  // namespace posse
