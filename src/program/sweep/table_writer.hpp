// SPDX-License-Identifier: Apache-2.0
// A table that grows row by row, as CSV and as a table of an SQLite database.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

enum class ColumnType { text, number };

struct Column {
  std::string name;
  ColumnType type = ColumnType::number;
};

/// Written to a temporary name and renamed by close(). Throws FileError.
class CsvTable {
 public:
  CsvTable(std::filesystem::path path, const std::vector<Column>& columns);
  ~CsvTable();  // without close(): nothing remains
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  /// As many cells as columns; empty ones have no value.
  void add(const std::vector<std::string>& cells);
  void close();

 private:
  struct File;
  std::filesystem::path path_;
  std::unique_ptr<File> file_;
};

/// The same; empty cells are NULL.
class SqliteTable {
 public:
  SqliteTable(std::filesystem::path path,
              std::string_view table,
              const std::vector<Column>& columns);
  ~SqliteTable();
  SqliteTable(const SqliteTable&) = delete;
  SqliteTable& operator=(const SqliteTable&) = delete;

  void add(const std::vector<std::string>& cells);
  void close();

 private:
  struct Database;
  std::filesystem::path path_;
  std::unique_ptr<Database> database_;
};

}  // namespace posse
