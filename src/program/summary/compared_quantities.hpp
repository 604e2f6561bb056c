// The measured quantities of a scenario's runs, arranged for comparisons: by quantity, algorithm
// and repetition.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/outcome.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "program/summary/comparison.hpp"

namespace posse {

/// A quantity that every algorithm has, with its name in files and its label in text.
struct Quantity {
  std::string_view name, label, unit;
  bool is_regret = false;  // else a cost
  bool ranked = true;      // less is better
};
/// Regrets are per client, costs are totals over all nodes.
inline constexpr std::array<Quantity, 10> kQuantities{{
    {"cumulative_regret", "cumulative regret", "", true},
    {"local_cumulative_regret", "local cumulative regret", "", true},
    {"simple_regret", "simple regret", "", true},
    {"local_simple_regret", "local simple regret", "", true},
    {"answer_value", "value of the answer", "", false},
    {"rounds", "rounds", "", false},
    {"messages", "messages", "", false},
    {"payload_bytes", "payload", "bytes", false},
    {"virtual_time_s", "virtual time", "s", false},
    {"evaluations", "evaluations", "", false, false},
}};

/// First transmissions of messages proper, without the transport's acknowledgements.
std::uint64_t messages_sent(const RunOutcome& outcome);
std::uint64_t payload_bytes(const RunOutcome& outcome);

/// The quantities at the end of the runs that finished, in the order of kQuantities, then the
/// regrets at the checkpoints (powers of two, below the end) that all regret curves reach. A simple
/// regret at a checkpoint is that of the last recommendation up to it.
std::vector<Measured> compared_quantities(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
