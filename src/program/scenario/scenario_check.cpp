// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/scenario_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/link_map.hpp"
#include "core/network/nodes.hpp"
#include "core/role/outcome.hpp"
#include "program/scenario/rule_scope.hpp"

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
  ScenarioCheck(Scenario& scenario, const ReadParts& read, Diagnostics& diagnostics)
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
    check_types_of_loss(scenario_.network.defaults);
    for_each_rule(scenario_, [this](auto& rule) { check_rule(rule); });
    for (LinkConfig& link : scenario_.network.links) check_types_of_loss(link);
  }

 private:
  static std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
  }
  /// A file may have many.
  static std::string first_of(std::vector<std::string> words) {
    constexpr std::size_t kMostTold = 5;
    const auto all = words.size();
    words.resize(std::min(all, kMostTold));
    return joined(words) + (all > kMostTold ? fmt::format(" and {} more", all - kMostTold) : "");
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
      if (problems.empty()) {
        add_nodes(entry, entry.parameters, std::move(own), true, true);
        scenario_.algorithms[i].warning = beyond_budget(found_.back());
        return;
      }
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

  static std::string beyond_budget(const FoundNodes& found) {
    if (!found.workload.arms) return "";
    const auto budget = static_cast<double>(found.workload.arms->budget);
    const double pulls = found.protocol->forecast().evaluations;
    if (pulls <= budget) return "";
    return fmt::format(
        "makes {} pulls, more than the {} of the budget, which its schedule does not keep: others "
        "have less to decide on",
        pulls,
        budget);
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
    found_.push_back({&entry,
                      std::move(workload),
                      std::move(protocol),
                      std::move(nodes),
                      exact,
                      own_parameters});
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
    std::set<std::string> names, examples;
    for (const auto& [pair, latency] : *matrix) names.insert({pair.first, pair.second});
    std::set<std::string> unknown = names;
    for (const auto& found : found_) {
      std::set<std::string> own;
      for (const auto& group : found.nodes.groups())
        own.insert(std::string(group.name) + (group.numbered ? "-0" : ""));
      examples.insert(own.begin(), own.end());
      const auto is_own = [&](const std::string& name) {
        const auto digits = name.find_last_not_of("0123456789") + 1;
        return own.contains(name) ||
               (digits < name.size() && own.contains(name.substr(0, digits) + "0"));
      };
      WithoutEffect of{found.entry->label, false, {}, {}, {}};
      for (const auto& name : names)
        if (is_own(name))
          unknown.erase(name);
        else
          of.names.push_back(name);
      if (of.names.empty() || !found.exact) continue;
      of.what = fmt::format("network.latency.file ({})", first_of(of.names));
      if (of.names.size() == names.size() &&
          topology_of(*found.entry->spec, *found.protocol) != Topology::none)
        of.warning =
            fmt::format("{} has no effect on it, which has {}", of.what, nodes_text(found));
      scenario_.network.defaults.scope.without_effect.push_back(std::move(of));
    }
    if (unknown.empty()) return;
    const auto& name = *unknown.begin();
    diagnostics_.add({scenario_.algorithms.front().location,
                      "network.latency.file",
                      "has a line for a node that no algorithm has",
                      fmt::format("\"{}\"", name),
                      fmt::format("{}", fmt::join(examples, ", ")),
                      nearest_name(name, {examples.begin(), examples.end()})});
  }

  /// Whether a mistake in `algorithm` leaves it without one.
  bool is_for_none(const RuleScope& scope) const {
    return std::ranges::none_of(scenario_.algorithms,
                                [&](const auto& entry) { return scope.is_for(entry.label); });
  }
  void check_faults(const FoundNodes& found) {
    if (!found.parameters) return;
    for (const FaultConfig& fault : scenario_.faults) {
      if (!fault.scope.is_for(found.entry->label)) continue;
      if (const auto* faulty = std::get_if<NodeFault>(&fault.what); faulty && faulty->loses_state)
        check_state_loss(found, fault, *faulty);
      if (const auto* liars = std::get_if<CorruptFault>(&fault.what))
        check_liars(found, fault, *liars);
    }
  }
  void check_liars(const FoundNodes& found, const FaultConfig& fault, const CorruptFault& liars) {
    const auto reject = [&](std::string problem, std::string allowed) {
      diagnostics_.add({fault.scope.location,
                        fault.scope.path + ".kind",
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
      const auto range = found.nodes.select(selector.of);
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
      const auto range = found.nodes.select(selector.of);
      for (auto i = range.first; i < range.last; ++i) {
        if (found.protocol->can_lose_state({i})) continue;
        diagnostics_.add(
            {fault.scope.location,
             fault.scope.path + ".state",
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

  static bool sends(const FoundNodes& found, std::string_view type) {
    const auto& types = found.entry->spec->messages;
    return type == kAcknowledgement ||
           std::any_of(
               types.begin(), types.end(), [&](const auto* known) { return known->name == type; });
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
  /// The largest round of its messages. Unknown where lost state is asked for again, too.
  double last_round(const FoundNodes& found) const {
    const auto loses_state = [&](const FaultConfig& fault) {
      const auto* nodes = std::get_if<NodeFault>(&fault.what);
      return nodes != nullptr && nodes->loses_state && fault.scope.is_for(found.entry->label);
    };
    const bool known = found.exact && std::ranges::none_of(scenario_.faults, loses_state);
    return known ? found.protocol->forecast().largest_round()
                 : std::numeric_limits<double>::infinity();
  }

  bool has(const FoundNodes& found, const NameInRule& name) const {
    switch (name.of) {
      case NameInRule::Of::nodes:
        return found.may_have(name.name);
      case NameInRule::Of::message:
        return sends(found, name.name);
      case NameInRule::Of::round:
        return std::stod(name.name) <= last_round(found);
    }
    return true;
  }

  /// Whether a rule does something where it matches all names but `missing`.
  template <class Rule>
  static bool does_something(const Rule&, const std::vector<const NameInRule*>& missing) {
    return missing.empty();
  }
  static bool does_something(const FaultConfig& fault,
                             const std::vector<const NameInRule*>& missing) {
    std::set<std::string_view> lacking;
    for (const NameInRule* name : missing) lacking.insert(name->name);
    const auto exist = [&](const std::vector<FaultyNodes>& selectors) {
      return std::ranges::any_of(
          selectors, [&](const FaultyNodes& selector) { return !lacking.contains(selector.of); });
    };
    if (const auto* links = std::get_if<LinkFault>(&fault.what))
      return std::ranges::count_if(links->groups, exist) >= 2 &&
             (!links->one_way || exist(links->groups.front()));
    if (const auto* nodes = std::get_if<NodeFault>(&fault.what)) return exist(nodes->nodes);
    return exist(std::get<CorruptFault>(fault.what).nodes);
  }

  /// Each name must be one of an algorithm that the rule is for, and some of these must have enough
  /// of them.
  template <class Rule>
  void check_rule(Rule& rule) {
    RuleScope& scope = rule.scope;
    std::vector<const FoundNodes*> meant;
    for (const FoundNodes& found : found_)
      if (scope.is_for(found.entry->label) || is_for_none(scope)) meant.push_back(&found);
    if (!names_exist(scope, meant)) return;
    bool any = false;
    for (const FoundNodes* found : meant) {
      std::vector<const NameInRule*> missing;
      for (const NameInRule& name : scope.names)
        if (!has(*found, name)) missing.push_back(&name);
      const bool wholly = !missing.empty() && !does_something(rule, missing);
      any = any || !wholly;
      if (!missing.empty()) add_without_effect(*found, missing, wholly, scope);
    }
    if (any || !reported_.emplace(scope.path, "").second) return;
    std::vector<const NameInRule*> all;
    for (const NameInRule& name : scope.names) all.push_back(&name);
    diagnostics_.add({scope.location,
                      scope.path,
                      fmt::format("no algorithm {} has all of {}",
                                  scope.algorithms.empty() ? "here" : "that it is for",
                                  names_text(all)),
                      "",
                      "a table for each algorithm",
                      ""});
  }

  bool names_exist(const RuleScope& scope, const std::vector<const FoundNodes*>& meant) {
    bool all = true;
    for (const NameInRule& name : scope.names) {
      if (std::ranges::any_of(meant, [&](const auto* found) { return has(*found, name); }))
        continue;
      all = false;
      // A storm is several faults.
      if (reported_.emplace(scope.path, name.name).second) reject_name(scope, name, meant);
    }
    return all;
  }
  void reject_name(const RuleScope& scope,
                   const NameInRule& name,
                   const std::vector<const FoundNodes*>& meant) {
    const auto reject = [&](const std::string& what, std::string allowed, std::string nearest) {
      diagnostics_.add(
          {name.location,
           fmt::format("{}.{}", scope.path, name.key),
           scope.algorithms.empty() || is_for_none(scope)
               ? fmt::format("no algorithm here has {}", what)
               : fmt::format("'{}' has no {}", fmt::join(scope.algorithms, "', '"), what),
           "",
           std::move(allowed),
           std::move(nearest)});
    };
    if (name.of == NameInRule::Of::round) {
      double most = 0;
      for (const FoundNodes* found : meant) most = std::max(most, last_round(*found));
      return reject("round " + name.name, fmt::format("at most {:.0f}", most), "");
    }
    const auto names = names_of(meant, name.of);
    reject(fmt::format("'{}'", name.name),
           fmt::format("{}: {}",
                       name.of == NameInRule::Of::message ? "message types"
                                                          : "node names, groups, ranges and \"*\"",
                       joined(names)),
           nearest_name(name.name, names));
  }
  /// Some of the names to choose from.
  static std::vector<std::string> names_of(const std::vector<const FoundNodes*>& algorithms,
                                           NameInRule::Of of) {
    std::vector<std::string> names;
    const auto add = [&](std::string name) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    };
    if (of == NameInRule::Of::message) add(std::string(kAcknowledgement));
    for (const FoundNodes* found : algorithms) {
      if (of == NameInRule::Of::message)
        for (const auto* type : found->entry->spec->messages) add(std::string(type->name));
      else
        for (const auto& group : found->nodes.groups()) {
          add(std::string(group.name));
          if (group.numbered) add(fmt::format("{}-{}", group.name, group.first_number));
        }
    }
    return names;
  }

  /// "from = \"client\", type = \"LocalMeans\""
  static std::string names_text(const std::vector<const NameInRule*>& names) {
    std::vector<std::string> texts;
    std::set<std::pair<std::string_view, std::string_view>> known;
    std::string_view key;
    for (const NameInRule* name : names) {
      if (!known.emplace(name->key, name->name).second) continue;
      auto text =
          name->of == NameInRule::Of::round ? name->name : fmt::format("\"{}\"", name->name);
      if (name->key != key) text = fmt::format("{} = {}", name->key, text);
      key = name->key;
      texts.push_back(std::move(text));
    }
    return first_of(std::move(texts));
  }

  /// Names are known where the algorithm's parameters have no mistake.
  void add_without_effect(const FoundNodes& found,
                          const std::vector<const NameInRule*>& missing,
                          bool wholly,
                          RuleScope& scope) const {
    if (!found.exact) return;
    WithoutEffect of{found.entry->label, wholly, {}, {}, {}};
    for (const NameInRule* name : missing) of.names.push_back(name->name);
    of.what = fmt::format("{}{} ({})", wholly ? "" : "part of ", scope.path, names_text(missing));
    if (scope.algorithms.empty())
      of.warning = fmt::format("{} has no effect on it, which {}{}",
                               of.what,
                               reasons(found, missing),
                               hint(found, missing));
    scope.without_effect.push_back(std::move(of));
  }
  /// "has player-0..9 and sends no LocalMeans"
  std::string reasons(const FoundNodes& found,
                      const std::vector<const NameInRule*>& missing) const {
    std::vector<std::string> reasons;
    if (std::ranges::any_of(missing, is_of_nodes)) reasons.push_back("has " + nodes_text(found));
    for (const NameInRule* name : missing) {
      if (name->of == NameInRule::Of::message) reasons.push_back("sends no " + name->name);
      if (name->of == NameInRule::Of::round)
        reasons.push_back(fmt::format("has no round after {:.0f}", last_round(found)));
    }
    return fmt::format("{}", fmt::join(reasons, " and "));
  }
  static bool is_of_nodes(const NameInRule* name) { return name->of == NameInRule::Of::nodes; }
  /// A selector that algorithms with other names of nodes have, too.
  std::string hint(const FoundNodes& found, const std::vector<const NameInRule*>& missing) const {
    const auto node = std::ranges::find_if(missing, is_of_nodes);
    if (node == missing.end()) return "";
    for (const FoundNodes& other : found_) {
      const auto range = other.nodes.select((*node)->name);
      if (range.first == range.last) continue;
      const bool is_hub = range.last <= other.nodes.hub().last;
      const auto selector = is_hub ? kHubSelector : kParticipantSelector;
      const auto lacks_it = [&](const FoundNodes& algorithm) {
        const auto same = algorithm.nodes.select(selector);
        return same.first == same.last;
      };
      if (lacks_it(found)) return "";
      return fmt::format("; \"{}\" covers {}",
                         selector,
                         std::ranges::any_of(found_, lacks_it) ? "it, too"
                         : found_.size() == 2                  ? "both"
                                                               : "all");
    }
    return "";
  }

  /// The types of a loss by type, some of which must be sent by each algorithm.
  void check_types_of_loss(LinkConfig& link) {
    if (link.loss_by_type() == nullptr || link.loss_by_type()->p.empty()) return;
    RuleScope& scope = link.scope;
    const auto& p = link.loss_by_type()->p;
    std::vector<const FoundNodes*> meant;
    bool any = false;
    for (const FoundNodes& found : found_) {
      if (!scope.affects(found.entry->label)) continue;
      meant.push_back(&found);
      WithoutEffect of{found.entry->label, false, {}, {}, {}};
      for (const auto& [type, chance] : p)
        if (!sends(found, type)) of.names.push_back(type);
      any = any || of.names.size() < p.size();
      if (of.names.empty() || !found.exact) continue;
      of.what = fmt::format("{}.loss ({})", scope.path, joined(of.names));
      if (of.names.size() == p.size() && scope.algorithms.empty())
        of.warning = of.what + " has no effect on it, which sends none of them";
      scope.without_effect.push_back(std::move(of));
    }
    if (any || is_for_none(scope)) return;
    diagnostics_.add({scope.location,
                      scope.path + ".loss",
                      "no algorithm that it is for sends these messages",
                      "",
                      "message types: " + joined(names_of(meant, NameInRule::Of::message)),
                      ""});
  }

  Scenario& scenario_;
  const ReadParts& read_;
  Diagnostics& diagnostics_;
  std::optional<bool> maximized_;  // whether the arms are; unknown before the first
  std::vector<FoundNodes> found_;
  std::set<std::pair<std::string, std::string>> reported_;  // rules and names
};

}  // namespace

void check_scenario(Scenario& scenario, const ReadParts& read, Diagnostics& diagnostics) {
  ScenarioCheck(scenario, read, diagnostics).check();
}

}  // namespace posse
