// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/setting_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

std::string_view last_part_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string percent(const std::string& value) {
  const auto number = parse_number<double>(value);
  return number ? fmt::format("{} %", rounded(*number * 100, 6)) : value;
}

bool is_duration(const std::string& value) { return parse_duration(value).value.has_value(); }

/// A value with what it is a value of. `subject` is unique among the names by its last part.
std::string phrase(const std::string& subject, const std::string& value, bool unique) {
  const std::string word(last_part_of(subject));
  if (subject == "network.latency" && is_duration(value))
    return value == "0 s" ? "no latency" : value;
  if (word == "loss" || word == "duplication") {
    if (value == "none" || value == "0" || value == "0.0") return "no " + word;
    return parse_number<double>(value) ? percent(value) + " " + word : value + " " + word;
  }
  if (word == "clients") return value + (value == "1" ? " client" : " clients");
  if (word == "evaluations_per_client") return value + " evaluations";
  if (word == "pulls") return value + " pulls";
  if (word == "rate" || word == "transport" || word == "topology") return value;
  std::string name = word;
  if (!unique) {
    const auto before =
        subject.substr(0, subject.size() - std::min(subject.size(), word.size() + 1));
    name = std::string(last_part_of(before)) + "." + word;
  }
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + " " + value;
}

/// A key without a section that [sweep.named] made up.
bool is_named(const std::string& key) {
  return key.find('.') == std::string::npos && key != "algorithms";
}

/// Names settings by the values of some keys.
class SettingNamer {
 public:
  SettingNamer(std::set<std::string> keys, const std::vector<SettingKeys>& settings)
      : keys_(std::move(keys)) {
    std::map<std::string, std::string> named;  // by value
    for (const auto& setting : settings)
      for (const auto& [key, value] : setting)
        if (is_named(key) && keys_.contains(key))
          if (const auto [it, added] = named.try_emplace(value, key); !added && it->second != key)
            shared_.insert(value);
    for (const auto& key : keys_) {
      const auto subject = subject_of(key);
      if (std::find(subjects_.begin(), subjects_.end(), subject) == subjects_.end())
        subjects_.push_back(subject);
    }
    for (const auto& subject : subjects_) ++uses_[std::string(last_part_of(subject))];
  }

  std::string name(const SettingKeys& setting) const {
    std::string name;
    for (const auto& subject : subjects_) {
      // Where kinds differ, their names and main parameters say enough.
      const auto component = subject.substr(0, subject.rfind('.'));
      if (subject.find('.') != std::string::npos && keys_.contains(component + ".kind")) continue;
      const auto text = phrase_of(subject, setting);
      if (!text.empty()) name += (name.empty() ? "" : ", ") + text;
    }
    return name;
  }

 private:
  std::string phrase_of(const std::string& subject, const SettingKeys& setting) const {
    const auto value_at = [&](const std::string& key) -> const std::string* {
      const auto it = setting.find(key);
      return it == setting.end() ? nullptr : &it->second;
    };
    const std::string* main = value_at(subject);
    for (const auto* part : {"value", "p", "mean", "median"})
      if (main == nullptr) main = value_at(fmt::format("{}.{}", subject, part));
    const std::string* kind = value_at(subject + ".kind");
    const bool plain =
        kind == nullptr || *kind == "none" || *kind == "constant" || *kind == "bernoulli";
    const bool unique = uses_.at(std::string(last_part_of(subject))) == 1;
    if (main != nullptr && is_named(subject) && !shared_.contains(*main) &&
        !parse_number<double>(*main))
      return *main;
    std::string text;
    if (main != nullptr) text = phrase(subject, *main, unique);
    if (keys_.contains(subject + ".kind") && kind != nullptr && !(plain && main != nullptr))
      text = main == nullptr ? phrase(subject, *kind, unique) : *kind + " " + text;
    return text;
  }

  std::set<std::string> keys_;
  std::vector<std::string> subjects_;  // in the order of the alphabet
  std::map<std::string, int> uses_;    // of their last parts
  std::set<std::string> shared_;       // names that several keys have among their values
};

bool is_main_key(std::string_view key) {
  return key == "population.clients" || key.starts_with("budget.") ||
         key.starts_with("network.latency") || key.starts_with("network.loss");
}

}  // namespace

std::string subject_of(const std::string& key) {
  const auto part = last_part_of(key);
  if ((is_main_parameter(part) || part == "kind") && part.size() < key.size())
    return key.substr(0, key.size() - part.size() - 1);
  return key;
}

std::set<std::string> differing_keys(const std::vector<SettingKeys>& settings) {
  std::set<std::string> all, differing;
  for (const auto& setting : settings)
    for (const auto& [key, value] : setting) all.insert(key);
  for (const auto& key : all) {
    std::set<std::string> values;
    for (const auto& setting : settings) {
      const auto it = setting.find(key);
      values.insert(it == setting.end() ? "" : it->second);
    }
    if (values.size() > 1) differing.insert(key);
  }
  return differing;
}

namespace {

/// Numbers with four significant digits, where these tell the values of a key apart.
std::vector<SettingKeys> with_short_numbers(std::vector<SettingKeys> settings) {
  std::map<std::string, std::map<std::string, std::string>> short_of;  // by key and text
  for (const auto& setting : settings)
    for (const auto& [key, text] : setting)
      if (text.size() > 6)
        if (const auto number = parse_number<double>(text); number && std::isfinite(*number))
          short_of[key][text] = fmt::format("{}", rounded(*number, 4));
  for (const auto& [key, shorter] : short_of) {
    std::set<std::string> full, shown;
    for (auto setting : settings) {
      const auto text = setting[key];
      full.insert(text);
      const auto it = shorter.find(text);
      shown.insert(it == shorter.end() ? text : it->second);
    }
    if (shown.size() < full.size()) continue;
    for (auto& setting : settings)
      if (const auto it = setting.find(key); it != setting.end() && shorter.contains(it->second))
        it->second = shorter.at(it->second);
  }
  return settings;
}

}  // namespace

std::vector<std::string> setting_names(const std::vector<SettingKeys>& full) {
  const auto settings = with_short_numbers(full);
  const SettingNamer namer(differing_keys(settings), settings);
  std::vector<std::string> names;
  names.reserve(settings.size());
  for (const auto& setting : settings) names.push_back(namer.name(setting));
  // Settings that these words don't tell apart get numbers.
  std::map<std::string, int> count;
  for (const auto& name : names) ++count[name];
  std::map<std::string, int> number;
  if (names.size() > 1)
    for (auto& name : names)
      if (count[name] > 1) {
        const auto plain = name;
        name += fmt::format("{}#{}", plain.empty() ? "" : " ", ++number[plain]);
      }
  return names;
}

namespace {

/// All values below `value`, by their paths, which begin with `path`.
void add_leaves(const Value& value, const std::string& path, SettingKeys& keys) {
  if (const auto* table = value.table()) {
    for (const auto& [name, entry] : *table)
      add_leaves(entry, path.empty() ? name : fmt::format("{}.{}", path, name), keys);
  } else if (const auto* array = value.array();
             array != nullptr && !array->empty() && array->front().table() != nullptr) {
    for (std::size_t i = 0; i < array->size(); ++i)
      add_leaves((*array)[i], fmt::format("{}.{}", path, i), keys);
  } else if (const auto* text = std::get_if<std::string>(&value.data)) {
    keys[path] = *text;
  } else {
    keys[path] = inline_toml(value);
  }
}

}  // namespace

SettingKeys scenario_keys(const Value& root) {
  SettingKeys keys;
  if (root.table() == nullptr) return keys;
  Table rest = *root.table();
  std::vector<std::string> labels;
  if (const auto it = rest.find("algorithm"); it != rest.end() && it->second.array() != nullptr)
    for (const auto& entry : *it->second.array()) {
      SettingKeys own;
      add_leaves(entry, "", own);
      labels.push_back(own.contains("label") ? own["label"] : own["kind"]);
      for (const auto& [key, value] : own)
        if (key != "label") keys[fmt::format("algorithm.{}.{}", labels.back(), key)] = value;
    }
  keys["algorithms"] = fmt::format("{}", fmt::join(labels, ", "));
  for (const auto* key : {"algorithm", "name", "label", "seed", "inputs", "thresholds", "sweep"})
    rest.erase(key);
  add_leaves({{}, std::move(rest)}, "", keys);
  return keys;
}

namespace {

/// The parameters of algorithms that some settings don't have; "algorithms" names these.
void erase_single_algorithms(std::vector<SettingKeys>& settings) {
  std::map<std::string, std::size_t> uses;  // by "algorithm.<label>."
  for (const auto& setting : settings)
    for (const auto& [key, value] : setting)
      if (key.starts_with("algorithm.") && key.ends_with(".kind"))
        ++uses[key.substr(0, key.size() - 4)];
  for (auto& setting : settings)
    std::erase_if(setting, [&](const auto& entry) {
      return std::any_of(uses.begin(), uses.end(), [&](const auto& use) {
        return use.second < settings.size() && entry.first.starts_with(use.first);
      });
    });
}

}  // namespace

std::vector<std::string> run_parameters(const std::vector<SettingKeys>& runs) {
  std::vector<SettingKeys> settings;
  std::vector<std::size_t> setting_of;
  for (const auto& run : runs) {
    const auto it = std::find(settings.begin(), settings.end(), run);
    setting_of.push_back(static_cast<std::size_t>(it - settings.begin()));
    if (it == settings.end()) settings.push_back(run);
  }
  std::vector<std::string> names;
  if (settings.size() > 1) {
    erase_single_algorithms(settings);
    names = setting_names(settings);
  } else {
    for (const auto& setting : settings) {
      std::set<std::string> main;
      for (const auto& [key, value] : setting)
        if (is_main_key(key)) main.insert(key);
      std::string text = setting.contains("algorithms") ? setting.at("algorithms") : "";
      const auto rest = SettingNamer(main, {}).name(setting);
      if (!text.empty() && !rest.empty()) text += ", ";
      names.push_back(std::move(text += rest));
    }
  }
  std::vector<std::string> texts;
  texts.reserve(runs.size());
  for (const auto setting : setting_of) texts.push_back(names[setting]);
  return texts;
}

std::vector<SettingKeys> keys_of_settings(const SweepPlan& plan) {
  std::vector<SettingKeys> settings(plan.settings());
  for (std::size_t setting = 0; setting < plan.settings(); ++setting)
    for (std::size_t axis = 0; axis < plan.axes().size(); ++axis)
      settings[setting][plan.axes()[axis].key] = plan.text(setting, axis);
  return settings;
}

std::vector<std::string> names_of_settings(const SweepPlan& plan) {
  return setting_names(keys_of_settings(plan));
}

}  // namespace posse
