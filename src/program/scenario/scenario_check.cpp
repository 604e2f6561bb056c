// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/scenario_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/link_map.hpp"
#include "core/network/nodes.hpp"

namespace posse {
namespace {

/// A budget for protocols that are made only for the names of their nodes.
constexpr std::uint64_t kUsualBudget = 1000;

/// What one algorithm is found to consist of.
struct FoundNodes {
  const AlgorithmEntry* entry = nullptr;
  Workload workload;
  std::unique_ptr<Protocol> protocol;
  NodeNames nodes;
  bool exact = false;       // false: some count or parameter is wrong, numbers of nodes too
  bool parameters = false;  // as given

  /// Whether some node may have this name. Where the numbers aren't known, any number may.
  bool may_have(std::string_view selector) const {
    const auto range = nodes.select(selector);
    if (range.first < range.last) return true;
    if (exact) return false;
    return std::any_of(nodes.groups().begin(), nodes.groups().end(), [&](const NodeGroup& group) {
      return group.numbered && selector.starts_with(group.name) &&
             selector.substr(group.name.size()).starts_with('-');
    });
  }
};

class ScenarioCheck {
 public:
  ScenarioCheck(const Scenario& scenario, const ReadParts& read, Diagnostics& diagnostics)
      : scenario_(scenario), read_(read), diagnostics_(diagnostics) {}

  void check() {
    const bool counts = read_.participants_and_budget;
    const bool problem = counts && scenario_.problem && check_problem(*scenario_.problem);
    const bool arms = counts && scenario_.arms && check_arms(*scenario_.arms);
    for (std::size_t i = 0; i < scenario_.algorithms.size(); ++i) {
      const auto& spec = *scenario_.algorithms[i].spec;
      find_nodes(i, counts && (spec.needs_problem ? problem : !spec.needs_arms || arms));
    }
    for (const auto& found : found_) {
      check_matrix(found);
      check_faults(found);
    }
    if (found_.size() < scenario_.algorithms.size() || !read_.every_kind) return;
    check_matrix_names();
    for (const auto& name : scenario_.network.names) check_name(name);
    check_fault_names();
  }
  std::vector<WithoutEffect> without_effect() { return std::move(without_effect_); }

 private:
  static std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
  }

  /// True if it has no mistake, as the next.
  bool check_problem(const ProblemConfig& config) {
    const auto before = diagnostics_.all().size();
    const auto* heterogeneity = find_heterogeneity(config.heterogeneity.kind);
    const auto dimension =
        (config.family ? config.family->domain() : config.base->domain()).dimension();
    std::set<std::uint32_t> populations;
    for (const auto& entry : scenario_.algorithms)
      if (entry.spec->needs_problem) populations.insert(entry.clients);
    std::set<std::string> reported;
    for (const auto clients : populations) {
      if (heterogeneity->make_family != nullptr) check_family(*config.family, clients);
      if (heterogeneity->validate == nullptr) continue;
      for (auto& problem :
           heterogeneity->validate(config.heterogeneity.parameters, clients, dimension))
        if (reported.insert(problem).second)
          diagnostics_.add(
              {config.location, "objective.heterogeneity", std::move(problem), "", "", ""});
    }
    return diagnostics_.all().size() == before;
  }

  /// A file may not have all clients or repetitions.
  void check_family(const ObjectiveFamily& family, std::uint32_t clients) {
    for (std::uint32_t r = 0; r < scenario_.repeat; ++r) {
      try {
        family.check(clients, {repetition_seed(scenario_.seed, r), scenario_.seed + r});
      } catch (const InputError& error) {
        diagnostics_.add(
            {scenario_.problem->location, "objective.heterogeneity", error.what(), "", "", ""});
        return;
      }
    }
  }

  /// A family may have too few arms for a repetition, or for the budget.
  bool check_arms(const ArmsConfig& arms) {
    bool right = true;
    for (std::size_t i = 0; i < arms.entries.size(); ++i) right = check_arm(arms, i) && right;
    return right;
  }
  bool check_arm(const ArmsConfig& arms, std::size_t i) {
    const auto& entry = arms.entries[i];
    for (std::uint32_t r = 0; r < scenario_.repeat; ++r) {
      try {
        const Repetition which{repetition_seed(scenario_.seed, r), scenario_.seed + r};
        const auto set = entry.family->arms(arms_repetition(which, i), arms.budget);
        if (maximized_.value_or(set->maximized) != set->maximized)
          throw InputError("all arms of a scenario have one direction", "direction");
        maximized_ = set->maximized;
      } catch (const InputError& error) {
        const auto key = error.parameter().empty()
                             ? entry.path
                             : fmt::format("{}.{}", entry.path, error.parameter());
        diagnostics_.add({entry.location, key, error.what(), "", "", ""});
        return false;
      }
    }
    return true;
  }

  /// Reports parameters that don't fit together, and makes the protocol for its nodes. `workload`:
  /// the scenario's is right; otherwise something takes its place.
  void find_nodes(std::size_t i, bool workload) {
    const auto& entry = scenario_.algorithms[i];
    const bool exact = read_.algorithms[i] && workload;
    // Larger populations aren't built: their first clients stand for all.
    constexpr std::uint32_t kMostClientsBuilt = 100'000;
    AlgorithmEntry few = entry;
    few.clients = std::min(few.clients, kMostClientsBuilt);
    if (exact) {
      Workload own = make_workload(scenario_, few, 0);
      const auto problems = problems_of(entry, entry.parameters, own);
      if (problems.empty()) return add_nodes(entry, entry.parameters, std::move(own), true, true);
      for (const auto& problem : problems)
        diagnostics_.add({entry.location, entry.path, problem, "", "", ""});
    }
    const Workload usual = workload ? make_workload(scenario_, few, 0) : usual_workload(few);
    for (const bool own : {true, false}) {
      const auto parameters = own ? entry.parameters : default_parameters(entry.spec->parameters);
      const bool complete = std::none_of(
          entry.spec->parameters.begin(), entry.spec->parameters.end(), [&](const auto& spec) {
            return spec.required && parameters.is_auto(spec.name);
          });
      if (complete && problems_of(entry, parameters, usual).empty())
        return add_nodes(entry, parameters, usual, false, own && read_.algorithms[i]);
    }
  }

  std::vector<std::string> problems_of(const AlgorithmEntry& entry,
                                       const Parameters& parameters,
                                       const Workload& workload) const {
    if (entry.spec->validate == nullptr) return {};
    return entry.spec->validate(parameters, make_context(scenario_, entry, workload, 0));
  }

  void add_nodes(const AlgorithmEntry& entry,
                 const Parameters& parameters,
                 Workload workload,
                 bool exact,
                 bool own_parameters) {
    auto protocol = entry.spec->make(parameters, make_context(scenario_, entry, workload, 0));
    NodeNames nodes(protocol->groups());
    for (const auto& group : nodes.groups()) {
      const std::string name(group.name);
      add_name(name, node_names_);
      if (group.numbered) add_name(fmt::format("{}-{}", name, group.first_number), node_names_);
    }
    for (const auto* type : entry.spec->messages) add_name(std::string(type->name), messages_);
    found_.push_back({&entry,
                      std::move(workload),
                      std::move(protocol),
                      std::move(nodes),
                      exact,
                      own_parameters});
  }
  static void add_name(const std::string& name, std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  /// In the place of an objective or arms with mistakes.
  static Workload usual_workload(const AlgorithmEntry& entry) {
    Workload workload;
    if (entry.spec->needs_problem) {
      const auto& spec = *find_objective_spec("constant");
      const std::shared_ptr<const Objective> constant =
          spec.make(default_parameters(spec.parameters));
      workload.problem = std::make_shared<const Problem>(
          std::vector(entry.clients, constant), find_noise("none")->make({}), kUsualBudget, Seed{});
    }
    if (entry.spec->needs_arms) {
      const auto& spec = *find_arm_family("smooth");
      workload.arms = spec.make(default_parameters(spec.parameters))->arms({}, kUsualBudget);
    }
    return workload;
  }

  /// Every pair of nodes with a link needs a latency.
  void check_matrix(const FoundNodes& found) {
    const auto& matrix = scenario_.network.matrix;
    const Topology topology = topology_of(*found.entry->spec, *found.protocol);
    if (!matrix || !found.exact || topology == Topology::none ||
        !scenario_.network.defaults.latency->parameters.is_auto("otherwise"))
      return;
    const NodeNames& nodes = found.nodes;
    const LinkMap map(topology, nodes.size(), edges_of(topology, nodes.groups()));
    for (std::uint32_t link = 0; link < map.links(); ++link) {
      const auto from = nodes.name(map.from({link})), to = nodes.name(map.to({link}));
      if (matrix->contains({from, to})) continue;
      diagnostics_.add({scenario_.algorithms.front().location,
                        "network.latency.file",
                        fmt::format("has no line for {} to {}", from, to),
                        "",
                        "a line per link, or otherwise = \"50 ms\"",
                        ""});
      return;
    }
  }

  /// A matrix may have more nodes than there are, but no other kinds of them.
  void check_matrix_names() {
    const auto& matrix = scenario_.network.matrix;
    if (!matrix) return;
    std::set<std::string> examples;
    for (const auto& found : found_)
      for (const auto& group : found.nodes.groups())
        examples.insert(std::string(group.name) + (group.numbered ? "-0" : ""));
    const auto is_known = [&](const std::string& name) {
      const auto digits = name.find_last_not_of("0123456789") + 1;
      return examples.contains(name) ||
             (digits < name.size() && examples.contains(name.substr(0, digits) + "0"));
    };
    for (const auto& [pair, latency] : *matrix)
      for (const auto& name : {pair.first, pair.second}) {
        if (is_known(name)) continue;
        diagnostics_.add({scenario_.algorithms.front().location,
                          "network.latency.file",
                          "has a line for a node that no algorithm has",
                          fmt::format("\"{}\"", name),
                          fmt::format("{}", fmt::join(examples, ", ")),
                          nearest_name(name, {examples.begin(), examples.end()})});
        return;
      }
  }

  static bool concerns(const FaultConfig& fault, const AlgorithmEntry& entry) {
    return fault.algorithm.value_or(entry.label) == entry.label;
  }
  /// Whether its algorithm is a mistake.
  bool concerns_none(const FaultConfig& fault) const {
    return std::none_of(scenario_.algorithms.begin(),
                        scenario_.algorithms.end(),
                        [&](const auto& entry) { return concerns(fault, entry); });
  }
  void check_faults(const FoundNodes& found) {
    if (!found.parameters) return;
    for (const FaultConfig& fault : scenario_.faults) {
      if (!concerns(fault, *found.entry)) continue;
      if (const auto* faulty = std::get_if<NodeFault>(&fault.what); faulty && faulty->loses_state)
        check_state_loss(found, fault, *faulty);
      if (const auto* liars = std::get_if<CorruptFault>(&fault.what))
        check_liars(found, fault, *liars);
    }
  }
  void check_liars(const FoundNodes& found, const FaultConfig& fault, const CorruptFault& liars) {
    const auto reject = [&](std::string problem, std::string allowed) {
      diagnostics_.add({fault.location,
                        fmt::format("fault.{}.kind", fault.number),
                        std::move(problem),
                        "",
                        std::move(allowed),
                        ""});
    };
    const auto& entry = *found.entry;
    if (!entry.spec->averages)
      return reject(
          fmt::format("{} is not made for wrong numbers: its server averages nothing", entry.label),
          "algorithm = \"LABEL\" of one whose server averages what clients upload, such "
          "as fed-pne, pf-pne, blin, fed1-ucb, hct-central");
    const std::uint32_t edges =
        edges_of(topology_of(*entry.spec, *found.protocol), found.nodes.groups());
    for (const auto& selector : liars.nodes) {
      const auto range = found.nodes.select(of_share(selector));
      if (range.first <= edges && range.last > range.first)
        return reject(fmt::format("{} of {} can't be corrupt, only clients can",
                                  found.nodes.name(NodeId{range.first}),
                                  entry.label),
                      "nodes = [\"client\"]");
    }
  }
  void check_state_loss(const FoundNodes& found,
                        const FaultConfig& fault,
                        const NodeFault& faulty) {
    for (const auto& selector : faulty.nodes) {
      const auto range = found.nodes.select(of_share(selector));
      for (auto i = range.first; i < range.last; ++i) {
        if (found.protocol->can_lose_state({i})) continue;
        diagnostics_.add(
            {fault.location,
             fmt::format("fault.{}.state", fault.number),
             fmt::format(
                 "{} of {} can't lose its state", found.nodes.name({i}), found.entry->label),
             "",
             fmt::format("state = \"kept\"; or nodes that can ({}: {})",
                         found.entry->spec->kind,
                         found.entry->spec->state_loss),
             ""});
        return;
      }
    }
  }

  static std::string_view of_share(std::string_view selector) {
    const auto share = parse_share_selector(selector);
    return share ? share->of : selector;
  }

  static bool sends(const FoundNodes& found, std::string_view type) {
    const auto& types = found.entry->spec->messages;
    return type == "Ack" || std::any_of(types.begin(), types.end(), [&](const auto* known) {
             return known->name == type;
           });
  }
  /// "server, player-0..9"
  static std::string nodes_text(const FoundNodes& found) {
    std::vector<std::string> names;
    for (const auto& group : found.nodes.groups())
      names.push_back(!group.numbered   ? std::string(group.name)
                      : group.size == 1 ? fmt::format("{}-{}", group.name, group.first_number)
                                        : fmt::format("{}-{}..{}",
                                                      group.name,
                                                      group.first_number,
                                                      group.first_number + group.size - 1));
    return joined(names);
  }
  /// Names are known where the algorithm's parameters have no mistake.
  void note_without_effect(const FoundNodes& found,
                           const std::string& path,
                           std::string_view name) {
    if (!found.exact) return;
    const auto nodes = found.nodes.participants();
    const bool all = nodes.last > nodes.first;
    add_without_effect(
        found,
        fmt::format("{} (\"{}\") has no effect on it, which has {}{}",
                    path,
                    name,
                    nodes_text(found),
                    all ? "; \"participant\" is a client, player, arm or instance of "
                          "any algorithm"
                        : ""));
  }
  void add_without_effect(const FoundNodes& found, std::string text) {
    const auto algorithm = static_cast<std::size_t>(found.entry - scenario_.algorithms.data());
    const auto said = [&](const WithoutEffect& other) {
      return other.algorithm == algorithm && other.text == text;
    };
    if (std::none_of(without_effect_.begin(), without_effect_.end(), said))
      without_effect_.push_back({algorithm, std::move(text)});
  }

  /// A name in a network rule must exist in at least one algorithm.
  void check_name(const NameInRule& rule) {
    const bool message = rule.of == NameInRule::Of::message;
    const auto has = [&](const FoundNodes& found) {
      return message ? sends(found, rule.name) : found.may_have(rule.name);
    };
    if (std::any_of(found_.begin(), found_.end(), has)) {
      for (const auto& found : found_)
        if (!has(found) && message)
          add_without_effect(
              found,
              fmt::format(
                  "{} (\"{}\") has no effect on it, which sends none", rule.path, rule.name));
        else if (!has(found))
          note_without_effect(found, rule.path, rule.name);
      return;
    }
    auto names = message ? messages_ : node_names_;
    if (message) names.insert(names.begin(), "Ack");
    diagnostics_.add(
        {rule.location,
         rule.path,
         fmt::format("no algorithm here has '{}'", rule.name),
         "",
         fmt::format("{}: {}",
                     message ? "message types" : "node names, groups, ranges and \"*\"",
                     joined(names)),
         nearest_name(rule.name, names)});
  }

  /// A name in a fault must exist in an algorithm of the fault.
  void check_fault_names() {
    std::set<std::pair<std::size_t, std::string_view>> reported;  // a storm is several faults
    for (const FaultConfig& fault : scenario_.faults)
      for (const auto& selector : selectors_of(fault)) {
        const auto name = of_share(selector);
        const bool known = std::any_of(found_.begin(), found_.end(), [&](const FoundNodes& found) {
          return (concerns(fault, *found.entry) || concerns_none(fault)) && found.may_have(name);
        });
        if (!known && reported.emplace(fault.number, name).second) reject_fault_name(fault, name);
        if (!known || fault.algorithm) continue;
        for (const auto& found : found_)
          if (!found.may_have(name))
            note_without_effect(found, fmt::format("fault.{}", fault.number), name);
      }
  }
  static std::vector<std::string_view> selectors_of(const FaultConfig& fault) {
    std::vector<std::string_view> selectors;
    if (const auto* links = std::get_if<LinkFault>(&fault.what))
      for (const auto& group : links->groups)
        selectors.insert(selectors.end(), group.begin(), group.end());
    if (const auto* nodes = std::get_if<NodeFault>(&fault.what))
      selectors.assign(nodes->nodes.begin(), nodes->nodes.end());
    if (const auto* nodes = std::get_if<CorruptFault>(&fault.what))
      selectors.assign(nodes->nodes.begin(), nodes->nodes.end());
    return selectors;
  }
  void reject_fault_name(const FaultConfig& fault, std::string_view name) {
    diagnostics_.add(
        {fault.location,
         fmt::format("fault.{}.{}",
                     fault.number,
                     std::holds_alternative<LinkFault>(fault.what) ? "groups" : "nodes"),
         fault.algorithm && !concerns_none(fault)
             ? fmt::format("'{}' has no '{}'", *fault.algorithm, name)
             : fmt::format("no algorithm here has '{}'", name),
         "",
         "node names, groups, ranges and \"*\": " + joined(node_names_),
         nearest_name(name, node_names_)});
  }

  const Scenario& scenario_;
  const ReadParts& read_;
  Diagnostics& diagnostics_;
  std::optional<bool> maximized_;  // whether the arms are; unknown before the first
  std::vector<FoundNodes> found_;
  std::vector<WithoutEffect> without_effect_;
  std::vector<std::string> node_names_, messages_;  // known ones, to choose from
};

}  // namespace

std::vector<WithoutEffect> check_scenario(const Scenario& scenario,
                                          const ReadParts& read,
                                          Diagnostics& diagnostics) {
  ScenarioCheck check(scenario, read, diagnostics);
  check.check();
  return check.without_effect();
}

}  // namespace posse
