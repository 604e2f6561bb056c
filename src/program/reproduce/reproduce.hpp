// A figure of a paper run again: its claims judged, its plots drawn, told with where and why paper
// and measurement part.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/results/execution.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// Where the shipped scenarios are: POSSE_SCENARIOS if set, else ../share/posse/scenarios beside
/// the executable if it is installed, else the source tree that it was built from. Throws FileError
/// if there is none.
std::filesystem::path scenarios_folder();

/// The assignment says where the data are that aren't shipped.
bool names_data(const Override& assignment);

/// False if the figure needs data that aren't shipped, and neither lie beside its scenario nor are
/// named by an override.
bool has_data(const PaperFigure& figure, const std::vector<Override>& overrides);

/// What is missing then, for people: which file, and where it may be.
std::string missing_data_text(const PaperFigure& figure);

/// The figure's scenario with its own assignments, those of a quick run if asked for, then
/// `overrides`, and only the algorithms that it shows.
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
  ExitCode exit_code = ExitCode::ok;  // of the runs, whatever the verdicts
  int signal = 0;
  std::vector<ClaimResult> claims;
  std::filesystem::path folder;
  std::vector<std::string> plots;  // names in the folder

  std::size_t count(Verdict verdict) const;
};

/// Runs the scenario and writes a run folder as `run` does, with reproduce.json and plots/ in it.
/// Throws FileError (or std::filesystem::filesystem_error) if that can't be written.
Reproduction reproduce(const PaperFigure& figure,
                       const Scenario& scenario,
                       bool quick,
                       const std::filesystem::path& out,
                       const ExecutionOptions& options);

/// For people.
std::string to_text(const Reproduction& reproduction);
/// reproduce.json: without times, so that equal runs give equal files.
std::string to_json(const Reproduction& reproduction);
/// A line per figure, for several of them.
std::string overview(const std::vector<Reproduction>& reproductions);

/// What there is to reproduce: names, figures, summaries.
std::string figures_page();
/// One figure: paper, scenario, claims, notes.
std::string figure_page(const PaperFigure& figure);

}  // namespace posse
