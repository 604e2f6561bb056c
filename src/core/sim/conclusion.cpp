// SPDX-License-Identifier: Apache-2.0
#include "core/sim/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/sim/fingerprint.hpp"

namespace posse {
namespace {

/// `until`: acknowledgements that arrive later are on their way.
void add_up(const World& world, const std::vector<Worker*>& workers, Time until, RunOutcome& out) {
  const LinkMap& links = world.links().map();
  const bool with_links = world.nodes() <= kMostNodesWithLinks;
  std::vector<std::uint64_t> on_their_way(with_links ? links.links() : 0);
  for (const auto* worker : workers) {
    for (const ForeseenArrival& each : worker->foreseen) {
      if (each.arrival <= until) continue;
      --out.deliveries;
      if (with_links) ++on_their_way[each.link.value];
    }
    out.events += worker->events;
    out.deliveries += worker->deliveries;
    out.ties += worker->ties;
    out.early_decisions += worker->early_decisions;
    out.finished_at = std::max(out.finished_at, worker->finished_at);  // unless the end is known
    out.last_event = std::max(out.last_event, worker->last_event);
  }
  if (const auto end = world.ending().end()) out.finished_at = *end;
  for (std::uint32_t i = 0; i < world.nodes(); ++i)
    out.busiest_evaluations = std::max(out.busiest_evaluations, world.state({i}).evaluations);
  if (!with_links) return;
  for (std::uint32_t link = 0; link < links.links(); ++link) {
    const auto totals = world.links().ledger().of({link});
    out.links.push_back({links.from({link}),
                         links.to({link}),
                         totals.departed,
                         totals.arrived - on_their_way[link],
                         totals.dropped,
                         totals.wire_bytes});
  }
  std::sort(out.links.begin(), out.links.end(), [](const LinkRecord& a, const LinkRecord& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
}

void summarise(const Ledger& ledger, const MessageTypes& types, RunOutcome& out) {
  const auto number_of_types = static_cast<std::uint16_t>(types.size());
  for (std::uint16_t type = 0; type < number_of_types; ++type) {
    for (const auto direction : {Direction::up, Direction::down, Direction::peer}) {
      const auto& c = ledger.counts()[type * 3u + static_cast<unsigned>(direction)];
      if (c.sent == 0) continue;
      out.accounts.push_back({{c}, std::string(types.name(type)), direction});
    }
  }
  const auto& spent = ledger.spent();
  out.phases.compute = spent.compute;
  out.phases.queueing = spent.queueing;
  out.phases.transfer = spent.transfer;
  out.phases.propagation = spent.propagation;
  out.latency = ledger.latencies();
}

void count_faults(const World& world,
                  const std::vector<Worker*>& workers,
                  Time now,
                  FaultCounts& counts) {
  for (const Worker* worker : workers) counts.add(worker->fault_counts);
  world.network().count_faults(now, counts);
  world.corruption().count(now, counts.corrupt);
}

/// What a node worked after the end, or that it never worked.
void take_work(const World& world, NodeId id, RunOutcome& out) {
  const NodeState& node = world.state(id);
  if (world.spec().in_wall_time) return;  // others may be in charge of the node
  if (world.network().straggler_factor(id) != 1.0) {
    ++out.stragglers;
    if (!node.worked) out.idle_stragglers.add(id);
  }
  if (out.status != RunStatus::finished || node.evaluations == 0 ||
      node.busy_until <= out.finished_at)
    return;
  out.work_after_end.nodes.add(id);
  out.work_after_end.sum += node.busy_until - out.finished_at;
  out.work_after_end.until = std::max(out.work_after_end.until, node.busy_until);
}

/// In the order in which they were sent.
void sort_messages(std::vector<MessageRecord>& messages) {
  std::sort(messages.begin(), messages.end(), [](const MessageRecord& a, const MessageRecord& b) {
    return std::tie(a.sent, a.from, a.to, a.id) < std::tie(b.sent, b.from, b.to, b.id);
  });
}

/// Marks the copies that were repeated needlessly. `messages` are sorted.
void mark_needless(const std::vector<Worker*>& workers, std::vector<MessageRecord>& messages) {
  using Key = std::tuple<NodeId, NodeId, std::uint32_t>;
  std::map<Key, std::vector<const NeedlessCopies*>> needless;
  for (const Worker* worker : workers)
    for (const NeedlessCopies& each : worker->needless)
      needless[{each.from, each.to, each.number}].push_back(&each);
  if (needless.empty()) return;
  // The latest: what the network duplicates leaves with it.
  std::map<Key, std::pair<std::uint8_t, Time>> seen;
  for (MessageRecord& message : messages) {
    if (message.tries == 0) continue;
    const auto of = needless.find({message.from, message.to, message.number});
    if (of == needless.end()) continue;
    const std::pair copy(message.tries, message.sent);
    const auto [latest, first] = seen.try_emplace(of->first, copy);
    if (!first && latest->second == copy) continue;
    latest->second = copy;
    for (const NeedlessCopies* copies : of->second)
      message.needless =
          message.needless || (message.tries >= copies->first && message.tries <= copies->last);
  }
}

/// By node and time.
void sort_work(std::vector<WorkRecord>& work) {
  std::sort(work.begin(), work.end(), [](const WorkRecord& a, const WorkRecord& b) {
    return std::tie(a.node, a.from) < std::tie(b.node, b.from);
  });
}

}  // namespace

void fill_snapshot(const World& world,
                   const std::vector<Worker*>& workers,
                   Time settled,
                   RunSnapshot& snapshot) {
  RunOutcome& out = snapshot.outcome;
  Ledger totals(world.types().size());
  const Time until = std::min(settled, world.last_time());
  for (const auto* worker : workers) {
    totals.add_totals(worker->ledger);
    world.links().take_back_foreseen(*worker, until, totals);
  }
  add_up(world, workers, until, out);
  summarise(totals, world.types(), out);
  // Inside a window some nodes are further in virtual time than others.
  snapshot.now = std::min(out.last_event, settled);
  count_faults(world, workers, snapshot.now, out.faults);
  for (auto& a : out.accounts) {
    a.in_flight = a.copies() - a.ended();
    out.lossless = out.lossless && a.dropped() == 0;
  }
  for (const auto* worker : workers) out.lossless = out.lossless && worker->lost.empty();
  fill_recent_messages(workers, snapshot);
}

void fill_recent_messages(const std::vector<Worker*>& workers, RunSnapshot& snapshot) {
  for (const auto* worker : workers)
    snapshot.messages.insert(snapshot.messages.end(),
                             worker->recent.in_any_order().begin(),
                             worker->recent.in_any_order().end());
  sort_messages(snapshot.messages);
  if (snapshot.messages.size() > kRecentMessages)
    snapshot.messages.erase(snapshot.messages.begin(), snapshot.messages.end() - kRecentMessages);
}

void conclude(const World& world,
              const std::vector<Worker*>& workers,
              RunStatus status,
              std::string report,
              SimulationResult& result) {
  RunOutcome& out = result.outcome;
  result.reached = world.reached().bits();
  Ledger ledger(world.types().size());
  const RoleFailure* failure = nullptr;
  for (const auto* worker : workers) {
    ledger.add(worker->ledger);
    const auto& f = worker->failure;
    if (f && (!failure || before(*f, *failure))) failure = &*f;
  }
  add_up(world, workers, Time::max(), out);
  // A participant may wait until nothing is left, not even an acknowledgement on its way.
  if (status == RunStatus::finished && !world.ending().end()) {
    out.finished_at = std::max({out.finished_at, out.last_event, world.ending().settled_until()});
    for (std::uint32_t i = 0; i < world.nodes(); ++i)
      if (world.ending().waits_for({i}))
        out.finished_at = std::max(out.finished_at, world.state({i}).busy_until);
    for (const Worker* worker : workers)
      out.finished_at = std::max(out.finished_at, worker->last_acknowledgement);
  }
  if (failure) {
    status = RunStatus::failed;
    report = fmt::format("{} failed at {} s: {}",
                         world.names().name(failure->node),
                         failure->time.to_seconds(),
                         failure->what);
    out.outside = failure->outside;
  }
  if (world.spec().tamper_with_ledger) world.spec().tamper_with_ledger(ledger);
  // A failure may have interrupted the booking itself, for example where memory ended.
  auto imbalance = check_balance(ledger, world.links().ledger(), world.types().names());
  if (imbalance && !failure) {
    status = RunStatus::ledger_violated;
    report = *imbalance;
  }
  result.smallest_latency = world.network().lookahead().value_or(Duration{});
  out.status = status;
  out.report = std::move(report);

  summarise(ledger, world.types(), out);
  const bool nothing_dropped = std::all_of(out.accounts.begin(),
                                           out.accounts.end(),
                                           [](const TypeAccount& a) { return a.dropped() == 0; });
  const bool nothing_lost = std::all_of(
      workers.begin(), workers.end(), [](const Worker* worker) { return worker->lost.empty(); });
  out.lossless = out.lossless && nothing_dropped && nothing_lost;

  for (std::uint32_t i = 0; i < world.nodes(); ++i) {
    const NodeState& node = world.state({i});
    out.ingredients.deliveries = hash_combine(out.ingredients.deliveries, node.hash);
    if (const auto* stops = node.stops(); stops && stops->last_state_lost) out.state_lost = true;
  }
  for (const Worker* worker : workers)
    out.stops_matter_from = std::min(out.stops_matter_from, worker->stops_matter_from);
  for (std::uint32_t i = 0; i < world.nodes(); ++i) take_work(world, {i}, out);
  out.ingredients.accounts = hash_of_accounts(out);
  out.ingredients.numbers = hash_of_numbers(out);
  out.fingerprint = out.ingredients.combined();

  for (const auto* worker : workers)
    result.faults.insert(result.faults.end(), worker->faults.begin(), worker->faults.end());
  const Time end = std::max(out.finished_at, out.last_event);
  world.network().record_faults(end, result.faults);
  world.corruption().record(end, result.faults);
  count_faults(world, workers, end, out.faults);
  std::sort(result.faults.begin(), result.faults.end());

  if (world.spec().trace_messages) {
    for (auto* worker : workers)
      result.messages.insert(
          result.messages.end(), worker->messages.begin(), worker->messages.end());
    sort_messages(result.messages);
    mark_needless(workers, result.messages);
    for (const auto* worker : workers)
      result.work.insert(result.work.end(), worker->work.begin(), worker->work.end());
    sort_work(result.work);
    for (std::size_t i = 0; i < result.messages.size(); ++i) result.messages[i].id = i;
  }
  result.node_names.reserve(world.nodes());
  for (std::uint32_t i = 0; i < world.nodes() && world.nodes() <= 100000; ++i)
    result.node_names.push_back(world.names().name({i}));
}

}  // namespace posse
