// The finished runs below a folder, for the page that lists, opens and compares them.
//
// A run folder has results.json. Hidden folders (unfinished runs among them) and links are passed
// over, so that `latest` doesn't show its run twice; nothing is looked for inside a run folder.
// What is there is looked at anew for every list: a run that ends while the page is open shows up.
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

namespace posse {

struct RunIndexLimits {
  std::size_t depth = 4;         // folders below the shelf's own
  std::size_t folders = 20'000;  // looked into
  std::size_t runs = 1000;       // listed, the newest
  std::size_t documents = 4;     // kept
};

/// Not thread-safe.
class RunIndex {
 public:
  /// Throws FileError if there is no such folder. The folder may be a run's itself.
  explicit RunIndex(const std::filesystem::path& folder, const RunIndexLimits& limits = {});

  /// [{id, name, started, status, algorithms, fingerprint, latest}], newest first. The id is the
  /// folder's path below the shelf's. A folder that can't be read has the status "unreadable".
  Json runs();
  /// The document of a listed run as JSON text; nothing if no run has this id. Throws FileError if
  /// its folder can't be read.
  std::optional<std::string> document(std::string_view id);

 private:
  struct Found {
    std::string id;
    std::filesystem::path folder;
    std::uint64_t stamp = 0;  // changes with the folder's files
  };
  struct Entry {
    std::uint64_t stamp = 0;
    Json json;
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
  Json entry_of(const Found& run) const;

  std::filesystem::path root_;
  RunIndexLimits limits_;
  std::map<std::string, Entry> entries_;  // by id
  std::list<Document> documents_;         // the latest asked for first
};

}  // namespace posse
