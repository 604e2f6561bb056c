// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/table_writer.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

void rename_or_throw(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw FileError(to, fmt::format("can't be written: {}", error.message()));
}

}  // namespace

struct CsvTable::File {
  fs::path temporary;
  std::ofstream out;
};

CsvTable::CsvTable(fs::path path, const std::vector<Column>& columns)
    : path_(std::move(path)), file_(std::make_unique<File>()) {
  file_->temporary = unfinished_name(path_);
  errno = 0;
  file_->out.open(file_->temporary, std::ios::binary);
  if (!file_->out)
    throw FileError(path_, fmt::format("can't be written: {}", std::strerror(errno)));
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.name);
  add(names);
}

CsvTable::~CsvTable() {
  std::error_code ignored;
  if (file_) fs::remove(file_->temporary, ignored);
}

void CsvTable::add(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    file_->out << (i == 0 ? "" : ",") << csv_cell(cells[i]);
  file_->out << '\n';
}

void CsvTable::close() {
  errno = 0;
  file_->out.close();
  if (!file_->out)
    throw FileError(path_, fmt::format("can't be written: {}", std::strerror(errno)));
  rename_or_throw(file_->temporary, path_);
  file_.reset();
}

struct SqliteTable::Database {
  fs::path temporary;
  sqlite3* handle = nullptr;
  sqlite3_stmt* insert = nullptr;
  std::vector<Column> columns;

  [[noreturn]] void fail(const fs::path& path) const {
    throw FileError(path, fmt::format("can't be written: {}", sqlite3_errmsg(handle)));
  }
  void run(const fs::path& path, const std::string& sql) const {
    if (sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(path);
  }
  ~Database() {
    sqlite3_finalize(insert);
    sqlite3_close(handle);
    std::error_code ignored;
    fs::remove(temporary, ignored);
  }
};

SqliteTable::SqliteTable(fs::path path, std::string_view table, const std::vector<Column>& columns)
    : path_(std::move(path)), database_(std::make_unique<Database>()) {
  Database& db = *database_;
  db.temporary = unfinished_name(path_);
  db.columns = columns;
  std::error_code ignored;
  fs::remove(db.temporary, ignored);
  if (sqlite3_open(db.temporary.c_str(), &db.handle) != SQLITE_OK) db.fail(path_);
  std::string definitions, places;
  for (const auto& column : columns) {
    std::string name;
    for (const char c : column.name) name += c == '"' ? std::string("\"\"") : std::string(1, c);
    definitions += fmt::format("{}\"{}\" {}",
                               definitions.empty() ? "" : ", ",
                               name,
                               column.type == ColumnType::text ? "TEXT" : "NUMERIC");
    places += places.empty() ? "?" : ", ?";
  }
  // Only this program sees the file until it is renamed: no journal, no waiting for the disk.
  db.run(path_, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  db.run(path_, fmt::format("CREATE TABLE {} ({}); BEGIN;", table, definitions));
  const auto insert = fmt::format("INSERT INTO {} VALUES ({})", table, places);
  if (sqlite3_prepare_v2(db.handle, insert.c_str(), -1, &db.insert, nullptr) != SQLITE_OK)
    db.fail(path_);
}

SqliteTable::~SqliteTable() = default;

void SqliteTable::add(const std::vector<std::string>& cells) {
  Database& db = *database_;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto place = static_cast<int>(i + 1);
    const auto& cell = cells[i];
    if (cell.empty()) {
      sqlite3_bind_null(db.insert, place);
    } else if (db.columns[i].type == ColumnType::text) {
      sqlite3_bind_text(
          db.insert, place, cell.data(), static_cast<int>(cell.size()), SQLITE_TRANSIENT);
    } else if (const auto whole = parse_number<std::int64_t>(cell)) {
      sqlite3_bind_int64(db.insert, place, *whole);
    } else if (const auto real = parse_number<double>(cell)) {
      sqlite3_bind_double(db.insert, place, *real);
    } else {
      sqlite3_bind_text(
          db.insert, place, cell.data(), static_cast<int>(cell.size()), SQLITE_TRANSIENT);
    }
  }
  if (sqlite3_step(db.insert) != SQLITE_DONE) db.fail(path_);
  sqlite3_reset(db.insert);
}

void SqliteTable::close() {
  Database& db = *database_;
  db.run(path_, "COMMIT;");
  sqlite3_finalize(std::exchange(db.insert, nullptr));
  if (sqlite3_close(std::exchange(db.handle, nullptr)) != SQLITE_OK)
    throw FileError(path_, "can't be closed");
  rename_or_throw(db.temporary, path_);
  database_.reset();
}

}  // namespace posse
