// SPDX-License-Identifier: Apache-2.0
// The verbs and their flags, as help, manual pages and completion for shells name them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace posse {

std::vector<const CLI::App*> visible_verbs(const CLI::App& app);
/// Without --help, which is the same everywhere.
std::vector<const CLI::Option*> flags_of(const CLI::App& app);
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);
/// "-v, --verbose"
std::string names_of(const CLI::Option& option);
/// "FILE", "[=ADDR]": what stands for its value.
std::string value_of(const CLI::Option& option);
/// Command lines that show how the verb is used.
std::vector<std::string> examples_of(const CLI::App& verb);
inline bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace posse
