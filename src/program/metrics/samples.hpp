// SPDX-License-Identifier: Apache-2.0
// A run's plain counters as metric samples: the definition of what each metric counts, for scrapes,
// pushes and metrics.om.
//
// Every series of a run exists from the start with value 0, so that rates are right from the first
// scrape; arms have series once the run knows their names. A value that is undefined in a started
// run (the simple regret before the first recommendation) is NaN.
//
// The number of series does not grow during a run: up to 64 clients or arms have series of their
// own, above that there are `min`, `median` and `max`; at most kMostRunsWithSeries runs have any.
// Cost: O(series + arms + recorded cells) per run.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/base/duration_histogram.hpp"
#include "core/role/measurement.hpp"
#include "program/metrics/definitions.hpp"
#include "program/run/run_view.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct MetricSample {
  Metric metric{};
  std::vector<std::string> labels;  // values, in the order of the definition's names
  std::variant<double, DurationHistogram> value = 0.0;

  double number() const { return std::get<double>(value); }
};

/// Largest number of runs with series at a time.
inline constexpr std::size_t kMostRunsWithSeries = 100;
/// The increasing positions of the runs with series: those in progress, then the last ended ones,
/// then the first waiting ones. "First" and "last" as the runs are listed.
std::vector<std::size_t> runs_with_series(const ScenarioView& view);

/// Samples of one run, in the order of the definitions.
std::vector<MetricSample> run_samples(const Scenario& scenario, const RunView& run);
/// Samples over all runs: the build, runs by outcome, active runs.
std::vector<MetricSample> overall_samples(const ScenarioView& view);
/// These, and those of each run that has series, in the order of the definitions.
std::vector<MetricSample> all_samples(const ScenarioView& view);

/// The ratio of a bound and a measured value, at least 1 where the bound holds: bound / measured
/// for upper bounds, measured / bound for lower ones. Identities give 1 or 0, as do negative
/// values, for which a ratio is meaningless.
double headroom_ratio(double measured, const Bound& bound);

}  // namespace posse
