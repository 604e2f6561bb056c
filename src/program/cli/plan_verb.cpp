// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/plan.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/sweep/run_store.hpp"

namespace posse {
namespace {

struct PlanFlags {
  ScenarioFlags scenario;
  std::string store;
  std::optional<std::size_t> pilot;  // runs per algorithm
  std::size_t jobs = 0;
  bool json = false;

  void add_to(CLI::App& verb) {
    scenario.add_to(verb);
    verb.add_option("--store", store, "directory of a sweep's runs (default: sweeps/NAME)");
    verb.add_option(
            "--pilot",
            pilot,
            "make N runs (default: 3) of every algorithm, from the smallest to the largest, "
            "to forecast time, memory and disk; about a minute if runs are long")
        ->expected(0, 1)
        ->default_str("3")
        ->check(CLI::Range(1, 1000))
        ->type_name("[N]");
    add_jobs_flag(verb, jobs, "runs at a time, for the time (default: one per core)");
    verb.add_flag("--json", json, "print the plan as JSON");
  }
};

ExitCode print_plan(const PlanFlags& flags, const Invocation& invocation) {
  const auto plan = plan_of(flags.scenario);
  if (!plan) return ExitCode::invalid_scenario;
  if (plan->axes().empty() && !flags.pilot && flags.store.empty()) {
    const auto scenario = plan->scenario(0);
    const auto rows = make_plan(scenario);
    print_out("{}", flags.json ? plan_json(scenario, rows) : plan_text(scenario, rows));
    return ExitCode::ok;
  }
  const SweepForecast forecast = forecast_sweep(*plan);
  const RunStore store(store_of(flags.store, *plan));
  std::set<std::string_view> present;
  for (const auto& run : plan->runs())
    if (store.has(run.key)) present.insert(run.key);
  const auto options = execution_options({.threads = flags.jobs}, false, invocation);
  const auto jobs = options.run.threads;
  std::optional<Pilot> pilot;
  std::optional<RunForecast> run;
  if (flags.pilot) {
    catch_signals();
    pilot = make_pilot(*plan, forecast.sizes, *flags.pilot, kPilotSeconds);
    // Without [sweep] and a store `run` is meant.
    if (plan->axes().empty() && flags.store.empty() && pilot->seconds > 0) {
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
            flags.json ? sweep_plan_json(*plan, forecast, pilot, run, present.size())
                       : sweep_plan_text(*plan, forecast, pilot, run, present.size(), jobs));
  return ExitCode::ok;
}

}  // namespace

Command plan_verb(CLI::App& verb) { return command_of(verb, print_plan); }

}  // namespace posse
