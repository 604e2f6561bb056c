// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/help_pages.hpp"
#include "program/cli/plan.hpp"
#include "program/cli/time_outs_text.hpp"
#include "program/cli/verbs.hpp"
#include "program/scenario/json_schema.hpp"
#include "program/scenario/line_process.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/run_store.hpp"

namespace posse {

namespace {

void print_json(const nlohmann::ordered_json& data) {
  print_out("{}\n", data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// What check prints, as data.
ExitCode check_as_json(const Arguments& arguments) {
  Diagnostics diagnostics;
  const SweepPlan plan(arguments.file, overrides_of(arguments), diagnostics);
  nlohmann::ordered_json data{{"file", arguments.file}, {"valid", diagnostics.empty()}};
  if (diagnostics.empty()) {
    data["name"] = plan.name();
    data["settings"] = plan.settings();
    data["algorithms"] = plan.algorithms();
    data["repetitions"] = plan.repeat();
    if (arguments.verbose) data["scenario"] = to_toml(plan.scenario(0));
  }
  std::vector<std::string> all;
  if (diagnostics.empty()) all = undecidable(plan.thresholds(), plan.repeat());
  for (const Warning& warning : plan.warnings()) all.push_back(warning.text);
  data["warnings"] = all;
  data["errors"] = nlohmann::ordered_json::array();
  for (const auto& mistake : diagnostics.sorted())
    data["errors"].push_back({{"file", mistake.location.file},
                              {"line", mistake.location.line},
                              {"key", mistake.key},
                              {"problem", mistake.problem},
                              {"given", mistake.given},
                              {"allowed", mistake.allowed},
                              {"nearest", mistake.nearest}});
  print_json(data);
  const bool right = diagnostics.empty() && !(arguments.strict && !plan.warnings().empty());
  return right ? ExitCode::ok : ExitCode::invalid_scenario;
}

}  // namespace

ExitCode check_verb(const Arguments& arguments) {
  if (arguments.json) return check_as_json(arguments);
  const auto plan = plan_of(arguments);
  if (!plan) return ExitCode::invalid_scenario;
  const auto counted = [](std::size_t n, const std::string& word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  print_out("{}: valid: {}{} × {}\n",
            arguments.file,
            plan->axes().empty() ? "" : counted(plan->settings(), "setting") + " × ",
            counted(plan->algorithms().size(), "algorithm"),
            counted(plan->repeat(), "repetition"));
  // What `plan_of` has printed are those of [thresholds].
  for (const Warning& warning : plan->warnings()) print_err("warning: {}\n", warning.text);
  if (arguments.strict && !plan->warnings().empty()) return ExitCode::invalid_scenario;
  if (arguments.verbose) {
    if (!plan->axes().empty()) print_out("\nthe first setting:\n");
    const Scenario scenario = plan->scenario(0);
    print_out("\n{}", to_toml(scenario));
    if (const auto times = time_outs_text(scenario); !times.empty()) print_out("\n{}", times);
  }
  return ExitCode::ok;
}

ExitCode plan_verb(const Arguments& arguments) {
  const auto plan = plan_of(arguments);
  if (!plan) return ExitCode::invalid_scenario;
  if (plan->axes().empty() && !arguments.pilot && arguments.store.empty()) {
    const auto scenario = plan->scenario(0);
    const auto rows = make_plan(scenario);
    print_out("{}", arguments.json ? plan_json(scenario, rows) : plan_text(scenario, rows));
    return ExitCode::ok;
  }
  return with_file_errors([&] {
    const SweepForecast forecast = forecast_sweep(*plan);
    const RunStore store(store_of(arguments, *plan));
    std::set<std::string_view> present;
    for (const auto& run : plan->runs())
      if (store.has(run.key)) present.insert(run.key);
    const auto options = execution_options(arguments);
    const auto jobs = options.run.threads;
    std::optional<Pilot> pilot;
    std::optional<RunForecast> run;
    if (arguments.pilot) {
      before_exit_by_signal(kill_all_line_processes);
      catch_signals();
      pilot = make_pilot(*plan, forecast.sizes, *arguments.pilot, kPilotSeconds);
      // Without [sweep] and a store `run` is meant.
      if (plan->axes().empty() && arguments.store.empty() && pilot->seconds > 0) {
        const Scenario scenario = plan->scenario(0);
        run = rehearse_run(scenario, options, pilot->seconds / static_cast<double>(jobs));
        if (!run)
          run = {.seconds = pilot->seconds / static_cast<double>(jobs),
                 .memory_bytes = pilot->memory_bytes + bytes_of_results(scenario, forecast.largest),
                 .disk_bytes = pilot->disk_bytes};
        else if (run->repetitions == 1 && scenario.repeat > 1)  // nothing was seen to grow
          run->memory_bytes += bytes_of_results(scenario, forecast.largest);
      }
      if (const int signal = pending_signal(); signal != 0)
        return static_cast<ExitCode>(128 + signal);
    }
    print_out("{}",
              arguments.json ? sweep_plan_json(*plan, forecast, pilot, run, present.size())
                             : sweep_plan_text(*plan, forecast, pilot, run, present.size(), jobs));
    return ExitCode::ok;
  });
}

ExitCode list_verb(const Arguments& arguments) {
  auto categories = categories_listed();
  categories.emplace_back(kNetworks);
  if (!arguments.name.empty() &&
      std::find(categories.begin(), categories.end(), arguments.name) == categories.end()) {
    print_err("there is no category '{}'\n    allowed: {}\n{}",
              arguments.name,
              fmt::join(categories, ", "),
              did_you_mean(arguments.name, categories));
    return ExitCode::usage;
  }
  if (arguments.json)
    print_json(list_json(arguments.name));
  else
    print_out("{}", list_page(arguments.name));
  return ExitCode::ok;
}

ExitCode schema_verb(const Arguments&) {
  print_json(scenario_json_schema());
  return ExitCode::ok;
}

ExitCode describe_verb(const Arguments& arguments) {
  if (arguments.json)
    if (const auto found = describe_json(arguments.name); !found.empty()) {
      print_json(found);
      return ExitCode::ok;
    }
  if (const auto page = describe_page(arguments.name)) {
    print_out("{}", *page);
    return ExitCode::ok;
  }
  std::vector<std::string> kinds;
  for (const auto& entry : everything_listed()) kinds.push_back(entry.kind);
  print_err("there is nothing named '{}'; `posse list` shows all names\n{}",
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
    print_err("'{}' is not a valid name; allowed: letters, digits, '-', '_', '.' (exit code 2)\n",
              name);
    return ExitCode::usage;
  }
  if (std::filesystem::exists(path)) {
    print_err("'{}' exists already and is not overwritten (exit code 11)\n", path);
    return ExitCode::files;
  }
  return with_file_errors([&] {
    write_file(path, text);
    print_err("wrote {}; next: {} run {}\n", path, this_program(arguments), shell_quoted(path));
    return ExitCode::ok;
  });
}

}  // namespace posse
