// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/study_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "core/base/time.hpp"
#include "program/base/files.hpp"
#include "program/base/units.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_runs.hpp"
#include "program/scenario/conditions.hpp"
#include "program/scenario/network_values.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/run_store.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// What a source says of all its runs.
struct StudySource {
  std::string name;   // of its scenario
  std::string place;  // that tells it from others: a store's folder, else its name
  SettingKeys keys;   // of its scenario (scenario_keys), without its axes and those that vary
  std::set<std::string> varying;  // that follow from the axes
  std::string conditions;         // of all its runs; of folders they are added up
};

/// A run with everything that says which one it is.
struct StudiedRun {
  std::size_t source = 0;
  SettingKeys keys;  // that vary within the source
  std::string algorithm, label;
  StudyRun run;
  RunPlace place;
};

/// The key of a run's label: no key of a scenario's tables.
const std::string kLabel = "label";

/// A scenario that a run was of.
struct StoredScenario {
  Scenario scenario;
  SettingKeys keys;
};
StoredScenario read_stored_scenario(const fs::path& file) {
  Diagnostics diagnostics;
  const Value root = parse_toml(read_file(file), file.string(), diagnostics);
  StoredScenario stored{read_scenario(root, file.string(), diagnostics), {}};
  if (!diagnostics.empty()) throw FileError(file, "has mistakes:\n" + diagnostics.text());
  stored.keys = scenario_keys(root);
  for (const auto* key : {"algorithms", "repeat"}) stored.keys.erase(key);
  return stored;
}

/// "good, bad" of two sources.
void add_name(Study& study, const std::string& name) {
  if (study.name.empty())
    study.name = name;
  else if ((", " + study.name + ", ").find(", " + name + ", ") == std::string::npos)
    study.name += ", " + name;
}

/// Runs that results.json doesn't have, since it has the first repetitions of many.
void add_later_repetitions(const StoredRun& stored,
                           const std::string& label,
                           std::vector<StudiedRun>& runs) {
  const auto path = stored.folder() / "runs.csv";
  const auto text = read_file(path);
  try {
    CsvReader rows(text);
    const StudyRunReader reader(rows);
    const auto algorithm = rows.column("algorithm"), number = rows.column("repetition");
    while (rows.next()) {
      const auto repetition = parse_number<std::uint32_t>(rows.cell(number));
      if (!repetition) throw InputError(fmt::format("line {} has no repetition", rows.line()));
      if (stored.find_run(rows.cell(algorithm), *repetition)) continue;
      StudiedRun& run = runs.emplace_back();
      run.algorithm = rows.cell(algorithm);
      run.label = label;
      run.place = {stored.folder(), *repetition};
      run.run = reader.read(rows);
    }
  } catch (const InputError& error) {
    throw FileError(path, error.what());
  }
}

void add_folder(const fs::path& path,
                StudySource& source,
                Conditions& of_folders,
                std::vector<StudiedRun>& runs) {
  const StoredRun stored(path);
  source.name = source.place = stored.name();
  auto [scenario, keys] = read_stored_scenario(stored.folder() / "scenario.toml");
  source.keys = std::move(keys);
  source.conditions = conditions_text(scenario);  // beside a store
  of_folders.add(scenario);
  const auto metadata_path = stored.folder() / "metadata.json";
  std::error_code missing;
  const Json metadata =
      fs::exists(metadata_path, missing) ? read_json(metadata_path) : Json::object();
  const auto label = JsonObject(metadata_path, "", metadata).optional_text("label");
  for (const auto& run : stored.runs()) {
    StudiedRun& studied = runs.emplace_back();
    studied.algorithm = stored.algorithms()[run.algorithm].label;
    studied.label = label;
    studied.run = study_run(run.results);
    studied.place = {stored.folder(), run.repetition};
  }
  if (!stored.has_all_details()) add_later_repetitions(stored, label, runs);
}

/// A value of a store's table as a text with its unit.
std::string axis_text(const std::string& cell, BaseUnit unit) {
  const auto number = parse_number<double>(cell);
  if (!number) return cell;
  switch (unit) {
    case BaseUnit::seconds:
      return pretty_seconds(*number);
    case BaseUnit::bytes:
      return pretty_bytes(*number);
    case BaseUnit::bits_per_second:
      return format_rate(*number);
    case BaseUnit::none:
    case BaseUnit::share:
      break;
  }
  return cell;
}

/// True if the axis sets the key, or a part of it. Components are set as a whole.
bool sets(std::string_view axis, std::string_view key) {
  if (axis.starts_with("algorithm.") && key.starts_with("algorithm."))
    return axis.substr(axis.rfind('.')) == key.substr(key.rfind('.'));
  if (axis.ends_with(".kind")) axis.remove_suffix(5);
  const auto shorter = std::min(axis.size(), key.size());
  if (axis.substr(0, shorter) != key.substr(0, shorter)) return false;
  const auto longer = axis.size() > key.size() ? axis : key;
  return longer.size() == shorter || longer[shorter] == '.';
}

/// What the scenarios of a store's runs have in common beside its axes, as far as the first and the
/// last run of each algorithm show it.
void read_common_keys(const std::vector<StudiedRun>& runs, std::size_t begin, StudySource& source) {
  std::map<std::string, std::pair<fs::path, fs::path>> ends;  // by algorithm
  for (auto i = begin; i < runs.size(); ++i) {
    const auto& folder = runs[i].place.folder;
    ends.try_emplace(runs[i].algorithm, folder, folder).first->second.second = folder;
  }
  for (const auto& [algorithm, folders] : ends)
    for (const auto& folder : {folders.first, folders.second}) {
      const auto file = folder / "scenario.toml";
      if (std::error_code error; folder.empty() || !fs::exists(file, error))
        continue;  // tables only
      for (const auto& [key, value] : read_stored_scenario(file).keys)
        if (const auto [it, added] = source.keys.emplace(key, value); !added && it->second != value)
          source.varying.insert(key);
    }
  std::erase_if(source.keys, [&](const auto& entry) {
    return source.varying.contains(entry.first) ||
           std::any_of(runs[begin].keys.begin(), runs[begin].keys.end(), [&](const auto& axis) {
             return sets(axis.first, entry.first);
           });
  });
}

constexpr std::size_t kLongestLine = 1000;

void add_store(const fs::path& csv,
               Study& study,
               StudySource& source,
               std::vector<StudiedRun>& runs) {
  if (std::error_code error; !fs::exists(csv, error))
    throw FileError(
        csv, fmt::format("doesn't exist; `posse collect {}` makes it", csv.parent_path().string()));
  const auto text = read_file(csv);
  const RunStore store(csv.parent_path());
  const bool has_runs = store.exists();  // else tables only
  source.place = fs::absolute(csv).parent_path().filename().string();
  source.name = source.place;
  if (const auto about = csv.parent_path() / kAboutFile; fs::exists(about)) {
    std::istringstream lines(read_file(about));
    const auto next_line = [&] {
      std::string line;
      std::getline(lines, line);
      return shortened(line, kLongestLine);
    };
    source.name = next_line();
    source.conditions = next_line();
  }
  study.self_stopped = study.self_stopped || fs::exists(csv.parent_path() / kDecisionsFile);
  try {
    CsvReader rows(text);
    const StudyRunReader reader(rows);
    const auto setting = rows.column("setting"), algorithm = rows.column("algorithm"),
               repetition = rows.column("repetition"), key = rows.column("key"),
               label = rows.column("label");
    std::vector<std::pair<std::string, BaseUnit>> axes;
    for (auto i = setting + 1; i < algorithm; ++i) axes.push_back(key_of_column(rows.columns()[i]));
    while (rows.next()) {
      StudiedRun& run = runs.emplace_back();
      for (std::size_t i = 0; i < axes.size(); ++i)
        run.keys[axes[i].first] = axis_text(rows.cell(setting + 1 + i), axes[i].second);
      run.run = reader.read(rows);
      run.algorithm = rows.cell(algorithm);
      run.label = rows.cell(label);
      if (has_runs) {
        const auto number = parse_number<std::uint32_t>(rows.cell(repetition));
        if (!number || !is_run_key(rows.cell(key)))
          throw InputError(fmt::format("line {} is not a run of the store", rows.line()));
        run.place = {store.folder(rows.cell(key)), *number};
      }
    }
  } catch (const InputError& error) {
    throw FileError(csv,
                    fmt::format("{}; if another version wrote it, `posse collect` writes it anew",
                                error.what()));
  }
}

/// The algorithm of a key "algorithm.<label>.<parameter>"; labels may have points.
std::string_view algorithm_of(std::string_view key) {
  return key.starts_with("algorithm.") ? key.substr(0, key.rfind('.')) : std::string_view{};
}

/// The keys in which the scenarios of the sources differ. The parameters of an algorithm are
/// compared among the sources that have it.
std::set<std::string> differing_among(const std::vector<StudySource>& sources) {
  std::set<std::string> differing;
  for (const auto& source : sources)
    for (const auto& [key, value] : source.keys)
      for (const auto& other : sources) {
        const auto it = other.keys.find(key);
        if (other.varying.contains(key)) continue;
        if (it == other.keys.end()) {
          const auto algorithm = algorithm_of(key);
          if (!algorithm.empty() && !other.keys.contains(std::string(algorithm) + ".kind"))
            continue;
        } else if (it->second == value) {
          continue;
        }
        differing.insert(key);
      }
  return differing;
}

/// Parameters that algorithms share, with the same value in each setting, become one key.
void merge_algorithms(std::vector<SettingKeys>& settings) {
  std::map<std::string, std::set<std::string>> by_parameter;
  for (const auto& setting : settings)
    for (const auto& [key, value] : setting)
      if (const auto algorithm = algorithm_of(key); !algorithm.empty())
        by_parameter[key.substr(algorithm.size() + 1)].insert(key);
  for (const auto& [parameter, keys] : by_parameter) {
    const auto values_of = [&keys = keys](const SettingKeys& setting) {  // clang 14 wants it named
      std::set<std::string> values;
      for (const auto& key : keys)
        if (const auto it = setting.find(key); it != setting.end()) values.insert(it->second);
      return values;
    };
    if (std::any_of(settings.begin(), settings.end(), [&](const SettingKeys& setting) {
          return values_of(setting).size() > 1;
        }))
      continue;
    for (auto& setting : settings) {
      const auto values = values_of(setting);
      for (const auto& key : keys) setting.erase(key);
      if (!values.empty()) setting["algorithm." + parameter] = *values.begin();
    }
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

/// Scenarios that differ in more keys than anybody reads are told apart by their names, and their
/// settings by what differs within each.
constexpr std::size_t kMostKeysInNames = 4;

/// `scenarios`: of each setting.
std::vector<std::string> names_by_scenario(const std::vector<SettingKeys>& settings,
                                           const std::vector<std::string>& scenarios) {
  std::map<std::string, std::vector<std::size_t>> by_scenario;
  for (std::size_t i = 0; i < settings.size(); ++i) by_scenario[scenarios[i]].push_back(i);
  std::vector<SettingKeys> firsts;
  for (const auto& [scenario, own] : by_scenario) firsts.push_back(settings[own.front()]);
  if (firsts.size() < 2 || differing_keys(firsts).size() <= kMostKeysInNames)
    return setting_names(settings);
  std::vector<std::string> names(settings.size());
  for (const auto& [scenario, own] : by_scenario) {
    std::vector<SettingKeys> within;
    for (const auto i : own) within.push_back(settings[i]);
    const auto parts = setting_names(within);
    for (std::size_t k = 0; k < own.size(); ++k)
      names[own[k]] = parts[k].empty() ? scenario : scenario + ", " + parts[k];
  }
  return names;
}

/// The labels, where they tell the settings apart; else what differs, after the label.
std::vector<std::string> names_with_labels(std::vector<SettingKeys> settings,
                                           const std::vector<std::string>& scenarios) {
  std::vector<std::string> labels;
  std::set<std::string> different;
  for (auto& setting : settings) {
    labels.push_back(setting[kLabel]);
    setting.erase(kLabel);
    different.insert(labels.back());
  }
  if (different.size() == labels.size() && !different.contains("")) return labels;
  auto names = names_by_scenario(settings, scenarios);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!labels[i].empty() && different.size() > 1)
      names[i] = names[i].empty() ? labels[i] : labels[i] + ", " + names[i];
  return names;
}

/// Keys that vary within sources and in which runs of one algorithm differ. Others, such as a
/// parameter that only one algorithm has, belong to the algorithm.
std::set<std::string> differing_within(const std::vector<StudiedRun>& runs) {
  struct Seen {
    std::set<std::string> values;
    std::size_t with = 0;
  };
  std::map<std::string, std::map<std::string, Seen>> seen;  // algorithm, key
  std::map<std::string, std::size_t> count;
  for (const auto& run : runs) {
    ++count[run.algorithm];
    for (const auto& [key, value] : run.keys) {
      auto& entry = seen[run.algorithm][key];
      entry.values.insert(value);
      ++entry.with;
    }
  }
  std::set<std::string> differing;
  for (const auto& [algorithm, keys] : seen)
    for (const auto& [key, entry] : keys)
      if (entry.values.size() > 1 || entry.with < count[algorithm]) differing.insert(key);
  return differing;
}

/// Of folders what they have in common and what not; a store has it in words only.
std::string common_conditions(const std::vector<StudySource>& sources,
                              const Conditions& of_folders,
                              bool only_folders) {
  if (only_folders) return of_folders.text();
  const auto& first = sources.front().conditions;
  const bool equal = std::ranges::all_of(
      sources, [&](const StudySource& source) { return source.conditions == first; });
  return equal ? first : "";
}

}  // namespace

bool is_store(const fs::path& source) {
  std::error_code error;
  return fs::exists(source / "plan.csv", error) || fs::exists(source / "summary.csv", error);
}

Study read_study(const std::vector<fs::path>& paths) {
  Study study;
  std::vector<StudySource> sources;
  std::vector<StudiedRun> runs;
  Conditions of_folders;
  for (const auto& path : paths) {
    const std::size_t begin = runs.size();
    StudySource& source = sources.emplace_back();
    if (is_store(path))
      add_store(path / "summary.csv", study, source, runs);
    else
      add_folder(path, source, of_folders, runs);
    add_name(study, source.name);
    // What a source has in common says something only beside another source.
    if (paths.size() > 1 && is_store(path)) read_common_keys(runs, begin, source);
    for (auto i = begin; i < runs.size(); ++i) runs[i].source = sources.size() - 1;
    add_labels(runs, begin);
  }
  study.conditions = common_conditions(sources, of_folders, std::ranges::none_of(paths, is_store));
  const auto within = differing_within(runs), among = differing_among(sources);
  std::vector<SettingKeys> source_keys;
  for (auto& source : sources) {
    std::erase_if(source.keys, [&](const auto& entry) { return !among.contains(entry.first); });
    source_keys.push_back(std::move(source.keys));
  }
  merge_algorithms(source_keys);
  std::vector<SettingKeys> settings;
  std::vector<std::string> scenarios;
  for (auto& run : runs) {
    std::erase_if(run.keys, [&](const auto& entry) { return !within.contains(entry.first); });
    run.keys.insert(source_keys[run.source].begin(), source_keys[run.source].end());
    const auto algorithm = position_of(study.algorithms, run.algorithm);
    const auto setting = position_of(settings, run.keys);
    if (setting == scenarios.size()) scenarios.push_back(sources[run.source].place);
    if (!study.add(setting, algorithm, run.run, run.place))
      throw std::invalid_argument(fmt::format(
          "{} with the repetition seed {} is there twice, in the same setting: the sources overlap",
          run.algorithm,
          run.run.seed));
  }
  study.settings = names_with_labels(settings, scenarios);
  study.keys = std::move(settings);
  return study;
}

}  // namespace posse
