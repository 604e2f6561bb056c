// SPDX-License-Identifier: Apache-2.0
// The quantities that runs are compared by.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/check.hpp"

namespace posse {

/// A quantity that every algorithm has, with its name in files and its label in text.
struct Quantity {
  std::string_view name, label, unit;
  std::string_view meaning;
  bool is_regret = false;   // else a cost
  bool ranked = true;       // less is better
  bool in_headline = true;  // of what a winner costs
};
/// Regrets are per client, costs are totals over all nodes.
inline constexpr std::array<Quantity, 14> kQuantities{{
    {"cumulative_regret",
     "cumulative regret",
     "",
     "the maximum of the mean objective minus the value, summed over the evaluations of a client",
     true},
    {"local_cumulative_regret",
     "local cumulative regret",
     "",
     "the same against the maximum of each client's own objective",
     true},
    {"simple_regret",
     "simple regret",
     "",
     "the maximum of the mean objective minus its value at the recommended point",
     true},
    {"local_simple_regret",
     "local simple regret",
     "",
     "the same for each client's own objective and recommendation",
     true},
    {"regret_per_evaluation",
     "regret per evaluation",
     "",
     "cumulative regret divided by the evaluations per client",
     true},
    {"local_regret_per_evaluation",
     "local regret per evaluation",
     "",
     "local cumulative regret divided by the evaluations per client",
     true},
    {"answer_value",
     "value of the answer",
     "",
     "the value of a functional bandit's answer, where values are minimized",
     false,
     true,
     false},
    {"rounds", "rounds", "", "rounds of communication"},
    {"messages", "messages", "", "messages of all nodes"},
    {"payload_bytes", "payload", "bytes", "bytes in all messages, without headers and repeats"},
    {"wire_bytes",
     "bytes on the wire",
     "bytes",
     "bytes of all copies, with headers, retransmissions and acknowledgements",
     false,
     true,
     false},
    {"virtual_s", "virtual time", "s", "seconds from the start to the end of the run"},
    {"evaluations", "evaluations", "", "evaluations of all nodes", false, false},
    {"evaluations_per_client",
     "evaluations per client",
     "",
     "evaluations of all nodes divided by the number of clients",
     false,
     false},
}};

/// The first ones of kQuantities have regret curves.
inline constexpr std::size_t kQuantitiesWithCurves = 4;

/// The position of a quantity in kQuantities.
constexpr std::optional<std::size_t> quantity_named(std::string_view name) {
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (kQuantities[q].name == name) return q;
  return std::nullopt;
}

/// The values of a run, by position or name; nothing where it doesn't have a quantity.
struct Finals : std::array<std::optional<double>, kQuantities.size()> {
  using array::operator[];
  std::optional<double>& operator[](std::string_view name) { return (*this)[position(name)]; }
  const std::optional<double>& operator[](std::string_view name) const {
    return (*this)[position(name)];
  }

 private:
  static std::size_t position(std::string_view name) {
    const auto quantity = quantity_named(name);
    POSSE_CHECK(quantity, "no quantity {}", name);
    return *quantity;
  }
};

/// The ratio up to which numbers of evaluations count as equal.
inline constexpr double kEqualWork = 1.01;

/// The quantity per evaluation that belongs to a sum over evaluations: what can be compared where
/// the numbers of evaluations differ. Nothing for other quantities.
constexpr std::optional<std::size_t> per_evaluation(std::size_t quantity) {
  const auto name = kQuantities[quantity].name;
  if (name == "cumulative_regret") return quantity_named("regret_per_evaluation");
  if (name == "local_cumulative_regret") return quantity_named("local_regret_per_evaluation");
  return std::nullopt;
}

}  // namespace posse
