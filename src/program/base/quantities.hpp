// The quantities that runs are compared by.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

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

/// The position of a quantity in kQuantities.
constexpr std::optional<std::size_t> quantity_named(std::string_view name) {
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (kQuantities[q].name == name) return q;
  return std::nullopt;
}

}  // namespace posse
