// Names of settings by what they differ in.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace posse {

/// Keys of a scenario with their values as text: "network.latency.value": "200 ms".
using SettingKeys = std::map<std::string, std::string>;

/// A name for each: the values of the keys in which they differ, with the unit or the word that
/// says what is meant: "200 ms, 5 % loss", "50 clients", "c 0.1". "" if there is nothing to tell
/// apart.
std::vector<std::string> setting_names(const std::vector<SettingKeys>& settings);

}  // namespace posse
