// SPDX-License-Identifier: Apache-2.0
// Reads CSV from memory as defined by RFC 4180: a header, commas, quotes where needed, LF or CRLF.
//
// Rows are read one after the other. The caller reports what is wrong with the content of a row and
// uses line() to say where. Blank lines are skipped; blanks around an unquoted cell are removed.
// Cost: O(characters).
#pragma once

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/shown_text.hpp"

namespace posse {

class CsvReader {
 public:
  /// Reads the header, the first line. Throws InputError if there is none. `text` must outlive the
  /// reader.
  explicit CsvReader(std::string_view text);

  /// The cells of the header.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Position of a column; of several with this name, the first. Throws InputError, which lists the
  /// existing columns, if it is missing.
  std::size_t column(std::string_view name) const;
  std::optional<std::size_t> find_column(std::string_view name) const;
  /// Positions of the columns PREFIX`first`, PREFIX`first + 1`, … as far as they are there.
  std::vector<std::size_t> numbered_columns(std::string_view prefix, std::size_t first) const;

  /// Goes to the next row; false at the end. Throws InputError if the number of cells differs from
  /// that of the header, or if a quote is not terminated.
  bool next();
  const std::string& cell(std::size_t column) const { return cells_[column]; }
  const std::vector<std::string>& cells() const { return cells_; }
  /// The cell for an error: printable, and shortened.
  std::string shown(std::size_t column) const { return shortened(cells_[column]); }
  /// Line number, from 1, at which the current row begins.
  std::size_t line() const { return line_; }

 private:
  bool read_record(std::vector<std::string>& cells);

  std::string_view rest_;
  std::size_t next_line_ = 1;
  std::size_t line_ = 0;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> positions_;  // of the columns
  std::vector<std::string> cells_;
};

/// The current row's cell as a number. Throws InputError, with line and column, if it is not a
/// finite number.
double finite_number(const CsvReader& csv, std::size_t column);

/// The number if the whole text is one of this type, else nothing.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{} || end != last) return std::nullopt;
  return number;
}

}  // namespace posse
