// Latencies from CSV: samples (`kind = "empirical"`) and pairs of nodes (`kind = "matrix"`).
#pragma once

#include <string_view>
#include <vector>

#include "core/network/config.hpp"

namespace posse {

/// One column, headed latency_s, latency_ms, latency_us or latency_ns. Throws InputError.
std::vector<Duration> parse_latency_samples(std::string_view csv_text);
/// Columns from, to and a latency as above; one row per ordered pair of nodes. Throws InputError.
LatencyMatrix parse_latency_matrix(std::string_view csv_text);

}  // namespace posse
