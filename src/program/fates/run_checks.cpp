// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/network/nodes.hpp"
#include "core/network/wire.hpp"
#include "program/fates/checks.hpp"

namespace posse::fates {
namespace {

/// Some message was given up after all its transmissions.
bool gave_up(const RunRecord& run, std::uint32_t max_tries) {
  std::map<std::tuple<NodeId, NodeId, std::uint32_t>, std::uint32_t> lost;  // copies by message
  for (const MessageRecord& m : run.result.messages)
    if (m.content != 0 && m.outcome == MessageOutcome::dropped)
      if (++lost[{m.from, m.to, m.number}] >= max_tries) return true;
  return false;
}

Direction direction_of(const MessageRecord& message, Topology topology) {
  if (!has_hub(topology)) return Direction::peer;
  // Nodes below others have larger numbers.
  return message.from < message.to ? Direction::down : Direction::up;
}

/// Copies by fate, counted from the message records.
struct Fates {
  std::uint64_t all = 0, delivered = 0, discarded = 0, loss = 0, queue = 0, partition = 0,
                crash = 0, in_flight = 0, needless = 0;
  std::uint64_t bytes = 0;

  void add(const MessageRecord& message, const WireFormat* wire) {
    ++all;
    bytes += message.bytes;
    // The first transmission on a link opens it.
    if (wire != nullptr && message.transmission == 0)
      bytes += wire->handshake_bytes(message.from, message.to);
    needless += message.needless;
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
  const std::uint64_t ended = account.ended() + account.in_flight;
  if (account.copies() != ended)
    return sides(name + ": copies that began and that ended", account.copies(), ended);
  const std::tuple booked{account.copies(),
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
        account.copies(),
        seen.all,
        account.delivered,
        seen.delivered,
        account.dropped(),
        seen.dropped(),
        account.in_flight,
        seen.in_flight);
  if (account.needless != seen.needless || account.needless > account.repeated)
    return fmt::format("{}: of {} repetitions the account has {} needless ones, the trace {}",
                       name,
                       account.repeated,
                       account.needless,
                       seen.needless);
  if (account.wire_bytes != seen.bytes)
    return sides(name + ": bytes on the wire in the account and in the trace",
                 account.wire_bytes,
                 seen.bytes);
  return std::nullopt;
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

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

// --- transport ---------------------------------------------------------------------------------

}  // namespace

Finding rejected(const Trial& trial) {
  return trial.mistakes.empty() ? Finding{} : Finding{trial.mistakes};
}

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

Finding decides_early(const Trial& trial) {
  return in_each_run(trial, [](const RunRecord& run) -> Finding {
    const std::uint64_t early = run.result.outcome.early_decisions;
    if (early == 0) return std::nullopt;
    return fmt::format("{} decisions before the evaluations that they rest on were done", early);
  });
}

Finding rounds_wrong(const Trial& trial) {
  return in_each_run(trial, [&](const RunRecord& run) -> Finding {
    const auto& rounds = run.result.outcome.rounds;
    const bool hub = has_hub(run.start.topology);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (const Finding found = wrong_round(trial, run, rounds[i]))
        return fmt::format("round {}: {}", rounds[i].round.value, *found);
      if (i > 0 && rounds[i].round <= rounds[i - 1].round) return "rounds are out of order";
      // Without a hub, a player that meets no other ends its rounds alone: before players that are
      // still in earlier ones.
      const auto earlier = [&](const RoundRecord& row) {
        return row.ended < rounds[i].ended && row.steps > rounds[i].steps &&
               (hub || row.round < rounds[i].round);
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
    for (const MessageRecord& message : run.result.messages)
      if (message.type != kAcknowledgement && message.round.value > plan.largest_round())
        return sides("round of a message and plan", message.round.value, plan.largest_round());
    return std::nullopt;
  });
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

}  // namespace posse::fates
