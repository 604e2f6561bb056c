// SPDX-License-Identifier: Apache-2.0
// CSV as RFC 4180 has it: UTF-8, a header, quotes where needed, shortest round-trip doubles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace posse {

/// Quoted only where needed.
std::string csv_cell(std::string_view text);

/// The cells of a line without quotes. They refer to `line`.
std::vector<std::string_view> plain_cells(std::string_view line);

}  // namespace posse
