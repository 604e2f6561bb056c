// SPDX-License-Identifier: Apache-2.0
#include "program/run/run_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/math.hpp"
#include "core/base/overload.hpp"
#include "core/random/floor_cut.hpp"
#include "program/base/quantities.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// "crash of client-3 at 1.2 s", "cut between server and client-0..4 at 50 ms".
std::string in_words(const Intervention& done) {
  std::vector<std::string> groups;
  for (const auto& group : done.groups)
    groups.push_back(fmt::format("{}", fmt::join(texts_of(group), " ")));
  return fmt::format("{} {} {} at {}",
                     to_string(done.action),
                     done.is_of_links() ? "between" : "of",
                     fmt::join(groups, " and "),
                     pretty(done.at.to_seconds(), "s"));
}

/// "crash of client-3".
std::pair<FaultOf, std::string> in_words(const FaultConfig& fault) {
  const auto listed = [](const std::vector<FaultyNodes>& nodes) {
    return fmt::format("{}", fmt::join(texts_of(nodes), ", "));
  };
  return std::visit(
      Overload{
          [&](const LinkFault& links) {
            std::vector<std::string> groups;
            for (const auto& group : links.groups) groups.push_back(listed(group));
            return std::pair(
                FaultOf::links,
                fmt::format("{} between {}", to_string(links.kind), fmt::join(groups, " and ")));
          },
          [&](const NodeFault& nodes) {
            return std::pair(FaultOf::nodes,
                             fmt::format("{} of {}", to_string(nodes.kind), listed(nodes.nodes)));
          },
          [&](const CorruptFault& nodes) {
            return std::pair(FaultOf::values,
                             fmt::format("wrong numbers of {}", listed(nodes.nodes)));
          }},
      fault.what);
}

void changed_by_hand(const SimulationResult& result, std::vector<Warning>& out) {
  constexpr std::size_t kMostTold = 3;
  std::vector<std::string> told;
  for (const auto& done : result.interventions)
    if (done.changes_results()) told.push_back(in_words(done));
  if (told.empty()) return;
  const auto actions = told.size();
  told.resize(std::min(actions, kMostTold));
  out.push_back(
      {kTouched,
       fmt::format("was changed by hand while it ran: {}{}",
                   fmt::join(told, ", "),
                   actions > kMostTold ? fmt::format(", and {} more", actions - kMostTold) : ""),
       static_cast<double>(actions)});
}

void early_decisions(const RunOutcome& outcome, std::vector<Warning>& out) {
  const auto early = outcome.early_decisions;
  if (early == 0) return;
  out.push_back(
      {"early-decisions",
       fmt::format(
           "{} before the evaluations that {} on were done, as timers fired while "
           "their nodes evaluated: times, messages and regrets are not those of "
           "a network",
           early == 1 ? "1 decision was made" : fmt::format("{} decisions were made", early),
           early == 1 ? "it rests" : "they rest"),
       static_cast<double>(early)});
}

void regret_below_zero(const RegretSummary& regret,
                       const CertifiedMaximum& maximum,
                       std::vector<Warning>& out) {
  constexpr double kRounding = 1e-9;  // of the maximum
  const double excess = regret.above_maximum;
  if (excess <= kRounding * std::max(1.0, std::abs(maximum.value))) return;
  out.push_back(
      {kAboveMaximum,
       fmt::format("a point has the value {}, {} above the maximum that its regret refers "
                   "to: regrets are too small, or below zero (objective.maximum)",
                   pretty(rounded(regret.largest_value, 5), ""),
                   pretty(rounded(excess, 3), "")),
       excess});
}

/// Regrets and ranks that refer to a value beyond the budget.
void beyond_reach(const ArmSet& arms, std::vector<Warning>& out) {
  constexpr double kNegligible = 0.01;  // of what the arms differ by
  const auto least = arms.minimum();
  if (!least) return;
  const Arm *best = nullptr, *reached = nullptr;
  double smallest = 0, most = *least;
  for (const Arm& arm : arms.arms) {
    if (!arm.smallest_within) return;
    if (*arm.minimum == *least && best == nullptr) best = &arm;
    most = std::max(most, *arm.minimum);
    const double value = arm.smallest_within(arms.budget);
    if (reached == nullptr || value < smallest) {
      reached = &arm;
      smallest = value;
    }
  }
  const double missing = smallest - *least;
  if (missing <= kNegligible * (most - *least) || missing <= 0) return;
  const auto value = [&](double f) { return pretty(rounded(arms.maximized ? -f : f, 4), ""); };
  out.push_back(
      {"beyond-reach",
       fmt::format("regrets{} refer to the value {} of {}, which no {} pulls reach: at best an "
                   "answer has the value {} ({}) and a simple regret of {}",
                   best->rank ? "" : " and ranks",
                   value(*least),
                   best->name,
                   arms.budget,
                   value(smallest),
                   reached->name,
                   pretty(rounded(missing, 3), "")),
       missing});
}

/// Noise that has no room where values are near 0 or 1.
void cut_noise(const Problem& problem, std::vector<Warning>& out) {
  constexpr double kMuch = 0.5;
  const auto stated = problem.noise().stated_sd();
  if (!stated) return;
  const double at_maximum = problem.noise().sd_at(problem.mean_maximum().value);
  if (at_maximum >= kMuch * *stated) return;
  out.push_back({"cut-noise",
                 fmt::format("the noise has a standard deviation of {}, not {}, at the maximum, "
                             "and of {} at most: it is cut where values are near 0 or 1",
                             pretty(rounded(at_maximum, 2), ""),
                             pretty(*stated, ""),
                             pretty(rounded(problem.noise().sd_at(0.5), 2), "")),
                 *stated - at_maximum});
}

/// Time-outs that are shorter than round trips.
void needless_repetitions(const RunOutcome& outcome,
                          const Retransmission& rule,
                          std::vector<Warning>& out) {
  const auto needless = static_cast<double>(outcome.total(&TypeAccount::needless));
  const auto messages = static_cast<double>(outcome.total(&TypeAccount::sent) -
                                            outcome.total(&TypeAccount::sent, kAcknowledgement));
  if (needless <= few_needless(rule.timeout.rule == TimeOut::Rule::stated) * messages) return;
  const auto most = std::ranges::max_element(outcome.accounts, {}, &TypeAccount::needless);
  Duration longest;
  for (const auto& account : outcome.accounts) longest = std::max(longest, account.needless_trip);
  std::string timeout, remedy = "network.retransmission.timeout = \"measured\" learns from them";
  if (rule.timeout.rule == TimeOut::Rule::stated) {
    timeout = fmt::format(" of {}", pretty(rule.timeout.stated.to_seconds(), "s"));
    remedy = "without network.retransmission.timeout it is derived for each link";
  }
  if (rule.timeout.rule == TimeOut::Rule::measured)
    remedy = "network.retransmission.min_timeout bounds it from below";
  out.push_back(
      {"needless-repetitions",
       fmt::format("{} retransmissions of {} messages although nothing was lost, most of "
                   "them {}: acknowledgements took up to {}, longer than the time-out{}; {}",
                   needless,
                   messages,
                   most->type,
                   pretty(longest.to_seconds(), "s"),
                   timeout,
                   remedy),
       needless / messages});
}

/// "client-0, client-1 and 5 more".
std::string in_words(const SomeNodes& nodes, const SimulationResult& result) {
  std::vector<std::string> names;
  for (const NodeId node : nodes.first) names.push_back(result.name_of(node));
  const auto more = nodes.count - names.size();
  if (more > 0) names.push_back(fmt::format("{} more", more));
  if (names.size() == 1) return names.front();
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The probability of at least `n` where `mean` are expected, by Poisson's law.
double at_least(std::uint64_t n, double mean) {
  double less = 0, term = math::exp(-mean);
  for (std::uint64_t k = 0; k < n; ++k) {
    less += term;
    term *= mean / static_cast<double>(k + 1);
  }
  return 1 - less;
}

/// Nodes whose answers never came in time, unless chance may have chosen them.
void never_counted(const SimulationResult& result, std::vector<Warning>& out) {
  constexpr std::uint64_t kFewRounds = 3;
  constexpr double kUnlikely = 0.15;
  std::map<NodeId, std::uint64_t> late_of;
  std::uint64_t rounds = 0, expected = 0, late = 0;
  for (const RoundRecord& row : result.outcome.rounds) {
    if (row.expected == 0) continue;
    ++rounds;
    expected += row.expected;
    late += row.late.size();
    for (const NodeId node : row.late) ++late_of[node];
  }
  if (rounds < kFewRounds) return;
  SomeNodes never;
  for (const auto& [node, times] : late_of)
    if (times == rounds) never.add(node);
  const auto share = static_cast<double>(late) / static_cast<double>(expected);
  const auto nodes = static_cast<double>(expected) / static_cast<double>(rounds);
  if (never.count == 0 ||
      at_least(never.count, nodes * math::pow(share, static_cast<double>(rounds))) > kUnlikely)
    return;
  out.push_back({"never-counted",
                 fmt::format("{} of {} answers were missing when their round was closed, in every "
                             "round those of {}: what {} evaluated decided nothing",
                             late,
                             expected,
                             in_words(never, result),
                             never.count == 1 ? "it" : "they"),
                 static_cast<double>(never.count)});
}

/// Evaluations that count, though the run had ended.
void work_after_end(const SimulationResult& result, std::vector<Warning>& out) {
  constexpr double kNegligible = 0.01;
  const WorkAfterEnd& work = result.outcome.work_after_end;
  const double share = work.sum.to_seconds() / result.outcome.phases.compute.to_seconds();
  if (work.nodes.count == 0 || !(share > kNegligible)) return;
  out.push_back(
      {"work-after-end",
       fmt::format("{} evaluated on after the end at {}, until {}: for up to {:.0f} % of all "
                   "computing time; these evaluations are part of the regret",
                   in_words(work.nodes, result),
                   pretty(rounded(result.outcome.finished_at.to_seconds(), 4), "s"),
                   pretty(rounded(work.until.to_seconds(), 4), "s"),
                   std::ceil(100 * share)),
       share});
}

/// A mean over clients of which one loses most.
void uneven_clients(const RegretSummary& regret, std::vector<Warning>& out) {
  constexpr double kUneven = 5;
  if (regret.clients < 3 || regret.by_client.empty() || !(regret.local_cumulative > 0)) return;
  const auto worst = std::ranges::max_element(regret.by_client);
  const double times = *worst / regret.local_cumulative;
  if (times < kUneven) return;
  const auto which = regret.by_client.size() == regret.clients
                         ? fmt::format(" (number {}, from 0)", worst - regret.by_client.begin())
                         : std::string();
  out.push_back(
      {"uneven-clients",
       fmt::format("one client{} has {} times the mean local cumulative regret, which hides it",
                   which,
                   pretty(rounded(times, 3), "")),
       times});
}

/// The first point is the best one: the centre of the box, for most algorithms.
void optimal_at_once(const std::vector<RegretPoint>& curve, std::vector<Warning>& out) {
  const auto first = std::ranges::find(curve, "simple_regret", &RegretPoint::metric);
  if (first == curve.end() || first->evaluations > 1 || first->value != 0) return;
  out.push_back({"optimal-at-once",
                 "the first point is a maximum already, for example in the centre of the box: that "
                 "it is found says nothing (heterogeneity = { kind = \"shift\" } moves it)",
                 0});
}

void idle_stragglers(const SimulationResult& result, std::vector<Warning>& out) {
  const SomeNodes& idle = result.outcome.idle_stragglers;
  if (idle.count == 0 || idle.count < result.outcome.stragglers) return;
  out.push_back({"idle-stragglers",
                 fmt::format("the stragglers ({}) had no work that takes time: their factor "
                             "changed nothing ([[compute.service]] says what messages cost)",
                             in_words(idle, result)),
                 static_cast<double>(idle.count)});
}

/// The factor by which the chance that a message's first k transmissions are all lost falls with k:
/// the largest eigenvalue of the chain's transitions, weighed with the losses.
double lost_again(const Parameters& chain) {
  const double p = chain.real("p"), r = chain.real("r");
  const double good = chain.real("loss_good"), bad = chain.real("loss_bad");
  const double trace = (1 - p) * good + (1 - r) * bad;
  const double determinant = good * bad * ((1 - p) * (1 - r) - p * r);
  return (trace + std::sqrt(std::max(0.0, trace * trace - 4 * determinant))) / 2;
}

/// Of all links, then of the rules that affect the algorithm.
std::vector<const LinkConfig*> links_of(const NetworkScenario& network, std::string_view label) {
  std::vector<const LinkConfig*> links{&network.defaults};
  for (const LinkConfig& link : network.links)
    if (link.scope.affects(label)) links.push_back(&link);
  return links;
}

/// Nothing ends a burst of packets while back-off lets nobody send.
void endless_bursts(const NetworkScenario& network,
                    std::string_view label,
                    std::vector<Warning>& out) {
  if (network.transport != Transport::reliable) return;
  for (const LinkConfig* link : links_of(network, label)) {
    if (!link->loss || link->loss->kind != "gilbert-elliott") continue;
    const double backoff = network.retransmission.backoff;
    const double growth = backoff * lost_again(link->loss->parameters);
    if (growth < 1) continue;
    out.push_back(
        {"endless-bursts",
         fmt::format("bursts of loss (gilbert-elliott, {} transmissions on average) end only by "
                     "sending, and back-off makes waits grow {} times as fast as such losses get "
                     "rare: nothing but max_timeout bounds the mean delay; "
                     "loss = {{ kind = \"bursts\", ... }} ends bursts in time",
                     pretty(rounded(1 / link->loss->parameters.real("r"), 3), ""),
                     pretty(rounded(growth, 3), "")),
         growth});
    return;
  }
}

/// Distributions whose floor cuts so much that their mean is not the one that is stated.
void cut_durations(const Scenario& scenario, std::string_view label, std::vector<Warning>& out) {
  constexpr double kNegligible = 0.01;
  std::size_t number = 0;
  const auto look_at = [&](const std::string& path, const std::optional<Component>& component) {
    if (!component || component->kind == "matrix") return;
    const auto cut = cut_by_floor(make_duration(*component));
    if (!cut || cut->share <= kNegligible) return;
    out.push_back(
        {fmt::format("cut-duration-{}", ++number),
         fmt::format("{} has a mean of {}, not {}: its floor raises {:.2g} % of the draws",
                     path,
                     pretty(rounded(cut->mean.to_seconds(), 3), "s"),
                     pretty(rounded(cut->mean_before.to_seconds(), 3), "s"),
                     100 * cut->share),
         cut->share});
  };
  for (const LinkConfig* link : links_of(scenario.network, label))
    look_at(fmt::format("{}.latency", link->scope.path), link->latency);
  look_at("compute.evaluation", scenario.evaluation);
}

}  // namespace

std::vector<Warning> run_warnings(const SimulationResult& result,
                                  const Workload& workload,
                                  const Retransmission& retransmission) {
  std::vector<Warning> out;
  const RunOutcome& outcome = result.outcome;
  const RegretSummary& regret = outcome.regret;
  const Problem* problem = workload.problem.get();
  changed_by_hand(result, out);
  early_decisions(outcome, out);
  if (workload.arms) beyond_reach(*workload.arms, out);
  needless_repetitions(outcome, retransmission, out);
  never_counted(result, out);
  work_after_end(result, out);
  idle_stragglers(result, out);
  if (problem != nullptr && regret.evaluations > 0) {
    if (!problem->homogeneous()) uneven_clients(regret, out);
    optimal_at_once(result.regret_curve, out);
    cut_noise(*problem, out);
    const CertifiedMaximum& maximum = problem->mean_maximum();
    regret_below_zero(regret, maximum, out);
    if (maximum.conventional)
      out.push_back({kAssumedMaximum,
                     fmt::format("regrets refer to an assumed maximum of {}, which may not be "
                                 "attained: differences say something, ratios don't",
                                 pretty(rounded(maximum.value, 5), "")),
                     0});
  }
  if (static_cast<double>(regret.max_evaluations) >
      kEqualWork * static_cast<double>(regret.min_evaluations))
    out.push_back({"unequal-work",
                   fmt::format("clients made {} to {} evaluations: cumulative regret is the mean "
                               "over all of them, and smaller where fewer were made",
                               regret.min_evaluations,
                               regret.max_evaluations),
                   static_cast<double>(regret.max_evaluations - regret.min_evaluations)});
  return out;
}

std::vector<Warning> fault_warnings(const Scenario& scenario,
                                    const AlgorithmEntry& entry,
                                    std::uint32_t repetition,
                                    const SimulationResult& result) {
  const RunOutcome& outcome = result.outcome;
  if (outcome.status != RunStatus::finished || outcome.in_wall_time) return {};
  std::set<std::pair<FaultOf, std::uint16_t>> begun;
  for (const auto& record : result.faults)
    if (record.begins) begun.insert({record.of, record.fault});
  // A [[fault]] may stand for several, of which one suffices.
  struct Of {
    std::string text;
    bool begun = false;
    std::optional<FaultOf>
        drops;  // what may drop or delay messages; nothing if it is more than one
  };
  std::map<std::string, Of> by_path;      // "fault.0"
  std::map<FaultOf, std::uint16_t> next;  // their numbers in NetworkConfig
  for (const FaultConfig& fault : scenario.faults) {
    if (!is_of_run(fault, entry, repetition)) continue;
    const auto [of, text] = in_words(fault);
    const auto [at, first] = by_path.try_emplace(fault.scope.path, Of{text, false, of});
    Of& sum = at->second;
    const auto* links = std::get_if<LinkFault>(&fault.what);
    const bool clogs = links != nullptr && links->kind == LinkFaultKind::clog;
    if (clogs || sum.drops != of) sum.drops.reset();
    sum.begun = sum.begun || begun.contains({of, next[of]});
    ++next[of];
  }
  std::vector<Warning> out;
  const double end = outcome.finished_at.to_seconds();
  for (const auto& [path, of] : by_path)
    if (!of.begun)
      out.push_back(
          {path + "-not-begun",
           fmt::format(
               "{} ({}) had not begun when the run ended at {}", path, of.text, pretty(end, "s")),
           end});
  const auto missed = [&](FaultOf kind, std::string_view code, std::string_view what) {
    std::vector<std::string> paths;
    for (const auto& [path, of] : by_path)
      if (of.begun && of.drops == kind) paths.push_back(fmt::format("{} ({})", path, of.text));
    if (paths.empty()) return;
    out.push_back(
        {std::string(code),
         fmt::format("{} {} {}", fmt::join(paths, ", "), paths.size() == 1 ? "has" : "have", what),
         0});
  };
  if (outcome.stops_matter_from > outcome.finished_at)
    missed(FaultOf::nodes,
           "missed-nodes",
           "dropped and delayed nothing: the nodes had no work and no messages just then");
  if (outcome.total(&TypeAccount::dropped_partition) == 0)
    missed(
        FaultOf::links, "missed-links", "dropped nothing: no message was on these links just then");
  return out;
}

std::vector<Warning> loss_warnings(const Scenario& scenario,
                                   const AlgorithmEntry& entry,
                                   const RunOutcome& outcome) {
  std::vector<Warning> out;
  if (outcome.accounts.empty()) return out;
  for (const LinkConfig* link : links_of(scenario.network, entry.label)) {
    if (link->loss_by_type() == nullptr) continue;
    std::vector<std::string> named;
    std::uint64_t sent = 0;
    for (const auto& [type, p] : link->loss_by_type()->p) {
      if (p == 0) continue;
      named.push_back(type);
      sent += outcome.total(&TypeAccount::sent, type);
    }
    if (!named.empty() && sent == 0)
      out.push_back({link->scope.path + "-lost-nothing",
                     fmt::format("{}.loss names {}, of which none was sent: it lost nothing",
                                 link->scope.path,
                                 fmt::join(named, ", ")),
                     0});
  }
  return out;
}

std::vector<Warning> rate_warnings(const Scenario& scenario,
                                   const AlgorithmEntry& entry,
                                   Topology topology,
                                   const SimulationResult& result) {
  const NetworkScenario& network = scenario.network;
  const RunOutcome& outcome = result.outcome;
  const double seconds = outcome.finished_at.to_seconds();
  const bool lines_of_nodes = std::ranges::any_of(
      network.nodes, [&](const auto& node) { return node.scope.affects(entry.label); });
  if (topology != Topology::star || !network.defaults.rule.rate ||
      network.defaults.rule.rate->trace || lines_of_nodes || !(seconds > 0))
    return {};
  double up = 0, down = 0;
  for (const TypeAccount& account : outcome.accounts) {
    if (account.direction == Direction::up) up += static_cast<double>(account.wire_bytes);
    if (account.direction == Direction::down) down += static_cast<double>(account.wire_bytes);
  }
  const double rate = network.defaults.rule.rate->bits_per_second;
  const double carried = 8 * std::max(up, down) / seconds;
  if (carried <= rate) return {};
  return {{"rate-of-each-link",
           fmt::format("{} {} {} on average, more than the rate of {}: each link has it by itself "
                       "([[network.node]] gives a node lines of its own)",
                       result.name_of(NodeId{0}),
                       down > up ? "sent" : "received",
                       format_rate(rounded(carried, 2)),
                       format_rate(rate)),
           carried / rate}};
}

std::vector<Warning> scenario_warnings(const Scenario& scenario, std::size_t algorithm) {
  std::vector<Warning> out;
  const std::string& label = scenario.algorithms[algorithm].label;
  const RuleScope* told = nullptr;
  const auto add_from = [&](const auto& rule) {
    // A storm is several faults of one scope.
    if (told != nullptr && told->path == rule.scope.path) return;
    told = &rule.scope;
    for (const WithoutEffect& of : rule.scope.without_effect)
      if (of.algorithm == label && !of.warning.empty())
        out.push_back({fmt::format("{}-{}", kWithoutEffect, out.size() + 1), of.warning, 0});
  };
  add_from(scenario.network.defaults);
  for_each_rule(scenario, add_from);
  if (scenario.arms)
    for (const auto& entry : scenario.arms->entries)
      for (auto& text : entry.family->warnings())
        out.push_back({fmt::format("arms-{}", out.size() + 1), std::move(text), 0});
  if (const auto& warning = scenario.algorithms[algorithm].warning; !warning.empty())
    out.push_back({"algorithm", warning, 0});
  endless_bursts(scenario.network, label, out);
  cut_durations(scenario, label, out);
  return out;
}

}  // namespace posse
