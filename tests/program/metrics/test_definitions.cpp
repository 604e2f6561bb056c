// SPDX-License-Identifier: Apache-2.0
#include <prometheus/check_names.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "program/metrics/definitions.hpp"

namespace test_definitions {

using namespace posse;

namespace {

std::string labels_of(const MetricDefinition& definition) {
  std::string text;
  for (std::size_t i = 0; i < definition.label_count(); ++i)
    text += (i == 0 ? "" : " ") + std::string(definition.labels[i]);
  return text;
}

}  // namespace

TEST_CASE("every metric that is promised is there, with its type and labels") {
  std::istringstream promised(R"(
posse_build_info gauge version commit
posse_run_info gauge run algorithm objective seed
posse_runs_total counter outcome
posse_runs_active gauge
posse_evaluations_total counter run algorithm
posse_rounds_total counter run algorithm
posse_messages_sent_total counter run type direction
posse_messages_delivered_total counter run type direction
posse_messages_dropped_total counter run cause
posse_messages_late_total counter run
posse_messages_retransmitted_total counter run
posse_messages_needless_total counter run
posse_messages_duplicated_total counter run
posse_messages_in_flight gauge run
posse_message_bytes_total counter run type direction
posse_message_latency_seconds histogram run direction
posse_round_duration_seconds histogram run
posse_round_phase_seconds_total counter run phase
posse_cumulative_regret gauge run algorithm scope
posse_simple_regret gauge run algorithm scope
posse_client_cumulative_regret gauge run algorithm client
posse_bound_value gauge run quantity kind
posse_bound_headroom_ratio gauge run quantity kind
posse_active_cells gauge run
posse_tree_depth gauge run
posse_optimum_eliminated_total counter run
posse_arm_pulls_total counter run arm
posse_arm_confidence_bound gauge run arm
posse_arm_best_value gauge run arm
posse_virtual_time_seconds gauge run
posse_wall_time_seconds gauge run
posse_events_total counter run
posse_event_queue_length gauge run
)");
  std::map<std::string, std::string> known;
  for (const auto& definition : metric_definitions())
    known[std::string(definition.name)] =
        std::string(to_string(definition.type)) + ' ' + labels_of(definition);
  std::string line;
  std::getline(promised, line);
  while (std::getline(promised, line)) {
    const auto space = line.find(' ');
    auto rest = line.substr(space + 1);
    if (rest.find(' ') == std::string::npos) rest += ' ';  // without labels
    CHECK(known[line.substr(0, space)] == rest);
    known.erase(line.substr(0, space));
  }
  // What is there besides.
  CHECK(known.size() == 4);
  CHECK(known.contains("posse_message_payload_bytes_total"));
  CHECK(known.contains("posse_message_values_total"));
  CHECK(known.contains("posse_round_bytes_total"));
  CHECK(known.contains("posse_round_values_total"));
}

TEST_CASE("metrics keep to Prometheus' conventions") {
  std::set<std::string_view> names;
  for (const auto& definition : metric_definitions()) {
    const std::string name(definition.name);
    INFO(name);
    CHECK(&definition_of(definition.metric) == &definition);
    CHECK(names.insert(definition.name).second);
    CHECK(name.starts_with("posse_"));
    CHECK(prometheus::CheckMetricName(name));
    CHECK(name.ends_with("_total") == (definition.type == MetricType::counter));
    if (!definition.unit.empty()) {
      const auto base = name.substr(0, name.size() - (name.ends_with("_total") ? 6 : 0));
      CHECK(base.ends_with("_" + std::string(definition.unit)));
    }
    for (const auto* unit : {"seconds", "bytes", "ratio"})
      if (name.find(std::string("_") + unit) != std::string::npos) CHECK(definition.unit == unit);
    CHECK_FALSE(definition.help.empty());
    CHECK(definition.help.back() == '.');
    for (std::size_t i = 0; i < definition.label_count(); ++i) {
      const std::string label(definition.labels[i]);
      CHECK(prometheus::CheckLabelName(label));
      static const std::set<std::string> unbounded{"id", "message", "round", "cell", "time", "le"};
      CHECK_FALSE(unbounded.contains(label));
    }
  }
}

}  // namespace test_definitions
