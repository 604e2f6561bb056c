// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/rule_scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace posse {
namespace {

constexpr std::string_view kAlgorithm = "algorithm";

/// The labels at `algorithm`; nothing after a mistake.
std::optional<std::vector<std::string>> read_labels(TableReader& reader,
                                                    const Value& value,
                                                    const std::vector<std::string>& known) {
  const auto allowed = known.empty()
                           ? "labels of algorithms"
                           : fmt::format("a label or a list of labels: {}", fmt::join(known, ", "));
  const auto reject = [&](std::string problem, std::string nearest = "") {
    reader.error(kAlgorithm, std::move(problem), allowed, std::move(nearest));
    return std::nullopt;
  };
  const Array* list = value.array();
  const Array one{value};
  std::vector<std::string> labels;
  for (const Value& element : list != nullptr ? *list : one) {
    const auto in_list = [&] { return fmt::format("has the element {}", describe(element)); };
    const auto* label = std::get_if<std::string>(&element.data);
    if (label == nullptr) return reject(list != nullptr ? in_list() : "is not a label");
    if (!known.empty() && std::ranges::find(known, *label) == known.end())
      return reject(list != nullptr ? in_list() : "is unknown", nearest_name(*label, known));
    if (std::ranges::find(labels, *label) != labels.end())
      return reject(fmt::format("has '{}' twice", *label));
    labels.push_back(*label);
  }
  if (labels.empty()) return reject("is an empty list");
  return labels;
}

}  // namespace

RuleScope read_scope(TableReader& reader, const Scenario& scenario, const KnownAlgorithms& known) {
  RuleScope scope{reader.path(), reader.location(), {}, {}, {}};
  const Value* value = reader.find(kAlgorithm);
  if (value == nullptr) return scope;
  std::vector<std::string> labels;
  if (known.labels)
    for (const auto& entry : scenario.algorithms) labels.push_back(entry.label);
  scope.algorithms = read_labels(reader, *value, labels).value_or(std::vector<std::string>{""});
  return scope;
}

void keep_name(TableReader& reader,
               std::string_view key,
               NameInRule::Of of,
               std::string name,
               RuleScope& scope) {
  scope.names.push_back({of, std::string(key), std::move(name), reader.find(key)->location});
}

std::optional<std::string> read_nodes_of_rule(TableReader& reader,
                                              std::string_view key,
                                              RuleScope& scope) {
  auto selector = reader.text(key);
  if (selector) keep_name(reader, key, NameInRule::Of::nodes, *selector, scope);
  return selector;
}

}  // namespace posse
