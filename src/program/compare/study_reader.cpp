#include "program/compare/study_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/base/time.hpp"
#include "program/base/files.hpp"
#include "program/base/units.hpp"
#include "program/compare/setting_names.hpp"
#include "program/results/run_data.hpp"
#include "program/results/stored_run.hpp"
#include "program/scenario/network_reader.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/run_store.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// A run with everything that says which one it is.
struct StudiedRun {
  SettingKeys keys;
  std::string algorithm, seed, label;
  bool finished = false;
  Finals finals;
  ComparisonFacts facts;
  RunPlace place;
};

/// The key of a run's label: no key of a scenario's tables.
const std::string kLabel = "label";

/// What a run folder's algorithms have in common, and each one's own parameters.
struct FolderKeys {
  SettingKeys common;
  std::map<std::string, SettingKeys> own;  // by label
};

FolderKeys keys_of(const fs::path& file) {
  Diagnostics diagnostics;
  const Value root = parse_toml(read_file(file), file.string(), diagnostics);
  const Scenario scenario = read_scenario(root, file.string(), diagnostics);
  if (!diagnostics.empty()) throw FileError(file, "has mistakes:\n" + diagnostics.text());
  FolderKeys keys;
  Table rest = *root.table();
  for (const auto& entry : *rest.at("algorithm").array()) {
    SettingKeys own;
    add_leaves(entry, "algorithm", own);
    const auto label =
        own.contains("algorithm.label") ? own["algorithm.label"] : own["algorithm.kind"];
    own.erase("algorithm.label");
    own.erase("algorithm.kind");
    keys.own[label] = std::move(own);
  }
  for (const auto* key : {"algorithm", "name", "label", "seed", "repeat", "inputs"})
    rest.erase(key);
  add_leaves({{}, std::move(rest)}, "", keys.common);
  // A default that follows from other keys says nothing of its own.
  if (scenario.network.retransmission.timeout == default_timeout(scenario.network)) {
    keys.common.erase("network.retransmission.timeout");
    keys.common.erase("network.retransmission.max_timeout");
  }
  return keys;
}

/// "good, bad" of two sources.
void add_name(Study& study, const std::string& name) {
  if (study.name.empty())
    study.name = name;
  else if ((", " + study.name + ", ").find(", " + name + ", ") == std::string::npos)
    study.name += ", " + name;
}

void add_folder(const fs::path& source, Study& study, std::vector<StudiedRun>& runs) {
  const StoredRun stored(source);
  add_name(study, stored.name());
  const FolderKeys keys = keys_of(stored.folder() / "scenario.toml");
  const auto metadata_path = stored.folder() / "metadata.json";
  std::error_code missing;
  const Json metadata =
      fs::exists(metadata_path, missing) ? read_json(metadata_path) : Json::object();
  const auto label = JsonObject(metadata_path, "", metadata).optional_text("label");
  for (const auto& run : stored.runs()) {
    StudiedRun& studied = runs.emplace_back();
    studied.algorithm = stored.algorithms()[run.algorithm].label;
    studied.seed = run.results.text("seed");
    studied.label = label;
    studied.keys = keys.common;
    if (const auto own = keys.own.find(studied.algorithm); own != keys.own.end())
      studied.keys.insert(own->second.begin(), own->second.end());
    studied.facts = comparison_facts(run.results);
    studied.finished = run.status == "finished";
    if (studied.finished) studied.finals = finals_of(read_repetition(run.results));
    studied.place = {stored.folder(), run.repetition};
  }
}

/// A column of a store's table as a key, and its numbers as texts with units.
struct AxisColumn {
  std::string key;
  enum class Unit { none, seconds, bytes, bits_per_s } unit = Unit::none;
  std::string text(const std::string& cell) const {
    const auto number = parse_number<double>(cell);
    if (!number) return cell;
    switch (unit) {
      case Unit::seconds:
        return pretty_seconds(*number);
      case Unit::bytes:
        return pretty_bytes(*number);
      case Unit::bits_per_s:
        return format_rate(*number);
      case Unit::none:
        break;
    }
    return cell;
  }
};

AxisColumn axis_column(const std::string& name) {
  using Unit = AxisColumn::Unit;
  for (const auto& [suffix, unit] :
       {std::pair<std::string_view, Unit>{"_bits_per_s", Unit::bits_per_s},
        {"_bytes", Unit::bytes},
        {"_s", Unit::seconds}})
    if (name.ends_with(suffix)) return {name.substr(0, name.size() - suffix.size()), unit};
  return {name, Unit::none};
}

void add_store(const fs::path& csv, Study& study, std::vector<StudiedRun>& runs) {
  if (std::error_code error; !fs::exists(csv, error))
    throw FileError(
        csv, fmt::format("doesn't exist; `posse collect {}` makes it", csv.parent_path().string()));
  const auto text = read_file(csv);
  const RunStore store(csv.parent_path());
  const bool has_runs = store.exists();  // else tables only
  add_name(study, fs::absolute(csv).parent_path().filename().string());
  study.self_stopped = study.self_stopped || fs::exists(csv.parent_path() / kDecisionsFile);
  try {
    CsvReader rows(text);
    const auto setting = rows.column("setting"), algorithm = rows.column("algorithm"),
               status = rows.column("status"), seed = rows.column("seed"), key = rows.column("key"),
               repetition = rows.column("repetition"), widths = rows.column("widths"),
               label = rows.column("label"), random = rows.column("random_recommendation");
    std::vector<AxisColumn> axes;
    for (auto i = setting + 1; i < algorithm; ++i) axes.push_back(axis_column(rows.columns()[i]));
    std::array<std::size_t, kQuantities.size()> quantities{};
    for (std::size_t q = 0; q < kQuantities.size(); ++q)
      quantities[q] = rows.column(kQuantities[q].name);
    while (rows.next()) {
      StudiedRun& run = runs.emplace_back();
      for (std::size_t i = 0; i < axes.size(); ++i)
        run.keys[axes[i].key] = axes[i].text(rows.cell(setting + 1 + i));
      run.algorithm = rows.cell(algorithm);
      run.seed = rows.cell(seed);
      run.label = rows.cell(label);
      run.facts = {widths_of(rows.cell(widths)), rows.cell(random) == "1"};
      run.finished = rows.cell(status) == "finished";
      if (has_runs)
        run.place = {store.folder(rows.cell(key)),
                     static_cast<std::uint32_t>(finite_number(rows, repetition))};
      for (std::size_t q = 0; q < kQuantities.size(); ++q)
        if (run.finished && !rows.cell(quantities[q]).empty())
          run.finals[q] = finite_number(rows, quantities[q]);
    }
  } catch (const InputError& error) {
    throw FileError(csv,
                    fmt::format("{}; if another version wrote it, `posse collect` writes it anew",
                                error.what()));
  }
}

template <class T>
std::size_t position_of(std::vector<T>& list, const T& value) {
  const auto it = std::find(list.begin(), list.end(), value);
  const auto position = static_cast<std::size_t>(it - list.begin());
  if (it == list.end()) list.push_back(value);
  return position;
}

/// Labels are keys of the runs where each source has one of its own: a store that was extended
/// under another label stays together.
void add_labels(std::vector<StudiedRun>& runs, std::size_t begin) {
  const auto is_other = [&](const StudiedRun& run) { return run.label != runs[begin].label; };
  if (begin < runs.size() &&
      std::none_of(runs.begin() + static_cast<std::ptrdiff_t>(begin), runs.end(), is_other))
    for (auto i = begin; i < runs.size(); ++i) runs[i].keys[kLabel] = runs[i].label;
}

/// The labels, where they tell the settings apart; else what differs, after the label.
std::vector<std::string> names_with_labels(std::vector<SettingKeys> settings) {
  std::vector<std::string> labels;
  std::set<std::string> different;
  for (auto& setting : settings) {
    labels.push_back(setting[kLabel]);
    setting.erase(kLabel);
    different.insert(labels.back());
  }
  if (different.size() == labels.size() && !different.contains("")) return labels;
  auto names = setting_names(settings);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!labels[i].empty() && different.size() > 1)
      names[i] = names[i].empty() ? labels[i] : labels[i] + ", " + names[i];
  return names;
}

}  // namespace

bool is_store(const fs::path& source) {
  std::error_code error;
  return fs::exists(source / "plan.csv", error) || fs::exists(source / "summary.csv", error);
}

Study read_study(const std::vector<fs::path>& sources) {
  Study study;
  std::vector<StudiedRun> runs;
  for (const auto& source : sources) {
    const std::size_t begin = runs.size();
    if (is_store(source))
      add_store(source / "summary.csv", study, runs);
    else
      add_folder(source, study, runs);
    add_labels(runs, begin);
  }
  // Keys in which runs of one algorithm differ make the settings. Others, such as a parameter that
  // only one algorithm has, belong to the algorithm.
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // algorithm, key
  std::map<std::string, std::size_t> count;
  for (const auto& run : runs) {
    ++count[run.algorithm];
    for (const auto& [key, value] : run.keys) values[run.algorithm][key].insert(value);
  }
  std::set<std::string> differing;
  for (const auto& [algorithm, keys] : values)
    for (const auto& [key, seen] : keys) {
      std::size_t with = 0;
      for (const auto& run : runs) with += run.algorithm == algorithm && run.keys.contains(key);
      if (seen.size() > 1 || with < count[algorithm]) differing.insert(key);
    }
  std::vector<SettingKeys> settings;
  for (auto& run : runs) {
    std::erase_if(run.keys, [&](const auto& key) { return !differing.contains(key.first); });
    const auto algorithm = position_of(study.algorithms, run.algorithm);
    const auto setting = position_of(settings, run.keys);
    StudyCell& cell = study.cells[{setting, algorithm}];
    cell.facts = run.facts;
    if (!run.finished) {
      ++cell.unfinished;
    } else if (cell.finished.emplace(run.seed, run.finals).second) {
      if (!run.place.folder.empty()) cell.places.emplace(run.seed, std::move(run.place));
    } else {
      throw std::invalid_argument(fmt::format(
          "{} with the repetition seed {} is there twice, in the same setting: the sources overlap",
          run.algorithm,
          run.seed));
    }
  }
  study.settings = names_with_labels(settings);
  study.keys = std::move(settings);
  return study;
}

}  // namespace posse
