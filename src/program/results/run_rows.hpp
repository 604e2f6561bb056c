// A CSV file of a run folder whose rows belong to runs: their first columns are `algorithm`, the
// label, and `repetition`. Errors are FileErrors that name the file and the line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/csv.hpp"

namespace posse {

class RunRows {
 public:
  /// Reads the whole file.
  explicit RunRows(const std::filesystem::path& path);
  RunRows(const RunRows&) = delete;
  RunRows& operator=(const RunRows&) = delete;

  std::size_t column(std::string_view name) const;
  bool next();
  const std::string& algorithm() const { return text(algorithm_); }
  std::uint32_t repetition() const { return number_; }
  /// True if the row is of another run than the one before. Rows of a run are consecutive.
  bool begins_run() const { return begins_run_; }

  const std::string& text(std::size_t column) const { return csv_.cell(column); }
  double real(std::size_t column) const;  // finite
  std::uint32_t count(std::size_t column) const;
  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail(std::size_t column, std::string_view wanted) const;

 private:
  std::filesystem::path path_;
  std::string text_;
  CsvReader csv_;
  std::size_t algorithm_ = 0, repetition_ = 0;
  bool any_ = false, begins_run_ = false;
  std::string label_;
  std::uint32_t number_ = 0;
};

}  // namespace posse
