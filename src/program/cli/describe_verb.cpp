// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "program/base/output.hpp"
#include "program/cli/help_pages.hpp"
#include "program/cli/verb.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/schema.hpp"

namespace posse {
namespace {

struct DescribeFlags {
  std::string name;
  bool json = false;

  void add_to(CLI::App& verb) {
    verb.add_option("NAME",
                    name,
                    "name of a component, a figure, a section or a key of a scenario: fed-pne, "
                    "network, loss, …")
        ->required();
    verb.add_flag("--json", json, "print it as JSON");
  }
};

/// Components, sections of a scenario, and their keys.
std::vector<std::string> described_names() {
  std::vector<std::string> words;
  for (const auto& entry : catalog()) words.push_back(entry.kind);
  for (const auto& section : scenario_sections()) {
    if (section.path.ends_with('*')) continue;
    words.emplace_back(section.path);
    for (const auto& key : section.keys)
      words.push_back(
          fmt::format("{}{}{}", section.path, section.path.empty() ? "" : ".", key.name));
  }
  return words;
}

ExitCode describe_name(const DescribeFlags& flags, const Invocation&) {
  if (flags.json)
    if (const auto found = describe_json(flags.name); !found.empty()) {
      print_json(found);
      return ExitCode::ok;
    }
  if (const auto page = describe_page(flags.name)) {
    print_out("{}", *page);
    return ExitCode::ok;
  }
  std::vector<std::string> kinds;
  for (const auto& entry : everything_listed()) kinds.push_back(entry.kind);
  print_err("there is nothing named '{}'; `posse list` shows all names\n{}",
            flags.name,
            did_you_mean(flags.name, kinds));
  return ExitCode::usage;
}

}  // namespace

Command describe_verb(CLI::App& verb) { return command_of(verb, describe_name, described_names); }

}  // namespace posse
