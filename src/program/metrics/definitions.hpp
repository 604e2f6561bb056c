// SPDX-License-Identifier: Apache-2.0
// The metrics that Posse exports in Prometheus' format: name, type, labels, help. Scrapes, pushes
// and metrics.om all use this table.
//
// Names follow Prometheus' conventions: prefix posse_, base units at the end, _total for counters.
// No label has values whose number grows with a run: message ids, rounds, cells, time stamps.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace posse {

enum class MetricType { counter, gauge, histogram };

constexpr std::string_view to_string(MetricType type) {
  switch (type) {
    case MetricType::counter:
      return "counter";
    case MetricType::gauge:
      return "gauge";
    case MetricType::histogram:
      return "histogram";
  }
  return "?";
}

/// In the order in which they are written.
enum class Metric {
  build_info,
  run_info,
  runs,
  runs_active,
  evaluations,
  rounds,
  messages_sent,
  messages_delivered,
  messages_dropped,
  messages_late,
  messages_retransmitted,
  messages_needless,
  messages_duplicated,
  messages_in_flight,
  message_bytes,
  message_payload,
  message_values,
  round_bytes,
  round_values,
  message_latency,
  round_duration,
  round_phase,
  cumulative_regret,
  simple_regret,
  client_cumulative_regret,
  bound_value,
  bound_headroom,
  active_cells,
  tree_depth,
  optimum_eliminated,
  arm_pulls,
  arm_confidence_bound,
  arm_best_value,
  virtual_time,
  wall_time,
  events,
  event_queue_length,
};

struct MetricDefinition {
  Metric metric{};
  std::string_view name;
  MetricType type = MetricType::gauge;
  std::string_view unit;                   // seconds, bytes, ratio; "" for counts and pure numbers
  std::array<std::string_view, 4> labels;  // names; empty ones at the end
  std::string_view help;                   // one sentence, with the unit

  std::size_t label_count() const {
    std::size_t n = 0;
    while (n < labels.size() && !labels[n].empty()) ++n;
    return n;
  }
};

/// One for each Metric, in its order.
std::span<const MetricDefinition> metric_definitions();
const MetricDefinition& definition_of(Metric metric);

/// A count as a sample's value: Prometheus has floating-point numbers only.
inline double as_real(std::uint64_t count) { return static_cast<double>(count); }

}  // namespace posse
