// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/catalogue_features.hpp"

#include <algorithm>
#include <utility>

#include "core/exchange/all_to_all.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/sim/branches.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

Feature of_catalogue(std::string name, std::function<bool(const Scenario&)> has) {
  return {std::move(name),
          [has = std::move(has)](const Trial& trial) { return has(trial.scenario); }};
}
Feature of_text_parameter(const std::string& name, const std::string& value) {
  return of_catalogue(name + " = " + value, [=](const Scenario& scenario) {
    const auto& all = scenario.algorithms.front().parameters.all();
    const auto it = all.find(name);
    return it != all.end() && it->second == ParameterValue(value);
  });
}

void add_components(std::vector<Feature>& all) {
  for (const auto* spec : algorithms())
    all.push_back(of_catalogue("algorithm " + std::string(spec->kind), [spec](const Scenario& s) {
      return s.algorithms.front().spec == spec;
    }));
  for (const AllToAll way : kAllToAll)
    all.push_back(of_text_parameter("exchange", std::string(to_string(way))));
  all.push_back(of_text_parameter("exchange", "gossip"));
  all.push_back(of_text_parameter("sums", "exact"));
  for (const MeanFormat format : kMeanFormats)
    all.push_back(of_text_parameter("means", std::string(to_string(format))));
  all.push_back(of_text_parameter("placement", "local"));
  all.push_back(of_text_parameter("placement", "central"));
  all.push_back(of_text_parameter("order", "asynchronous"));
  all.push_back(of_text_parameter("order", "batched"));
  all.push_back(of_catalogue("edges > 0", [](const Scenario& s) {
    const auto& parameters = s.algorithms.front().parameters.all();
    const auto it = parameters.find("edges");
    return it != parameters.end() && it->second != ParameterValue(std::int64_t{0});
  }));
  all.push_back(of_catalogue("compact_plan = true", [](const Scenario& s) {
    const auto& parameters = s.algorithms.front().parameters.all();
    const auto it = parameters.find("compact_plan");
    return it != parameters.end() && it->second == ParameterValue(true);
  }));
  for (const auto& spec : noise_specs())
    all.push_back(of_catalogue("noise " + std::string(spec.kind), [&spec](const Scenario& s) {
      return s.problem && s.problem->noise.kind == spec.kind;
    }));
  for (const auto* kind : {"none", "shift", "common-shift", "scale", "shifts", "mixture"})
    all.push_back(of_catalogue("heterogeneity " + std::string(kind), [kind](const Scenario& s) {
      return s.problem && s.problem->heterogeneity.kind == kind;
    }));
}

/// The branches that the kernel reached. A traced run foresees no acknowledgements, so that runs
/// with the reliable transport are repeated without a trace.
std::uint32_t reached_branches(const Trial& trial) {
  std::uint32_t reached = 0;
  const auto add = [&](const ScenarioResult& result) {
    for (const RunRecord& run : result.runs) reached |= run.result.reached;
  };
  add(trial.result);
  if (is_reliable(trial.scenario)) add(run_on(Kernel::serial, trial.scenario));
  return reached;
}

}  // namespace

const std::vector<Feature>& catalogue_features() {
  static const std::vector<Feature> all = [] {
    std::vector<Feature> list;
    add_components(list);
    return list;
  }();
  return all;
}

std::vector<std::string> branches_of(const Trial& trial) {
  std::vector<std::string> names;
  if (!trial.mistakes.empty()) return names;
  const std::uint32_t reached = reached_branches(trial);
  for (std::size_t b = 0; b < kBranchNames.size(); ++b)
    if ((reached >> b & 1) != 0) names.emplace_back(kBranchNames[b]);
  return names;
}

}  // namespace posse
