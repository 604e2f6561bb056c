// A run's plain counters as metric samples: the one place that decides what each metric counts.
//
// What is exposed, pushed and written to metrics.om all comes from here. Every series of a run is
// there from the start, with 0, so that rates are right from the first scrape; arms have series as
// soon as the run knows their names. Where nothing is known yet although the run has begun (the
// simple regret before the first recommendation) the value is NaN.
//
// How many series there are doesn't grow with the run: clients and arms have series of their own up
// to 64, above that `min`, `median` and `max` over them; at most kMostRunsWithSeries runs have any.
// Cost: O(series + arms + recorded cells) per run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/duration_histogram.hpp"
#include "core/base/time.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "program/metrics/definitions.hpp"
#include "program/run/run_view.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct MetricSample {
  Metric metric{};
  std::vector<std::string> labels;  // values, in the order of the definition's names
  std::variant<double, DurationHistogram> value = 0.0;

  double number() const { return std::get<double>(value); }
};

/// A run under way or over, as samples are made from it. Points into what it was made from.
struct RunFacts {
  std::string id;
  std::size_t algorithm = 0;  // index in the scenario
  RunState state = RunState::waiting;
  const RunOutcome* outcome = nullptr;
  Time now;
  std::uint64_t queued_events = 0;
  std::span<const Measurement> measurements;  // when it is over
  double wall_s = 0;
};
RunFacts facts_of(const RunView& view);
RunFacts facts_of(const Scenario& scenario, const RunRecord& record);

/// At most so many runs have series at one time.
inline constexpr std::size_t kMostRunsWithSeries = 100;
/// The positions, increasing, of the runs that have series: those under way, then the last of those
/// that are over, then the first of those that wait. "First" and "last" as the runs are listed.
std::vector<std::size_t> runs_with_series(std::span<const RunState> states);

/// Of one run, metric by metric in the order of the definitions.
std::vector<MetricSample> run_samples(const Scenario& scenario, const RunFacts& run);
/// What is said of all runs together: the build, runs by outcome, runs under way.
std::vector<MetricSample> overall_samples(std::span<const RunFacts> runs);

/// How far a measured value is from its bound, as a ratio that is at least 1 where the bound holds:
/// bound / measured for upper bounds, measured / bound for lower ones. A bound that must be met
/// exactly gives 1 or 0, as do values below 0, of which ratios say nothing.
double headroom_ratio(double measured, const Bound& bound);

}  // namespace posse
