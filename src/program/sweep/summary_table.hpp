// summary.csv of a store, read: what a sweep measured, and the same in short.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "program/summary/compared_quantities.hpp"

namespace posse {

struct SummaryRow {
  std::size_t setting = 0;
  std::vector<std::string> values;  // of the axes
  std::string algorithm, status;
  std::uint32_t repetition = 0;
  std::array<std::optional<double>, kQuantities.size()> finals;
};

struct SummaryTable {
  std::vector<std::string> axes;
  std::vector<SummaryRow> rows;
};

/// Throws FileError.
SummaryTable read_summary(const std::filesystem::path& csv);

/// A row per setting and algorithm: means over the finished runs.
std::string summary_text(const SummaryTable& table);
/// The same as JSON.
std::string summary_json(const SummaryTable& table);

}  // namespace posse
