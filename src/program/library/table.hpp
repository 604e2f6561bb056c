// SPDX-License-Identifier: Apache-2.0
// A table in columns, for programs that compute with results.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posse {

/// Columns of equal length. A column whose cells are all numbers or empty is real, with NaN for
/// empty cells.
struct DataTable {
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

/// The table of a CSV text with a header; an empty text has no columns.
DataTable table_of_csv(std::string_view csv);

}  // namespace posse
