// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/cli/time_outs_text.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/reproduce/reproduce.hpp"

namespace posse {
namespace {

struct CheckFlags {
  ScenarioFlags scenario;
  bool strict = false, verbose = false, json = false;

  void add_to(CLI::App& verb) {
    verb.add_flag("--strict", strict, "exit code 3 if there is a warning of the scenario");
    scenario.add_to(verb);
    verb.add_flag("-v,--verbose", verbose, "print the resolved scenario");
    verb.add_flag("--json", json, "print the mistakes, or what the file holds, as JSON");
  }
};

Json as_json(const Diagnostics& diagnostics) {
  auto errors = Json::array();
  for (const auto& mistake : diagnostics.sorted())
    errors.push_back({{"file", mistake.location.file},
                      {"line", mistake.location.line},
                      {"key", mistake.key},
                      {"problem", mistake.problem},
                      {"given", mistake.given},
                      {"allowed", mistake.allowed},
                      {"nearest", mistake.nearest}});
  return errors;
}

/// A claims file, and the scenarios that it names.
ExitCode check_claims(const CheckFlags& flags) {
  Diagnostics diagnostics;
  const auto& file = flags.scenario.file;
  const auto paper = load_claims(file, diagnostics);
  std::vector<std::string> warnings;
  if (diagnostics.empty())
    for (const auto& name : check_scenarios(paper, overrides_of(flags.scenario), diagnostics))
      warnings.push_back(fmt::format("{} is not checked: its data are missing", name));
  std::size_t checks = 0;
  for (const auto& figure : paper.figures) checks += figure.claims.size();
  const bool right = diagnostics.empty() && !(flags.strict && !warnings.empty());
  const auto code = right ? ExitCode::ok : ExitCode::invalid_scenario;
  if (flags.json) {
    Json data{{"file", file}, {"valid", diagnostics.empty()}};
    if (diagnostics.empty()) {
      data["figures"] = Json::array();
      for (const auto& figure : paper.figures) data["figures"].push_back(figure.name);
      data["checks"] = checks;
    }
    data["warnings"] = warnings;
    data["errors"] = as_json(diagnostics);
    print_json(data);
    return code;
  }
  if (!report_mistakes(diagnostics)) return code;
  print_out("{}: valid: {}, {}\n",
            file,
            count_text(paper.figures.size(), "figure", "figures"),
            count_text(checks, "check", "checks"));
  for (const auto& warning : warnings) print_err("warning: {}\n", warning);
  if (flags.verbose)
    for (const auto& figure : paper.figures) print_out("\n{}", figure_page(figure));
  return code;
}

/// What check prints, as data.
ExitCode check_as_json(const CheckFlags& flags) {
  Diagnostics diagnostics;
  const SweepPlan plan(flags.scenario.file, overrides_of(flags.scenario), diagnostics);
  Json data{{"file", flags.scenario.file}, {"valid", diagnostics.empty()}};
  if (diagnostics.empty()) {
    data["name"] = plan.name();
    data["settings"] = plan.settings();
    data["algorithms"] = plan.algorithms();
    data["repetitions"] = plan.repeat();
    data["runs"] = plan.runs().size();
    data["excluded_settings"] = plan.excluded();
    if (flags.verbose) data["scenario"] = to_toml(plan.scenario(0));
  }
  std::vector<std::string> all;
  if (diagnostics.empty()) all = undecidable(plan.thresholds(), plan.repeat());
  for (const Warning& warning : plan.warnings()) all.push_back(warning.text);
  data["warnings"] = all;
  data["errors"] = as_json(diagnostics);
  print_json(data);
  const bool right = diagnostics.empty() && !(flags.strict && !plan.warnings().empty());
  return right ? ExitCode::ok : ExitCode::invalid_scenario;
}

ExitCode check_file(const CheckFlags& flags, const Invocation&) {
  if (Diagnostics unused; is_claims_file(load_toml(flags.scenario.file, unused)))
    return check_claims(flags);
  if (flags.json) return check_as_json(flags);
  const auto plan = plan_of(flags.scenario);
  if (!plan) return ExitCode::invalid_scenario;
  print_out(
      "{}: valid: {}{} × {}{}{}\n",
      flags.scenario.file,
      plan->axes().empty() ? "" : count_text(plan->settings(), "setting", "settings") + " × ",
      count_text(plan->algorithms().size(), "algorithm", "algorithms"),
      count_text(plan->repeat(), "repetition", "repetitions"),
      plan->left_out() == 0 ? "" : fmt::format(" - {} left out", plan->left_out() * plan->repeat()),
      plan->excluded() == 0
          ? ""
          : fmt::format("; {} excluded",
                        count_text(plan->excluded(), "setting is", "settings are")));
  // What `plan_of` has printed are those of [thresholds].
  for (const Warning& warning : plan->warnings()) print_err("warning: {}\n", warning.text);
  if (flags.strict && !plan->warnings().empty()) return ExitCode::invalid_scenario;
  if (flags.verbose) {
    if (!plan->axes().empty()) print_out("\nthe first setting:\n");
    const Scenario scenario = plan->scenario(0);
    print_out("\n{}", to_toml(scenario));
    if (const auto times = time_outs_text(scenario); !times.empty()) print_out("\n{}", times);
  }
  return ExitCode::ok;
}

}  // namespace

Command check_verb(CLI::App& verb) { return command_of(verb, check_file); }

}  // namespace posse
