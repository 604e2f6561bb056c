// SPDX-License-Identifier: Apache-2.0
// The kinds of plots of a single run.
//
// Regret per client, cumulative or simple, against evaluations, rounds, bytes or virtual time;
// communication against evaluations; the arms of a functional bandit: pulls of each, and each one's
// value with its lower confidence bound; final regret against bytes, with the Pareto
// front. Lines are means over the finished repetitions with a band; runs that have not finished
// have lines of their own. Lines are steps where a simple regret, rounds or bytes jump.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/plot/chart.hpp"
#include "program/results/run_data.hpp"

namespace posse {

enum class Scope { global, local };  // against the maximum of the mean, or each client's own

struct PlotKind {
  std::string name, summary;
};
const std::vector<PlotKind>& plot_kinds();

struct PlotOptions {
  std::string kind;  // one of plot_kinds()
  Scope scope = Scope::global;
  bool logarithmic = false;  // both axes, for regrets; some kinds are always logarithmic
  std::string algorithm;     // label, for kinds about arms; empty: the first algorithm
  Band band = Band::interval;
  std::size_t cost = *quantity_named("payload_bytes");  // in kQuantities; of Pareto charts
};

/// Nothing if the run has no data for it (no evaluations, messages or rounds).
std::optional<Chart> make_plot(const RunData& run, const PlotOptions& options);

/// What pages show: all kinds of lines that the run has data for; local regrets where they differ
/// from the global ones.
std::vector<Chart> page_charts(const RunData& run);

/// "quickstart: garland (shift), uniform noise", for subtitles.
std::string problem_text(const RunData& run);

}  // namespace posse
