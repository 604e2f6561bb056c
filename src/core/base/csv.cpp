// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/parameters.hpp"

namespace posse {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF"))
    rest_.remove_prefix(3);  // a byte order mark, which some editors write
  if (!read_record(columns_)) throw InputError("the file is empty, without a line of column names");
  for (std::size_t i = 0; i < columns_.size(); ++i) positions_.try_emplace(columns_[i], i);
}

std::size_t CsvReader::column(std::string_view name) const {
  if (const auto column = find_column(name)) return *column;
  throw InputError(fmt::format("line 1: there is no column '{}'; the columns are {}",
                               shortened(name),
                               names_text(columns_)));
}

std::optional<std::size_t> CsvReader::find_column(std::string_view name) const {
  const auto it = positions_.find(name);
  return it == positions_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<std::size_t> CsvReader::numbered_columns(std::string_view prefix,
                                                     std::size_t first) const {
  std::vector<std::size_t> columns;
  while (const auto column = find_column(fmt::format("{}{}", prefix, first + columns.size())))
    columns.push_back(*column);
  return columns;
}

bool CsvReader::next() {
  if (!read_record(cells_)) return false;
  if (cells_.size() != columns_.size())
    throw InputError(
        fmt::format("line {}: {} columns instead of {}", line_, cells_.size(), columns_.size()));
  return true;
}

bool CsvReader::read_record(std::vector<std::string>& cells) {
  const auto end_of_line = [&] { return std::min(rest_.find('\n'), rest_.size()); };
  while (!rest_.empty() &&
         rest_.substr(0, end_of_line()).find_first_not_of(kBlanks) == std::string_view::npos) {
    rest_.remove_prefix(std::min(end_of_line() + 1, rest_.size()));
    ++next_line_;
  }
  if (rest_.empty()) return false;
  line_ = next_line_;
  cells.clear();
  for (;;) {
    const auto begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    std::string cell;
    if (begin < rest_.size() && rest_[begin] == '"') {
      rest_.remove_prefix(begin + 1);
      for (;;) {
        const auto quote = rest_.find('"');
        if (quote == std::string_view::npos)
          throw InputError(fmt::format("line {}: unterminated quote", line_));
        cell += rest_.substr(0, quote);
        rest_.remove_prefix(quote + 1);
        if (!rest_.starts_with('"')) break;
        cell += '"';
        rest_.remove_prefix(1);
      }
      next_line_ += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
      const auto stop = std::min(rest_.find_first_of(",\n"), rest_.size());
      if (rest_.substr(0, stop).find_first_not_of(kBlanks) != std::string_view::npos)
        throw InputError(fmt::format("line {}: text after the closing quote", line_));
      rest_.remove_prefix(stop);
    } else {
      const auto stop = std::min(rest_.find_first_of(",\n"), rest_.size());
      cell = trimmed(rest_.substr(0, stop));
      rest_.remove_prefix(stop);
    }
    cells.push_back(std::move(cell));
    if (!rest_.starts_with(',')) break;
    rest_.remove_prefix(1);
  }
  if (!rest_.empty()) rest_.remove_prefix(1);  // the end of the line
  ++next_line_;
  return true;
}

double finite_number(const CsvReader& csv, std::size_t column) {
  const auto& cell = csv.cell(column);
  const auto name = shortened(csv.columns()[column]);
  if (cell.empty()) throw InputError(fmt::format("line {}: {} is missing", csv.line(), name));
  const auto x = parse_number<double>(cell);
  if (!x || !std::isfinite(*x))
    throw InputError(fmt::format(
        "line {}: {} is '{}', not a finite number", csv.line(), name, csv.shown(column)));
  return *x;
}

}  // namespace posse
