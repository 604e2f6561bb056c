// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/setting_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/text.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> keys_in(const Study& study) {
  std::set<std::string> keys;
  for (const auto& setting : study.keys)
    for (const auto& [key, value] : setting) keys.insert(key);
  return {keys.begin(), keys.end()};
}

/// Reads each folder once.
class RunFolders {
 public:
  const RunData& at(const fs::path& folder) {
    const auto it = runs_.find(folder);
    return it != runs_.end() ? it->second : runs_.emplace(folder, read_run(folder)).first->second;
  }

 private:
  std::map<fs::path, RunData> runs_;
};

/// What is not known of a run alone.
RunData without_algorithms(const RunData& run, const Study& study, std::size_t setting) {
  RunData data = run;
  data.algorithms.clear();
  data.name = study.name;
  data.setting = study.settings[setting];
  if (setting < study.keys.size()) data.keys = study.keys[setting];
  return data;
}

}  // namespace

SettingFilter parse_filter(const std::string& text) {
  const auto at = text.find('=');
  if (text.empty() || at == 0 || at + 1 == text.size())
    throw std::invalid_argument(fmt::format(
        "--where '{}' is neither KEY=VALUE nor the name of a setting, e.g. loss=0.05", text));
  if (at == std::string::npos) return {"", {text}};
  const auto values = text.substr(at + 1);
  SettingFilter filter{text.substr(0, at), {values}};  // a value may have commas itself
  auto parts = comma_separated(values);
  if (parts.size() > 1) filter.values.insert(filter.values.end(), parts.begin(), parts.end());
  return filter;
}

std::vector<SettingFilter> parse_filters(const std::vector<std::string>& texts) {
  std::vector<SettingFilter> filters;
  for (const auto& text : texts) filters.push_back(parse_filter(text));
  return filters;
}

std::string key_named(const Study& study, const std::string& part) {
  const auto keys = keys_in(study);
  std::vector<std::string> matching;
  for (const auto& key : keys) {
    if (key == part) return key;
    if (key.ends_with("." + part)) matching.push_back(key);
  }
  if (matching.empty()) {
    for (const auto& key : keys)
      if (const auto subject = subject_of(key); subject == part || subject.ends_with("." + part))
        matching.push_back(key);
    if (matching.size() > 1)  // the main parameter says more
      std::erase_if(matching, [](const auto& key) { return key.ends_with(".kind"); });
  }
  if (matching.size() == 1) return matching.front();
  if (keys.empty())
    throw std::invalid_argument(
        fmt::format("the runs do not differ in '{}': they differ in no key", part));
  throw std::invalid_argument(
      matching.empty() ? fmt::format("the runs do not differ in '{}'\n    they differ in: {}\n{}",
                                     part,
                                     fmt::join(keys, ", "),
                                     did_you_mean(part, keys))
                       : fmt::format("'{}' may be any of {}", part, fmt::join(matching, ", ")));
}

namespace {

/// Keeps the settings with one of the values.
void keep_values(const Study& study, const SettingFilter& filter, std::vector<std::size_t>& kept) {
  const auto key = key_named(study, filter.key);
  std::vector<std::string> values;
  std::erase_if(kept, [&](std::size_t s) {
    const auto value = study.keys[s].find(key);
    if (value == study.keys[s].end()) return true;
    if (std::find(values.begin(), values.end(), value->second) == values.end())
      values.push_back(value->second);
    return std::ranges::none_of(
        filter.values, [&](const auto& wanted) { return same_text(value->second, wanted); });
  });
  const auto is_there = [&](const std::string& wanted) {
    return std::ranges::any_of(values, [&](const auto& v) { return same_text(v, wanted); });
  };
  // The whole text, or each of its parts.
  if (is_there(filter.values.front())) return;
  const auto parts = std::span(filter.values).subspan(filter.values.size() > 1 ? 1 : 0);
  for (const auto& wanted : parts)
    if (!is_there(wanted))
      throw std::invalid_argument(fmt::format(
          "no run has {} = {}\n    there are: {}", key, wanted, fmt::join(values, ", ")));
}

/// Keeps the settings whose names are, or have as a part, what is wanted.
void keep_names(const Study& study, const std::string& wanted, std::vector<std::size_t>& kept) {
  std::vector<std::string> names;
  std::erase_if(kept, [&](std::size_t s) {
    names.push_back(study.settings[s]);
    return fmt::format(", {}, ", names.back()).find(fmt::format(", {}, ", wanted)) ==
           std::string::npos;
  });
  if (!kept.empty()) return;
  constexpr std::size_t kMostNamed = 10;
  const auto nearest = did_you_mean(wanted, names);
  const auto count = names.size();
  if (count > kMostNamed) names.resize(kMostNamed);
  throw std::invalid_argument(
      fmt::format("no setting is named '{}'\n    there are: {}{}\n{}",
                  wanted,
                  fmt::join(names, "; "),
                  count > kMostNamed ? fmt::format("; … {} in all", count) : "",
                  nearest));
}

}  // namespace

Study select(const Study& study, const std::vector<SettingFilter>& filters) {
  if (filters.empty()) return study;
  std::vector<std::size_t> kept;
  for (std::size_t s = 0; s < study.settings.size(); ++s) kept.push_back(s);
  std::string what;
  for (const auto& filter : filters) {
    what += what.empty() ? "" : ", ";
    if (filter.key.empty()) {
      keep_names(study, filter.values.front(), kept);
      what += filter.values.front();
    } else {
      keep_values(study, filter, kept);
      what += fmt::format("{} = {}", filter.key, filter.values.front());
    }
  }
  Study part = part_of(study, kept);
  part.name = fmt::format("{} ({})", study.name, what);
  return part;
}

Study part_of(const Study& study, const std::vector<std::size_t>& settings) {
  Study part;
  part.name = study.name;
  part.algorithms = study.algorithms;
  part.repetitions = study.repetitions;
  part.self_stopped = study.self_stopped;
  for (const auto s : settings) {
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (const auto* cell = study.find(s, a)) part.cells[{part.keys.size(), a}] = *cell;
    part.keys.push_back(study.keys[s]);
  }
  part.settings = setting_names(part.keys);
  return part;
}

std::vector<RunData> read_settings(const Study& study) {
  RunFolders folders;
  std::vector<RunData> settings;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    std::optional<RunData> whole;
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr || cell->finished.empty()) continue;
      if (cell->places.size() < cell->finished.size())
        throw FileError(study.name, "has tables only: curves need the runs, in the store");
      std::optional<AlgorithmData> algorithm;
      for (const auto& [number, place] : cell->places) {
        const RunData& run = folders.at(place.folder);
        const auto* found = run.find(study.algorithms[a]);
        if (found == nullptr)
          throw FileError(place.folder, "has no algorithm '" + study.algorithms[a] + "'");
        if (!whole) whole = without_algorithms(run, study, s);
        if (!algorithm) {
          algorithm = *found;
          algorithm->repetitions.clear();
        }
        for (const auto& repetition : found->repetitions)
          if (repetition.repetition == place.repetition)
            algorithm->repetitions.push_back(repetition);
      }
      // In their order, from whichever folders they come.
      std::sort(algorithm->repetitions.begin(),
                algorithm->repetitions.end(),
                [](const auto& x, const auto& y) { return x.repetition < y.repetition; });
      whole->algorithms.push_back(std::move(*algorithm));
    }
    if (whole) settings.push_back(std::move(*whole));
  }
  return settings;
}

Study study_of(const RunData& run) {
  Study study;
  study.name = run.name;
  study.settings = {""};
  study.keys.resize(1);
  std::set<std::uint32_t> numbers;
  for (const auto& algorithm : run.algorithms)
    for (const auto& repetition : algorithm.repetitions) numbers.insert(repetition.repetition);
  for (const auto number : numbers) study.repetition_of(fmt::format("{}", number));
  for (std::size_t a = 0; a < run.algorithms.size(); ++a) {
    study.algorithms.push_back(run.algorithms[a].label);
    for (const auto& repetition : run.algorithms[a].repetitions)
      study.add(0, a, {fmt::format("{}", repetition.repetition), true, repetition.finals, {}, {}});
    for (const auto& repetition : run.algorithms[a].unfinished)
      study.add(0, a, {fmt::format("{}", repetition.repetition), false, {}, {}, {}});
  }
  return study;
}

std::string name_in_setting(const std::string& algorithm,
                            bool one_algorithm,
                            const std::string& setting) {
  if (setting.empty()) return algorithm;
  return one_algorithm ? setting : algorithm + ", " + setting;
}

RunData together(const std::vector<RunData>& settings) {
  if (settings.empty()) return {};
  std::set<std::string> labels;
  for (const auto& run : settings)
    for (const auto& algorithm : run.algorithms) labels.insert(algorithm.label);
  RunData all = settings.front();
  all.algorithms.clear();
  for (const auto& run : settings) {
    for (AlgorithmData algorithm : run.algorithms) {
      algorithm.algorithm = algorithm.label;
      algorithm.setting = run.setting;
      algorithm.label = name_in_setting(algorithm.label, labels.size() == 1, run.setting);
      all.algorithms.push_back(std::move(algorithm));
    }
    if (run.objective != all.objective) all.objective.clear();
    if (run.noise != all.noise) all.noise.clear();
    if (run.heterogeneity != all.heterogeneity) all.heterogeneity.clear();
  }
  return all;
}

}  // namespace posse
