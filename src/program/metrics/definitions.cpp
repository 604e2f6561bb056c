// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/definitions.hpp"

#include <cstddef>

namespace posse {
namespace {

using enum MetricType;

constexpr std::string_view kSeconds = "seconds", kBytes = "bytes";

// clang-format off
constexpr std::array kDefinitions{
    MetricDefinition{Metric::build_info, "posse_build_info", gauge, "", {"version", "commit"},
        "Version and commit of Posse; always 1."},
    MetricDefinition{Metric::run_info, "posse_run_info", gauge, "",
        {"run", "algorithm", "objective", "seed"},
        "Objective and seed of each run that has series; always 1."},
    MetricDefinition{Metric::runs, "posse_runs_total", counter, "", {"outcome"},
        "Runs that have ended, including those without series."},
    MetricDefinition{Metric::runs_active, "posse_runs_active", gauge, "", {},
        "Runs in progress, including paused ones."},
    MetricDefinition{Metric::evaluations, "posse_evaluations_total", counter, "",
        {"run", "algorithm"}, "Evaluations of all clients, or pulls of all arms."},
    MetricDefinition{Metric::rounds, "posse_rounds_total", counter, "", {"run", "algorithm"},
        "Complete rounds, as the algorithm's paper counts them."},
    MetricDefinition{Metric::messages_sent, "posse_messages_sent_total", counter, "",
        {"run", "type", "direction"}, "Messages sent: first transmissions only."},
    MetricDefinition{Metric::messages_delivered, "posse_messages_delivered_total", counter, "",
        {"run", "type", "direction"}, "Messages delivered to their receivers."},
    MetricDefinition{Metric::messages_dropped, "posse_messages_dropped_total", counter, "",
        {"run", "cause"},
        "Copies of messages that the network dropped."},
    MetricDefinition{Metric::messages_late, "posse_messages_late_total", counter, "", {"run"},
        "Messages delivered after their round's deadline or quorum, too late to be used."},
    MetricDefinition{Metric::messages_retransmitted, "posse_messages_retransmitted_total", counter,
        "", {"run"}, "Retransmissions by the reliable transport."},
    MetricDefinition{Metric::messages_needless, "posse_messages_needless_total", counter,
        "", {"run"},
        "Retransmissions that were not needed: an earlier copy was acknowledged later."},
    MetricDefinition{Metric::messages_duplicated, "posse_messages_duplicated_total", counter, "",
        {"run"}, "Duplicates of messages made by the network."},
    MetricDefinition{Metric::messages_in_flight, "posse_messages_in_flight", gauge, "", {"run"},
        "Copies of messages in flight."},
    MetricDefinition{Metric::message_bytes, "posse_message_bytes_total", counter, kBytes,
        {"run", "type", "direction"},
        "Bytes of messages and acknowledgements sent, with headers: first transmissions only."},
    MetricDefinition{Metric::message_payload, "posse_message_payload_bytes_total", counter, kBytes,
        {"run", "type", "direction"},
        "Payload of messages sent, without headers, as bounds count it: first transmissions only; "
        "acknowledgements have none."},
    MetricDefinition{Metric::message_values, "posse_message_values_total", counter, "",
        {"run", "type", "direction"},
        "Numbers in messages sent, as papers count communication: first transmissions only."},
    MetricDefinition{Metric::round_bytes, "posse_round_bytes_total", counter, kBytes, {"run"},
        "Bytes of the rounds' messages, with headers, up to the latest complete round."},
    MetricDefinition{Metric::round_values, "posse_round_values_total", counter, "", {"run"},
        "Numbers in the rounds' messages, as papers count communication, up to the latest complete "
        "round."},
    MetricDefinition{Metric::message_latency, "posse_message_latency_seconds", histogram, kSeconds,
        {"run", "direction"},
        "Virtual seconds from the departure of a copy to its arrival."},
    MetricDefinition{Metric::round_duration, "posse_round_duration_seconds", histogram, kSeconds,
        {"run"}, "Virtual seconds from the start of a complete round to its end."},
    MetricDefinition{Metric::round_phase, "posse_round_phase_seconds_total", counter, kSeconds,
        {"run", "phase"}, "Virtual seconds by phase, summed over nodes and messages."},
    MetricDefinition{Metric::cumulative_regret, "posse_cumulative_regret", gauge, "",
        {"run", "algorithm", "scope"},
        "Cumulative regret, mean over clients, in units of the objective; scope local: against "
        "each client's own maximum."},
    MetricDefinition{Metric::simple_regret, "posse_simple_regret", gauge, "",
        {"run", "algorithm", "scope"},
        "Simple regret of the latest recommendation, in units of the objective; NaN before the "
        "first one."},
    MetricDefinition{Metric::client_cumulative_regret, "posse_client_cumulative_regret", gauge, "",
        {"run", "algorithm", "client"},
        "Local cumulative regret of each client, in units of the objective; above 64 clients: "
        "minimum, median and maximum."},
    MetricDefinition{Metric::bound_value, "posse_bound_value", gauge, "",
        {"run", "quantity", "kind"},
        "Theoretical bound on a measured quantity, in the quantity's unit, once the run has "
        "ended."},
    MetricDefinition{Metric::bound_headroom, "posse_bound_headroom_ratio", gauge, "ratio",
        {"run", "quantity", "kind"},
        "Bound divided by the measured value, inverted for lower bounds: at least 1 where the "
        "bound holds. Vacuous bounds, which no possible value exceeds, are left out."},
    MetricDefinition{Metric::active_cells, "posse_active_cells", gauge, "", {"run"},
        "Active cells in the latest complete round."},
    MetricDefinition{Metric::tree_depth, "posse_tree_depth", gauge, "", {"run"},
        "Depth of the deepest cell of the search tree."},
    MetricDefinition{Metric::optimum_eliminated, "posse_optimum_eliminated_total", counter, "",
        {"run"}, "Rounds that eliminated the cell of the global maximiser."},
    MetricDefinition{Metric::arm_pulls, "posse_arm_pulls_total", counter, "", {"run", "arm"},
        "Pulls of each arm; above 64 arms: minimum, median and maximum."},
    MetricDefinition{Metric::arm_confidence_bound, "posse_arm_confidence_bound", gauge, "",
        {"run", "arm"},
        "Best value of each arm minus its current bound, plus it if values are maximized, in units "
        "of its function; above 64 arms: minimum, median and maximum."},
    MetricDefinition{Metric::arm_best_value, "posse_arm_best_value", gauge, "", {"run", "arm"},
        "Best value of each arm, in units of its function; above 64 arms: minimum, median and "
        "maximum."},
    MetricDefinition{Metric::virtual_time, "posse_virtual_time_seconds", gauge, kSeconds, {"run"},
        "Virtual seconds since the start of the run."},
    MetricDefinition{Metric::wall_time, "posse_wall_time_seconds", gauge, kSeconds, {"run"},
        "Wall-clock seconds since the start of the run."},
    MetricDefinition{Metric::events, "posse_events_total", counter, "", {"run"},
        "Events processed by the simulator."},
    MetricDefinition{Metric::event_queue_length, "posse_event_queue_length", gauge, "", {"run"},
        "Events scheduled and not yet processed."},
};
// clang-format on

constexpr bool in_order() {
  for (std::size_t i = 0; i < kDefinitions.size(); ++i)
    if (static_cast<std::size_t>(kDefinitions[i].metric) != i) return false;
  return kDefinitions.size() == static_cast<std::size_t>(Metric::event_queue_length) + 1;
}
static_assert(in_order());

}  // namespace

std::span<const MetricDefinition> metric_definitions() { return kDefinitions; }

const MetricDefinition& definition_of(Metric metric) {
  return kDefinitions[static_cast<std::size_t>(metric)];
}

}  // namespace posse
