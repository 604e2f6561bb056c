// SPDX-License-Identifier: Apache-2.0
// Properties of links from CSV: samples of latencies (`kind = "empirical"`), latencies of pairs of
// nodes (`kind = "matrix"`), and traces of latencies, factors and rates over virtual time.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/network/config.hpp"

namespace posse {

/// One column, headed latency_s, latency_ms, latency_us or latency_ns, or duration_s and so on.
/// Throws InputError.
std::vector<Duration> parse_latency_samples(std::string_view csv_text);
/// Columns from, to and a latency as in parse_latency_samples; one row per ordered pair of nodes.
/// Or a column moment before these, and a row per moment and pair, moments from 0 on. Throws
/// InputError.
LatencyMatrix parse_latency_matrix(std::string_view csv_text);

/// Columns virtual_s and a latency as in parse_latency_samples. Times begin at 0 and ascend; with a
/// period, they end with it at the latest. Throws InputError, for the period with the parameter
/// `period`.
StepTrace<Duration> parse_latency_trace(std::string_view csv_text, std::optional<Duration> period);
/// Columns virtual_s and factor, above 0; times and errors as in parse_latency_trace.
StepTrace<double> parse_factor_trace(std::string_view csv_text, std::optional<Duration> period);
/// Columns virtual_s and bits_per_second, a whole number, not 0 for ever; times and errors as in
/// parse_latency_trace.
RateTrace::Steps parse_rate_trace(std::string_view csv_text, std::optional<Duration> period);

}  // namespace posse
