// SPDX-License-Identifier: Apache-2.0
// Reproduction of a paper's figure: runs its scenario, judges the claims, draws the plots and
// reports differences between paper and measurement with their reasons.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/results/execution.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// Where the shipped scenarios are: POSSE_SCENARIOS if set, else in the data folder
/// (program/base/data_folder.hpp). Throws FileError if there is none.
std::filesystem::path scenarios_folder();

/// True if the override gives the path of a data file that some figure needs.
bool names_data(const Override& assignment);
/// True if this figure needs it.
bool names_data(const Override& assignment, const PaperFigure& figure);

/// False if the figure needs data that are neither beside its scenario nor given by an override.
bool has_data(const PaperFigure& figure, const std::vector<Override>& overrides);

/// A message that names the missing file and where to put it.
std::string missing_data_text(const PaperFigure& figure);

/// A figure's overrides: its own, those of a quick run if requested, then `overrides`.
std::vector<Override> overrides_of(const PaperFigure& figure,
                                   bool quick,
                                   const std::vector<Override>& overrides);

/// The file of the figure's scenario. Throws FileError.
std::string scenario_file(const PaperFigure& figure);

/// The figure's scenario with its own overrides, those of a quick run if requested, then
/// `overrides`; only with the algorithms that the figure shows.
Scenario load_figure(const PaperFigure& figure,
                     bool quick,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics);

struct ClaimResult {
  Claim claim;
  Judgement judgement;
};

struct Reproduction {
  const PaperFigure* figure = nullptr;
  bool quick = false;
  std::uint32_t repetitions = 0;
  double wall_s = 0;
  ExitCode exit_code = ExitCode::ok;  // of the runs, independent of the verdicts
  int signal = 0;
  std::vector<ClaimResult> claims;
  std::filesystem::path folder;
  std::vector<std::string> plots;  // paths in the folder

  std::size_t count(Verdict verdict) const;
};

/// Runs the scenario and writes a run folder as `run` does, with reproduce.json and plots/ in it.
/// Throws FileError (or std::filesystem::filesystem_error) if that can't be written.
Reproduction reproduce(const PaperFigure& figure,
                       const Scenario& scenario,
                       bool quick,
                       const std::filesystem::path& out,
                       const ExecutionOptions& options);

/// Runs a figure with several settings: its runs go into a store, `out`/NAME, with reproduce.json
/// and plots/ in it; runs that are there already are not made again. Throws as reproduce() does.
Reproduction reproduce_sweep(const PaperFigure& figure,
                             const SweepPlan& plan,
                             bool quick,
                             const std::filesystem::path& out,
                             const ExecutionOptions& options);

/// As text.
std::string to_text(const Reproduction& reproduction);
/// reproduce.json: without times, so that equal runs give equal files.
std::string to_json(const Reproduction& reproduction);
/// A line per figure, for several of them.
std::string overview(const std::vector<Reproduction>& reproductions);

/// The list of figures: names, numbers, summaries.
std::string figures_page();
/// One figure: paper, scenario, claims, notes.
std::string figure_page(const PaperFigure& figure);

}  // namespace posse
