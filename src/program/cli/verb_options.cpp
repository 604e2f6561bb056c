// SPDX-License-Identifier: Apache-2.0
#include "program/cli/verb_options.hpp"

namespace posse {

std::vector<const CLI::App*> visible_verbs(const CLI::App& app) {
  auto verbs = app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
  return {verbs.begin(), verbs.end()};
}

std::vector<const CLI::Option*> flags_of(const CLI::App& app) {
  auto flags = app.get_options([](const CLI::Option* option) {
    return option->nonpositional() && !option->get_group().empty() &&
           option->get_name() != "--help";
  });
  return {flags.begin(), flags.end()};
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  auto arguments =
      app.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return {arguments.begin(), arguments.end()};
}

}  // namespace posse
