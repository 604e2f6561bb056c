// SPDX-License-Identifier: Apache-2.0
#include "program/page/run_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/page/document.hpp"
#include "program/results/json_object.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/value.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool is_run(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "results.json", error);
}

/// A hash of the names, sizes and times of the files in a folder, in any order.
std::uint64_t stamp_of(const fs::path& folder) {
  std::uint64_t stamp = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    std::uint64_t h = hash_name(it->path().filename().string());
    if (it->is_regular_file(ignored)) h = hash_combine(h, it->file_size(ignored));
    const auto written = it->last_write_time(ignored).time_since_epoch().count();
    stamp += hash_combine(h, static_cast<std::uint64_t>(written));
  }
  return stamp;
}

/// True if the link `latest` beside the folder points to it.
bool is_latest(const fs::path& folder) {
  std::error_code error;
  const auto target = fs::read_symlink(folder.parent_path() / "latest", error);
  return !error && target.filename() == folder.filename();
}

/// Of a scenario, without building its objective.
SettingKeys keys_in(const fs::path& scenario_toml) {
  Diagnostics diagnostics;
  const Value root = parse_toml(read_file(scenario_toml), scenario_toml.string(), diagnostics);
  if (!diagnostics.empty())
    throw FileError(scenario_toml, "is not valid TOML:\n" + diagnostics.text());
  return scenario_keys(root);
}

}  // namespace

RunIndex::RunIndex(const fs::path& folder, const RunIndexLimits& limits) : limits_(limits) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw FileError(folder, "is not a directory");
  root_ = fs::canonical(folder, error);
  if (error) throw FileError(folder, "can't be read: " + error.message());
}

std::vector<RunIndex::Found> RunIndex::find() const {
  std::vector<Found> found;
  if (is_run(root_)) {
    found.push_back({root_.filename().string(), root_, stamp_of(root_)});
    return found;
  }
  std::size_t looked_into = 0;
  find_below(root_, 1, looked_into, found);
  return found;
}

void RunIndex::find_below(const fs::path& folder,
                          std::size_t depth,
                          std::size_t& looked_into,
                          std::vector<Found>& found) const {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!is_hidden(it->path()) && fs::is_directory(it->symlink_status(ignored)))
      folders.push_back(it->path());
  }
  // Names of run folders begin with their time: when there are too many, the newest come first.
  std::sort(folders.rbegin(), folders.rend());
  for (const auto& path : folders) {
    if (++looked_into > limits_.folders) return;
    if (is_run(path))
      found.push_back({path.lexically_relative(root_).generic_string(), path, stamp_of(path)});
    else if (depth < limits_.depth)
      find_below(path, depth + 1, looked_into, found);
  }
}

RunIndex::Entry RunIndex::entry_of(const Found& run) const {
  Entry entry{run.stamp,
              {{"id", run.id},
               {"name", run.folder.filename().string()},
               {"label", ""},
               {"started", ""},
               {"status", "unreadable"},
               {"parameters", ""},
               {"seed", nullptr},
               {"wall_s", nullptr},
               {"headline", ""},
               {"warnings", Json::array()},
               {"fingerprint", ""},
               {"latest", false}},
              {}};
  try {
    const auto path = run.folder / "metadata.json";
    const Json json = read_json(path);
    const JsonObject metadata(path, "", json);
    Entry listed = entry;
    listed.json["name"] = metadata.optional_text("name");
    listed.json["label"] = metadata.optional_text("label");
    listed.json["started"] = metadata.optional_text("start");
    listed.json["status"] = metadata.optional_text("status");
    listed.json["seed"] = metadata.optional_number("seed", nullptr);
    listed.json["wall_s"] = metadata.optional_number("wall_s", nullptr);
    listed.json["headline"] = metadata.optional_text("headline");
    listed.json["warnings"] = metadata.optional_list("warnings");
    listed.json["fingerprint"] = metadata.optional_text("fingerprint");
    listed.keys = keys_in(run.folder / "scenario.toml");
    return listed;
  } catch (const FileError&) {
  }
  return entry;
}

void RunIndex::add_parameters() {
  std::map<std::string, std::vector<Entry*>> by_name;
  for (auto& [id, entry] : entries_)
    if (!entry.keys.empty()) by_name[entry.json["name"]].push_back(&entry);
  for (const auto& [name, entries] : by_name) {
    std::vector<SettingKeys> keys;
    keys.reserve(entries.size());
    for (const auto* entry : entries) keys.push_back(entry->keys);
    const auto texts = run_parameters(keys);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i]->json["parameters"] = texts[i];
  }
}

Json RunIndex::runs() {
  std::map<std::string, Entry> entries;
  for (const auto& run : find()) {
    auto known = entries_.find(run.id);
    Entry entry = known != entries_.end() && known->second.stamp == run.stamp
                      ? std::move(known->second)
                      : entry_of(run);
    entry.json["latest"] = is_latest(run.folder);
    entries.insert_or_assign(run.id, std::move(entry));
  }
  entries_ = std::move(entries);
  add_parameters();
  std::vector<Json> list;
  for (const auto& [id, entry] : entries_) list.push_back(entry.json);
  // Runs that began in the same second: by folder, the last first.
  std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
    const auto place = [](const Json& run) {
      return std::tie(run["started"].get_ref<const std::string&>(),
                      run["id"].get_ref<const std::string&>());
    };
    return place(a) > place(b);
  });
  if (list.size() > limits_.runs) list.resize(limits_.runs);
  return list;
}

std::optional<fs::path> RunIndex::folder(std::string_view id) const {
  for (const auto& run : find())
    if (run.id == id) return run.folder;
  return std::nullopt;
}

std::optional<std::string> RunIndex::document(std::string_view id) {
  const auto found = find();
  const auto run =
      std::find_if(found.begin(), found.end(), [&](const Found& f) { return f.id == id; });
  if (run == found.end()) return std::nullopt;
  const auto known = std::find_if(
      documents_.begin(), documents_.end(), [&](const Document& d) { return d.id == run->id; });
  if (known != documents_.end() && known->stamp == run->stamp) {
    documents_.splice(documents_.begin(), documents_, known);
    return documents_.front().text;
  }
  if (known != documents_.end()) documents_.erase(known);
  documents_.push_front({run->id, run->stamp, compact_json(read_document(run->folder))});
  if (documents_.size() > limits_.documents) documents_.pop_back();
  return documents_.front().text;
}

}  // namespace posse
