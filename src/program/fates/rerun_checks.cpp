// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <thread>
#include <tuple>

#include "core/sim/world.hpp"
#include "program/fates/checks.hpp"
#include "program/fates/draws.hpp"
#include "program/fates/scenario_text.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse::fates {
namespace {

std::string_view to_string(Kernel kernel) {
  return kernel == Kernel::serial ? "serial" : kernel == Kernel::windows ? "window" : "actors";
}

/// Several rounds are open at the same time: what a row says depends on the order of their ends.
bool rounds_overlap(const RunOutcome& outcome) {
  return std::adjacent_find(
             outcome.rounds.begin(), outcome.rounds.end(), [](const auto& row, const auto& next) {
               return next.began < row.ended;
             }) != outcome.rounds.end();
}

/// What an algorithm decided differently in two runs; nothing if all is equal in every bit.
Finding different_decisions(const RunOutcome& a, const RunOutcome& b) {
  const RegretSummary &r = a.regret, &s = b.regret;
  if (r.evaluations != s.evaluations) return sides("evaluations", r.evaluations, s.evaluations);
  if (a.rounds.size() != b.rounds.size()) return sides("rounds", a.rounds.size(), b.rounds.size());
  const bool in_turn = !rounds_overlap(a) && !rounds_overlap(b);
  for (std::size_t i = 0; i < a.rounds.size() && in_turn; ++i) {
    const RoundRecord &x = a.rounds[i], &y = b.rounds[i];
    if (std::tie(x.best, x.active_cells, x.kept_cells, x.pulls_per_cell, x.steps) !=
        std::tie(y.best, y.active_cells, y.kept_cells, y.pulls_per_cell, y.steps))
      return fmt::format("round {}", x.round.value);
  }
  if (r.recommendation != s.recommendation) return "the recommendation";
  if (r.local_recommendations != s.local_recommendations) return "a client's recommendation";
  if (r.cumulative != s.cumulative) return sides("cumulative regret", r.cumulative, s.cumulative);
  if (r.local_cumulative != s.local_cumulative)
    return sides("local cumulative regret", r.local_cumulative, s.local_cumulative);
  if (a.arms.pulls != b.arms.pulls) return sides("pulls", a.arms.pulls, b.arms.pulls);
  if (a.arms.answer != b.arms.answer) return "the answer";
  for (std::size_t i = 0; i < a.arms.arms.size(); ++i) {
    const ArmRecord &x = a.arms.arms[i], &y = b.arms.arms[i];
    // Which pull of several at once came last depends on the network.
    if (std::tie(x.pulls, x.best) != std::tie(y.pulls, y.best))
      return fmt::format("arm {}", x.name);
  }
  return std::nullopt;
}

std::string fingerprint_text(const Fingerprint& f) {
  return fmt::format("{:016x} {:016x} {:016x}", f.deliveries, f.accounts, f.numbers);
}

/// What differs between two runs of one scenario that must be equal.
Finding different(const Scenario& scenario, const ScenarioResult& a, const ScenarioResult& b) {
  for (std::size_t i = 0; i < a.runs.size(); ++i) {
    const RunOutcome& one = a.runs[i].result.outcome;
    const RunOutcome& other = b.runs[i].result.outcome;
    if (reached_event_limit(scenario, a.runs[i])) continue;
    const auto status = [](const RunOutcome& outcome) {
      return fmt::format("{} {}", to_string(outcome.status), outcome.report);
    };
    if (one.status != other.status) return sides("status", status(one), status(other));
    if (one.fingerprint != other.fingerprint)
      return sides("fingerprints (deliveries, accounts, numbers)",
                   fingerprint_text(one.ingredients),
                   fingerprint_text(other.ingredients));
    if (a.runs[i].results_hash != b.runs[i].results_hash)
      return "equal fingerprints, but the values of the result files differ";
    if (one.report != other.report) return sides("reports", one.report, other.report);
    for (std::size_t r = 0; r < one.rounds.size(); ++r)
      if (one.rounds[r].path != other.rounds[r].path)
        return fmt::format("critical paths of round {}", one.rounds[r].round.value);
  }
  return std::nullopt;
}

/// The scenario on a perfect network: a constant latency, nothing else.
Scenario without_faults(Scenario scenario) {
  NetworkScenario ideal;
  const DurationSpec& constant = *find_duration_spec("constant");
  ideal.defaults.latency =
      Component{"constant", &constant.parameters, default_parameters(constant.parameters)};
  ideal.defaults.latency->parameters.set("value", Duration::seconds(0.01));
  ideal.defaults.loss = Component{"none", &find_loss_spec("none")->parameters, {}};
  ideal.defaults.rule.duplication = 0.0;
  ideal.defaults.rule.fifo = false;
  ideal.topology = scenario.network.topology;
  scenario.network = ideal;
  scenario.faults.clear();
  scenario.limits.virtual_time = Time::max();
  return scenario;
}

/// Compares the runs with those of the scenario in which `parameter` has its plain `value`, on a
/// perfect network.
Finding plain_value_decides_otherwise(const Trial& trial,
                                      const std::string& parameter,
                                      const ParameterValue& value,
                                      const std::string& what) {
  const auto& given = trial.scenario.algorithms.front().parameters.all();
  const auto it = given.find(parameter);
  if (it == given.end() || it->second == value) return std::nullopt;
  Scenario plain = without_faults(trial.scenario);
  plain.algorithms.front().parameters.set(parameter, value);
  const auto ideal = run_on(Kernel::serial, plain);
  std::size_t i = 0;
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const RunOutcome& perfect = ideal.runs[i++].result.outcome;
    const RunOutcome& real = run.result.outcome;
    if (real.status != RunStatus::finished || !all_messages_arrive(trial.scenario, real) ||
        has_liars(trial.scenario) || has_endless_fault(trial.scenario))
      return std::nullopt;
    const Finding found = different_decisions(perfect, real);
    return found ? what + ": " + *found : found;
  });
}

/// The record of an answer that arrived after the policy had closed its round; null if there is
/// none.
const MessageRecord* late_answer(const RunRecord& run) {
  for (const auto& row : run.result.outcome.rounds)
    for (const NodeId late : row.late)
      for (const auto& message : run.result.messages)
        if (message.from == late && message.to == NodeId{0} && message.round == row.round &&
            message.outcome == MessageOutcome::delivered && message.type != kAcknowledgement)
          return &message;
  return nullptr;
}

/// Lines with rates, FIFO links and the time that a node takes to handle a message let a message
/// delay others.
bool messages_are_independent(const Scenario& scenario) {
  const NetworkScenario& network = scenario.network;
  const auto independent = [](const LinkConfig& link) {
    return !link.rule.rate && !link.rule.fifo.value_or(false);
  };
  return network.transport == Transport::datagram && network.nodes.empty() &&
         scenario.service.empty() && independent(network.defaults) &&
         std::all_of(network.links.begin(), network.links.end(), independent);
}

/// Whether the order of equal times may decide something in this run.
bool order_matters(const SimulationSpec& spec) {
  const Nodes nodes(spec.protocol->groups());
  return World(spec, nodes).ties_matter();
}

// --- cancelling --------------------------------------------------------------------------------

}  // namespace

Finding differs_on_another_kernel(const Trial& trial) {
  Draws draws(trial.scenario.seed, "kernel");
  const Kernel kernel = draws.one_of({Kernel::windows, Kernel::actors});
  const std::size_t threads = draws.whole(1, 4) * trial.result.runs.size();
  const Finding found =
      different(trial.scenario, trial.result, run_on(kernel, trial.scenario, threads));
  if (!found) return std::nullopt;
  return fmt::format(
      "serial kernel and {} with {} threads: {}", to_string(kernel), threads, *found);
}

Finding differs_when_resolved(const Trial& trial) {
  const std::string resolved = to_toml(trial.scenario);
  Diagnostics diagnostics;
  const Scenario again =
      read_scenario(table_value(resolved_tree(trial.scenario)), "resolved.toml", diagnostics);
  if (!diagnostics.empty()) return diagnostics.text() + resolved;
  if (to_toml(again) != resolved) return "the resolved scenario is resolved differently";
  return different(trial.scenario, trial.result, run_on(Kernel::serial, again));
}

Finding faults_change_decisions(const Trial& trial) {
  const auto promised = [&](const RunRecord& run) {
    return promises_equal_decisions(trial.scenario, run);
  };
  if (std::none_of(trial.result.runs.begin(), trial.result.runs.end(), promised))
    return std::nullopt;
  const auto ideal = run_on(Kernel::serial, without_faults(trial.scenario));
  std::size_t i = 0;
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const RunOutcome& perfect = ideal.runs[i++].result.outcome;
    if (!promised(run)) return std::nullopt;
    if (perfect.status != RunStatus::finished)
      return "finished, but not without faults: " + perfect.report;
    const Finding found = different_decisions(perfect, run.result.outcome);
    return found ? "without and with faults: " + *found : found;
  });
}

/// Gossip is inexact.
Finding exchange_changes_decisions(const Trial& trial) {
  const auto& given = trial.scenario.algorithms.front().parameters.all();
  const auto way = given.find("exchange");
  if (way != given.end() && way->second == ParameterValue(std::string("gossip")))
    return std::nullopt;
  return plain_value_decides_otherwise(
      trial, "exchange", std::string("mesh"), "in a mesh and in this exchange");
}

Finding edges_change_decisions(const Trial& trial) {
  return plain_value_decides_otherwise(
      trial, "edges", std::int64_t{0}, "in a star and in this hierarchy");
}

/// Records the runs on a perfect network and lets the records happen on the scenario's.
Finding record_happens_otherwise(const Trial& trial) {
  const Scenario perfect = without_faults(trial.scenario);
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const AlgorithmEntry& entry = trial.scenario.algorithms[run.algorithm];
    const Workload workload = make_workload(trial.scenario, entry, run.repetition);
    const auto protocol = make_protocol(trial.scenario, entry, workload, run.repetition);
    const RunOutcome& real = run.result.outcome;
    const auto spec = make_simulation(trial.scenario, entry, workload, *protocol, run.repetition);
    if (!obstacle_to_retiming(spec, real).empty()) return std::nullopt;
    auto ideal = make_simulation(perfect, entry, workload, *protocol, run.repetition);
    ideal.record = true;
    const auto recorded = run_serial(ideal).recorded;
    if (!recorded->obstacle.empty()) return "not recorded: " + recorded->obstacle;
    const auto repeated = make_recorded_protocol(*entry.spec, *recorded);
    const Workload nothing;
    const RunOutcome retimed =
        run_serial(make_simulation(trial.scenario, entry, nothing, *repeated, run.repetition))
            .outcome;
    if (retimed.finished_at != real.finished_at)
      return fmt::format(
          "ends at {} ns, really at {} ns", retimed.finished_at.ns, real.finished_at.ns);
    if (retimed.ingredients.deliveries != real.ingredients.deliveries) return "other deliveries";
    if (retimed.ingredients.accounts != real.ingredients.accounts) return "other accounts";
    return std::nullopt;
  });
}

Finding late_answers_change_decisions(const Trial& trial) {
  if (waits_for_all(trial.scenario) || !messages_are_independent(trial.scenario))
    return std::nullopt;
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const MessageRecord* late = late_answer(run);
    if (late == nullptr || run.repetition != 0 || run.result.outcome.status != RunStatus::finished)
      return std::nullopt;
    Scenario lost = trial.scenario;
    lost.repeat = 1;
    lost.network.drops.push_back({{},
                                  {std::string(late->type),
                                   late->round,
                                   run.start.names.name(late->from),
                                   run.start.names.name(late->to)}});
    const auto without = run_on(Kernel::serial, lost);
    const Finding found =
        different_decisions(run.result.outcome, without.runs.front().result.outcome);
    if (!found) return std::nullopt;
    return fmt::format("with and without the late {} of {} in round {}: {}",
                       late->type,
                       run.start.names.name(late->from),
                       late->round.value,
                       *found);
  });
}

/// With another order of equal times the run must be the same, and so must its decisions and
/// accounts if roles get all that comes at one instant in that order, whatever their protocol says;
/// unless lines, repetitions or faults depend on when a node sends. What is repeated may then take
/// so much longer that the run reaches a limit.
Finding ties_change_decisions(const Trial& trial) {
  Draws draws(trial.scenario.seed, "order");
  Scenario other = trial.scenario;
  other.network.ties = draws.one_of({Ties{Ties::Rule::source},
                                     Ties{Ties::Rule::reversed},
                                     Ties{Ties::Rule::keyed, draws.below(1000)}});
  const auto text = text_of(other.network.ties);
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const RunOutcome& usual = run.result.outcome;
    const AlgorithmEntry& entry = trial.scenario.algorithms[run.algorithm];
    const Workload workload = make_workload(trial.scenario, entry, run.repetition);
    const auto protocol = make_protocol(trial.scenario, entry, workload, run.repetition);
    auto spec = make_simulation(other, entry, workload, *protocol, run.repetition);
    if (usual.status != RunStatus::finished || order_matters(spec)) return std::nullopt;
    if (run_serial(spec).outcome.fingerprint != usual.fingerprint)
      return fmt::format("another fingerprint with ties = {}", text);
    spec.order_matters_everywhere = true;
    const RunOutcome forced = run_serial(spec).outcome;
    const bool takes_longer =
        forced.status == RunStatus::limit_reached && spec.network.transport == Transport::reliable;
    if (takes_longer) return std::nullopt;
    Finding found;
    if (forced.status == RunStatus::failed)
      found = forced.report;
    else if (all_messages_arrive(trial.scenario, usual) && !has_endless_fault(trial.scenario) &&
             !loses_state(trial.scenario) && !has_liars(trial.scenario))
      found = different_decisions(usual, forced);
    if (!found && messages_are_independent(trial.scenario) && trial.scenario.faults.empty() &&
        forced.ingredients.accounts != usual.ingredients.accounts)
      found = "other accounts";
    return found ? fmt::format("roles get equal times in the order {}: {}", text, *found) : found;
  });
}

Finding does_not_cancel(const Trial& trial) {
  Draws draws(trial.scenario.seed, "cancel");
  RunOptions options;
  options.traces.messages = true;
  options.kernel = draws.one_of({Kernel::serial, Kernel::windows, Kernel::actors});
  options.threads = draws.whole(1, 2);
  const std::uint64_t events = trial.result.runs.front().result.outcome.events;
  const std::uint64_t moment = draws.below(events + 1);
  RunMonitor monitor(trial.result.runs.size());
  std::atomic<bool> over{false};
  const auto cancel = [&] {
    monitor.cancel = true;
    for (auto& slot : monitor.slots) slot.progress.cancel = true;
  };
  ScenarioResult partial;
  if (moment < events / 8) cancel();  // before it begins
  std::thread other([&] {
    while (!over && monitor.slots.front().progress.events < moment) std::this_thread::yield();
    cancel();
  });
  partial = run_scenario(trial.scenario, options, monitor);
  over = true;
  other.join();
  for (const RunRecord& run : partial.runs) {
    if (!run.started) continue;
    if (run.result.outcome.status == RunStatus::failed)
      return "cancelled, it failed: " + run.result.outcome.report;
    if (const Finding found = unbalanced(run, trial.scenario.network.wire))
      return "cancelled: " + *found;
    const auto& whole = trial.result.runs[static_cast<std::size_t>(&run - partial.runs.data())];
    if (run.result.outcome.regret.evaluations > whole.result.outcome.regret.evaluations &&
        run.result.outcome.status == RunStatus::stopped &&
        !reached_event_limit(trial.scenario, whole))
      return "cancelled, it has more evaluations than the whole run";
    if (run.result.outcome.status == RunStatus::finished &&
        run.result.outcome.fingerprint != whole.result.outcome.fingerprint)
      return fmt::format(
          "cancelled on the {} kernel, it finished at {} s after {} events, without "
          "that {} at {} s after {} events",
          to_string(options.kernel),
          run.result.outcome.finished_at.to_seconds(),
          run.result.outcome.events,
          to_string(whole.result.outcome.status),
          whole.result.outcome.finished_at.to_seconds(),
          whole.result.outcome.events);
  }
  return std::nullopt;
}

}  // namespace posse::fates
