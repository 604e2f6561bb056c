// SPDX-License-Identifier: Apache-2.0
// A table of a run folder whose rows belong to runs: the columns `algorithm`, its label, and
// `repetition` say to which. Errors are FileErrors that name the file and the line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "program/results/run_tables.hpp"
#include "program/results/stored_run.hpp"

namespace posse {

class RunRows {
 public:
  /// Reads the whole file, which must have the table's columns. Refers to both.
  RunRows(const StoredRun& stored, const RunTable& table);
  RunRows(const RunRows&) = delete;
  RunRows& operator=(const RunRows&) = delete;

  /// The position of one of the table's columns.
  std::size_t column(std::string_view name) const;
  bool next();
  /// The row's run, a position in stored.runs(); nothing if results.json lacks it.
  std::optional<std::size_t> run() const { return run_; }
  /// True if the row is of another run than the one before. Rows of a run are consecutive.
  bool begins_run() const { return begins_run_; }

  const std::string& text(std::size_t column) const { return csv_.cell(places_[column]); }
  double real(std::size_t column) const;  // finite
  std::uint32_t count(std::size_t column) const;
  /// The present row, in the order of the table's columns.
  TableRow row() const;

 private:
  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail(std::size_t column, std::string_view wanted) const;

  const StoredRun& stored_;
  const RunTable& table_;
  std::filesystem::path path_;
  std::string text_;
  CsvReader csv_;
  std::size_t algorithm_ = 0, repetition_ = 0;
  std::vector<std::size_t> places_;                       // in the file, by column of the table
  std::set<std::pair<std::string, std::uint32_t>> seen_;  // runs
  bool any_ = false, begins_run_ = false;
  std::string label_;
  std::uint32_t number_ = 0;
  std::optional<std::size_t> run_;
};

}  // namespace posse
