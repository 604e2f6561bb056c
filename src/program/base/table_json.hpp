// SPDX-License-Identifier: Apache-2.0
// Tables in JSON: an object of columns.
#pragma once

#include <cstddef>
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

/// Columns under their names. A column of texts is {"texts": different ones, "at": positions in
/// them}.
Json columns_json(const std::vector<Column>& columns, const std::vector<TableRow>& rows);
Json columns_json(const DataTable& table);

}  // namespace posse
