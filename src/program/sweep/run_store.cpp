// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/run_store.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/results/json_object.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBatch = 64;                        // runs put in their places together
constexpr auto kLongestBatch = std::chrono::seconds(1);   // or all of this time
constexpr std::string_view kChecksums = "checksums.csv";  // of a run's other files
constexpr std::size_t kKeyDigits = 32;

/// Throws FileError in the place of the library's exception.
template <class Action>
auto with_file_errors(const fs::path& path, const Action& action) {
  try {
    return action();
  } catch (const fs::filesystem_error& error) {
    throw FileError(error.path1().empty() ? path : error.path1(), error.code().message());
  }
}

std::uint32_t checksum(std::string_view content) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

/// All files below a run's folder but the checksums, as paths from there, sorted.
std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder).string());
  std::erase(names, kChecksums);
  std::sort(names.begin(), names.end());
  return names;
}

void write_checksums(const fs::path& folder) {
  std::string text = "file,bytes,crc32\n";
  for (const auto& name : files_of(folder)) {
    const auto content = read_file(folder / name);
    text += fmt::format("{},{},{:08x}\n", csv_cell(name), content.size(), checksum(content));
  }
  write_file(folder / kChecksums, text);
}

}  // namespace

bool is_run_key(std::string_view text) {
  return text.size() == kKeyDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string stored_fingerprint(const fs::path& folder) {
  const auto path = folder / "results.json";
  const auto json = read_json(path);
  return JsonObject(path, "", json).text("fingerprint");
}

fs::path RunStore::folder(const std::string& key) const {
  return root_ / "runs" / key.substr(0, 2) / key;
}

bool RunStore::has(const std::string& key) const {
  std::error_code error;
  return fs::is_directory(folder(key), error);
}

bool RunStore::exists() const {
  std::error_code error;
  return fs::is_directory(root_ / "runs", error);
}

std::vector<StoredEntry> RunStore::entries() const {
  if (!exists()) throw FileError(root_, "is not a store: it has no directory `runs`");
  return with_file_errors(root_, [&] {
    std::vector<StoredEntry> entries;
    for (const auto& shelf : fs::directory_iterator(root_ / "runs")) {
      if (!shelf.is_directory()) {
        entries.push_back({StoredKind::foreign, "", shelf.path()});
        continue;
      }
      for (const auto& entry : fs::directory_iterator(shelf.path())) {
        const auto name = entry.path().filename().string();
        const auto key = name.substr(0, std::min(name.size(), kKeyDigits));
        const auto rest = std::string_view(name).substr(key.size());
        const bool ours =
            entry.is_directory() && is_run_key(key) && shelf.path().filename() == key.substr(0, 2);
        if (ours && rest.empty())
          entries.push_back({StoredKind::run, key, entry.path()});
        else if (ours && rest.starts_with(".other-"))
          entries.push_back({StoredKind::other_result, key, entry.path()});
        else
          entries.push_back({StoredKind::foreign, "", entry.path()});
      }
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.folder < b.folder;
    });
    return entries;
  });
}

std::vector<std::string> RunStore::damage(const StoredEntry& entry) {
  std::vector<std::string> problems;
  const fs::path& folder = entry.folder;
  try {
    const auto text = read_file(folder / kChecksums);
    CsvReader rows(text);
    const auto file = rows.column("file"), bytes = rows.column("bytes"), crc = rows.column("crc32");
    std::vector<std::string> listed;
    while (rows.next()) {
      const auto& name = listed.emplace_back(rows.cell(file));
      std::error_code error;
      if (!fs::is_regular_file(folder / name, error)) {
        problems.push_back(fmt::format("{} is missing", name));
        continue;
      }
      const auto content = read_file(folder / name);
      if (fmt::format("{}", content.size()) != rows.cell(bytes) ||
          fmt::format("{:08x}", checksum(content)) != rows.cell(crc))
        problems.push_back(fmt::format("{} is not as it was written", name));
    }
    for (const auto* needed : {"results.json", "metadata.json", "scenario.toml"})
      if (std::find(listed.begin(), listed.end(), needed) == listed.end())
        problems.push_back(fmt::format("{} has no checksum", needed));
    for (const auto& name : files_of(folder))
      if (std::find(listed.begin(), listed.end(), name) == listed.end())
        problems.push_back(fmt::format("{} is new", name));
    if (problems.empty()) stored_fingerprint(folder);
  } catch (const InputError& error) {
    problems.push_back(fmt::format("{} can't be read: {}", kChecksums, error.what()));
  } catch (const std::exception& error) {
    problems.emplace_back(error.what());
  }
  return problems;
}

void RunStore::remove(const StoredEntry& entry) const {
  with_file_errors(entry.folder, [&] {
    const WorkingDirectory working(root_ / "tmp");
    fs::rename(entry.folder, working.path() / "removed");
  });
}

void RunStore::write(const std::string& name, const std::string& content) const {
  with_file_errors(root_ / name, [&] {
    const WorkingDirectory working(root_ / "tmp");
    write_file(working.path() / name, content);
    fs::rename(working.path() / name, root_ / name);
  });
}

StoreWriter::StoreWriter(const RunStore& store) : store_(store) {
  with_file_errors(store.root(), [&] {
    fs::create_directories(store.root() / "runs");
    working_.emplace(store.root() / "tmp");
  });
}

void StoreWriter::add(const std::string& key, const std::function<void(const fs::path&)>& write) {
  const auto folder = working_->path() / key;
  try {
    with_file_errors(folder, [&] {
      fs::create_directory(folder);
      write(folder);
      write_checksums(folder);
    });
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
  const std::lock_guard lock(mutex_);
  written_.push_back(key);
  if (written_.size() >= kBatch || Clock::now() - flushed_ >= kLongestBatch) flush_locked();
}

void StoreWriter::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

void StoreWriter::flush_locked() {
  flushed_ = Clock::now();
  if (written_.empty()) return;
  with_file_errors(store_.root(), [&] {
    working_->synchronise();
    while (!written_.empty()) {
      put(written_.back());
      written_.pop_back();
    }
  });
  flushed_ = Clock::now();
}

void StoreWriter::put(const std::string& key) {
  const auto from = working_->path() / key, to = store_.folder(key);
  fs::create_directories(to.parent_path());
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return;
  if (!store_.has(key)) throw fs::filesystem_error("rename", to, error);
  // Another program was faster. Equal results are the rule.
  const auto ours = stored_fingerprint(from);
  std::string theirs;
  try {
    theirs = stored_fingerprint(to);
  } catch (const FileError&) {  // damaged: `verify` tells
  }
  if (ours == theirs) {
    fs::remove_all(from);
    return;
  }
  const fs::path other = to.string() + ".other-" + ours;
  fs::rename(from, other, error);
  if (error) fs::remove_all(from);  // this other result is there already
  conflicts_.push_back(other);
}

std::vector<fs::path> StoreWriter::conflicts() const {
  const std::lock_guard lock(mutex_);
  return conflicts_;
}

}  // namespace posse
