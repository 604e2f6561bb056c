// SPDX-License-Identifier: Apache-2.0
// Requests to control runs, a line each, as POST /api/control takes them. What a run can do, the
// runs of a small scenario do at their begin; the recorded scenario then has the same results.
#include "program/live/control.hpp"

#include <stdexcept>
#include <string>

#include "program/results/recorded_interventions.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "tests/fuzz/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr std::size_t kMostRequests = 20;

RunOptions options() {
  RunOptions options;
  options.kernel = Kernel::serial;
  options.watched = true;
  return options;
}

/// Asks all runs, which have not begun; `views` tell their nodes.
void ask(const std::string& body,
         const std::vector<RunView>& views,
         std::vector<FaultsFromOutside>& faults,
         RunMonitor& monitor) {
  const auto asked = parse_control(body);
  const auto action = asked.intervention.action;
  // Nobody is there to resume the run.
  if (action == Intervention::Action::pause || asked.intervention.has_goal()) return;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!asked.run.empty() && views[i].id != asked.run) continue;
    if (const auto refusal = refusal_of(views[i], asked.intervention, faults[i])) {
      require(!refusal->reason.empty(), "a refusal has a reason");
      require(refusal->status >= 400, "a refusal has a status");
    } else {
      monitor.slots[i].progress.interventions.ask(asked.intervention);
      note(asked.intervention, faults[i]);
    }
  }
}

}  // namespace

void fuzz_control(std::string_view input) {
  static const Scenario scenario = sample_scenario();
  static const ScenarioResult undisturbed = [] {
    RunMonitor monitor(number_of_runs(scenario, options()));
    return run_scenario(scenario, options(), monitor);
  }();
  static const std::vector<RunView> views = [] {
    std::vector<RunView> made;
    for (const auto& run : undisturbed.runs) made.push_back(view_of_record(scenario, run));
    return made;
  }();

  RunMonitor monitor(views.size());
  std::vector<FaultsFromOutside> faults(views.size());
  for (std::size_t requests = 0; requests < kMostRequests && !input.empty(); ++requests) {
    const auto line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    try {
      ask(std::string(line), views, faults, monitor);
    } catch (const std::invalid_argument& error) {
      require(*error.what() != '\0', "an error has a text");
    }
  }
  const auto disturbed = run_scenario(scenario, options(), monitor);
  const bool touched = std::ranges::any_of(
      disturbed.runs, [](const RunRecord& run) { return !run.result.interventions.empty(); });
  if (!touched) {
    require(disturbed.fingerprint == undisturbed.fingerprint, "a refused request changes nothing");
    return;
  }
  Diagnostics diagnostics;
  const auto text = to_toml(with_interventions(scenario, disturbed));
  const Scenario recorded =
      read_scenario(parse_toml(text, "recorded.toml", diagnostics), "recorded.toml", diagnostics);
  if (!diagnostics.empty())
    throw Broken("the recorded scenario is refused:\n" + diagnostics.text() + text);
  RunMonitor again(number_of_runs(recorded, options()));
  require(run_scenario(recorded, options(), again).fingerprint == disturbed.fingerprint,
          "the recorded scenario has the same results");
}

}  // namespace posse::fuzz
