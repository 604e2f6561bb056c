// SPDX-License-Identifier: Apache-2.0
// A table in columns in memory, for programs that compute with results.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/base/data_table.hpp"

namespace posse {

/// Columns of equal length: of texts, or real, with NaN for empty cells and 1 or 0 for flags.
struct MemoryTable {
  using Reals = std::vector<double>;
  using Texts = std::vector<std::string>;
  struct Column {
    std::string name;
    std::variant<Reals, Texts> cells;
  };
  std::vector<Column> columns;

  std::size_t rows() const;
  /// Null if there is none of this name.
  const Column* find(std::string_view name) const;
};

/// All rows.
MemoryTable in_memory(const DataTable& table);
/// The table of a CSV text with a header. A column whose cells are all numbers or empty is real.
MemoryTable table_of_csv(std::string_view csv);

}  // namespace posse
