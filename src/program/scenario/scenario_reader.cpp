// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/shown_text.hpp"
#include "core/exchange/aggregate.hpp"
#include "core/network/link_map.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "program/base/files.hpp"
#include "program/base/quantities.hpp"
#include "program/base/units.hpp"
#include "program/scenario/fault_reader.hpp"
#include "program/scenario/fields.hpp"
#include "program/scenario/network_reader.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/scenario_check.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/sections.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// Whether a text outside [inputs] is this name.
bool names_input(const Value& root, const std::string& name) {
  const Table* table = root.table();
  return table != nullptr && std::any_of(table->begin(), table->end(), [&](const auto& entry) {
           return entry.first != "inputs" && holds_text(entry.second, name);
         });
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

class ScenarioReader {
 public:
  ScenarioReader(const Value& root, const std::string& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), root_value_(root), root_(root, "", diagnostics) {
    scenario_.file = file;
    scenario_.inputs = InputFiles(std::filesystem::path(file).parent_path().string());
  }

  Scenario read() {
    read_heading();
    read_inputs();
    read_population();
    read_algorithms();
    known_.kinds = algorithms_known();
    read_problem();
    read_arms();
    read_budget();
    if (const Value* network = root_.find("network")) read_network(*network, context_);
    read_compute();
    read_policy();
    read_faults(root_, known_, last_repetition_, scenario_, diagnostics_);
    read_limits();
    read_thresholds_section();
    reject_sweep();
    root_.finish();
    reject_unused_inputs();
    parts_.every_kind = known_.kinds;
    check_scenario(scenario_, parts_, diagnostics_);
    return std::move(scenario_);
  }

 private:
  void read_heading() {
    const auto stem = std::filesystem::path(scenario_.file).stem().string();
    scenario_.name = is_folder_name(stem) ? stem : "scenario";
    read_fields(root_, scenario_, context_);
    if (!is_folder_name(scenario_.name))
      root_.error("name", "can't name a folder", "letters, digits, '-', '_', '.'; up to 100");
    const auto& label = scenario_.label;
    if (root_.has("label") && !root_.is_wrong("label") &&
        (label.empty() || label.size() > 100 || !is_printable_line(label)))
      root_.error("label",
                  "is empty, too long or not one printable line",
                  "up to 100 characters, none of which controls or hides text");
    if (root_.is_wrong("repeat")) last_repetition_ = std::numeric_limits<std::int64_t>::max();
    last_repetition_ = std::max<std::int64_t>(last_repetition_, scenario_.repeat - 1);
  }

  void read_inputs() {
    const Value* value = root_.find("inputs");
    if (value == nullptr) return;
    TableReader reader(*value, "inputs", diagnostics_);
    if (const Table* table = value->table())
      for (const auto& [name, content] : *table)
        if (auto text = reader.text(name)) scenario_.inputs.hold(name, std::move(*text));
    reader.finish();
  }

  /// Where there are other mistakes, a file may be unread although a key names it.
  void reject_unused_inputs() {
    for (const auto& name : scenario_.inputs.unused())
      if (diagnostics_.empty() || !names_input(root_value_, name))
        TableReader(*root_.find("inputs"), "inputs", diagnostics_)
            .error(name, "has no effect: no key names this file");
  }

  void read_population() {
    const Value* value = root_.find("population");
    if (value == nullptr) return;
    TableReader reader(*value, "population", diagnostics_);
    read_fields(reader, scenario_, context_);
    if (!scenario_.clients) parts_.participants_and_budget = false;
    reader.finish();
  }

  void read_algorithms() {
    const auto entries = root_.tables("algorithm");
    if (entries.empty())
      root_.error("algorithm",
                  "there is no algorithm",
                  "[[algorithm]] with kind = " + joined(kinds_of(algorithms())));
    std::set<std::string> labels;
    bool all_own_clients = true;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      AlgorithmEntry entry;
      entry.location = entries[i].location;
      entry.path = fmt::format("algorithm.{}", i);
      const std::size_t before = diagnostics_.all().size();
      TableReader reader(entries[i], entry.path, diagnostics_);
      reader.require("kind", joined(kinds_of(algorithms())));
      const auto kind = reader.choice(
          "kind",
          kinds_of(algorithms()),
          "or one of your own, with --plugin FILE or from the Python program that defines it");
      if (!kind) {  // its own parameters are unknown
        reader.integer("clients");
        read_label(reader, "", labels);
        all_own_clients = all_own_clients && reader.has("clients");
        continue;
      }
      entry.spec = find_algorithm(*kind);
      entry.parameters = reader.parameters(entry.spec->parameters, &scenario_.inputs);
      if (entry.spec->needs_arms) {
        if (reader.has("clients"))
          reader.error("clients", "does nothing: its nodes are the agent and the arms");
        reader.integer("clients");
      } else if (const auto clients = reader.integer("clients")) {
        entry.clients = static_cast<std::uint32_t>(*clients);
        entry.own_clients = true;
      } else {
        entry.clients = scenario_.clients.value_or(1);
        all_own_clients = false;
        if (!scenario_.clients) parts_.participants_and_budget = false;
        if (!scenario_.clients && !reader.has("clients") && !missing_clients_reported_) {
          missing_clients_reported_ = true;
          if (!root_.has("population") || !root_.find("population")->table() ||
              !root_.find("population")->table()->contains("clients"))
            diagnostics_.add({entry.location,
                              "population.clients",
                              "is missing",
                              "",
                              "[population] with clients = 4, or clients in every [[algorithm]]",
                              ""});
        }
      }
      entry.label = read_label(
          reader, entry.own_clients ? fmt::format("{}-{}", *kind, entry.clients) : *kind, labels);
      reader.finish();
      if (entry.spec->topology == Topology::full_mesh && entry.clients > 65536)
        reader.error("",
                     fmt::format("a full mesh of {} nodes has too many links", entry.clients),
                     "at most 65536 clients");
      parts_.algorithms.push_back(diagnostics_.all().size() == before);
      scenario_.algorithms.push_back(std::move(entry));
    }
    if (all_own_clients && !entries.empty() && scenario_.clients &&
        scenario_.algorithms.size() == entries.size())
      diagnostics_.add({root_.find("population")->location,
                        "population.clients",
                        any(&AlgorithmSpec::needs_arms)
                            ? "does nothing: the arms are the population"
                            : "does nothing: every algorithm has its own clients",
                        "",
                        "",
                        ""});
    const auto functional = std::find_if(scenario_.algorithms.begin(),
                                         scenario_.algorithms.end(),
                                         [](const auto& a) { return a.spec->needs_arms; });
    const auto other = std::find_if(scenario_.algorithms.begin(),
                                    scenario_.algorithms.end(),
                                    [](const auto& a) { return !a.spec->needs_arms; });
    if (functional != scenario_.algorithms.end() && other != scenario_.algorithms.end())
      diagnostics_.add({functional->location,
                        functional->path,
                        fmt::format("{} plays arms, {} doesn't: they can't be compared",
                                    functional->label,
                                    other->label),
                        "",
                        "a scenario for each",
                        ""});
  }

  /// `usual`: the label of an algorithm without one; "" if it isn't known.
  std::string read_label(TableReader& reader,
                         const std::string& usual,
                         std::set<std::string>& labels) {
    const auto given = reader.text("label");
    known_.labels = known_.labels && !usual.empty() && (given || !reader.has("label"));
    if (!given && usual.empty()) return "";
    auto label = given.value_or(usual);
    if (!is_folder_name(label)) {
      known_.labels = false;
      reader.error("label", "is not a plain word", "letters, digits, '-', '_', '.'");
    } else if (!labels.insert(label).second) {
      if (given) {
        reader.error("label", "is used twice", "a different label for every algorithm");
      } else {
        reader.error("",
                     fmt::format("two algorithms have the label '{}'", label),
                     "label = \"…\", different for each");
      }
    }
    return label;
  }

  bool any(bool AlgorithmSpec::*flag) const {
    // If an algorithm could not be read, the needed tables are unknown.
    return std::any_of(scenario_.algorithms.begin(),
                       scenario_.algorithms.end(),
                       [&](const auto& a) { return a.spec->*flag; });
  }
  bool algorithms_known() const {
    const Value* value = root_value("algorithm");
    return value != nullptr && value->array() != nullptr && !value->array()->empty() &&
           value->array()->size() == scenario_.algorithms.size();
  }
  const Value* root_value(std::string_view key) const {
    return const_cast<TableReader&>(root_).find(key);
  }

  /// Reports a table that nothing uses; then false.
  bool useful(std::string_view key, bool used, std::string_view who) {
    if (root_.find(key) == nullptr) return false;
    if (used || !algorithms_known()) return true;
    diagnostics_.add({root_.find(key)->location,
                      std::string(key),
                      fmt::format("does nothing: no algorithm here {}", who),
                      "",
                      "leave it out",
                      ""});
    return false;
  }

  template <class Specs>
  std::optional<Component> read_component(TableReader& parent,
                                          std::string_view key,
                                          const Specs& specs,
                                          std::string_view if_absent) {
    const Value* value = parent.find(key);
    const Value absent{parent.location(),
                       Table{{"kind", Value{parent.location(), std::string(if_absent)}}}};
    TableReader reader(value ? *value : absent, parent.path_of(key), diagnostics_);
    if (value != nullptr && value->table() == nullptr) return std::nullopt;
    return read_kind(reader, specs, true);
  }

  template <class Specs>
  std::optional<Component> read_kind(TableReader& reader,
                                     const Specs& specs,
                                     bool finish,
                                     std::string_view also = {}) {
    reader.require("kind", joined(kinds_of(specs)));
    const auto kind = reader.choice("kind", kinds_of(specs), also);
    if (!kind) return std::nullopt;
    const auto spec =
        std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.kind == *kind; });
    Component component{
        *kind, &spec->parameters, reader.parameters(spec->parameters, &scenario_.inputs)};
    if (finish) reader.finish();
    return component;
  }

  void read_problem() {
    const bool needed = any(&AlgorithmSpec::needs_problem);
    const bool has_objective = useful("objective", needed, "evaluates an objective");
    if (!needed && algorithms_known()) return;
    if (needed && !root_.has("objective"))
      root_.error(
          "objective", "is missing", "[objective] with kind = " + joined(kinds_of(objectives())));
    ProblemConfig problem;
    bool complete = has_objective;
    if (has_objective) {
      problem.location = root_.find("objective")->location;
      TableReader reader(*root_.find("objective"), "objective", diagnostics_);
      const std::size_t errors = diagnostics_.all().size();
      auto objective = read_kind(
          reader, objectives(), false, "or a function of Python, from the program that has it");
      const auto* spec = objective ? find_objective_spec(objective->kind) : nullptr;
      complete = spec != nullptr && diagnostics_.all().size() == errors &&
                 make_objective(*spec, objective->parameters, reader, problem) && complete;
      const std::size_t before = diagnostics_.all().size();
      auto heterogeneity = read_component(reader, "heterogeneity", heterogeneity_specs(), "none");
      if (heterogeneity && heterogeneity->kind != "none" && spec != nullptr &&
          spec->make_family != nullptr)
        reader.error("heterogeneity",
                     fmt::format("does nothing: {} has clients of its own", spec->kind));
      auto noise =
          read_component(reader, "noise", noise_specs(), spec != nullptr ? spec->noise : "none");
      complete = complete && heterogeneity && noise && diagnostics_.all().size() == before;
      if (objective) reader.finish();
      complete = complete && make_heterogeneity(*heterogeneity, reader, problem);
      if (complete)
        check_values(problem.family ? problem.family->value_range() : problem.base->value_range(),
                     *noise,
                     reader);
      if (complete) {
        problem.objective = std::move(*objective);
        problem.heterogeneity = std::move(*heterogeneity);
        problem.noise = std::move(*noise);
      }
    }
    if (complete) scenario_.problem = std::move(problem);
  }

  void read_arms() {
    const bool needed = any(&AlgorithmSpec::needs_arms);
    if (!useful("arm", needed, "plays arms") && !needed) return;
    const auto entries = root_.tables("arm");
    const auto kinds = joined(kinds_of(arm_family_specs()));
    if (entries.empty() && needed) root_.error("arm", "is missing", "[[arm]] with kind = " + kinds);
    ArmsConfig arms;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ArmEntry entry;
      entry.location = entries[i].location;
      entry.path = fmt::format("arm.{}", i);
      TableReader reader(entries[i], entry.path, diagnostics_);
      const std::size_t errors = diagnostics_.all().size();
      auto component = read_kind(reader, arm_family_specs(), true);
      if (!component || diagnostics_.all().size() != errors) continue;
      try {
        entry.family = find_arm_family(component->kind)->make(component->parameters);
      } catch (const InputError& error) {
        reader.error(error.parameter(), error.what());
        continue;
      }
      entry.arms = std::move(*component);
      arms.entries.push_back(std::move(entry));
    }
    if (!arms.entries.empty() && arms.entries.size() == entries.size())
      scenario_.arms = std::move(arms);
  }

  /// Evaluations of an objective per client, or pulls of arms.
  void read_budget() {
    const bool objective = any(&AlgorithmSpec::needs_problem);
    const bool arms = any(&AlgorithmSpec::needs_arms);
    const std::string key = arms ? "pulls" : "evaluations_per_client";
    if ((objective || arms) && !root_.has("budget"))
      root_.error("budget", "is missing", fmt::format("[budget] with {} = 1000", key));
    const bool given = useful("budget", objective || arms, "evaluates anything");
    parts_.participants_and_budget =
        parts_.participants_and_budget && (given || !(objective || arms));
    if (!given) return;
    TableReader reader(*root_.find("budget"), "budget", diagnostics_);
    if (!objective && !arms) {  // no algorithm is known
      for (const auto* either : {"pulls", "evaluations_per_client"}) reader.integer(either);
      return reader.finish();
    }
    reader.require(key, "a whole number");
    if (const auto budget = reader.integer(key)) {
      if (scenario_.problem) scenario_.problem->budget = static_cast<std::uint64_t>(*budget);
      if (scenario_.arms) scenario_.arms->budget = static_cast<std::uint64_t>(*budget);
    } else {
      parts_.participants_and_budget = false;
    }
    reader.finish();
  }

  /// Reports wrong content, for example of a file; then false.
  static bool make_objective(const ObjectiveSpec& spec,
                             const Parameters& parameters,
                             TableReader& reader,
                             ProblemConfig& problem) {
    try {
      if (spec.make_family != nullptr)
        problem.family = spec.make_family(parameters);
      else
        problem.base = spec.make(parameters);
      return true;
    } catch (const InputError& error) {
      reader.error(error.parameter(), error.what());
      return false;
    }
  }

  /// Makes the family of a heterogeneity that makes one of the base. False, and reported, on
  /// failure.
  static bool make_heterogeneity(const Component& heterogeneity,
                                 TableReader& reader,
                                 ProblemConfig& problem) {
    const auto* spec = find_heterogeneity(heterogeneity.kind);
    if (spec->make_family == nullptr) return true;
    try {
      problem.family = spec->make_family(problem.base, heterogeneity.parameters);
      return true;
    } catch (const InputError& error) {
      reader.error("heterogeneity",
                   error.parameter().empty()
                       ? std::string(error.what())
                       : fmt::format("{}: {}", error.parameter(), error.what()));
      return false;
    }
  }

  /// Some noise models need means in [0, 1].
  static void check_values(ValueRange range, const Component& noise, TableReader& reader) {
    if (range.within_unit_interval() ||
        !find_noise(noise.kind)->make(noise.parameters)->needs_unit_interval())
      return;
    reader.error("noise",
                 fmt::format("kind {} needs values in [0, 1], the objective has them {}",
                             noise.kind,
                             std::isfinite(range.low) && std::isfinite(range.high)
                                 ? fmt::format("from {} to {}", range.low, range.high)
                                 : "anywhere"),
                 "kind = \"uniform\" or \"none\", or an objective scaled into [0, 1]");
  }

  void read_compute() {
    const bool evaluates = any(&AlgorithmSpec::needs_problem) || any(&AlgorithmSpec::needs_arms);
    if (evaluates) scenario_.evaluation = constant_duration(Duration{});
    const Value* value = root_.find("compute");
    if (value == nullptr) return;
    TableReader reader(*value, "compute", diagnostics_);
    read_fields(reader, scenario_, context_);
    if (reader.has("evaluation") && !evaluates && algorithms_known())
      reader.error("evaluation", "does nothing: no algorithm here evaluates anything");
    read_rules<NodeConfig>(reader, "stragglers", context_, [&](TableReader& rule, NodeConfig& of) {
      rule.require("factor", "above 0, at most 1e9; 10 is ten times slower");
      scenario_.stragglers.push_back(std::move(of));
    });
    read_rules<ServiceConfig>(reader, "service", context_, [&](auto& rule, ServiceConfig& of) {
      check_service(rule, of);
      scenario_.service.push_back(std::move(of));
    });
    reader.finish();
  }

  static void check_service(TableReader& reader, const ServiceConfig& of) {
    const auto any_of = [&](std::initializer_list<const char*> keys) {
      return std::ranges::any_of(keys, [&](const char* key) { return reader.has(key); });
    };
    if (!any_of({"dispatch", "decode", "compute", "per_evaluation", "encode"}))
      reader.error("", "sets no time", "dispatch, decode, compute, per_evaluation, encode");
    if (of.rule.sends && !any_of({"compute", "per_evaluation"}))
      reader.error("sends", "does nothing without compute or per_evaluation");
    if (of.rule.type == kServiceOfStart || of.rule.type == kServiceOfTimer)
      for (const auto* key : {"decode", "encode"})
        if (reader.has(key))
          reader.error(key, fmt::format("does nothing: {} is no message", of.rule.type));
  }

  void read_policy() {
    const bool used = any(&AlgorithmSpec::uses_policy);
    if (used) scenario_.policy = PolicyConfig{};
    if (!useful("server", used, "has a server that waits for answers")) return;
    const std::size_t before = diagnostics_.all().size();
    TableReader reader(*root_.find("server"), "server", diagnostics_);
    PolicyConfig policy;
    read_fields(reader, policy, context_);
    check_quorum(reader, policy);
    check_aggregate(reader, policy);
    if (policy.rule.kind == PolicyKind::all && !reader.is_wrong("policy")) {
      for (const auto* key : {"quorum", "deadline"})
        if (reader.has(key))
          reader.error(
              key, "does nothing with policy = \"all\"", "policy = \"quorum\" or \"deadline\"");
    }
    if (policy.rule.kind == PolicyKind::quorum) {
      reader.require("quorum", kAllowedQuorum);
      if (reader.has("deadline"))
        reader.error("deadline",
                     "does nothing with policy = \"quorum\"",
                     "policy = \"deadline\", which may have a quorum");
    }
    if (policy.rule.kind == PolicyKind::deadline)
      reader.require("deadline", "a duration, e.g. \"500 ms\"");
    reader.finish();
    if (diagnostics_.all().size() == before) {
      scenario_.policy = policy;
      check_trim(reader);
    }
    if (policy.rule.kind == PolicyKind::all) return;
    for (const auto& entry : scenario_.algorithms)
      if (entry.spec->topology == Topology::star && !entry.spec->uses_policy &&
          !entry.spec->messages.empty())
        diagnostics_.add(
            {entry.location,
             entry.path,
             fmt::format("{} waits for every answer: it has no other policy", entry.label),
             "",
             "[server] policy = \"all\", or a scenario of its own",
             ""});
  }

  void check_aggregate(TableReader& reader, const PolicyConfig& policy) {
    if (reader.has("aggregate") && !reader.is_wrong("aggregate") && algorithms_known() &&
        !any(&AlgorithmSpec::averages))
      reader.error("aggregate", "does nothing: no server here averages");
    if (reader.has("trim") && policy.rule.aggregate != Aggregate::trimmed_mean &&
        !reader.is_wrong("aggregate"))
      reader.error("trim", "does nothing without it", "aggregate = \"trimmed-mean\"");
  }

  /// A share that is rounded to no answer would leave nothing out. 0 says so itself.
  void check_trim(TableReader& reader) {
    const Policy& rule = scenario_.policy->rule;
    if (rule.aggregate != Aggregate::trimmed_mean || rule.trim == 0) return;
    for (const auto& entry : scenario_.algorithms) {
      const bool known = entry.own_clients || scenario_.clients;
      if (!known || !entry.spec->averages) continue;
      const Policy policy = make_policy(scenario_, entry.clients);
      const auto answers = policy.kind == PolicyKind::quorum ? policy.quorum : entry.clients;
      if (trimmed_answers(policy.trim, answers) > 0) continue;
      if (answers < 3)
        return reader.error(
            "aggregate",
            fmt::format("leaves out no answer: {} has {} in a round", entry.label, answers),
            "aggregate = \"mean\", or at least 3 answers");
      // The smallest share of four digits that works.
      const double least = std::ceil(1e4 / answers) / 1e4;
      return reader.error(
          reader.has("trim") ? "trim" : "aggregate",
          fmt::format("leaves out no answer: {} of {} answers of {} are rounded down "
                      "to 0",
                      policy.trim,
                      answers,
                      entry.label),
          fmt::format("trim = {} or more, below 0.5", least));
    }
  }

  void check_quorum(TableReader& reader, const PolicyConfig& policy) {
    if (!policy.quorum) return;
    for (const auto& algorithm : scenario_.algorithms) {
      const bool known = algorithm.own_clients || scenario_.clients;
      if (known && algorithm.spec->uses_policy && *policy.quorum > algorithm.clients)
        return reader.error(
            "quorum",
            fmt::format("is more than the {} clients of {}", algorithm.clients, algorithm.label),
            kAllowedQuorum);
    }
  }

  void read_limits() {
    const Value* value = root_.find("limits");
    if (value == nullptr) return;
    TableReader reader(*value, "limits", diagnostics_);
    read_fields(reader, scenario_.limits, context_);
    reader.finish();
  }

  void read_thresholds_section() {
    const Value* value = root_.find("thresholds");
    if (value == nullptr) return;
    std::vector<std::string> labels;
    for (const auto& entry : scenario_.algorithms) labels.push_back(entry.label);
    scenario_.thresholds = read_thresholds(*value, labels, known_.labels, diagnostics_);
    if (!algorithms_known()) return;
    const bool arms = any(&AlgorithmSpec::needs_arms);
    const bool evaluates = arms || any(&AlgorithmSpec::needs_problem);
    for (const auto& threshold : scenario_.thresholds) {
      const auto& quantity = quantity_at(*quantity_named(threshold.measure));
      const auto measures_it = [&](const AlgorithmEntry& entry) {
        return std::ranges::find(entry.spec->measures, quantity.name, &OwnMeasure::name) !=
               entry.spec->measures.end();
      };
      if ((quantity.name == "answer_value" && !arms) ||
          ((quantity.is_regret || quantity.name.starts_with("evaluations")) && !evaluates) ||
          (quantity.is_own && std::ranges::none_of(scenario_.algorithms, measures_it)))
        diagnostics_.add({threshold.location,
                          "thresholds." + threshold.measure,
                          "does nothing: no algorithm here has it",
                          "",
                          "",
                          ""});
    }
  }

  void reject_sweep() {
    if (root_.has("sweep"))
      root_.error("sweep",
                  "makes many runs of this file, here is only one",
                  "`posse sweep` instead, or --set sweep= to leave it out");
    root_.find("sweep");
  }

  Diagnostics& diagnostics_;
  const Value& root_value_;
  TableReader root_;
  Scenario scenario_;
  ReadParts parts_;
  std::int64_t last_repetition_ = 0;  // any, if their number is wrong
  bool missing_clients_reported_ = false;
  KnownAlgorithms known_;
  const ReadContext context_{scenario_, known_, diagnostics_};
};

}  // namespace

Scenario read_scenario(const Value& root, const std::string& file, Diagnostics& diagnostics) {
  if (const Table* table = root.table();
      table != nullptr && table->contains("figure") && !table->contains("algorithm")) {
    diagnostics.add({table->at("figure").location,
                     "figure",
                     "is of a claims file: this is no scenario",
                     "",
                     "`posse reproduce`, which runs the scenarios that it names",
                     ""});
    return {};
  }
  return ScenarioReader(root, file, diagnostics).read();
}

Scenario load_scenario(const std::string& file,
                       const std::vector<Override>& overrides,
                       Diagnostics& diagnostics) {
  Value root = load_toml(file, diagnostics);
  if (!diagnostics.empty()) return {};
  for (const auto& o : overrides) apply_override(root, o.assignment, o.origin, diagnostics);
  return read_scenario(root, file, diagnostics);
}

}  // namespace posse
