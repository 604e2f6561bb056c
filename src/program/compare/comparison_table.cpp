// SPDX-License-Identifier: Apache-2.0
#include "program/compare/comparison_table.hpp"

namespace posse {
namespace {

struct ComparisonRow {
  const CommonComparison& comparison;
  std::size_t place;  // among the algorithms compared
  const MeasuredCell& cell;
  std::optional<PairedEffect> to_reference;
};

/// The reference differs from itself by 0.
ComparisonRow row_of(const CommonComparison& comparison, std::size_t place) {
  const MeasuredCell& cell = *comparison.measure.cells.front()[place];
  ComparisonRow row{comparison, place, cell, cell.to_first_algorithm};
  if (place > 0) return row;
  row.to_reference.emplace().difference.n = cell.values.n;
  row.to_reference->interval = interval_of_mean(row.to_reference->difference, kLevel);
  return row;
}

using OptionalEffect = std::optional<PairedEffect>;
std::optional<double> mean_of(const OptionalEffect& effect) {
  return effect ? std::optional(effect->difference.mean) : std::nullopt;
}
std::optional<double> low_of(const OptionalEffect& effect) {
  return effect && effect->interval ? std::optional(effect->interval->low) : std::nullopt;
}
std::optional<double> high_of(const OptionalEffect& effect) {
  return effect && effect->interval ? std::optional(effect->interval->high) : std::nullopt;
}

}  // namespace

DataTable comparison_table(const std::vector<CommonComparison>& comparisons,
                           const Scenario& scenario) {
  using Row = ComparisonRow;
  const auto label = [&](const Row& row, std::size_t place) {
    return scenario.algorithms[row.comparison.algorithms[place]].label;
  };
  ColumnsOf<Row> columns;
  columns
      .add("measure",
           [](const Row& row) { return quantity_at(row.comparison.measure.quantity).name; })
      .add("evaluations_per_client", [](const Row& row) { return row.comparison.evaluations; })
      .add("algorithm", [=](const Row& row) { return label(row, row.place); })
      .add("repetitions", [](const Row& row) { return row.cell.values.n; })
      .add("mean", [](const Row& row) { return row.cell.values.mean; })
      .add("sd", [](const Row& row) { return row.cell.values.sd; })
      .add("mean_rank", [](const Row& row) { return row.cell.mean_rank; })
      .add("best",
           [](const Row& row) {
             const auto& best = row.comparison.measure.best.front();
             return best ? std::optional(row.place == *best) : std::nullopt;
           })
      .add("minus_best", [](const Row& row) { return mean_of(row.cell.to_best); })
      .add("minus_best_low", [](const Row& row) { return low_of(row.cell.to_best); })
      .add("minus_best_high", [](const Row& row) { return high_of(row.cell.to_best); })
      .add("reference", [=](const Row& row) { return label(row, 0); })
      .add("minus_reference", [](const Row& row) { return mean_of(row.to_reference); })
      .add("minus_reference_low", [](const Row& row) { return low_of(row.to_reference); })
      .add("minus_reference_high", [](const Row& row) { return high_of(row.to_reference); });
  return columns.table([&](const auto& use) {
    for (const auto& comparison : comparisons)
      for (std::size_t i = 0; i < comparison.algorithms.size(); ++i) use(row_of(comparison, i));
  });
}

}  // namespace posse
