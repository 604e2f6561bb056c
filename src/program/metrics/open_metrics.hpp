// SPDX-License-Identifier: Apache-2.0
// A scenario's runs as OpenMetrics 1.0 text: as they are, for a scrape; or metrics.om, with virtual
// time stamps, from which `promtool tsdb create-blocks-from openmetrics` makes a history for
// Prometheus.
//
// In metrics.om a run begins at 1970-01-01 00:00:00 and a virtual second is a second. Counters
// begin with 0; at the end of the run all series have their final values, the same as live metrics.
// In between:
//   rounds, bytes and values of rounds, phases, active cells   at the ends of rounds
//   round durations                                            at some of them (Checkpoints)
//   evaluations, regrets                                       along the regret curve
//   faults of the scenario                                     when they begin and end
//   arms, up to 64                                             along their curves
// Evaluations along the curve are those that every client has made: some may be ahead. Rounds are
// written one by one up to 250, then thinned as regret curves are. Long runs don't keep all rows of
// the rounds table: phases and durations stop where gaps begin, until the end.
//
// Time stamps have milliseconds, Prometheus' resolution; of several values in the same millisecond
// the last one stays. At most kMostRunsWithSeries runs are written, see runs_with_series.
// Cost: O(what is written) time; beyond the results, memory for one run's points of one metric.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "program/run/run_view.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

inline constexpr std::string_view kOpenMetricsContentType =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// For a scrape, without time stamps.
std::string open_metrics_text(const ScenarioView& view);

/// metrics.om. The caller checks the state of the stream.
void write_open_metrics(std::ostream& out, const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
