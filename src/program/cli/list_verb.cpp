// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "program/base/output.hpp"
#include "program/cli/help_pages.hpp"
#include "program/cli/verb.hpp"
#include "program/scenario/diagnostics.hpp"

namespace posse {
namespace {

struct ListFlags {
  std::string name;
  bool json = false;

  void add_to(CLI::App& verb) {
    verb.add_option("CATEGORY", name, "algorithms, objectives, networks, …, sections, exit-codes");
    verb.add_flag("--json", json, "print the list as JSON");
  }
};

ExitCode list_names(const ListFlags& flags, const Invocation&) {
  auto categories = categories_listed();
  categories.emplace_back(kNetworks);
  if (!flags.name.empty() &&
      std::find(categories.begin(), categories.end(), flags.name) == categories.end()) {
    print_err("there is no category '{}'{}\n", flags.name, allowed_names(flags.name, categories));
    return ExitCode::usage;
  }
  if (flags.json)
    print_json(list_json(flags.name));
  else
    print_out("{}", list_page(flags.name));
  return ExitCode::ok;
}

}  // namespace

Command list_verb(CLI::App& verb) { return command_of(verb, list_names, categories_listed); }

}  // namespace posse
