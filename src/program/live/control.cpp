// SPDX-License-Identifier: Apache-2.0
#include "program/live/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "program/results/results_json.hpp"

namespace posse {
namespace {

/// Empty if the key is missing.
std::string text_in(const Json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end()) return {};
  if (!it->is_string()) throw std::invalid_argument(fmt::format("{}: is not a string", key));
  return it->get<std::string>();
}

/// Links: two or more groups. Nodes: one.
std::vector<std::vector<FaultyNodes>> groups_in(const Json& json, bool of_links) {
  std::vector<std::vector<FaultyNodes>> groups;
  const auto list = json.find("groups");
  if (list != json.end() && list->is_array())
    for (const auto& group : *list) {
      auto& names = groups.emplace_back();
      if (!group.is_array()) continue;
      for (const auto& name : group)
        names.push_back(name.is_string() ? name.get<std::string>() : std::string());
      std::sort(names.begin(), names.end());
    }
  std::sort(groups.begin(),
            groups.end());  // the order of groups has no meaning
  if ((of_links ? groups.size() < 2 : groups.size() != 1) ||
      std::any_of(groups.begin(), groups.end(), [](const auto& group) {
        return group.empty() || group.front().of.empty();  // sorted: empty names come first
      }))
    throw std::invalid_argument(
        of_links ? "groups: two or more lists of names, e.g. [[\"server\"], [\"client-3\"]]"
                 : "groups: one list of names, e.g. [[\"client-3\"]]");
  return groups;
}

}  // namespace

ControlRequest parse_control(const std::string& body) {
  const auto json = Json::parse(body, nullptr, false);
  if (!json.is_object()) throw std::invalid_argument("the body is not a JSON object");
  for (const auto& [key, value] : json.items())
    if (key != "action" && key != "run" && key != "groups")
      throw std::invalid_argument(
          fmt::format("'{}' is unknown: allowed are action, run, groups", key));
  ControlRequest asked;
  asked.run = text_in(json, "run");
  const auto action = parse_action(text_in(json, "action"));
  if (!action)
    throw std::invalid_argument(
        "action: allowed are pause, resume, step, cut, restore, halt, crash, forget, restart");
  Intervention& intervention = asked.intervention;
  intervention.action = *action;
  if (intervention.is_of_links() || intervention.is_of_nodes())
    intervention.groups = groups_in(json, intervention.is_of_links());
  return asked;
}

std::optional<ControlRefusal> refusal_of(const RunView& run,
                                         const Intervention& wanted,
                                         const FaultsFromOutside& faults) {
  const auto refusal = [&](int status, std::string_view reason) {
    return ControlRefusal{status, fmt::format("{} {}", run.id, reason)};
  };
  if (wanted.groups.empty()) {  // pause, resume, step
    if (run.start == nullptr || !run.start->in_wall_time) return std::nullopt;
    return refusal(409, "is in wall time, which nobody can hold up");
  }
  if (run.start == nullptr) return refusal(400, "has not started: it has no nodes yet");
  const auto& can_lose_state = run.start->can_lose_state;
  if (wanted.is_of_nodes() && can_lose_state.empty())
    return refusal(409,
                   fmt::format("has more than {} nodes: they can't be stopped from here",
                               kMostStoppableNodes));
  for (const auto& group : wanted.groups)
    for (const auto& [name, share] : group) {
      const auto range = run.start->names.select(name);
      if (range.first == range.last) return refusal(400, fmt::format("has no node '{}'", name));
      if (wanted.action != Intervention::Action::forget) continue;
      for (auto node = range.first; node < range.last; ++node)
        if (!can_lose_state[node])
          return refusal(
              409,
              fmt::format("has {}, which can't lose its state", run.start->names.name({node})));
    }
  if (wanted.undoes() && std::find(faults.begin(), faults.end(), wanted.groups) == faults.end())
    return refusal(409,
                   wanted.is_of_links() ? "has no cut between exactly these groups"
                                        : "has no stop of exactly these nodes from here");
  return std::nullopt;
}

void note(const Intervention& asked, FaultsFromOutside& faults) {
  if (asked.undoes())
    std::erase(faults, asked.groups);
  else if (!asked.groups.empty())
    faults.push_back(asked.groups);
}

}  // namespace posse
