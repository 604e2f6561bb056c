// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/service_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "program/scenario/network_reader.hpp"

namespace posse {

void read_service(const Value& value,
                  std::string path,
                  const KnownAlgorithms& known,
                  Scenario& scenario,
                  Diagnostics& diagnostics) {
  TableReader reader(value, std::move(path), diagnostics);
  ServiceConfig rule;
  rule.scope = read_scope(reader, scenario, known);
  rule.nodes = read_nodes_of_rule(reader, "nodes", rule.scope).value_or("*");
  const auto type = reader.text("type");
  rule.type = type.value_or("*");
  const bool of_message =
      rule.type != "*" && rule.type != kServiceOfStart && rule.type != kServiceOfTimer;
  if (type && of_message) keep_name(reader, "type", NameInRule::Of::message, *type, rule.scope);
  rule.sends = reader.boolean("sends");
  const auto time = [&](std::string_view key) {
    return read_duration(reader, key, Durations::of_work, scenario, diagnostics);
  };
  rule.dispatch = time("dispatch");
  rule.decode = time("decode");
  rule.compute = time("compute");
  rule.per_evaluation = reader.duration("per_evaluation");
  rule.encode = time("encode");
  const auto any_of = [&](std::initializer_list<const char*> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return reader.has(key); });
  };
  if (!any_of({"dispatch", "decode", "compute", "per_evaluation", "encode"}))
    reader.error("", "sets no time", "dispatch, decode, compute, per_evaluation, encode");
  if (rule.sends && !any_of({"compute", "per_evaluation"}))
    reader.error("sends", "does nothing without compute or per_evaluation");
  if (type && !of_message && rule.type != "*")
    for (const auto* key : {"decode", "encode"})
      if (reader.has(key))
        reader.error(key, fmt::format("does nothing: {} is no message", rule.type));
  reader.finish();
  scenario.service.push_back(std::move(rule));
}

}  // namespace posse
