// Reads CSV from memory as RFC 4180 has it: a header, commas, quotes where needed, LF or CRLF.
//
// Rows come one after the other; whoever reads them says what is wrong with a row, with its line.
// Blank lines are skipped; blanks around a cell that isn't quoted don't count. Cost: O(characters).
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

class CsvReader {
 public:
  /// Reads the header, the first line. Throws InputError if there is none. `text` must outlive
  /// this.
  explicit CsvReader(std::string_view text);

  /// The header's cells.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Position of a column; throws InputError, with what is there, if it is missing.
  std::size_t column(std::string_view name) const;

  /// Goes to the next row; false at the end. Throws InputError if the row has not as many cells as
  /// the header, or a quote without its end.
  bool next();
  const std::string& cell(std::size_t column) const { return cells_[column]; }
  const std::vector<std::string>& cells() const { return cells_; }
  /// Line of the current row (of its beginning), from 1.
  std::size_t line() const { return line_; }

 private:
  bool read_record(std::vector<std::string>& cells);

  std::string_view rest_;
  std::size_t next_line_ = 1;
  std::size_t line_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;
};

/// The current row's cell as a number. Throws InputError, with line and column, if it isn't a
/// finite one.
double finite_number(const CsvReader& csv, std::size_t column);

/// The whole text as a number of this type, or nothing.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{} || end != last) return std::nullopt;
  return number;
}

}  // namespace posse
