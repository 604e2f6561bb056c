// SPDX-License-Identifier: Apache-2.0
#include "core/base/overload.hpp"
#include "program/scenario/faulty_nodes.hpp"
#include "program/scenario/fields.hpp"
#include "program/scenario/sections.hpp"

namespace posse {
namespace {

using OfFault = FieldsOf<FaultConfig>;

/// What is written of faults of this type; "" of others. fault_reader.cpp reads them.
template <class Type, class Text>
auto of_type(Text text) {
  return OfFault::written([text](const auto&, const FaultConfig& fault) -> std::string {
    const auto* of = std::get_if<Type>(&fault.what);
    return of == nullptr ? "" : text(*of);
  });
}

/// What is written of the times of a fault, which an availability file has none of.
template <class Text>
auto of_times(Text text) {
  return OfFault::written([text](const auto&, const FaultConfig& fault) -> std::string {
    if (fault.trace) return "";
    return std::visit([&](const auto& of) -> std::string { return text(of.when); }, fault.what);
  });
}

std::string duration_toml(const std::optional<Duration>& duration) {
  return duration ? toml_string(format_duration(*duration)) : "";
}

std::string_view kind_of(const LinkFault& links) { return to_string(links.kind); }
std::string_view kind_of(const NodeFault& nodes) { return to_string(nodes.kind); }
std::string_view kind_of(const CorruptFault&) { return "corrupt"; }

std::string nodes_toml(const FaultConfig& fault) {
  if (const auto* of = std::get_if<NodeFault>(&fault.what)) return texts_toml(texts_of(of->nodes));
  if (const auto* of = std::get_if<CorruptFault>(&fault.what))
    return texts_toml(texts_of(of->nodes));
  return "";
}

}  // namespace

SectionSpec fault_section() {
  using Of = FieldsOf<FaultConfig>;
  return {
      .path = "fault",
      .summary = "partitions, clogged links, pauses and crashes of nodes",
      .array = true,
      .keys = {
          {.name = "kind",
           .type = KeyType::kind,
           .meaning = "what happens",
           .otherwise = "must be given",
           .required = true,
           .field = Of::written([](const auto&, const auto& fault) {
             return fault.trace ? "\"availability\""
                                : toml_string(std::visit([](const auto& of) { return kind_of(of); },
                                                         fault.what));
           })},
          {.name = "groups",
           .type = KeyType::groups,
           .meaning = "`partition`, `clog`: two or more lists of nodes",
           .values = "lists of selectors and shares",
           .otherwise = "must be given",
           .field = of_type<LinkFault>([](const auto& of) {
             std::vector<std::string> groups;
             for (const auto& group : of.groups) groups.push_back(texts_toml(texts_of(group)));
             return fmt::format("[{}]", fmt::join(groups, ", "));
           })},
          {.name = "one_way",
           .type = KeyType::boolean,
           .meaning = "`partition`, `clog`: only messages from the first group to the others",
           .otherwise = "false",
           .field = of_type<LinkFault>([](const auto& of) { return of.one_way ? "true" : ""; })},
          {.name = "nodes",
           .type = KeyType::selectors,
           .meaning = "`pause`, `crash`, `corrupt`: the nodes; at random times, each has its "
                      "own. `storm`: one selector, no share",
           .values = "a list of selectors and shares",
           .otherwise = "must be given; `storm`: `\"*\"`",
           .field = Of::written([](const auto&, const auto& fault) {
             return fault.trace ? "" : nodes_toml(fault);
           })},
          {.name = "how",
           .type = KeyType::choice,
           .meaning = "`corrupt`: what they send instead: one number, theirs plus normal noise, "
                      "theirs with the opposite sign, or those of their message before",
           .otherwise = "must be given",
           .choices = {"constant", "noise", "sign", "stale"},
           .field = of_type<CorruptFault>(
               [](const auto& of) { return toml_string(to_string(of.how)); })},
          {.name = "value",
           .type = KeyType::number,
           .meaning = "`corrupt`, `constant`: the number",
           .otherwise = "must be given",
           .min = -1e6,
           .max = 1e6,
           .field = of_type<CorruptFault>([](const auto& of) {
             return of.how == Corruption::constant ? format_real(of.value) : "";
           })},
          {.name = "sd",
           .type = KeyType::number,
           .meaning = "`corrupt`, `noise`: the standard deviation",
           .otherwise = "must be given",
           .min = 0,
           .max = 1e6,
           .field = of_type<CorruptFault>([](const auto& of) {
             return of.how == Corruption::noise ? format_real(of.value) : "";
           })},
          {.name = "state",
           .type = KeyType::choice,
           .meaning = "`crash`, `availability`, `storm`: what a crash does to the node's "
                      "memory. Which nodes can lose it, and how they take part again: `posse "
                      "describe ALGORITHM`",
           .otherwise = "`\"kept\"`",
           .choices = {"kept", "lost"},
           .field =
               of_type<NodeFault>([](const auto& of) { return of.loses_state ? "\"lost\"" : ""; })},
          {.name = "file",
           .type = KeyType::text,
           .meaning = "`availability`: a row per time that a node is down, in order. Without "
                      "`up_s` it never restarts",
           .values = "CSV with the columns `node`, `down_s`, `up_s` (virtual seconds)",
           .otherwise = "must be given",
           .field = Of::written([](const auto&, const auto& fault) {
             return fault.trace ? toml_string(fault.trace->stored) : "";
           })},
          {.name = "at",
           .type = KeyType::duration,
           .meaning = "virtual time at which it begins the first time",
           .otherwise = "must be given; `\"0 s\"` with `mean_between`",
           .field = of_times([](const auto& when) { return duration_toml(Duration{when.at.ns}); })},
          {.name = "for",
           .type = KeyType::duration,
           .meaning = "how long it lasts",
           .note = ", below `every`",
           .otherwise = "until the end; `clog`: must be given",
           .min = 0,
           .min_open = true,
           .field = of_times(
               [](const auto& when) { return when.mean_gap ? "" : duration_toml(when.lasting); })},
          {.name = "every",
           .type = KeyType::duration,
           .meaning = "from one beginning to the next",
           .otherwise = "once",
           .min = 0,
           .min_open = true,
           .field = of_times([](const auto& when) { return duration_toml(when.every); })},
          {.name = "mean_between",
           .type = KeyType::duration,
           .meaning = "mean time from an end to the next beginning",
           .otherwise = "not random",
           .min = 0,
           .min_open = true,
           .field = of_times([](const auto& when) { return duration_toml(when.mean_gap); })},
          {.name = "mean_for",
           .type = KeyType::duration,
           .meaning = "mean of how long it lasts",
           .otherwise = "with `mean_between` it must be given",
           .min = 0,
           .min_open = true,
           .field = of_times(
               [](const auto& when) { return when.mean_gap ? duration_toml(when.lasting) : ""; })},
          {.name = "until",
           .type = KeyType::duration,
           .meaning = "it does not begin at this time or later",
           .otherwise = "none; it must be given with `mean_between`, and with `every` for "
                        "`pause` and `crash`",
           .field = of_times([](const auto& when) {
             return when.until ? duration_toml(Duration{when.until->ns}) : "";
           })},
          algorithm_of_rule<FaultConfig>(),
          {.name = "repetition",
           .type = KeyType::whole,
           .meaning = "only in this repetition",
           .otherwise = "all repetitions",
           .min = 0,
           .field = Of::written([](const auto&, const auto& fault) {
             return fault.repetition ? fmt::format("{}", *fault.repetition) : "";
           })}}};
}

}  // namespace posse
