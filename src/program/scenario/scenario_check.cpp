#include "program/scenario/scenario_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/overload.hpp"
#include "core/network/link_map.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"

namespace posse {
namespace {

using Names = std::set<std::string>;

class ScenarioCheck {
 public:
  ScenarioCheck(const Scenario& scenario, const SourceLocation& network, Diagnostics& diagnostics)
      : scenario_(scenario),
        network_place_(network),
        diagnostics_(diagnostics),
        network_(make_network(scenario)),
        unknown_in_faults_(scenario.faults.size()) {
    network_.node_faults.clear();
    network_.corrupt_faults.clear();
    network_.link_faults.clear();  // checked one by one: they may be for one algorithm only
  }

  void check() {
    if (scenario_.problem && !check_problem(*scenario_.problem)) return;
    if (scenario_.arms && !check_arms(*scenario_.arms)) return;
    for (const auto& entry : scenario_.algorithms) check_algorithm(entry);
    if (!diagnostics_.empty()) return;
    for (std::size_t i = 0; i < unknown_in_faults_.size(); ++i)
      for (const auto& name : unknown_in_faults_[i].value_or(Names{})) reject_fault_name(i, name);
    if (!diagnostics_.empty()) return;
    for (const auto& name : unknown_.value_or(Names{}))
      diagnostics_.add({network_place_,
                        "network",
                        fmt::format("no algorithm here has '{}'", name),
                        "",
                        "node names, groups, \"*\" and message types: " + joined(names_),
                        nearest_name(name, names_)});
  }

 private:
  static std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
  }

  bool check_problem(const ProblemConfig& config) {
    const auto* heterogeneity = find_heterogeneity(config.heterogeneity.kind);
    const auto dimension =
        (config.family ? config.family->domain() : config.base->domain()).dimension();
    std::set<std::uint32_t> populations;
    for (const auto& entry : scenario_.algorithms)
      if (entry.spec->needs_problem) populations.insert(entry.clients);
    Names reported;
    for (const auto clients : populations) {
      if (heterogeneity->make_family != nullptr) check_family(*config.family, clients);
      if (heterogeneity->validate == nullptr) continue;
      for (auto& problem :
           heterogeneity->validate(config.heterogeneity.parameters, clients, dimension))
        if (reported.insert(problem).second)
          diagnostics_.add(
              {config.location, "objective.heterogeneity", std::move(problem), "", "", ""});
    }
    return diagnostics_.empty();
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
    for (std::size_t i = 0; i < arms.entries.size(); ++i) {
      const auto& entry = arms.entries[i];
      for (std::uint32_t r = 0; r < scenario_.repeat; ++r) {
        try {
          const Repetition which{repetition_seed(scenario_.seed, r), scenario_.seed + r};
          entry.family->arms(arms_repetition(which, i), arms.budget);
        } catch (const InputError& error) {
          const auto key = error.parameter().empty()
                               ? entry.path
                               : fmt::format("{}.{}", entry.path, error.parameter());
          diagnostics_.add({entry.location, key, error.what(), "", "", ""});
          return false;
        }
      }
    }
    return true;
  }

  void check_algorithm(const AlgorithmEntry& entry) {
    const Workload workload = make_workload(scenario_, entry, 0);
    if (entry.spec->validate != nullptr) {
      const auto problems =
          entry.spec->validate(entry.parameters, make_context(scenario_, entry, workload, 0));
      for (const auto& problem : problems)
        diagnostics_.add({entry.location, entry.path, problem, "", "", ""});
      if (!problems.empty()) return;
    }
    const auto protocol = make_protocol(scenario_, entry, workload, 0);
    add_node_names(protocol->groups());
    check_network(entry, *protocol);
    if (!scenario_.faults.empty()) check_faults(entry, Nodes(protocol->groups()), *protocol);
  }

  /// A name in a fault must exist in an algorithm of the fault.
  void check_faults(const AlgorithmEntry& entry, const Nodes& nodes, const Protocol& protocol) {
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
      const FaultConfig& fault = scenario_.faults[i];
      if (fault.algorithm.value_or(entry.label) != entry.label) continue;
      NetworkConfig one;
      std::visit(Overload{[&](const LinkFault& links) { one.link_faults = {links}; },
                          [&](const NodeFault& faulty) { one.node_faults = {faulty}; },
                          [&](const CorruptFault& liars) { one.corrupt_faults = {liars}; }},
                 fault.what);
      keep_unknown(Network::unknown_names(one, nodes, {}), unknown_in_faults_[i]);
      if (const auto* faulty = std::get_if<NodeFault>(&fault.what); faulty && faulty->loses_state)
        check_state_loss(entry, fault, *faulty, nodes, protocol);
      if (const auto* liars = std::get_if<CorruptFault>(&fault.what))
        check_liars(entry, fault, *liars, nodes, protocol);
    }
  }
  void check_liars(const AlgorithmEntry& entry,
                   const FaultConfig& fault,
                   const CorruptFault& liars,
                   const Nodes& nodes,
                   const Protocol& protocol) {
    const auto reject = [&](std::string problem, std::string allowed) {
      diagnostics_.add({fault.location,
                        fmt::format("fault.{}.kind", fault.number),
                        std::move(problem),
                        "",
                        std::move(allowed),
                        ""});
    };
    if (!entry.spec->averages)
      return reject(
          fmt::format("{} is not made for wrong numbers: its server averages nothing", entry.label),
          "algorithm = \"LABEL\" of one whose server averages what clients upload, such "
          "as fed-pne, pf-pne, blin, fed1-ucb, hct-central");
    const std::uint32_t edges = edges_of(topology_of(*entry.spec, protocol), nodes.groups());
    for (const auto& selector : liars.nodes) {
      const auto share = parse_share_selector(selector);
      const auto range = nodes.select(share ? share->of : selector);
      if (range.first <= edges && range.last > range.first)
        return reject(fmt::format("{} of {} can't be corrupt, only clients can",
                                  nodes.name(NodeId{range.first}),
                                  entry.label),
                      "nodes = [\"client\"]");
    }
  }
  void check_state_loss(const AlgorithmEntry& entry,
                        const FaultConfig& fault,
                        const NodeFault& faulty,
                        const Nodes& nodes,
                        const Protocol& protocol) {
    for (const auto& selector : faulty.nodes) {
      const auto share = parse_share_selector(selector);
      const auto range = nodes.select(share ? share->of : selector);
      for (auto i = range.first; i < range.last; ++i) {
        if (protocol.can_lose_state({i})) continue;
        diagnostics_.add(
            {fault.location,
             fmt::format("fault.{}.state", fault.number),
             fmt::format("{} of {} can't lose its state", nodes.name({i}), entry.label),
             "",
             fmt::format("state = \"kept\"; or nodes that can ({}: {})",
                         entry.spec->kind,
                         entry.spec->state_loss),
             ""});
        return;
      }
    }
  }
  void reject_fault_name(std::size_t number, const std::string& name) {
    const FaultConfig& fault = scenario_.faults[number];
    diagnostics_.add(
        {fault.location,
         fmt::format("fault.{}.{}",
                     fault.number,
                     std::holds_alternative<LinkFault>(fault.what) ? "groups" : "nodes"),
         fault.algorithm ? fmt::format("'{}' has no '{}'", *fault.algorithm, name)
                         : fmt::format("no algorithm here has '{}'", name),
         "",
         "node names, groups, ranges and \"*\": " + joined(node_names_),
         nearest_name(name, node_names_)});
  }

  static void add_name(const std::string& name, std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  /// Groups and their first nodes, for messages.
  void add_node_names(const std::vector<NodeGroup>& groups) {
    for (const auto& group : groups) {
      const std::string name(group.name);
      for (const auto& candidate :
           {name, group.numbered ? fmt::format("{}-{}", name, group.first_number) : name}) {
        add_name(candidate, names_);
        add_name(candidate, node_names_);
      }
    }
  }
  /// The names that are unknown to all algorithms so far, including one more.
  static void keep_unknown(const std::vector<std::string>& mine, std::optional<Names>& unknown) {
    Names now(mine.begin(), mine.end());
    if (!unknown) {
      unknown = std::move(now);
    } else {
      std::erase_if(*unknown, [&](const auto& name) { return !now.contains(name); });
    }
  }
  /// A name in a network rule must exist in at least one algorithm.
  void check_network(const AlgorithmEntry& entry, const Protocol& protocol) {
    std::vector<std::string_view> types{"Ack"};
    for (const auto* type : entry.spec->messages) {
      types.push_back(type->name);
      add_name(std::string(type->name), names_);
    }
    const Topology topology = topology_of(*entry.spec, protocol);
    const bool selects =
        !network_.links.empty() || !network_.nodes.empty() || !network_.drops.empty();
    if (!selects && !network_.matrix) return;
    const Nodes nodes(protocol.groups());
    keep_unknown(Network::unknown_names(network_, nodes, types), unknown_);
    if (!network_.matrix || topology == Topology::none ||
        !scenario_.network.defaults.latency->parameters.is_auto("otherwise"))
      return;
    const LinkMap map(topology, nodes.size(), edges_of(topology, nodes.groups()));
    for (std::uint32_t link = 0; link < map.links(); ++link) {
      const auto from = nodes.name(map.from({link})), to = nodes.name(map.to({link}));
      if (network_.matrix->contains({from, to})) continue;
      diagnostics_.add({scenario_.algorithms.front().location,
                        "network.latency.file",
                        fmt::format("has no line for {} to {}", from, to),
                        "",
                        "a line per link, or otherwise = \"50 ms\"",
                        ""});
      return;
    }
  }

  const Scenario& scenario_;
  const SourceLocation& network_place_;
  Diagnostics& diagnostics_;
  NetworkConfig network_;
  std::optional<Names> unknown_;  // to all algorithms so far: names in [network]
  std::vector<std::optional<Names>> unknown_in_faults_;
  std::vector<std::string> names_, node_names_;  // known ones, to choose from
};

}  // namespace

void check_scenario(const Scenario& scenario,
                    const SourceLocation& network,
                    Diagnostics& diagnostics) {
  ScenarioCheck(scenario, network, diagnostics).check();
}

}  // namespace posse
