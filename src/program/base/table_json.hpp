// SPDX-License-Identifier: Apache-2.0
// Tables in JSON: an object of columns.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/base/json.hpp"

namespace posse {

/// null for nothing, infinity and NaN.
Json json_of(const Datum& value);

/// Columns under their names, filled row by row. A column of texts is {"texts": different ones,
/// "at": positions in them}.
class JsonColumns {
 public:
  explicit JsonColumns(const std::vector<Column>& columns) : columns_(columns) {}
  void add(TableRow row) { rows_.push_back(std::move(row)); }
  std::size_t rows() const { return rows_.size(); }
  /// At most `most` of the rows, evenly spread, including the first and the last.
  Json json(std::size_t most = std::numeric_limits<std::size_t>::max()) const;

 private:
  std::vector<Column> columns_;
  std::vector<TableRow> rows_;
};

Json columns_json(const DataTable& table,
                  std::size_t most = std::numeric_limits<std::size_t>::max());

/// Positions of at most `most` of `rows` rows, evenly spread, including the first and the last.
std::vector<std::size_t> thinned_rows(std::size_t rows, std::size_t most);

}  // namespace posse
