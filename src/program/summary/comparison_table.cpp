// SPDX-License-Identifier: Apache-2.0
#include "program/summary/comparison_table.hpp"

namespace posse {
namespace {

struct ComparisonRow {
  const Comparison& comparison;
  const Standing& standing;
};

/// A number that has no meaning for evaluations, which are not ranked.
template <class Value>
auto if_ranked(Value value) {
  return [value](const ComparisonRow& row) {
    return row.comparison.ranked ? std::optional(value(row)) : std::nullopt;
  };
}

std::optional<double> low_of(const Difference& difference) {
  return difference.interval ? std::optional(difference.interval->low) : std::nullopt;
}
std::optional<double> high_of(const Difference& difference) {
  return difference.interval ? std::optional(difference.interval->high) : std::nullopt;
}

}  // namespace

DataTable comparison_table(const std::vector<Comparison>& comparisons, const Scenario& scenario) {
  const auto label = [&](std::size_t algorithm) { return scenario.algorithms[algorithm].label; };
  ColumnsOf<ComparisonRow> columns;
  columns.add("metric", [](const ComparisonRow& row) { return row.comparison.name; })
      .add("evaluations", [](const ComparisonRow& row) { return row.comparison.evaluations; })
      .add("algorithm", [=](const ComparisonRow& row) { return label(row.standing.algorithm); })
      .add("repetitions", [](const ComparisonRow& row) { return row.comparison.repetitions; })
      .add("mean", [](const ComparisonRow& row) { return row.standing.measured.mean; })
      .add("sd", [](const ComparisonRow& row) { return row.standing.measured.sd; })
      .add("mean_rank", if_ranked([](const ComparisonRow& row) { return row.standing.mean_rank; }))
      .add("best", if_ranked([](const ComparisonRow& row) {
             return row.standing.algorithm == row.comparison.best;
           }))
      .add("minus_best",
           if_ranked([](const ComparisonRow& row) { return row.standing.to_best.values.mean; }))
      .add("minus_best_low",
           [](const ComparisonRow& row) {
             return row.comparison.ranked ? low_of(row.standing.to_best) : std::nullopt;
           })
      .add("minus_best_high",
           [](const ComparisonRow& row) {
             return row.comparison.ranked ? high_of(row.standing.to_best) : std::nullopt;
           })
      .add("reference", [=](const ComparisonRow& row) { return label(row.comparison.reference); })
      .add("minus_reference",
           [](const ComparisonRow& row) { return row.standing.to_reference.values.mean; })
      .add("minus_reference_low",
           [](const ComparisonRow& row) { return low_of(row.standing.to_reference); })
      .add("minus_reference_high",
           [](const ComparisonRow& row) { return high_of(row.standing.to_reference); });
  return columns.table([&](const auto& use) {
    for (const auto& comparison : comparisons)
      for (const auto& standing : comparison.standings) use({comparison, standing});
  });
}

}  // namespace posse
