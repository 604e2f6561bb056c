// `posse plot RUN… [--kind KIND]`: selects runs, kinds and output files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/plot/kinds.hpp"

namespace posse {

/// The flags.
struct PlotRequest {
  std::vector<std::string> runs;  // folders
  std::string kind;               // empty: all kinds with data
  std::string algorithm;          // for kinds about arms; empty: the first
  std::string out;                // the SVG, or without a kind a folder
  bool local = false, logarithmic = false;
  std::optional<double> regret;  // for kinds about the time to a regret
  // For sequence: from a round to a round, both included; the repetition.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> rounds = std::nullopt;
  std::optional<std::uint32_t> repetition = std::nullopt;
};

/// Kinds of one run, then those of several.
const std::vector<PlotKind>& picture_kinds();

/// Writes the pictures and prints their paths; usage errors are printed on standard error. Throws
/// FileError for unreadable runs, runs without data, and files that can't be written.
ExitCode plot_runs(const PlotRequest& request);

}  // namespace posse
