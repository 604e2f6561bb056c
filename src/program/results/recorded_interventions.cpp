// SPDX-License-Identifier: Apache-2.0
#include "program/results/recorded_interventions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/overload.hpp"
#include "program/run/run_view.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// Ends what was made from outside with these groups, of links or of nodes, at `at`.
void end_faults(const Intervention& done, std::vector<FaultConfig>& faults) {
  const auto end = [&](FaultTimes& when, bool same) {
    if (same && !when.lasting) when.lasting = done.at - when.at;
  };
  for (FaultConfig& fault : faults)
    std::visit(Overload{[&](LinkFault& links) {
                          end(links.when, done.is_of_links() && links.groups == done.groups);
                        },
                        [&](NodeFault& nodes) {
                          end(nodes.when, done.is_of_nodes() && nodes.nodes == done.groups.front());
                        },
                        [](CorruptFault&) {}},
               fault.what);
}

/// Cut and restored before the next event.
bool has_no_length(const FaultConfig& fault) {
  return std::visit(
      [](const auto& what) { return what.when.lasting && what.when.lasting->ns == 0; }, fault.what);
}

}  // namespace

Scenario with_interventions(const Scenario& scenario, const ScenarioResult& result) {
  Scenario recorded = scenario;
  for (const auto& run : result.runs) {
    std::vector<FaultConfig> faults;
    for (const auto& done : run.result.interventions) {
      if (done.undoes()) {
        end_faults(done, faults);
      } else if (done.changes_results()) {
        FaultConfig fault;
        if (done.is_of_links())
          fault.what = LinkFault{.groups = done.groups, .when = {.at = done.at}};
        else
          fault.what = node_fault_of(done);
        fault.scope.algorithms = {scenario.algorithms[run.algorithm].label};
        fault.repetition = run.repetition;
        faults.push_back(std::move(fault));
      }
    }
    std::erase_if(faults, has_no_length);
    if (!faults.empty()) recorded.repeat = std::max(recorded.repeat, run.repetition + 1);
    recorded.faults.insert(recorded.faults.end(), faults.begin(), faults.end());
  }
  return recorded;
}

DataTable interventions_table(const Scenario& scenario, const ScenarioResult& result) {
  struct Done {
    const RunRecord& run;
    const Intervention& what;
  };
  ColumnsOf<Done> columns;
  columns
      .add("run",
           [&](const Done& done) {
             return run_id(scenario, done.run.algorithm, done.run.repetition);
           })
      .add("virtual_s", [](const Done& done) { return done.what.at; })
      .add("action", [](const Done& done) { return to_string(done.what.action); })
      .add("amount",
           [](const Done& done) {
             return done.what.has_amount() ? std::optional(done.what.amount) : std::nullopt;
           })
      .add("unit",
           [](const Done& done) { return done.what.has_goal() ? to_string(done.what.unit) : ""; })
      .add("groups", [](const Done& done) { return groups_text(done.what.groups); });
  return columns.table([&](const auto& use) {
    for (const auto& run : result.runs)
      for (const auto& done : run.result.interventions) use({run, done});
  });
}

}  // namespace posse
