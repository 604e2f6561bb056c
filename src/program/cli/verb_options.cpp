// SPDX-License-Identifier: Apache-2.0
#include "program/cli/verb_options.hpp"

#include <sstream>

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

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const auto& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const auto& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return names;
}

std::string value_of(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto value = type.substr(0, type.find(':'));
  if (value == "TEXT") return "VALUE";
  return value == "UINT" || value == "INT" || value == "FLOAT" ? "NUMBER" : value;
}

std::vector<std::string> examples_of(const CLI::App& verb) {
  std::vector<std::string> lines;
  std::istringstream text(verb.get_footer());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace posse
