// SPDX-License-Identifier: Apache-2.0
// Names of settings by what they differ in.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/compare/study.hpp"
#include "program/scenario/value.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// The keys in which settings differ.
std::set<std::string> differing_keys(const std::vector<SettingKeys>& settings);

/// What a key is one of: "network.loss" of "network.loss.p", else the key.
std::string subject_of(const std::string& key);

/// A name for each: the values of the keys in which they differ, with the unit or the word that
/// says what is meant: "200 ms, 5 % loss", "50 clients", "c 0.1". "" if there is nothing to tell
/// apart.
std::vector<std::string> setting_names(const std::vector<SettingKeys>& settings);

/// The values of a plan's keys in its settings; and the names, as in the comparison of the finished
/// sweep.
std::vector<SettingKeys> keys_of_settings(const SweepPlan& plan);
std::vector<std::string> names_of_settings(const SweepPlan& plan);

/// The keys of a whole scenario but for name, seed, input files, thresholds and sweep. "algorithms"
/// lists the labels; the parameters of an algorithm are below "algorithm.<label>".
SettingKeys scenario_keys(const Value& root);

/// What tells runs of one scenario apart, for a list of them: the values in which they differ, or,
/// where all are alike, the algorithms, clients, budget, latency and loss.
std::vector<std::string> run_parameters(const std::vector<SettingKeys>& runs);

}  // namespace posse
