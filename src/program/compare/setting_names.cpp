#include "program/compare/setting_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/base/csv.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace {

std::string_view last_part_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }

/// What a parameter of a component says about it without its name.
bool is_main_parameter(std::string_view part) {
  return part == "value" || part == "mean" || part == "median" || part == "p";
}

/// "network.loss" of "network.loss.p", else the key.
std::string subject_of(const std::string& key) {
  const auto part = last_part_of(key);
  if ((is_main_parameter(part) || part == "kind") && part.size() < key.size())
    return key.substr(0, key.size() - part.size() - 1);
  return key;
}

std::string percent(const std::string& value) {
  const auto number = parse_number<double>(value);
  return number ? fmt::format("{} %", rounded(*number * 100, 6)) : value;
}

bool is_duration(const std::string& value) { return parse_duration(value).value.has_value(); }

/// A value with what it is a value of. `subject` is unique among the names by its last part.
std::string phrase(const std::string& subject, const std::string& value, bool unique) {
  const std::string word(last_part_of(subject));
  if (subject == "network.latency" && is_duration(value)) return value;
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

}  // namespace

std::vector<std::string> setting_names(const std::vector<SettingKeys>& settings) {
  // The keys that differ, in the order of the alphabet, but latency before loss, and both first.
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
  std::vector<std::string> subjects;
  for (const auto& key : differing) {
    const auto subject = subject_of(key);
    if (std::find(subjects.begin(), subjects.end(), subject) == subjects.end())
      subjects.push_back(subject);
  }
  std::map<std::string, int> uses;
  for (const auto& subject : subjects) ++uses[std::string(last_part_of(subject))];

  std::vector<std::string> names;
  for (const auto& setting : settings) {
    const auto value_at = [&](const std::string& key) -> const std::string* {
      const auto it = setting.find(key);
      return it == setting.end() ? nullptr : &it->second;
    };
    std::string name;
    for (const auto& subject : subjects) {
      // Where kinds differ, their names and main parameters say enough.
      const auto component = subject.substr(0, subject.rfind('.'));
      if (subject.find('.') != std::string::npos && differing.contains(component + ".kind"))
        continue;
      const std::string* main = value_at(subject);
      for (const auto* part : {"value", "p", "mean", "median"})
        if (main == nullptr) main = value_at(fmt::format("{}.{}", subject, part));
      const std::string* kind = value_at(subject + ".kind");
      const bool kinds_differ = differing.contains(subject + ".kind");
      const bool plain =
          kind == nullptr || *kind == "none" || *kind == "constant" || *kind == "bernoulli";
      const bool unique = uses[std::string(last_part_of(subject))] == 1;
      std::string text;
      if (main != nullptr) text = phrase(subject, *main, unique);
      if (kinds_differ && kind != nullptr && !(plain && main != nullptr))
        text = main == nullptr ? phrase(subject, *kind, unique) : *kind + " " + text;
      if (!text.empty()) name += (name.empty() ? "" : ", ") + text;
    }
    names.push_back(std::move(name));
  }
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

}  // namespace posse
