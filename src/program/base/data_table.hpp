// SPDX-License-Identifier: Apache-2.0
// A table: named, typed columns, and rows that are handed over one after the other.
//
// The tables of results are made once, as this; what is written, stored, served or handed to a
// program is a view of it: CSV (below), JSON (table_json.hpp), files (table_files.hpp), columns in
// memory (library/memory_table.hpp).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/time.hpp"

namespace posse {

enum class ColumnType { flag, count, real, text };

struct Column {
  std::string name;  // as docs/results.md explains it; times end in _s, sizes in bytes
  ColumnType type = ColumnType::text;
};

/// A value in a table: nothing, or what its column's type says.
using Datum = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;
using TableRow = std::vector<Datum>;

// What values of the program are in a table. Times are seconds.
Datum datum(std::same_as<bool> auto flag) { return flag; }
template <std::unsigned_integral Count>
requires(!std::same_as<Count, bool>) Datum datum(Count count) { return std::uint64_t{count}; }
inline Datum datum(double real) { return real; }
inline Datum datum(Duration time) { return time.to_seconds(); }
inline Datum datum(Time time) { return time.to_seconds(); }
inline Datum datum(std::string text) { return text; }
inline Datum datum(std::string_view text) { return std::string(text); }
inline Datum datum(const char* text) { return std::string(text); }
template <class Value>
Datum datum(const std::optional<Value>& value) {
  return value ? datum(*value) : Datum();
}

template <class Value>
struct ColumnTypeOf;
template <>
struct ColumnTypeOf<bool> : std::integral_constant<ColumnType, ColumnType::flag> {};
template <std::unsigned_integral Count>
struct ColumnTypeOf<Count> : std::integral_constant<ColumnType, ColumnType::count> {};
template <class Value>
requires std::same_as<Value, double> || std::same_as<Value, Duration> || std::same_as<Value, Time>
struct ColumnTypeOf<Value> : std::integral_constant<ColumnType, ColumnType::real> {
};
template <std::convertible_to<std::string_view> Text>
struct ColumnTypeOf<Text> : std::integral_constant<ColumnType, ColumnType::text> {};
template <class Value>
struct ColumnTypeOf<std::optional<Value>> : ColumnTypeOf<Value> {};

class DataTable {
 public:
  using Use = std::function<void(const TableRow&)>;

  DataTable() = default;  // no columns
  /// `rows` calls its argument with each row, as long as the columns; each time that it is asked.
  DataTable(std::vector<Column> columns, std::function<void(const Use&)> rows)
      : columns_(std::move(columns)), rows_(std::move(rows)) {}

  const std::vector<Column>& columns() const { return columns_; }
  void each(const Use& use) const {
    if (rows_) rows_(use);
  }

 private:
  std::vector<Column> columns_;
  std::function<void(const Use&)> rows_;
};

/// The columns of rows that are made from objects of one type: a line for each column, with its
/// name and how its value is found. The column's type follows from the value's.
template <class Object>
class ColumnsOf {
 public:
  template <class Value>
  ColumnsOf& add(std::string name, Value value) {
    using Found = std::remove_cvref_t<std::invoke_result_t<Value, const Object&>>;
    return add(std::move(name),
               ColumnTypeOf<Found>::value,
               [value = std::move(value)](const Object& object) {
                 return datum(std::invoke(value, object));
               });
  }
  ColumnsOf& add(std::string name, ColumnType type, std::function<Datum(const Object&)> value) {
    columns_.push_back({std::move(name), type});
    values_.push_back(std::move(value));
    return *this;
  }
  /// The columns of a part of the object.
  template <class Part>
  ColumnsOf& add(const ColumnsOf<Part>& part, Part Object::*place) {
    for (std::size_t i = 0; i < part.columns_.size(); ++i)
      add(part.columns_[i].name,
          part.columns_[i].type,
          [value = part.values_[i], place](const Object& object) { return value(object.*place); });
    return *this;
  }

  const std::vector<Column>& columns() const { return columns_; }
  /// A table of the objects that `objects` calls its argument with.
  DataTable table(std::function<void(const std::function<void(const Object&)>&)> objects) const {
    return {columns_, [columns = *this, objects = std::move(objects)](const DataTable::Use& use) {
              TableRow row;
              objects([&](const Object& object) {
                row.clear();
                columns.append(object, row);
                use(row);
              });
            }};
  }
  /// Appends the object's values.
  void append(const Object& object, TableRow& row) const {
    for (const auto& value : values_) row.push_back(value(object));
  }

 private:
  template <class>
  friend class ColumnsOf;
  std::vector<Column> columns_;
  std::vector<std::function<Datum(const Object&)>> values_;
};

/// As CSV has it, without quotes.
std::string datum_text(const Datum& value);

// CSV as RFC 4180 has it: UTF-8, a header, quotes where needed, shortest round-trip numbers.

/// The header's line, and a row's; flags are 1 and 0.
void append_csv(const std::vector<Column>& columns, std::string& out);
void append_csv(const TableRow& row, std::string& out);

/// Calls `out` with the header, and with one or more lines at a time.
void write_csv(const DataTable& table, const std::function<void(std::string_view)>& out);
std::string csv_text(const DataTable& table);

/// The datum that a cell of a CSV file is; nothing if it isn't of the type. Of reals, NaN and
/// infinity are values.
std::optional<Datum> datum_in(std::string_view cell, ColumnType type);
/// What such a cell should be: "a number".
std::string_view wanted(ColumnType type);

}  // namespace posse
