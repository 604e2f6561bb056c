#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "program/cli/help_pages.hpp"
#include "program/cli/plan.hpp"
#include "program/cli/verbs.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

ExitCode check_verb(const Arguments& arguments) {
  const auto scenario = scenario_of(arguments);
  if (!scenario) return ExitCode::invalid_scenario;
  const auto algorithms = scenario->algorithms.size();
  fmt::print("{}: valid: {} {} × {} {}\n",
             arguments.file,
             algorithms,
             algorithms == 1 ? "algorithm" : "algorithms",
             scenario->repeat,
             scenario->repeat == 1 ? "repetition" : "repetitions");
  if (arguments.verbose) fmt::print("\n{}", to_toml(*scenario));
  return ExitCode::ok;
}

ExitCode plan_verb(const Arguments& arguments) {
  const auto scenario = scenario_of(arguments);
  if (!scenario) return ExitCode::invalid_scenario;
  const auto rows = make_plan(*scenario);
  fmt::print("{}", arguments.json ? plan_json(*scenario, rows) : plan_text(*scenario, rows));
  return ExitCode::ok;
}

ExitCode list_verb(const Arguments& arguments) {
  if (arguments.name == "networks") {  // the parts of a network
    for (const auto* part : {"latencies", "losses"}) fmt::print("{}", list_page(part));
    return ExitCode::ok;
  }
  const auto categories = categories_listed();
  if (!arguments.name.empty() &&
      std::find(categories.begin(), categories.end(), arguments.name) == categories.end()) {
    fmt::print(stderr,
               "there is no category '{}'\n    allowed: {}\n{}",
               arguments.name,
               fmt::join(categories, ", "),
               did_you_mean(arguments.name, categories));
    return ExitCode::usage;
  }
  fmt::print("{}", list_page(arguments.name));
  return ExitCode::ok;
}

ExitCode describe_verb(const Arguments& arguments) {
  if (const auto page = describe_page(arguments.name)) {
    fmt::print("{}", *page);
    return ExitCode::ok;
  }
  std::vector<std::string> kinds;
  for (const auto& entry : everything_listed()) kinds.push_back(entry.kind);
  fmt::print(stderr,
             "there is nothing named '{}'; `posse list` shows all names\n{}",
             arguments.name,
             did_you_mean(arguments.name, kinds));
  return ExitCode::usage;
}

ExitCode new_verb(const Arguments& arguments) {
  const auto stem = arguments.name.ends_with(".toml")
                        ? arguments.name.substr(0, arguments.name.size() - 5)
                        : arguments.name;
  const std::string path = stem + ".toml";
  const auto name = std::filesystem::path(path).stem().string();
  const auto text = new_scenario(name);
  Diagnostics diagnostics;
  read_scenario(parse_toml(text, path, diagnostics), path, diagnostics);
  if (!diagnostics.empty()) {
    fmt::print(stderr,
               "'{}' is not a valid name; allowed: letters, digits, '-', '_', '.' (exit code 2)\n",
               name);
    return ExitCode::usage;
  }
  if (std::filesystem::exists(path)) {
    fmt::print(stderr, "'{}' exists already and is not overwritten (exit code 11)\n", path);
    return ExitCode::files;
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    fmt::print(stderr, "'{}' can't be written (exit code 11)\n", path);
    return ExitCode::files;
  }
  fmt::print(
      stderr, "wrote {}; next: {} run {}\n", path, this_program(arguments), shell_quoted(path));
  return ExitCode::ok;
}

}  // namespace posse
