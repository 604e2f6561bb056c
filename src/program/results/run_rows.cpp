// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;

RunRows::RunRows(const StoredRun& stored, const RunTable& table)
    : stored_(stored),
      table_(table),
      path_(stored.folder() / fmt::format("{}.csv", table.name)),
      text_(read_file(path_)),
      csv_(naming_file(path_, [&] { return CsvReader(text_); })) {
  naming_file(path_, [&] {
    algorithm_ = csv_.column("algorithm");
    repetition_ = csv_.column("repetition");
    for (const auto& column : table.columns) places_.push_back(csv_.column(column.name));
  });
}

std::size_t RunRows::column(std::string_view name) const {
  const auto it = std::ranges::find(table_.columns, name, &Column::name);
  POSSE_CHECK(it != table_.columns.end(), "no column {}", name);
  return static_cast<std::size_t>(it - table_.columns.begin());
}

bool RunRows::next() {
  if (!naming_file(path_, [&] { return csv_.next(); })) return false;
  const auto repetition = parse_number<std::uint32_t>(csv_.cell(repetition_));
  if (!repetition)
    fail(fmt::format("repetition is '{}', not a whole number", csv_.shown(repetition_)));
  const auto& label = csv_.cell(algorithm_);
  begins_run_ = !any_ || label != label_ || *repetition != number_;
  if (!begins_run_) return true;
  if (!seen_.insert({label, *repetition}).second)
    fail(fmt::format(
        "rows of {}, repetition {} stand apart from the ones before", label, *repetition));
  any_ = true;
  label_ = label;
  number_ = *repetition;
  if (!stored_.find_algorithm(label))
    fail(fmt::format("results.json has no algorithm '{}'", label));
  run_ = stored_.find_run(label, *repetition);
  return true;
}

double RunRows::real(std::size_t column) const {
  const auto value = parse_number<double>(text(column));
  if (!value || !std::isfinite(*value)) fail(column, "a finite number");
  return *value;
}

std::uint32_t RunRows::count(std::size_t column) const {
  const auto value = parse_number<std::uint32_t>(text(column));
  if (!value) fail(column, "a whole number");
  return *value;
}

TableRow RunRows::row() const {
  TableRow row;
  row.reserve(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    auto value = datum_in(text(i), table_.columns[i].type);
    if (!value) fail(i, wanted(table_.columns[i].type));
    row.push_back(std::move(*value));
  }
  return row;
}

void RunRows::fail(std::string_view problem) const {
  throw FileError(path_, fmt::format("line {}: {}", csv_.line(), problem));
}

void RunRows::fail(std::size_t column, std::string_view wanted) const {
  fail(fmt::format(
      "{} is '{}', not {}", table_.columns[column].name, csv_.shown(places_[column]), wanted));
}

}  // namespace posse
