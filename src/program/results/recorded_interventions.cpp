#include "program/results/recorded_interventions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "program/base/csv.hpp"
#include "program/run/run_view.hpp"

namespace posse {

Scenario with_cuts(const Scenario& scenario, const ScenarioResult& result) {
  Scenario recorded = scenario;
  for (const auto& run : result.runs) {
    std::vector<FaultConfig> cuts;
    for (const auto& done : run.result.interventions) {
      if (done.action == Intervention::Action::cut) {
        FaultConfig fault;
        fault.what = LinkFault{.groups = done.groups, .when = {.at = done.at}};
        fault.algorithm = scenario.algorithms[run.algorithm].label;
        fault.repetition = run.repetition;
        cuts.push_back(std::move(fault));
      } else if (done.action == Intervention::Action::restore) {
        for (auto& cut : cuts)
          if (cut.links().groups == done.groups && !cut.links().when.lasting)
            cut.links().when.lasting = done.at - cut.links().when.at;
      }
    }
    // Cut and restored before the next event.
    std::erase_if(cuts, [](const FaultConfig& cut) {
      return cut.links().when.lasting && cut.links().when.lasting->ns == 0;
    });
    if (!cuts.empty()) recorded.repeat = std::max(recorded.repeat, run.repetition + 1);
    recorded.faults.insert(recorded.faults.end(), cuts.begin(), cuts.end());
  }
  return recorded;
}

bool any_interventions(const ScenarioResult& result) {
  return std::any_of(result.runs.begin(), result.runs.end(), [](const RunRecord& run) {
    return !run.result.interventions.empty();
  });
}

std::string interventions_csv(const Scenario& scenario, const ScenarioResult& result) {
  std::string out = "run,virtual_s,action,groups\n";
  for (const auto& run : result.runs)
    for (const auto& done : run.result.interventions) {
      std::string groups;
      for (const auto& group : done.groups)
        groups += fmt::format("{}{}", groups.empty() ? "" : " | ", fmt::join(group, " "));
      out += fmt::format("{},{},{},{}\n",
                         csv_cell(run_id(scenario, run.algorithm, run.repetition)),
                         done.at.to_seconds(),
                         to_string(done.action),
                         csv_cell(groups));
    }
  return out;
}

}  // namespace posse
