// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/parameters.hpp"
#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// Calls `action`; errors become FileErrors that name the file.
template <class Action>
auto naming(const fs::path& path, const Action& action) {
  try {
    return action();
  } catch (const InputError& problem) {
    throw FileError(path, std::string("can't be read: ") + problem.what());
  }
}

}  // namespace

RunRows::RunRows(const StoredRun& stored, std::string_view file)
    : stored_(stored),
      path_(stored.folder() / file),
      text_(read_file(path_)),
      csv_(naming(path_, [&] { return CsvReader(text_); })) {
  algorithm_ = column("algorithm");
  repetition_ = column("repetition");
}

std::size_t RunRows::column(std::string_view name) const {
  return naming(path_, [&] { return csv_.column(name); });
}

std::optional<std::size_t> RunRows::find_column(std::string_view name) const {
  return csv_.find_column(name);
}

bool RunRows::next() {
  if (!naming(path_, [&] { return csv_.next(); })) return false;
  const auto repetition = count(repetition_);
  const auto& label = text(algorithm_);
  begins_run_ = !any_ || label != label_ || repetition != number_;
  if (!begins_run_) return true;
  any_ = true;
  label_ = label;
  number_ = repetition;
  if (!stored_.find_algorithm(label))
    fail(fmt::format("results.json has no algorithm '{}'", label));
  run_ = stored_.find_run(label, repetition);
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

void RunRows::fail(std::string_view problem) const {
  throw FileError(path_, fmt::format("line {}: {}", csv_.line(), problem));
}

void RunRows::fail(std::size_t column, std::string_view wanted) const {
  constexpr std::size_t kShown = 60;
  const std::string& cell = text(column);
  fail(fmt::format("{} is '{}{}', not {}",
                   csv_.columns()[column],
                   cell.substr(0, kShown),
                   cell.size() > kShown ? "…" : "",
                   wanted));
}

}  // namespace posse
