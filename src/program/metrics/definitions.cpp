#include "program/metrics/definitions.hpp"

#include <cstddef>

namespace posse {
namespace {

using enum MetricType;

constexpr std::string_view kSeconds = "seconds", kBytes = "bytes";

// clang-format off
constexpr std::array kDefinitions{
    MetricDefinition{Metric::build_info, "posse_build_info", gauge, "", {"version", "commit"},
        "What was built; always 1."},
    MetricDefinition{Metric::run_info, "posse_run_info", gauge, "",
        {"run", "algorithm", "objective", "seed"},
        "The runs that have series, with the scenario's objective and seed; always 1."},
    MetricDefinition{Metric::runs, "posse_runs_total", counter, "", {"outcome"},
        "Runs that are over, those without series included."},
    MetricDefinition{Metric::runs_active, "posse_runs_active", gauge, "", {},
        "Runs under way, paused ones included."},
    MetricDefinition{Metric::evaluations, "posse_evaluations_total", counter, "",
        {"run", "algorithm"}, "Evaluations by all clients, or pulls of all arms."},
    MetricDefinition{Metric::rounds, "posse_rounds_total", counter, "", {"run", "algorithm"},
        "Complete rounds, as the algorithm's paper counts them."},
    MetricDefinition{Metric::messages_sent, "posse_messages_sent_total", counter, "",
        {"run", "type", "direction"}, "Messages sent, without repetitions and copies."},
    MetricDefinition{Metric::messages_delivered, "posse_messages_delivered_total", counter, "",
        {"run", "type", "direction"}, "Messages handed to their receivers."},
    MetricDefinition{Metric::messages_dropped, "posse_messages_dropped_total", counter, "",
        {"run", "cause"},
        "Copies of messages dropped on their way; cause deadline: messages that arrived but came "
        "too late to be used."},
    MetricDefinition{Metric::messages_retransmitted, "posse_messages_retransmitted_total", counter,
        "", {"run"}, "Repetitions of messages by the reliable transport."},
    MetricDefinition{Metric::messages_duplicated, "posse_messages_duplicated_total", counter, "",
        {"run"}, "Copies of messages made by the network."},
    MetricDefinition{Metric::messages_in_flight, "posse_messages_in_flight", gauge, "", {"run"},
        "Copies of messages under way."},
    MetricDefinition{Metric::message_bytes, "posse_message_bytes_total", counter, kBytes,
        {"run", "type", "direction"},
        "Bytes of messages sent, headers included, counted once, at the sender: without "
        "repetitions and copies."},
    MetricDefinition{Metric::round_bytes, "posse_round_bytes_total", counter, kBytes, {"run"},
        "Bytes of messages that belong to rounds, up to the latest complete round."},
    MetricDefinition{Metric::round_values, "posse_round_values_total", counter, "", {"run"},
        "Numbers in messages that belong to rounds, as papers count communication, up to the "
        "latest complete round."},
    MetricDefinition{Metric::message_latency, "posse_message_latency_seconds", histogram, kSeconds,
        {"run", "direction"},
        "Virtual seconds from a copy's leaving to its arrival."},
    MetricDefinition{Metric::round_duration, "posse_round_duration_seconds", histogram, kSeconds,
        {"run"}, "Virtual seconds from a complete round's beginning to its end."},
    MetricDefinition{Metric::round_phase, "posse_round_phase_seconds_total", counter, kSeconds,
        {"run", "phase"}, "Virtual seconds by what they were spent on, summed over nodes and "
        "messages."},
    MetricDefinition{Metric::cumulative_regret, "posse_cumulative_regret", gauge, "",
        {"run", "algorithm", "scope"},
        "Cumulative regret per client, in units of the objective; scope local: against each "
        "client's own maximum."},
    MetricDefinition{Metric::simple_regret, "posse_simple_regret", gauge, "",
        {"run", "algorithm", "scope"},
        "Simple regret of the latest recommendation, in units of the objective; NaN while there is "
        "none."},
    MetricDefinition{Metric::client_cumulative_regret, "posse_client_cumulative_regret", gauge, "",
        {"run", "algorithm", "client"},
        "Cumulative regret of each client against its own maximum, in units of the objective; "
        "above 64 clients their minimum, median and maximum."},
    MetricDefinition{Metric::bound_value, "posse_bound_value", gauge, "",
        {"run", "quantity", "kind"},
        "What theory says of a measured quantity, in the quantity's own unit, once the run is "
        "over."},
    MetricDefinition{Metric::bound_headroom, "posse_bound_headroom_ratio", gauge, "ratio",
        {"run", "quantity", "kind"},
        "Bound over measured value as a ratio, for lower bounds the inverse: at least 1 where the "
        "bound holds."},
    MetricDefinition{Metric::active_cells, "posse_active_cells", gauge, "", {"run"},
        "Active cells in the latest complete round."},
    MetricDefinition{Metric::tree_depth, "posse_tree_depth", gauge, "", {"run"},
        "Depth of the deepest cell that was looked at."},
    MetricDefinition{Metric::optimum_eliminated, "posse_optimum_eliminated_total", counter, "",
        {"run"}, "Rounds that threw the cell of the global maximiser away."},
    MetricDefinition{Metric::arm_pulls, "posse_arm_pulls_total", counter, "", {"run", "arm"},
        "Pulls of each arm; above 64 arms their minimum, median and maximum."},
    MetricDefinition{Metric::arm_lower_confidence_bound, "posse_arm_lower_confidence_bound", gauge,
        "", {"run", "arm"},
        "Smallest value minus current bound of each arm, in units of its function; above 64 arms "
        "their minimum, median and maximum."},
    MetricDefinition{Metric::arm_best_value, "posse_arm_best_value", gauge, "", {"run", "arm"},
        "Smallest value each arm has reached, in units of its function; above 64 arms their "
        "minimum, median and maximum."},
    MetricDefinition{Metric::virtual_time, "posse_virtual_time_seconds", gauge, kSeconds, {"run"},
        "Virtual seconds since the run's start."},
    MetricDefinition{Metric::wall_time, "posse_wall_time_seconds", gauge, kSeconds, {"run"},
        "Wall-clock seconds since the run's start."},
    MetricDefinition{Metric::events, "posse_events_total", counter, "", {"run"},
        "Events handled by the simulator."},
    MetricDefinition{Metric::event_queue_length, "posse_event_queue_length", gauge, "", {"run"},
        "Events that wait for their virtual time."},
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
