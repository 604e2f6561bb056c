// SPDX-License-Identifier: Apache-2.0
#include "program/plot/setting_axis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/math.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace {

const std::string* value_of(const SettingKeys& setting, const std::string& key) {
  const auto it = setting.find(key);
  return it == setting.end() ? nullptr : &it->second;
}

/// The most unequal of the gaps between neighbours, as a ratio.
double unevenness(const std::vector<double>& ascending) {
  double least = ascending[1] - ascending[0], most = least;
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    least = std::min(least, ascending[i] - ascending[i - 1]);
    most = std::max(most, ascending[i] - ascending[i - 1]);
  }
  return most / least;
}

bool better_as_logarithms(const std::set<double>& values) {
  std::vector<double> plain, logarithms;
  for (const double value : values) {
    if (value < 0) return false;
    if (value == 0) continue;
    plain.push_back(value);
    logarithms.push_back(math::log(value));
  }
  return plain.size() > 2 && unevenness(logarithms) < unevenness(plain);
}

std::string_view shown_unit(BaseUnit unit) {
  switch (unit) {
    case BaseUnit::seconds:
      return "s";
    case BaseUnit::bytes:
      return "bytes";
    case BaseUnit::bits_per_second:
      return "bit/s";
    case BaseUnit::none:
    case BaseUnit::share:
      break;
  }
  return "";
}

}  // namespace

std::string key_label(const std::string& key) {
  std::string label = key;
  for (const std::string_view part : {".value", ".mean", ".median", ".p", ".kind"})
    if (label.ends_with(part)) label.resize(label.size() - part.size());
  label.erase(0, label.rfind('.') + 1);
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

SettingAxis setting_axis(const Study& study, const std::string& key) {
  SettingAxis axis;
  axis.spec.label = key_label(key);
  std::set<std::string> also;  // a line goes through their values, too
  for (const auto& other : keys_in_step(study.keys, key))
    if (subject_of(other) != subject_of(key)) also.insert(key_label(other));
  if (!also.empty()) axis.spec.label += fmt::format(", with {}", fmt::join(also, ", "));
  std::optional<BaseUnit> unit;
  bool numbers = true;
  std::vector<std::string> names;
  std::set<double> values;
  for (const auto& setting : study.keys) {
    auto& at = axis.at.emplace_back();
    const auto* text = value_of(setting, key);
    if (text == nullptr) continue;
    if (std::find(names.begin(), names.end(), *text) == names.end()) names.push_back(*text);
    const auto amount = *text == "none" ? Amount{} : amount_of_text(*text);
    // A zero without a unit goes with any.
    const bool plain_zero = amount && amount->value == 0 && amount->unit == BaseUnit::none;
    if (!amount || (unit && !plain_zero && *unit != amount->unit)) {
      numbers = false;
      continue;
    }
    if (!plain_zero) unit = amount->unit;
    at = amount->value;
    values.insert(amount->value);
  }
  numbers = numbers && values.size() > 1;
  axis.spec.name = key;
  if (numbers) {
    axis.spec.unit = shown_unit(unit.value_or(BaseUnit::none));
    axis.spec.name = column_of_key(axis.spec.name, unit.value_or(BaseUnit::none));
    axis.spec.zero_has_a_place = true;
    if (better_as_logarithms(values)) axis.spec.scale = Scale::log;
    return axis;
  }
  axis.spec.categories = names;
  for (std::size_t s = 0; s < study.keys.size(); ++s) {
    const auto* text = value_of(study.keys[s], key);
    axis.at[s].reset();
    if (text != nullptr)
      axis.at[s] =
          static_cast<double>(std::find(names.begin(), names.end(), *text) - names.begin());
  }
  return axis;
}

std::vector<std::string> keys_in_step(const std::vector<SettingKeys>& settings,
                                      const std::string& key) {
  const auto text_of = [](const SettingKeys& setting, const std::string& of) {
    const auto* text = value_of(setting, of);
    return text == nullptr ? std::string() : *text;
  };
  std::vector<std::string> in_step;
  for (const auto& other : differing_keys(settings)) {
    std::map<std::string, std::string> follows;
    if (other != key && std::ranges::all_of(settings, [&](const SettingKeys& setting) {
          const auto value = text_of(setting, other);
          return follows.try_emplace(text_of(setting, key), value).first->second == value;
        }))
      in_step.push_back(other);
  }
  return in_step;
}

std::optional<std::string> main_key(const Study& study) {
  std::set<std::string> keys;
  for (const auto& setting : study.keys)
    for (const auto& [key, value] : setting) keys.insert(key);
  std::optional<std::string> best;
  std::pair<bool, std::size_t> most;
  for (const auto& key : keys) {
    const auto axis = setting_axis(study, key);
    std::set<double> values;
    for (const auto& at : axis.at)
      if (at) values.insert(*at);
    const std::pair now{axis.spec.categories.empty(), values.size()};
    if (best && now <= most) continue;
    best = key;
    most = now;
  }
  return best;
}

std::vector<std::string> names_without(const std::vector<SettingKeys>& settings,
                                       const std::vector<std::string>& keys) {
  auto others = settings;
  for (auto& setting : others)
    for (const auto& key : keys) setting.erase(key);
  // Equal ones share a name: names are made of the different ones.
  std::vector<SettingKeys> different;
  for (const auto& setting : others)
    if (std::find(different.begin(), different.end(), setting) == different.end())
      different.push_back(setting);
  const auto names = setting_names(different);
  std::vector<std::string> all;
  all.reserve(others.size());
  for (const auto& setting : others)
    all.push_back(names[static_cast<std::size_t>(
        std::find(different.begin(), different.end(), setting) - different.begin())]);
  return all;
}

}  // namespace posse
