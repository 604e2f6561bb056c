// SPDX-License-Identifier: Apache-2.0
#include "program/fates/features.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "core/network/wire.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

bool any_run(const Trial& trial, const std::function<bool(const RunRecord&)>& condition) {
  return std::any_of(trial.result.runs.begin(), trial.result.runs.end(), condition);
}

Feature of_scenario(std::string name, std::function<bool(const Scenario&)> has) {
  return {std::move(name),
          [has = std::move(has)](const Trial& trial) { return has(trial.scenario); }};
}
Feature of_outcome(std::string name, std::function<bool(const RunOutcome&)> has) {
  return {std::move(name), [has = std::move(has)](const Trial& trial) {
            return any_run(trial, [&](const RunRecord& run) { return has(run.result.outcome); });
          }};
}
Feature of_count(std::string name, std::uint64_t TypeAccount::*field) {
  return of_outcome(std::move(name),
                    [field](const RunOutcome& outcome) { return outcome.total(field) > 0; });
}
Feature of_link(std::string name, std::function<bool(const LinkConfig&)> has) {
  return of_scenario(std::move(name), [has = std::move(has)](const Scenario& scenario) {
    return has(scenario.network.defaults) ||
           std::any_of(scenario.network.links.begin(), scenario.network.links.end(), has);
  });
}
Feature of_fault(std::string name, std::function<bool(const FaultConfig&)> has) {
  return of_scenario(std::move(name), [has = std::move(has)](const Scenario& scenario) {
    return std::any_of(scenario.faults.begin(), scenario.faults.end(), has);
  });
}
Feature of_round(std::string name, std::function<bool(const RoundRecord&)> has) {
  return of_outcome(std::move(name), [has = std::move(has)](const RunOutcome& outcome) {
    return std::any_of(outcome.rounds.begin(), outcome.rounds.end(), has);
  });
}
Feature of_status(RunStatus status) {
  return of_outcome(std::string(to_string(status)),
                    [status](const RunOutcome& outcome) { return outcome.status == status; });
}
const FaultTimes& times_of(const FaultConfig& fault) {
  return std::visit([](const auto& what) -> const FaultTimes& { return what.when; }, fault.what);
}
std::string_view kind_of(const FaultConfig& fault) {
  if (const auto* links = std::get_if<LinkFault>(&fault.what)) return to_string(links->kind);
  if (const auto* nodes = std::get_if<NodeFault>(&fault.what))
    return nodes->loses_state ? "crash, state lost" : to_string(nodes->kind);
  return "corrupt";
}
bool has_share(const FaultConfig& fault) {
  const auto share = [](const FaultyNodes& nodes_of) { return nodes_of.share.has_value(); };
  if (const auto* nodes = std::get_if<NodeFault>(&fault.what))
    return std::any_of(nodes->nodes.begin(), nodes->nodes.end(), share);
  if (const auto* liars = std::get_if<CorruptFault>(&fault.what))
    return std::any_of(liars->nodes.begin(), liars->nodes.end(), share);
  const auto& groups = fault.links().groups;
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return std::any_of(group.begin(), group.end(), share);
  });
}

void add_network(std::vector<Feature>& all) {
  for (const auto& spec : duration_specs())
    if (spec.kind != "empirical" && spec.kind != "matrix")  // not drawn
      all.push_back(of_link("latency " + std::string(spec.kind), [&spec](const LinkConfig& link) {
        return link.latency && link.latency->kind == spec.kind;
      }));
  for (const auto& spec : loss_specs())
    all.push_back(of_link("loss " + std::string(spec.kind), [&spec](const LinkConfig& link) {
      return (link.loss && link.loss->kind == spec.kind) ||
             (link.loss_by_type() != nullptr && spec.kind == "by-type");
    }));
  all.push_back(
      of_link("duplication", [](const auto& l) { return l.rule.duplication.value_or(0) > 0; }));
  all.push_back(of_link("fifo order", [](const auto& l) { return l.rule.fifo.value_or(false); }));
  all.push_back(
      of_link("latency factor", [](const auto& l) { return l.rule.latency_factor != nullptr; }));
  all.push_back(
      of_link("rate trace", [](const auto& l) { return l.rule.rate && l.rule.rate->trace; }));
  all.push_back(of_link("link rate", [](const auto& l) { return l.rule.rate.has_value(); }));
  all.push_back(of_scenario("link rule", [](const auto& s) { return !s.network.links.empty(); }));
  all.push_back(of_scenario("node rate", [](const auto& s) { return !s.network.nodes.empty(); }));
  all.push_back(of_scenario("listed drop", [](const auto& s) { return !s.network.drops.empty(); }));
  all.push_back(of_scenario("header", [](const auto& s) { return s.network.header_bytes > 0; }));
  all.push_back(of_scenario("ties", [](const auto& s) { return s.network.ties != Ties{}; }));
  for (const Wire wire : kWires)
    all.push_back(of_scenario("wire " + std::string(wire_format(wire).name),
                              [wire](const Scenario& s) { return s.network.wire == wire; }));
  const auto of_timeout = [](std::string name, TimeOut::Rule rule) {
    return of_scenario("time-out " + std::move(name), [rule](const Scenario& s) {
      return is_reliable(s) && s.network.retransmission.timeout.rule == rule;
    });
  };
  all.push_back(of_timeout("stated", TimeOut::Rule::stated));
  for (const auto& [name, rule] : kTimeOutRules) all.push_back(of_timeout(std::string(name), rule));
  all.push_back(of_link("link time-out", [](const auto& l) { return l.rule.timeout.has_value(); }));
  all.push_back(of_scenario("datagram", [](const auto& s) { return !is_reliable(s); }));
  all.push_back(of_scenario("reliable", is_reliable));
  all.push_back({"no lookahead", [](const Trial& trial) {
                   return any_run(trial, [](const RunRecord& run) {
                     return run.result.smallest_latency.ns < 1000;
                   });
                 }});
  all.push_back(of_scenario("service times", [](const auto& s) { return !s.service.empty(); }));
  all.push_back(of_scenario("one event at a time", [](const auto& s) {
    return s.clients == 1 && !is_reliable(s) && s.faults.empty() && s.network.links.empty();
  }));
  all.push_back(of_scenario("stragglers", [](const auto& s) { return !s.stragglers.empty(); }));
  for (const auto kind : {Aggregate::median, Aggregate::trimmed_mean})
    all.push_back(of_scenario(
        "aggregate " + std::string(to_string(kind)),
        [kind](const Scenario& s) { return s.policy && s.policy->rule.aggregate == kind; }));
  for (const auto kind : {PolicyKind::all, PolicyKind::quorum, PolicyKind::deadline})
    all.push_back(of_scenario("policy " + std::string(to_string(kind)), [kind](const Scenario& s) {
      return s.policy && s.policy->rule.kind == kind;
    }));
}

void add_faults(std::vector<Feature>& all) {
  for (const auto* kind : {"partition", "clog", "pause", "crash", "crash, state lost", "corrupt"}) {
    const std::string name(kind);
    const auto when = [&](const char* how, std::function<bool(const FaultTimes&)> has) {
      all.push_back(of_fault(name + " " + how, [name, has = std::move(has)](const auto& fault) {
        return !fault.trace && kind_of(fault) == name && has(times_of(fault));
      }));
    };
    when("once", [](const auto& t) { return t.lasting && !t.every && !t.mean_gap; });
    when("repeated", [](const auto& t) { return t.every.has_value(); });
    when("at random", [](const auto& t) { return t.mean_gap.has_value(); });
    if (name != "clog") when("for good", [](const auto& t) { return !t.lasting; });
  }
  for (const auto how :
       {Corruption::constant, Corruption::noise, Corruption::sign, Corruption::stale})
    all.push_back(
        of_fault("corrupt: " + std::string(to_string(how)), [how](const FaultConfig& fault) {
          const auto* liars = std::get_if<CorruptFault>(&fault.what);
          return liars != nullptr && liars->how == how;
        }));
  all.push_back(of_fault("one-way fault", [](const FaultConfig& fault) {
    const auto* links = std::get_if<LinkFault>(&fault.what);
    return links != nullptr && links->one_way;
  }));
  all.push_back(of_fault("share of nodes", has_share));
  all.push_back(of_fault("availability", [](const auto& f) { return f.trace.has_value(); }));
  all.push_back(
      of_fault("fault of one repetition", [](const auto& f) { return f.repetition.has_value(); }));
}

/// A fault of a node ended within a window of the run's end.
bool has_fault_end_near_the_end(const RunRecord& run) {
  const SimulationResult& result = run.result;
  const Duration window = std::max(result.smallest_latency, Duration{1000});
  const auto is_near = [&](const FaultRecord& fault) {
    return fault.of == FaultOf::nodes && !fault.begins &&
           fault.at + window >= result.outcome.finished_at;
  };
  return result.outcome.status == RunStatus::finished &&
         std::any_of(result.faults.begin(), result.faults.end(), is_near);
}

/// What happened in a run.
void add_events(std::vector<Feature>& all) {
  all.push_back(of_count("dropped by loss", &TypeAccount::dropped_loss));
  all.push_back(of_count("dropped by queue", &TypeAccount::dropped_queue));
  all.push_back(of_count("dropped by partition", &TypeAccount::dropped_partition));
  all.push_back(of_count("dropped by crash", &TypeAccount::dropped_crash));
  all.push_back(of_count("duplicated", &TypeAccount::duplicated));
  all.push_back(of_count("retransmitted", &TypeAccount::repeated));
  all.push_back(of_count("retransmitted needlessly", &TypeAccount::needless));
  all.push_back(of_count("duplicate removed", &TypeAccount::discarded));
  all.push_back(of_count("in flight at the end", &TypeAccount::in_flight));
  all.push_back(
      of_outcome("answer too late", [](const auto& outcome) { return outcome.stale > 0; }));
  all.push_back(of_round("round closed early", [](const auto& row) { return !row.late.empty(); }));
  all.push_back({"a node's fault ends near the end",
                 [](const Trial& trial) { return any_run(trial, has_fault_end_near_the_end); }});
  all.push_back({"stalled with retransmissions", [](const Trial& trial) {
                   return is_reliable(trial.scenario) && any_run(trial, [](const RunRecord& run) {
                            return run.result.outcome.status == RunStatus::stalled;
                          });
                 }});
  all.push_back({"equal decisions promised", [](const Trial& trial) {
                   return any_run(trial, [&](const RunRecord& run) {
                     return promises_equal_decisions(trial.scenario, run);
                   });
                 }});
  all.push_back({"equal decisions despite drops", [](const Trial& trial) {
                   return any_run(trial, [&](const RunRecord& run) {
                     return promises_equal_decisions(trial.scenario, run) &&
                            !run.result.outcome.lossless;
                   });
                 }});
}

void add_ends(std::vector<Feature>& all) {
  for (const auto status : {RunStatus::finished, RunStatus::stalled, RunStatus::limit_reached})
    all.push_back(of_status(status));
}

}  // namespace

const std::vector<FeatureGroup>& feature_groups() {
  static const std::vector<FeatureGroup> all = [] {
    std::vector<FeatureGroup> groups{{"ends", {}}, {"events", {}}, {"faults", {}}, {"network", {}}};
    add_ends(groups[0].features);
    add_events(groups[1].features);
    add_faults(groups[2].features);
    add_network(groups[3].features);
    return groups;
  }();
  return all;
}

}  // namespace posse
