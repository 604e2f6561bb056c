// SPDX-License-Identifier: Apache-2.0
// The runs of a study with their curves, for plots.
#pragma once

#include <string>
#include <vector>

#include "program/compare/study.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// What is wanted of a study: "network.loss" or, if only one key ends so, "loss", and its values;
/// or, without a key, a setting's name, or a part of it.
struct SettingFilter {
  std::string key;
  std::vector<std::string> values;  // the whole text, then its parts between commas
};
/// "loss=0.05", "loss=0.01,0.05", "200 ms, 5 % loss" or "5 % loss". Throws std::invalid_argument.
SettingFilter parse_filter(const std::string& text);
std::vector<SettingFilter> parse_filters(const std::vector<std::string>& texts);

/// The settings that all filters hold in, named by what still differs; "5 %" is "0.05". Throws
/// std::invalid_argument if no setting has the key, or none has a value or the name.
Study select(const Study& study, const std::vector<SettingFilter>& filters);

/// Some of its settings, named by what still differs.
Study part_of(const Study& study, const std::vector<std::size_t>& settings);

/// The full name of a key in which settings differ, of which `part` is the end, or the component:
/// "loss" of "network.loss.p". Throws
/// std::invalid_argument that names the keys if there is none or several.
std::string key_named(const Study& study, const std::string& part);

/// The finished runs, a RunData per setting, with its keys. Reads every run. Throws FileError if
/// one can't be read, or if a source has tables only.
std::vector<RunData> read_settings(const Study& study);

/// The runs of a folder as a study of one setting.
Study study_of(const RunData& run);

/// All of them as one, each algorithm named by its setting: "fed-pne, 200 ms".
RunData together(const std::vector<RunData>& settings);

/// The name of an algorithm in a setting, where there are several of either.
std::string name_in_setting(const std::string& algorithm,
                            bool one_algorithm,
                            const std::string& setting);

}  // namespace posse
