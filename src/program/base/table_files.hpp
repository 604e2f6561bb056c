// SPDX-License-Identifier: Apache-2.0
// Tables in files that grow row by row: CSV, and a table of an SQLite database.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "program/base/data_table.hpp"

namespace posse {

/// Written to a temporary name and renamed by close(). Throws FileError.
class CsvTable {
 public:
  CsvTable(std::filesystem::path path, const std::vector<Column>& columns);
  ~CsvTable();  // without close(): nothing remains
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  void add(const TableRow& row);
  void close();

 private:
  struct File;
  std::filesystem::path path_;
  std::unique_ptr<File> file_;
};

/// A database with one table, written like a CsvTable; what has no value is NULL.
class SqliteTable {
 public:
  SqliteTable(std::filesystem::path path,
              std::string_view table,
              const std::vector<Column>& columns);
  ~SqliteTable();
  SqliteTable(const SqliteTable&) = delete;
  SqliteTable& operator=(const SqliteTable&) = delete;

  void add(const TableRow& row);
  void close();

 private:
  struct Database;
  std::filesystem::path path_;
  std::unique_ptr<Database> database_;
};

/// Writes the table at once, under its name. Throws FileError.
void write_csv_file(const std::filesystem::path& path, const DataTable& table);

}  // namespace posse
