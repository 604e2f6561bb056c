// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

#include "program/base/units.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// "exponential (mean 40 ms, floor 10 ms)".
std::string in_words(const Component& component, bool with_defaults = false) {
  std::vector<std::string> parts;
  for (const auto& spec : *component.specs) {
    const auto it = component.parameters.all().find(spec.name);
    if (it == component.parameters.all().end() ||
        std::holds_alternative<std::monostate>(it->second) ||
        std::holds_alternative<InputText>(it->second))
      continue;
    if (!with_defaults && it->second == spec.default_value) continue;
    auto value = format_value(spec, it->second);
    std::erase(value, '"');
    if (component.kind == "constant" && spec.name == "value") return value;
    parts.push_back(fmt::format("{} {}", spec.name, value));
  }
  return parts.empty() ? component.kind
                       : fmt::format("{} ({})", component.kind, fmt::join(parts, ", "));
}

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string network_text(const NetworkScenario& network) {
  const LinkConfig& all = network.defaults;
  std::vector<std::string> parts;
  const auto latency = all.latency ? in_words(*all.latency) : "constant";
  parts.push_back(latency == "constant" || latency == "0 s" ? "no latency"
                                                            : "latency " + latency + " one way");
  if (all.rate)
    parts.push_back(all.rate->trace
                        ? std::string("rates of links from a file")
                        : format_rate(all.rate->bits_per_second) + " on each link by itself");
  if (all.loss_by_type)
    parts.emplace_back("loss by type");
  else
    parts.push_back(!all.loss || all.loss->kind == "none" ? "no loss"
                                                          : "loss " + in_words(*all.loss));
  parts.emplace_back(network.transport == Transport::reliable ? "reliable transport" : "datagrams");
  if (!network.links.empty()) parts.push_back(counted(network.links.size(), "rule") + " for links");
  if (!network.nodes.empty()) parts.push_back(counted(network.nodes.size(), "rate") + " of nodes");
  if (!network.drops.empty()) parts.push_back(counted(network.drops.size(), "loss rule"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string policy_text(const PolicyConfig& policy) {
  std::string text;
  if (policy.kind != PolicyKind::all)
    text = fmt::format("server policy {}", to_string(policy.kind));
  if (policy.quorum) text += fmt::format(" of {}", *policy.quorum);
  if (policy.quorum_share) text += fmt::format(" of {} %", rounded(100 * *policy.quorum_share, 4));
  if (policy.deadline > Duration{}) text += fmt::format(" {}", format_duration(policy.deadline));
  if (policy.aggregate != Aggregate::mean)
    text += fmt::format("{}{} of answers", text.empty() ? "" : ", ", to_string(policy.aggregate));
  return text;
}

}  // namespace

std::string conditions_text(const Scenario& scenario) {
  std::vector<std::string> parts;
  if (scenario.problem) {
    const ProblemConfig& problem = *scenario.problem;
    auto text = problem.objective.kind;
    if (problem.heterogeneity.kind != "none")
      text += fmt::format(", clients differ by {}", in_words(problem.heterogeneity, true));
    text +=
        problem.noise.kind == "none" ? ", no noise" : ", noise " + in_words(problem.noise, true);
    parts.push_back(std::move(text));
  }
  if (scenario.evaluation) {
    const auto time = in_words(*scenario.evaluation);
    parts.push_back(time == "constant" || time == "0 s" ? "evaluations take no time"
                                                        : "evaluation " + time);
  }
  parts.push_back(network_text(scenario.network));
  if (scenario.policy)
    if (auto text = policy_text(*scenario.policy); !text.empty()) parts.push_back(std::move(text));
  if (!scenario.stragglers.empty())
    parts.push_back(counted(scenario.stragglers.size(), "rule") + " for stragglers");
  if (!scenario.service.empty())
    parts.push_back(counted(scenario.service.size(), "rule") + " for service times");
  std::set<std::string> faults;  // a [[fault]] may stand for several
  for (const auto& fault : scenario.faults) faults.insert(fault.scope.path);
  if (!faults.empty()) parts.push_back(counted(faults.size(), "fault"));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace posse
