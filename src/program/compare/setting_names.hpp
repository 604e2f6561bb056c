// Names of settings by what they differ in.
#pragma once

#include <string>
#include <vector>

#include "program/study/study.hpp"

namespace posse {

/// A name for each: the values of the keys in which they differ, with the unit or the word that
/// says what is meant: "200 ms, 5 % loss", "50 clients", "c 0.1". "" if there is nothing to tell
/// apart.
std::vector<std::string> setting_names(const std::vector<SettingKeys>& settings);

}  // namespace posse
