// SPDX-License-Identifier: Apache-2.0
#include "program/base/table_files.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/overload.hpp"
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
  std::string line;

  void write() {
    out << line;
    line.clear();
  }
};

CsvTable::CsvTable(fs::path path, const std::vector<Column>& columns)
    : path_(std::move(path)), file_(std::make_unique<File>()) {
  file_->temporary = unfinished_name(path_);
  errno = 0;
  file_->out.open(file_->temporary, std::ios::binary);
  if (!file_->out)
    throw FileError(path_, fmt::format("can't be written: {}", std::strerror(errno)));
  append_csv(columns, file_->line);
  file_->write();
}

CsvTable::~CsvTable() {
  std::error_code ignored;
  if (file_) fs::remove(file_->temporary, ignored);
}

void CsvTable::add(const TableRow& row) {
  append_csv(row, file_->line);
  file_->write();
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

void SqliteTable::add(const TableRow& row) {
  Database& db = *database_;
  int place = 0;
  for (const auto& value : row) {
    ++place;
    std::visit(Overload{[&](std::monostate) { sqlite3_bind_null(db.insert, place); },
                        [&](bool flag) { sqlite3_bind_int(db.insert, place, flag); },
                        [&](std::uint64_t count) {
                          sqlite3_bind_int64(db.insert, place, static_cast<sqlite3_int64>(count));
                        },
                        [&](double real) { sqlite3_bind_double(db.insert, place, real); },
                        [&](const std::string& text) {
                          if (text.empty())
                            sqlite3_bind_null(db.insert, place);
                          else
                            sqlite3_bind_text(db.insert,
                                              place,
                                              text.data(),
                                              static_cast<int>(text.size()),
                                              SQLITE_TRANSIENT);
                        }},
               value);
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

void write_csv_file(const fs::path& path, const DataTable& table) {
  write_stream(path, [&](std::ostream& out) {
    write_csv(table, [&](std::string_view lines) { out << lines; });
  });
}

}  // namespace posse
