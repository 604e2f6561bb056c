// SPDX-License-Identifier: Apache-2.0
// The quantities that runs are compared by: those that every run has, and own measures of
// algorithms (OwnMeasure).
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.hpp"
#include "core/role/measurement.hpp"

namespace posse {

/// A quantity with its name in files and its label in text.
struct Quantity {
  std::string_view name, label, unit;
  std::string_view meaning;
  bool is_regret = false;  // else a cost
  Better better = Better::less;
  bool in_headline = true;  // of what a winner costs
  bool is_own = false;      // of some algorithms only

  bool ranked() const { return better != Better::neither; }
  /// Whether runs are compared by it; what they are compared at (evaluations) is no measure.
  bool is_measure() const { return ranked() || is_own; }
  /// The value as one of which less is better.
  double as_cost(double value) const { return better == Better::more ? -value : value; }
  std::string_view best_place() const { return better == Better::more ? "highest" : "lowest"; }
  std::string_view worse() const { return better == Better::more ? "lower" : "higher"; }
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
     Better::less,
     false},
    {"rounds", "rounds", "", "rounds of communication"},
    {"messages", "messages", "", "messages of all nodes"},
    {"payload_bytes", "payload", "bytes", "bytes in all messages, without headers and repeats"},
    {"wire_bytes",
     "bytes on the wire",
     "bytes",
     "bytes of all copies, with headers, retransmissions and acknowledgements",
     false,
     Better::less,
     false},
    {"virtual_s", "virtual time", "s", "seconds from the start to the end of the run"},
    {"evaluations", "evaluations", "", "evaluations of all nodes", false, Better::neither},
    {"evaluations_per_client",
     "evaluations per client",
     "",
     "evaluations of all nodes divided by the number of clients",
     false,
     Better::neither},
}};

/// The first ones of kQuantities have regret curves.
inline constexpr std::size_t kQuantitiesWithCurves = 4;

/// A quantity by its position: in kQuantities, or behind them of an own measure. Positions of own
/// measures depend on which were met first: whatever is written has them in the order of
/// sort_quantities.
const Quantity& quantity_at(std::size_t position);

/// Whether tables of runs have a column of this name beside own measures.
bool is_name_in_results(std::string_view name);

/// The position of an own measure, which is made if it is new: of an algorithm of this process, or
/// of stored runs. Throws InputError if its name is that of another quantity or none, or its texts
/// are long or can't be printed.
std::size_t own_quantity(const OwnMeasure& measure);

/// The position of one of kQuantities, or of an own measure that was met, by its name. Where
/// several had the name, the one that was last defined in this process, else the first of them in
/// the order of sort_quantities.
std::optional<std::size_t> quantity_named(std::string_view name);
/// Makes an own measure the one of its name: an algorithm of this process defines it.
void define_quantity(std::size_t position);

/// The names of kQuantities and of the own measures that were met.
std::vector<std::string> quantity_names();

/// The values of a run, by position or name; nothing where it doesn't have a quantity.
class Finals {
 public:
  std::optional<double> operator[](std::size_t position) const {
    if (position < common_.size()) return common_[position];
    const auto it = own_.find(position);
    return it == own_.end() ? std::nullopt : it->second;
  }
  std::optional<double> operator[](std::string_view name) const {
    const auto quantity = quantity_named(name);
    return quantity ? (*this)[*quantity] : std::nullopt;
  }
  std::optional<double>& operator[](std::size_t position) {
    return position < common_.size() ? common_[position] : own_[position];
  }
  std::optional<double>& operator[](std::string_view name) {
    const auto quantity = quantity_named(name);
    POSSE_CHECK(quantity, "no quantity {}", name);
    return (*this)[*quantity];
  }
  bool operator==(const Finals&) const = default;
  const std::map<std::size_t, std::optional<double>>& own() const { return own_; }

 private:
  std::array<std::optional<double>, kQuantities.size()> common_;
  std::map<std::size_t, std::optional<double>> own_;
};

/// Sorts positions: kQuantities in their order, then own measures by name, unit and direction.
/// Equal ones are there once.
void sort_quantities(std::vector<std::size_t>& positions);

/// The ratio up to which numbers of evaluations count as equal.
inline constexpr double kEqualWork = 1.01;

/// The quantity per evaluation that belongs to a sum over evaluations: what can be compared where
/// the numbers of evaluations differ. Nothing for other quantities.
inline std::optional<std::size_t> per_evaluation(std::size_t quantity) {
  const auto name = quantity_at(quantity).name;
  if (name == "cumulative_regret") return quantity_named("regret_per_evaluation");
  if (name == "local_cumulative_regret") return quantity_named("local_regret_per_evaluation");
  return std::nullopt;
}

}  // namespace posse
