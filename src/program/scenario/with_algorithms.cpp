// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/with_algorithms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/scenario/availability_file.hpp"
#include "program/scenario/latency_files.hpp"
#include "program/scenario/rule_scope.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

using Names = std::set<std::string, std::less<>>;

/// The table without the rows that have one of the names in one of these columns.
std::string without_rows(std::string_view csv_text,
                         std::initializer_list<std::string_view> columns,
                         const Names& names) {
  CsvReader csv(csv_text);
  std::string text = fmt::format("{}\n", fmt::join(csv.columns(), ","));
  while (csv.next()) {
    const auto names_one = [&](std::string_view column) {
      return names.contains(csv.cell(csv.column(column)));
    };
    if (std::ranges::any_of(columns, names_one)) continue;
    for (std::size_t i = 0; i < csv.columns().size(); ++i)
      text += (i == 0 ? "" : ",") + csv_cell(csv.cell(i));
    text += '\n';
  }
  return text;
}

class Reduction {
 public:
  Reduction(Scenario scenario, const std::set<std::string>& labels) : made_(std::move(scenario)) {
    std::erase_if(made_.algorithms,
                  [&](const AlgorithmEntry& entry) { return !labels.contains(entry.label); });
  }

  Scenario reduced() {
    for (std::size_t i = 0; i < made_.algorithms.size(); ++i)
      made_.algorithms[i].path = fmt::format("algorithm.{}", i);
    leave_out_sections();
    leave_out_thresholds();
    NetworkScenario& network = made_.network;
    leave_out_names(network.defaults);
    reduce(network.links);
    reduce(network.nodes);
    reduce(network.drops);
    reduce(made_.stragglers);
    reduce(made_.service);
    reduce(made_.faults);
    leave_out_time_outs();
    leave_out_files();
    return std::move(made_);
  }

 private:
  template <class Condition>
  bool any(const Condition& condition) const {
    return std::ranges::any_of(made_.algorithms, condition);
  }
  bool any_is(bool AlgorithmSpec::*flag) const {
    return any([flag](const AlgorithmEntry& entry) { return entry.spec->*flag; });
  }

  void leave_out_sections() {
    const bool problem = any_is(&AlgorithmSpec::needs_problem);
    const bool arms = any_is(&AlgorithmSpec::needs_arms);
    if (!any([](const auto& entry) { return !entry.own_clients && !entry.spec->needs_arms; }))
      made_.clients.reset();
    if (!problem) made_.problem.reset();
    if (!arms) made_.arms.reset();
    if (!problem && !arms) made_.evaluation.reset();
    if (!any_is(&AlgorithmSpec::uses_policy)) made_.policy.reset();
  }

  void leave_out_thresholds() {
    std::erase_if(made_.thresholds, [&](const Threshold& threshold) {
      return threshold.algorithm &&
             !any([&](const AlgorithmEntry& entry) { return entry.label == *threshold.algorithm; });
    });
  }

  template <class Rule>
  void reduce(std::vector<Rule>& rules) {
    std::erase_if(rules, [&](const Rule& rule) {
      const auto affected = [&](const auto& entry) { return rule.scope.affects(entry.label); };
      if (any(affected)) return false;
      for (const WithoutEffect& of : rule.scope.without_effect) tell(of);
      return true;
    });
    for (Rule& rule : rules) {
      if constexpr (requires { leave_out_names(rule); }) leave_out_names(rule);
      leave_out_labels(rule.scope);
    }
  }

  /// Where one algorithm is left, all is for it.
  void leave_out_labels(RuleScope& scope) const {
    if (made_.algorithms.size() == 1) scope.algorithms.clear();
    std::erase_if(scope.algorithms, [&](const std::string& label) {
      return !any([&](const AlgorithmEntry& entry) { return entry.label == label; });
    });
  }

  /// Names of the rule that all algorithms lack that it is for. They are no longer of the rule.
  Names lacking(RuleScope& scope) {
    Names names;
    bool first = true;
    for (const AlgorithmEntry& entry : made_.algorithms) {
      if (!scope.affects(entry.label)) continue;
      Names own;
      for (const WithoutEffect& of : scope.without_effect)
        if (of.algorithm == entry.label) own.insert(of.names.begin(), of.names.end());
      if (!first) std::erase_if(own, [&](const auto& name) { return !names.contains(name); });
      names = std::move(own);
      first = false;
    }
    if (names.empty()) return names;
    std::erase_if(scope.without_effect, [&](const WithoutEffect& of) {
      const bool gone =
          std::ranges::all_of(of.names, [&](const auto& name) { return names.contains(name); });
      if (gone) tell(of);
      return gone;
    });
    std::erase_if(scope.names, [&](const auto& name) { return names.contains(name.name); });
    return names;
  }

  void tell(const WithoutEffect& of) {
    const auto is_it = [&](const AlgorithmEntry& entry) { return entry.label == of.algorithm; };
    if (!any(is_it)) return;
    auto sentence = fmt::format("left out: {} has no effect on {}", of.what, of.algorithm);
    if (std::ranges::find(made_.left_out, sentence) == made_.left_out.end())
      made_.left_out.push_back(std::move(sentence));
  }

  void leave_out_names(LinkConfig& link) {
    const Names names = lacking(link.scope);
    if (names.empty()) return;
    if (auto* by_type = link.rule.loss ? std::get_if<LossByType>(&*link.rule.loss) : nullptr)
      std::erase_if(by_type->p, [&](const auto& p) { return names.contains(p.first); });
    if (&link == &made_.network.defaults && made_.network.matrix) leave_out_of_matrix(names);
  }

  void leave_out_of_matrix(const Names& names) {
    NetworkScenario& network = made_.network;
    Component& latency = *network.defaults.latency;
    const auto is_left = [&](const auto& line) {
      return !names.contains(line.first.first) && !names.contains(line.first.second);
    };
    if (std::ranges::all_of(*network.matrix, is_left)) return;
    if (std::ranges::any_of(*network.matrix, is_left)) {
      const InputText file = latency.parameters.input("file");
      auto left = made_.inputs.replace(file, without_rows(*file.content, {"from", "to"}, names));
      network.matrix = std::make_shared<const LatencyMatrix>(parse_latency_matrix(*left.content));
      latency.parameters.set("file", std::move(left));
      return;
    }
    const Duration otherwise = latency.parameters.is_auto("otherwise")
                                   ? Duration{}
                                   : latency.parameters.duration("otherwise");
    const DurationSpec& constant = *find_duration_spec("constant");
    latency = {"constant", &constant.parameters, default_parameters(constant.parameters)};
    latency.parameters.set("value", otherwise);
    network.matrix = nullptr;
  }

  void leave_out_names(FaultConfig& fault) {
    const Names names = lacking(fault.scope);
    if (names.empty()) return;
    const auto leave_out = [&](std::vector<FaultyNodes>& selectors) {
      std::erase_if(selectors, [&](const auto& s) { return names.contains(s.of); });
    };
    if (auto* links = std::get_if<LinkFault>(&fault.what)) {
      for (auto& group : links->groups) leave_out(group);
      std::erase_if(links->groups, [](const auto& group) { return group.empty(); });
    } else if (auto* liars = std::get_if<CorruptFault>(&fault.what)) {
      leave_out(liars->nodes);
    } else {
      auto& nodes = std::get<NodeFault>(fault.what);
      leave_out(nodes.nodes);
      if (!nodes.trace) return;
      fault.trace =
          made_.inputs.replace(*fault.trace, without_rows(*fault.trace->content, {"node"}, names));
      nodes.trace = std::make_shared<const DownTimes>(parse_down_times(*fault.trace->content));
    }
  }

  /// Keys of time-outs that only rules had which are gone.
  void leave_out_time_outs() {
    Retransmission& rule = made_.network.retransmission;
    const bool measured = has_time_out(made_.network, TimeOut::Rule::measured);
    if (!measured) rule.granularity = Retransmission{}.granularity;
    if (!measured && !has_time_out(made_.network, TimeOut::Rule::derived)) rule.min_timeout.reset();
  }

  void leave_out_files() {
    if (made_.inputs.files().empty()) return;
    const std::string text = to_toml(made_);
    made_.inputs.keep_if([&](const InputFiles::File& file) {
      return text.find(toml_string(file.stored)) != std::string::npos;
    });
  }

  Scenario made_;
};

}  // namespace

Scenario with_algorithms(Scenario scenario, const std::set<std::string>& labels) {
  return Reduction(std::move(scenario), labels).reduced();
}

}  // namespace posse
