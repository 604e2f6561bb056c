// SPDX-License-Identifier: Apache-2.0
#include "program/live/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

template <class List>
std::vector<std::string_view> names_of(const List& list) {
  std::vector<std::string_view> names;
  for (const auto each : list) names.push_back(to_string(each));
  return names;
}

constexpr double kFastestPace = 1e9, kSlowestPace = 1e-6;
constexpr double kMostOfAGoal = 9e15;  // rounds, events: a double tells such numbers apart
constexpr double kLongestGoal = 9e9;   // seconds

/// What a step, a goal or a pace is of.
void read_amount(const Json& json, Intervention& asked) {
  if (const auto unit = text_in(json, "unit"); !unit.empty()) {
    const auto parsed = asked.has_goal() ? parse_unit(unit) : std::nullopt;
    if (!parsed)
      throw std::invalid_argument(
          asked.has_goal()
              ? fmt::format("unit: allowed are {}", fmt::join(names_of(kInterventionUnits), ", "))
              : "unit: a pace has none");
    asked.unit = *parsed;
  }
  const auto it = json.find("amount");
  if (it == json.end()) {
    if (asked.action == Intervention::Action::step) return;
    throw std::invalid_argument(fmt::format("amount: {} needs one", to_string(asked.action)));
  }
  const double amount = it->is_number() ? it->get<double>() : -1;
  if (!asked.has_goal()) {
    if (amount != 0 && !(kSlowestPace <= amount && amount <= kFastestPace))
      throw std::invalid_argument(
          "amount: virtual seconds per second, 1e-6 to 1e9, or 0 for as fast as possible");
  } else if (asked.unit == Intervention::Unit::second) {
    if (!(0 < amount && amount <= kLongestGoal))
      throw std::invalid_argument("amount: seconds above 0, at most 9e9");
  } else if (!(1 <= amount && amount <= kMostOfAGoal) || amount != std::floor(amount)) {
    throw std::invalid_argument(
        fmt::format("amount: a whole number of {}s, from 1", to_string(asked.unit)));
  }
  asked.amount = amount;
}

/// Whether the run is past its goal.
bool is_past(const RunView& run, const Intervention& wanted) {
  if (wanted.action != Intervention::Action::until) return false;
  const auto& outcome = run.snapshot->outcome;
  switch (wanted.unit) {
    case Intervention::Unit::round:
      return static_cast<double>(outcome.complete_rounds) >= wanted.amount;
    case Intervention::Unit::event:
      return static_cast<double>(outcome.events) >= wanted.amount;
    case Intervention::Unit::second:
      return run.now().to_seconds() > wanted.amount;
  }
  return false;
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
    if (key != "action" && key != "run" && key != "groups" && key != "amount" && key != "unit")
      throw std::invalid_argument(
          fmt::format("'{}' is unknown: allowed are action, run, amount, unit, groups", key));
  ControlRequest asked;
  asked.run = text_in(json, "run");
  const auto action = parse_action(text_in(json, "action"));
  if (!action)
    throw std::invalid_argument(
        fmt::format("action: allowed are {}", fmt::join(names_of(kInterventionActions), ", ")));
  Intervention& intervention = asked.intervention;
  intervention.action = *action;
  if (intervention.has_amount())
    read_amount(json, intervention);
  else if (json.contains("amount") || json.contains("unit"))
    throw std::invalid_argument("amount, unit: only step, until and pace have them");
  if (intervention.changes_results())
    intervention.groups = groups_in(json, intervention.is_of_links());
  return asked;
}

std::optional<ControlRefusal> refusal_of(const RunView& run,
                                         const Intervention& wanted,
                                         const FaultsFromOutside& faults) {
  const auto refusal = [&](int status, std::string_view reason) {
    return ControlRefusal{status, fmt::format("{} {}", run.id, reason)};
  };
  if (!wanted.changes_results()) {
    if (run.start != nullptr && run.start->in_wall_time)
      return refusal(409, "is in wall time, which nobody can hold up");
    if (is_past(run, wanted)) return refusal(409, "is past that already");
    return std::nullopt;
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
