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

/// How a figure is run: with few repetitions and small budgets; with its wrong parameter.
struct FigureMode {
  bool quick = false, wrong = false;
};

/// True if the override gives the path of the data file that the figure needs.
bool names_data(const Override& assignment, const PaperFigure& figure);

/// False if the figure needs data that are neither beside its scenario nor given by an override.
bool has_data(const PaperFigure& figure, const std::vector<Override>& overrides);

/// A message that names the missing file and where to put it.
std::string missing_data_text(const PaperFigure& figure);

/// A figure's overrides: its own, those of a quick run and the wrong ones if requested, then
/// `overrides`.
std::vector<Override> overrides_of(const PaperFigure& figure,
                                   FigureMode mode,
                                   const std::vector<Override>& overrides);

/// Whether the figure's scenario has [sweep], after the overrides: then it is for load_sweep, else
/// for load_figure. False if it can't be read.
bool has_sweep(const PaperFigure& figure, FigureMode mode, const std::vector<Override>& overrides);

/// The figure's scenario with these overrides; only with the algorithms that the figure shows. What
/// its claims name and the scenario lacks is a mistake, too.
Scenario load_figure(const PaperFigure& figure,
                     FigureMode mode,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics);
/// The settings of a figure, in the same way.
SweepPlan load_sweep(const PaperFigure& figure,
                     FigureMode mode,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics);

/// Reads every figure's scenario, also for a quick run, and reports each mistake once. Returns the
/// names of figures whose data are missing: they are not checked.
std::vector<std::string> check_scenarios(const Paper& paper,
                                         const std::vector<Override>& overrides,
                                         Diagnostics& diagnostics);

struct ClaimResult {
  Claim claim;
  Judgement judgement;
};

struct Reproduction {
  const PaperFigure* figure = nullptr;
  FigureMode mode;
  std::uint32_t repetitions = 0;
  double wall_s = 0;                  // of all its runs, also of those that were there before
  bool keeps_runs = false;            // repeated with more repetitions, it makes only the new ones
  ExitCode exit_code = ExitCode::ok;  // of the runs, independent of the verdicts
  int signal = 0;
  std::vector<ClaimResult> claims;
  std::filesystem::path folder;
  std::vector<std::string> plots;  // paths in the folder

  std::size_t count(Verdict verdict) const;
  /// How many repetitions are likely to decide all that more repetitions can decide; nothing if
  /// there is nothing to decide.
  std::optional<std::uint32_t> repetitions_needed() const;
  /// About how long it takes, from now, to have so many repetitions; in seconds.
  double seconds_to(std::uint32_t more_repetitions) const;
};

/// Runs the scenario and writes a run folder as `run` does, with reproduce.json and plots/ in it.
/// Throws FileError (or std::filesystem::filesystem_error) if that can't be written.
Reproduction reproduce(const PaperFigure& figure,
                       const Scenario& scenario,
                       FigureMode mode,
                       const std::filesystem::path& out,
                       const ExecutionOptions& options);

/// Runs a figure with several settings: its runs go into a store, `out`/NAME, with reproduce.json
/// and plots/ in it; runs that are there already are not made again. Throws as reproduce() does.
Reproduction reproduce_sweep(const PaperFigure& figure,
                             const SweepPlan& plan,
                             FigureMode mode,
                             const std::filesystem::path& out,
                             const ExecutionOptions& options);

/// What was measured, and what would decide it: "…; about 40 repetitions would decide it".
std::string measured_text(const Judgement& judgement);
/// As text.
std::string to_text(const Reproduction& reproduction);
/// reproduce.json: without times, so that equal runs give equal files.
std::string to_json(const Reproduction& reproduction);
/// A line per figure, for several of them.
std::string overview(const std::vector<Reproduction>& reproductions);

/// The list of figures: names, numbers, summaries; and what was left out.
std::string figures_page(const std::vector<Paper>& papers);
/// One figure: paper, scenario, claims, notes.
std::string figure_page(const PaperFigure& figure);

}  // namespace posse
