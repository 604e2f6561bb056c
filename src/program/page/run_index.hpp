// SPDX-License-Identifier: Apache-2.0
// The index of the finished runs below a directory, for the page that lists and compares them.
//
// A run folder has results.json. Hidden folders (such as those of unfinished runs) and links are
// skipped, so that `latest` does not list its run twice; run folders are not searched further.
// Every list is a new search: a run that ends while the page is open appears.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/results/results_json.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {

struct RunIndexLimits {
  std::size_t depth = 4;         // levels of folders below the root
  std::size_t folders = 20'000;  // searched
  std::size_t runs = 1000;       // listed, the newest
  std::size_t documents = 4;     // kept in memory
};

/// Not thread-safe.
class RunIndex {
 public:
  /// Throws FileError if there is no such directory. It may be a run folder itself.
  explicit RunIndex(const std::filesystem::path& folder, const RunIndexLimits& limits = {});

  /// [{id, name, label, started, status, parameters, seed, wall_s, headline, fingerprint, latest}],
  /// newest first. The id is the folder's path relative to the root. The parameters are those that
  /// tell the runs of one name apart. A folder that can't be read has the status "unreadable".
  Json runs();
  /// The document of a listed run as JSON text; nothing if no run has this id. Throws FileError if
  /// its folder can't be read.
  std::optional<std::string> document(std::string_view id);
  /// The folder of a listed run; nothing if no run has this id.
  std::optional<std::filesystem::path> folder(std::string_view id) const;

 private:
  struct Found {
    std::string id;
    std::filesystem::path folder;
    std::uint64_t stamp = 0;  // changes with the folder's files
  };
  struct Entry {
    std::uint64_t stamp = 0;
    Json json;
    SettingKeys keys;  // of its scenario
  };
  struct Document {
    std::string id;
    std::uint64_t stamp = 0;
    std::string text;
  };

  std::vector<Found> find() const;
  void find_below(const std::filesystem::path& folder,
                  std::size_t depth,
                  std::size_t& looked_into,
                  std::vector<Found>& found) const;
  Entry entry_of(const Found& run) const;
  void add_parameters();

  std::filesystem::path root_;
  RunIndexLimits limits_;
  std::map<std::string, Entry> entries_;  // by id
  std::list<Document> documents_;         // most recently used first
};

}  // namespace posse
