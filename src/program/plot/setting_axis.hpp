// SPDX-License-Identifier: Apache-2.0
// A swept key as an axis: its values as numbers, or as names where they have none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/compare/study.hpp"
#include "program/plot/chart.hpp"

namespace posse {

struct SettingAxis {
  AxisSpec spec;
  std::vector<std::optional<double>> at;  // by setting; nothing where there is no such key
};

/// Numbers with one unit, "none" being 0; logarithmic if that spreads them more evenly. Other
/// values are names, in the order of the settings.
SettingAxis setting_axis(const Study& study, const std::string& key);

/// "latency" of "network.latency.value".
std::string key_label(const std::string& key);

/// The keys whose values follow from this key's, as those in lock-step do: they are one dimension.
std::vector<std::string> keys_in_step(const std::vector<SettingKeys>& settings,
                                      const std::string& key);

/// The key with the most values, numbers before names; nothing if settings do not differ.
std::optional<std::string> main_key(const Study& study);

/// Names of the settings by all keys but these.
std::vector<std::string> names_without(const std::vector<SettingKeys>& settings,
                                       const std::vector<std::string>& keys);

}  // namespace posse
