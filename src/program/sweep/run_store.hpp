// SPDX-License-Identifier: Apache-2.0
// A store: a directory with the finished runs of sweeps, a run folder each.
//
//   runs/3f/3f09…/      one run: algorithm and repetition; its name is its key (run_key.hpp)
//   runs/3f/3f09….other-5c…/   the same run with another fingerprint: refused by readers, by name
//   plan.csv, about.txt   the runs of the latest sweep, and what it is about (collect.hpp)
//   tmp/                runs that are being written
//
// Many programs, on many machines, may write into a store at a time, without locks: a run is
// written in `tmp`, then renamed, and no file is changed after that. Runs are synchronised to disk
// in batches, before they are renamed; a program that is killed loses the runs of its last second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "program/base/working_directory.hpp"

namespace posse {

/// What the folders of a store are.
enum class StoredKind { run, other_result, foreign };

struct StoredEntry {
  StoredKind kind = StoredKind::run;
  std::string key;  // empty for foreign ones
  std::filesystem::path folder;
};

class RunStore {
 public:
  /// Reads nothing.
  explicit RunStore(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path folder(const std::string& key) const;
  bool has(const std::string& key) const;
  /// True if `root` looks like a store.
  bool exists() const;

  /// Everything below `runs`, sorted by name. Throws FileError.
  std::vector<StoredEntry> entries() const;
  /// The problems of a run's folder: files that are missing or changed since they were written, a
  /// fingerprint that isn't that of its results. Empty if there are none.
  static std::vector<std::string> damage(const StoredEntry& entry);
  /// Removes a run's folder, in one step for readers. Throws FileError.
  void remove(const StoredEntry& entry) const;
  /// Replaces a file of the root in one step. Throws FileError.
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path root_;
};

bool is_run_key(std::string_view text);

/// The fingerprint of a run folder. Throws FileError.
std::string stored_fingerprint(const std::filesystem::path& folder);

class StoreWriter {
 public:
  /// Creates the store. Throws FileError. Without flush(), what is not in its place is lost.
  explicit StoreWriter(const RunStore& store);

  /// `write` writes the files of a run into the folder it gets. From any thread. Throws what
  /// `write` throws, and FileError.
  void add(const std::string& key, const std::function<void(const std::filesystem::path&)>& write);
  /// Puts all runs in their places.
  void flush();
  /// Runs that were there already with another fingerprint: the folders of the new results.
  std::vector<std::filesystem::path> conflicts() const;

 private:
  using Clock = std::chrono::steady_clock;
  void flush_locked();
  void put(const std::string& key);

  const RunStore& store_;
  std::optional<WorkingDirectory> working_;
  mutable std::mutex mutex_;
  std::vector<std::string> written_;  // keys in `working_`
  std::vector<std::filesystem::path> conflicts_;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace posse
