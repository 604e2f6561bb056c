#include "program/page/run_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/page/document.hpp"
#include "program/results/json_object.hpp"
#include "program/scenario/scenario_facts.hpp"

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

Json RunIndex::entry_of(const Found& run) const {
  Json entry{{"id", run.id},
             {"name", run.folder.filename().string()},
             {"label", ""},
             {"started", ""},
             {"status", "unreadable"},
             {"seed", nullptr},
             {"wall_s", nullptr},
             {"headline", ""},
             {"algorithms", Json::array()},
             {"fingerprint", ""},
             {"latest", false}};
  try {
    const auto path = run.folder / "metadata.json";
    const Json json = read_json(path);
    const JsonObject metadata(path, "", json);
    Json listed = entry;
    listed["name"] = metadata.optional_text("name");
    listed["started"] = metadata.optional_text("start");
    listed["status"] = metadata.optional_text("status");
    listed["seed"] = metadata.optional_number("seed", nullptr);
    listed["wall_s"] = metadata.optional_number("wall_s", nullptr);
    const auto label = metadata.optional_text("label"),
               headline = metadata.optional_text("headline");
    listed["label"] = label;
    listed["headline"] =
        label.empty() || headline.empty() ? label + headline : label + ": " + headline;
    listed["algorithms"] = read_scenario_facts(run.folder / "scenario.toml").algorithms;
    listed["fingerprint"] = metadata.optional_text("fingerprint");
    return listed;
  } catch (const FileError&) {
  }
  return entry;
}

Json RunIndex::runs() {
  std::map<std::string, Entry> entries;
  std::vector<Json> list;
  for (const auto& run : find()) {
    auto known = entries_.find(run.id);
    Entry entry = known != entries_.end() && known->second.stamp == run.stamp
                      ? std::move(known->second)
                      : Entry{run.stamp, entry_of(run)};
    entry.json["latest"] = is_latest(run.folder);
    list.push_back(entry.json);
    entries.insert_or_assign(run.id, std::move(entry));
  }
  entries_ = std::move(entries);
  std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
    return a["started"].get_ref<const std::string&>() > b["started"].get_ref<const std::string&>();
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
  documents_.push_front({run->id, run->stamp, document_text(read_document(run->folder))});
  if (documents_.size() > limits_.documents) documents_.pop_back();
  return documents_.front().text;
}

}  // namespace posse
