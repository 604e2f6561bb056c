#include "program/chaos/properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "core/network/nodes.hpp"
#include "core/network/wire.hpp"
#include "program/chaos/draws.hpp"
#include "program/chaos/scenario_tree.hpp"

namespace posse {
namespace {

using Finding = std::optional<std::string>;

std::string_view to_string(Kernel kernel) {
  return kernel == Kernel::serial ? "serial" : kernel == Kernel::windows ? "window" : "actors";
}

/// Applies a check to every run of the trial; the first finding, with the run's name.
template <class Check>
Finding in_each_run(const Trial& trial, Check check) {
  for (const RunRecord& run : trial.result.runs)
    if (const Finding found = check(run))
      return fmt::format("{}, repetition {}: {}",
                         trial.scenario.algorithms[run.algorithm].label,
                         run.repetition,
                         *found);
  return std::nullopt;
}

std::string sides(std::string_view what, auto a, auto b) {
  return fmt::format("{}: {} and {}", what, a, b);
}

// --- the reader --------------------------------------------------------------------------------

Finding rejected(const Trial& trial) {
  return trial.mistakes.empty() ? Finding{} : Finding{trial.mistakes};
}

// --- how a run ends ----------------------------------------------------------------------------

Finding failed(const Trial& trial) {
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    if (run.result.outcome.status != RunStatus::failed) return std::nullopt;
    return run.result.outcome.report;
  });
}

Finding breaks_bound(const Trial& trial) {
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    if (run.result.outcome.status != RunStatus::finished) return std::nullopt;
    for (const auto& m : run.measurements)
      if (violated(m))
        return fmt::format("{} = {}, but {} {} ({})",
                           m.name,
                           m.measured,
                           m.bound->is_identity ? "must equal" : "its bound is",
                           m.bound->value,
                           m.bound->note);
    return std::nullopt;
  });
}

/// Some message was given up after all its transmissions.
bool gave_up(const RunRecord& run, std::uint32_t max_tries) {
  std::map<std::tuple<NodeId, NodeId, std::uint32_t>, std::uint32_t> lost;  // copies by message
  for (const MessageRecord& m : run.result.messages)
    if (m.content != 0 && m.outcome == MessageOutcome::dropped)
      if (++lost[{m.from, m.to, m.number}] >= max_tries) return true;
  return false;
}

Finding stalls_without_reason(const Trial& trial) {
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const RunOutcome& outcome = run.result.outcome;
    if (outcome.status == RunStatus::finished) return std::nullopt;
    if (outcome.status == RunStatus::limit_reached) {
      const bool limited = reached_event_limit(trial.scenario, run) ||
                           outcome.last_event >= trial.scenario.limits.virtual_time ||
                           trial.scenario.limits.virtual_time != Time::max();
      return limited ? Finding{} : Finding{"a limit was reached that is not there"};
    }
    if (outcome.status != RunStatus::stalled) return std::nullopt;  // other properties
    if (outcome.report.empty()) return "stalled without a report";
    const bool lost_for_good =
        has_endless_fault(trial.scenario) || loses_state(trial.scenario) ||
        (is_reliable(trial.scenario) ? gave_up(run, trial.scenario.network.retransmission.max_tries)
                                     : !outcome.lossless);
    return lost_for_good ? Finding{}
                         : "stalled, though nothing was lost for good: " + outcome.report;
  });
}

// --- the ledger --------------------------------------------------------------------------------

Direction direction_of(const MessageRecord& message, Topology topology) {
  if (!has_hub(topology)) return Direction::peer;
  // Nodes below others have larger numbers.
  return message.from < message.to ? Direction::down : Direction::up;
}

/// Copies by fate, counted from the message records.
struct Fates {
  std::uint64_t all = 0, delivered = 0, discarded = 0, loss = 0, queue = 0, partition = 0,
                crash = 0, in_flight = 0;
  std::uint64_t bytes = 0;

  void add(const MessageRecord& message, const WireFormat* wire) {
    ++all;
    bytes += message.bytes;
    // The first transmission on a link opens it.
    if (wire != nullptr && message.transmission == 0)
      bytes += wire->handshake_bytes(message.from, message.to);
    switch (message.outcome) {
      case MessageOutcome::delivered:
        ++delivered;
        return;
      case MessageOutcome::discarded:
        ++discarded;
        return;
      case MessageOutcome::in_flight:
        ++in_flight;
        return;
      case MessageOutcome::dropped:
        break;
    }
    switch (message.cause) {
      case DropCause::loss:
        ++loss;
        return;
      case DropCause::queue:
        ++queue;
        return;
      case DropCause::partition:
        ++partition;
        return;
      case DropCause::crash:
        ++crash;
        return;
      case DropCause::none:
        return;
    }
  }
  std::uint64_t dropped() const { return loss + queue + partition + crash; }
};

Finding unbalanced_account(const TypeAccount& account, const Fates& seen) {
  const auto name = fmt::format("{} ({})", account.type, to_string(account.direction));
  const std::uint64_t started = account.sent + account.repeated + account.duplicated;
  const std::uint64_t dropped = account.dropped_loss + account.dropped_queue +
                                account.dropped_partition + account.dropped_crash;
  const std::uint64_t ended = account.delivered + account.discarded + dropped + account.in_flight;
  if (started != ended) return sides(name + ": copies that began and that ended", started, ended);
  const std::tuple booked{started,
                          account.delivered,
                          account.discarded,
                          account.dropped_loss,
                          account.dropped_queue,
                          account.dropped_partition,
                          account.dropped_crash,
                          account.in_flight};
  const std::tuple traced{seen.all,
                          seen.delivered,
                          seen.discarded,
                          seen.loss,
                          seen.queue,
                          seen.partition,
                          seen.crash,
                          seen.in_flight};
  if (booked != traced)
    return fmt::format(
        "{}: the account has {} copies, the trace {} (delivered {} and {}, dropped "
        "{} and {}, in flight {} and {})",
        name,
        started,
        seen.all,
        account.delivered,
        seen.delivered,
        dropped,
        seen.dropped(),
        account.in_flight,
        seen.in_flight);
  if (account.wire_bytes != seen.bytes)
    return sides(name + ": bytes on the wire in the account and in the trace",
                 account.wire_bytes,
                 seen.bytes);
  return std::nullopt;
}

/// The accounts against the message records.
Finding unbalanced(const RunRecord& run, const std::optional<Wire>& stack) {
  const WireFormat* wire = stack ? &wire_format(*stack) : nullptr;
  const RunOutcome& outcome = run.result.outcome;
  if (outcome.status == RunStatus::ledger_violated) return outcome.report;
  std::map<std::pair<std::string_view, Direction>, Fates> by_type;
  std::map<std::pair<NodeId, NodeId>, Fates> by_link;
  for (const auto& message : run.result.messages) {
    by_type[{message.type, direction_of(message, run.start.topology)}].add(message, wire);
    by_link[{message.from, message.to}].add(message, wire);
  }
  for (const auto& account : outcome.accounts) {
    const auto seen = by_type.extract({account.type, account.direction});
    if (Finding found = unbalanced_account(account, seen ? seen.mapped() : Fates{})) return found;
  }
  if (!by_type.empty())
    return fmt::format("{}: traced, but without an account", by_type.begin()->first.first);
  for (const auto& link : outcome.links) {
    const auto it = by_link.find({link.from, link.to});
    const Fates seen = it == by_link.end() ? Fates{} : it->second;
    // A copy that the receiver drops has arrived on the link.
    const bool balanced = link.departed == seen.all &&
                          link.departed == link.arrived + link.dropped + seen.in_flight &&
                          link.dropped >= seen.loss + seen.partition &&
                          link.dropped <= seen.loss + seen.partition + seen.queue;
    if (!balanced)
      return fmt::format("link {} > {}: departed {} and {}, arrived {} and {}, dropped {} and {}",
                         run.start.names.name(link.from),
                         run.start.names.name(link.to),
                         link.departed,
                         seen.all,
                         link.arrived,
                         seen.delivered + seen.discarded,
                         link.dropped,
                         seen.dropped());
  }
  return std::nullopt;
}

Finding ledger_wrong(const Trial& trial) {
  return in_each_run(
      trial, [&](const RunRecord& run) { return unbalanced(run, trial.scenario.network.wire); });
}

/// A copy can't arrive sooner than the smallest latency allows, nor after the end.
Finding arrives_too_soon(const Trial& trial) {
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    const RunOutcome& outcome = run.result.outcome;
    for (const auto& message : run.result.messages) {
      if (!message.arrived()) continue;
      if (message.delivered < message.sent + run.result.smallest_latency)
        return fmt::format("a {} took {} ns, but no latency is below {} ns",
                           message.type,
                           (message.delivered - message.sent).ns,
                           run.result.smallest_latency.ns);
      if (outcome.status == RunStatus::finished && message.delivered > outcome.finished_at)
        return fmt::format("a {} arrived {} ns after the end",
                           message.type,
                           (message.delivered - outcome.finished_at).ns);
    }
    return std::nullopt;
  });
}

// --- samples -----------------------------------------------------------------------------------

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

Finding counts_samples_twice(const Trial& trial) {
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const RunOutcome& outcome = run.result.outcome;
    const AlgorithmEntry& entry = trial.scenario.algorithms[run.algorithm];
    const RegretSummary& regret = outcome.regret;
    if (entry.spec->needs_problem) {
      const std::uint64_t budget = trial.scenario.problem->budget;
      if (regret.max_evaluations > budget)
        return fmt::format(
            "a client has {} evaluations, the budget is {}", regret.max_evaluations, budget);
      if (regret.evaluations > budget * entry.clients)
        return sides("evaluations and budget of all", regret.evaluations, budget * entry.clients);
      if (!std::isfinite(regret.cumulative) || !std::isfinite(regret.local_cumulative) ||
          !all_finite(regret.recommendation) || !all_finite(regret.by_client))
        return "a regret or recommendation is not finite";
    }
    std::uint64_t of_arms = 0;
    for (const auto& arm : outcome.arms.arms) of_arms += arm.pulls;
    if (of_arms != outcome.arms.pulls)
      return sides("pulls of all arms and their sum", outcome.arms.pulls, of_arms);
    const double most = run.start.forecast.evaluations;
    if (static_cast<double>(outcome.arms.pulls) > most)
      return sides("pulls and the most that were planned", outcome.arms.pulls, most);
    return std::nullopt;
  });
}

// --- rounds ------------------------------------------------------------------------------------

/// The nodes from which node 0 had a message of this round by its end.
std::size_t answers_by(const RunRecord& run, const RoundRecord& row) {
  std::set<NodeId> from;
  for (const auto& message : run.result.messages)
    if (message.outcome == MessageOutcome::delivered && message.to == NodeId{0} &&
        message.round == row.round && message.type != kAcknowledgement &&
        message.delivered <= row.ended)
      from.insert(message.from);
  return from.size();
}

Finding wrong_round(const Trial& trial, const RunRecord& run, const RoundRecord& row) {
  if (row.arrived > row.expected)
    return sides("answers that arrived and that were asked for", row.arrived, row.expected);
  if (row.arrived + row.late.size() != row.expected && has_hub(run.start.topology))
    return fmt::format("{} answers arrived, {} were late, {} were asked for",
                       row.arrived,
                       row.late.size(),
                       row.expected);
  if (waits_for_all(trial.scenario) && row.arrived != row.expected)
    return sides("answers and those to wait for", row.arrived, row.expected);
  // An arm may answer for several instances in one round.
  const bool one_each = !trial.scenario.algorithms[run.algorithm].spec->needs_arms;
  if (has_hub(run.start.topology) && one_each) {
    const std::size_t from = answers_by(run, row);
    if (from < row.arrived)
      return sides("answers counted and nodes that answered", row.arrived, from);
  }
  if (row.ended < row.began) return "it ends before it begins";
  return std::nullopt;
}

Finding rounds_wrong(const Trial& trial) {
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const auto& rounds = run.result.outcome.rounds;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (const Finding found = wrong_round(trial, run, rounds[i]))
        return fmt::format("round {}: {}", rounds[i].round.value, *found);
      if (i > 0 && rounds[i].round <= rounds[i - 1].round) return "rounds are out of order";
      // Rounds that are open at the same time may end in another order.
      const auto earlier = [&](const RoundRecord& row) {
        return row.ended < rounds[i].ended && row.steps > rounds[i].steps;
      };
      if (std::any_of(rounds.begin(), rounds.end(), earlier))
        return fmt::format("round {}: fewer steps than a round that ended before",
                           rounds[i].round.value);
    }
    return std::nullopt;
  });
}

/// Only a node that crashed may lose track of what led to its work.
Finding path_wrong(const Trial& trial) {
  const auto& faults = trial.scenario.faults;
  const bool crashes = std::any_of(faults.begin(), faults.end(), [](const FaultConfig& fault) {
    const auto* of_node = std::get_if<NodeFault>(&fault.what);
    return of_node != nullptr && of_node->kind == NodeFaultKind::crash;
  });
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    for (const RoundRecord& round : run.result.outcome.rounds) {
      const auto number = fmt::format("round {}", round.round.value);
      if (!round.path) return number + " has no critical path";
      Duration sum;
      for (const auto& part : kCriticalPathParts) {
        const Duration time = (*round.path).*part.time;
        if (time.ns < 0) return fmt::format("{}: {} takes {} ns", number, part.name, time.ns);
        sum += time;
      }
      if (sum != round.ended - round.began)
        return fmt::format(
            "{}: {} ns on the path, {} ns in all", number, sum.ns, (round.ended - round.began).ns);
      if (!crashes && round.path->unknown.ns > 0)
        return fmt::format("{}: {} ns before a known path", number, round.path->unknown.ns);
    }
    return std::nullopt;
  });
}

// --- transport ---------------------------------------------------------------------------------

Finding delivers_twice(const Trial& trial) {
  if (!is_reliable(trial.scenario)) return std::nullopt;
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    for (const auto& account : run.result.outcome.accounts)
      if (account.type != kAcknowledgement && account.delivered > account.sent)
        return fmt::format("{} {} were sent, but {} were delivered",
                           account.sent,
                           account.type,
                           account.delivered);
    return std::nullopt;
  });
}

Finding exceeds_plan(const Trial& trial) {
  if (loses_state(trial.scenario)) return std::nullopt;  // what was lost is asked for again
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    const RunOutcome& outcome = run.result.outcome;
    const Forecast& plan = run.start.forecast;
    const auto messages =
        outcome.total(&TypeAccount::sent) - outcome.total(&TypeAccount::sent, kAcknowledgement);
    if (static_cast<double>(outcome.regret.evaluations) > plan.evaluations)
      return sides("evaluations and plan", outcome.regret.evaluations, plan.evaluations);
    if (static_cast<double>(outcome.complete_rounds) > plan.rounds)
      return sides("rounds and plan", outcome.complete_rounds, plan.rounds);
    if (static_cast<double>(messages) > plan.messages)
      return sides("messages and plan", messages, plan.messages);
    return std::nullopt;
  });
}

// --- the same run in other ways ----------------------------------------------------------------

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
  Diagnostics diagnostics;
  const std::string resolved = to_toml(trial.scenario);
  Value root = parse_toml(resolved, "resolved.toml", diagnostics);
  Table inputs;
  for (const auto& file : trial.scenario.inputs.files())
    inputs[file.stored] = text_value(*file.content);
  if (!inputs.empty()) std::get<Table>(root.data)["inputs"] = table_value(std::move(inputs));
  Scenario again;
  if (diagnostics.empty()) again = read_scenario(root, "resolved.toml", diagnostics);
  if (!diagnostics.empty()) return diagnostics.text() + resolved;
  if (to_toml(again) != resolved) return "the resolved scenario is resolved differently";
  return different(trial.scenario, trial.result, run_on(Kernel::serial, again));
}

// --- decisions ---------------------------------------------------------------------------------

/// The scenario on a perfect network: a constant latency, nothing else.
Scenario without_faults(Scenario scenario) {
  NetworkScenario ideal;
  const DurationSpec& constant = *find_duration_spec("constant");
  ideal.defaults.latency =
      Component{"constant", &constant.parameters, default_parameters(constant.parameters)};
  ideal.defaults.latency->parameters.set("value", Duration::seconds(0.01));
  ideal.defaults.loss = Component{"none", &find_loss_spec("none")->parameters, {}};
  ideal.defaults.duplication = 0.0;
  ideal.defaults.fifo = false;
  ideal.topology = scenario.network.topology;
  scenario.network = ideal;
  scenario.faults.clear();
  scenario.limits.virtual_time = Time::max();
  return scenario;
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
    if (run.result.outcome.status != RunStatus::finished || has_liars(trial.scenario))
      return std::nullopt;
    const Finding found = different_decisions(perfect, run.result.outcome);
    return found ? what + ": " + *found : found;
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

/// Lines with rates and FIFO links let a message delay others.
bool messages_are_independent(const NetworkScenario& network) {
  const auto independent = [](const LinkConfig& link) {
    return !link.rate && !link.fifo.value_or(false);
  };
  return network.transport == Transport::datagram && network.nodes.empty() &&
         independent(network.defaults) &&
         std::all_of(network.links.begin(), network.links.end(), independent);
}

Finding late_answers_change_decisions(const Trial& trial) {
  if (waits_for_all(trial.scenario) || !messages_are_independent(trial.scenario.network))
    return std::nullopt;
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const MessageRecord* late = late_answer(run);
    if (late == nullptr || run.repetition != 0 || run.result.outcome.status != RunStatus::finished)
      return std::nullopt;
    Scenario lost = trial.scenario;
    lost.repeat = 1;
    lost.network.drops.push_back({std::string(late->type),
                                  late->round,
                                  run.start.names.name(late->from),
                                  run.start.names.name(late->to)});
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

// --- cancelling --------------------------------------------------------------------------------

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

/// Several rounds are open at the same time: what a row says depends on the order of their ends.
bool rounds_overlap(const RunOutcome& outcome) {
  return std::adjacent_find(
             outcome.rounds.begin(), outcome.rounds.end(), [](const auto& row, const auto& next) {
               return next.began < row.ended;
             }) != outcome.rounds.end();
}

}  // namespace

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

const std::vector<ChaosProperty>& chaos_properties() {
  static const std::vector<ChaosProperty> all = {
      {"the reader accepts the scenario", rejected},
      {"no run fails", failed},
      {"no bound that always holds is violated", breaks_bound},
      {"only what lost something for good stalls", stalls_without_reason},
      {"the ledger balances and agrees with the trace", ledger_wrong},
      {"no copy arrives before it can or after the end", arrives_too_soon},
      {"no sample is counted twice", counts_samples_twice},
      {"rounds count the answers that arrived", rounds_wrong},
      {"the critical path of a round takes as long as the round", path_wrong},
      {"the reliable transport delivers nothing twice", delivers_twice},
      {"no run costs more than its plan", exceeds_plan},
      {"every kernel and number of threads gives the same run", differs_on_another_kernel},
      {"the resolved scenario gives the same run", differs_when_resolved},
      {"faults change no decision", faults_change_decisions},
      {"every exact exchange has the decisions of the mesh", exchange_changes_decisions},
      {"every hierarchy has the decisions of the star", edges_change_decisions},
      {"a record happens on another network as the run does", record_happens_otherwise},
      {"answers that come too late change no decision", late_answers_change_decisions},
      {"a cancelled run ends with a balanced ledger", does_not_cancel},
  };
  return all;
}

std::vector<ChaosViolation> violations_of(const Trial& trial, std::string_view property) {
  std::vector<ChaosViolation> found;
  for (const ChaosProperty& each : chaos_properties()) {
    if (property.empty() || each.name == property)
      if (auto what = each.violation(trial))
        found.push_back({std::string(each.name), std::move(*what)});
    if (!trial.mistakes.empty()) break;  // the others need a run
  }
  return found;
}

std::string with_violation(const ChaosViolation& violation, const std::string& text) {
  std::string comment = fmt::format("# Violated: {}.\n# ", violation.property);
  for (const char c : violation.what) comment += c == '\n' ? "\n# " : std::string(1, c);
  return comment + "\n\n" + text;
}

}  // namespace posse
