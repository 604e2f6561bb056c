// The end of a run: reports, accounts, fingerprint.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/sim/fingerprint.hpp"
#include "core/sim/world.hpp"

namespace posse {
namespace {

constexpr std::size_t kNamesShown = 5;

template <class Items, class Print>
std::string shown(const Items& items, Print&& print) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kNamesShown; ++i)
    text += (i ? ", " : "") + print(items[i]);
  if (items.size() > kNamesShown) text += fmt::format(" and {} more", items.size() - kNamesShown);
  return text;
}

std::string seconds(Time time) { return fmt::format("{} s", time.to_seconds()); }

std::vector<LostMessage> lost_by(const std::vector<Worker*>& workers) {
  LostMessages all;
  for (const auto* worker : workers)
    for (const auto& message : worker->lost.sorted()) all.add(message);
  return all.sorted();
}

std::string how_lost(const LostMessage& message) {
  if (message.tries > 0) return fmt::format("never acknowledged, {} tries", message.tries);
  return std::string(to_string(message.cause));
}

void book_round(const Ledger::RoundCount& count, RoundRecord& row) {
  row.messages += count.messages;
  row.bytes += count.bytes;
  row.values += count.values;
  row.compute += count.compute;
  row.queueing += count.queueing;
  row.transfer += count.transfer;
  row.propagation += count.propagation;
}

}  // namespace

std::string World::stall_report(const std::vector<Worker*>& workers, const RoleHost& host) const {
  const auto lost = lost_by(workers);
  std::map<NodeId, std::vector<const LostMessage*>> lost_at;  // by either end
  for (const auto& message : lost) {
    lost_at[message.from].push_back(&message);
    lost_at[message.to].push_back(&message);
  }
  // Nodes whose waiting is explained by a known loss come first: the others mostly wait for them.
  std::vector<std::string> explained, unexplained;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    auto waiting = host.waiting(NodeId{i});
    if (!waiting) continue;
    std::sort(waiting->from.begin(), waiting->from.end());
    const auto name = [&](NodeId node) { return nodes_.name(node); };
    const auto involved = [&](NodeId node) {
      return std::binary_search(waiting->from.begin(), waiting->from.end(), node);
    };
    std::vector<LostMessage> culprits;
    if (const auto it = lost_at.find(NodeId{i}); it != lost_at.end())
      for (const auto* m : it->second)
        if (m->round == waiting->round && involved(m->to == NodeId{i} ? m->from : m->to))
          culprits.push_back(*m);
    auto& list = culprits.empty() ? unexplained : explained;
    if (list.size() >= kNamesShown) {
      list.emplace_back();  // counted, not printed
      continue;
    }
    std::string text = fmt::format("  {} has waited for {} from {} since {}\n",
                                   name({i}),
                                   waiting->for_what,
                                   shown(waiting->from, name),
                                   seconds(state_[i].last_reaction));
    if (!culprits.empty()) {
      text += "    lost: ";
      for (std::size_t c = 0; c < culprits.size() && c < kNamesShown; ++c) {
        const LostMessage& m = culprits[c];
        text += fmt::format("{}{} of round {} from {} to {}, sent at {} ({})",
                            c ? ", " : "",
                            type_names_[m.type],
                            m.round.value,
                            name(m.from),
                            name(m.to),
                            seconds(m.left),
                            how_lost(m));
      }
      text += culprits.size() > kNamesShown ? " and others\n" : "\n";
    }
    list.push_back(std::move(text));
  }
  const std::size_t waiting_nodes = explained.size() + unexplained.size();
  std::string text;
  std::size_t shown_nodes = 0;
  for (const auto* list : {&explained, &unexplained})
    for (const auto& entry : *list)
      if (!entry.empty() && shown_nodes < kNamesShown) {
        text += entry;
        ++shown_nodes;
      }
  if (waiting_nodes > shown_nodes)
    text += fmt::format("  … and {} more nodes are waiting\n", waiting_nodes - shown_nodes);
  return text;
}

void World::add_up(const std::vector<Worker*>& workers, RunOutcome& out) const {
  for (const auto* worker : workers) {
    out.events += worker->events;
    out.deliveries += worker->deliveries;
    out.ties += worker->ties;
    out.finished_at = std::max(out.finished_at, worker->finished_at);
    out.last_event = std::max(out.last_event, worker->last_event);
  }
  for (const auto& node : state_)
    out.busiest_evaluations = std::max(out.busiest_evaluations, node.evaluations);
  out.header_bytes = header_bytes_;
  if (nodes_.size() > kMostNodesWithLinks) return;
  for (std::uint32_t link = 0; link < links_.links(); ++link) {
    const auto totals = link_ledger_.of({link});
    out.links.push_back(
        {links_.from({link}), links_.to({link}), totals.departed, totals.arrived, totals.dropped});
  }
  std::sort(out.links.begin(), out.links.end(), [](const LinkRecord& a, const LinkRecord& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
}

void World::summarise(const Ledger& ledger, RunOutcome& out) const {
  for (std::size_t type = 0; type < types(); ++type) {
    for (const auto direction : {Direction::up, Direction::down, Direction::peer}) {
      const auto& c = ledger.counts()[type * 3 + static_cast<unsigned>(direction)];
      if (c.sent == 0) continue;
      TypeAccount account;
      account.type = type_names_[type];
      account.direction = direction;
      account.sent = c.sent;
      account.repeated = c.repeated;
      account.duplicated = c.duplicated;
      account.delivered = c.delivered;
      account.discarded = c.discarded;
      account.dropped_loss = c.lost;
      account.dropped_queue = c.queue;
      account.dropped_partition = c.partition;
      account.dropped_crash = c.crash;
      account.in_flight = c.in_flight;
      account.values = c.values;
      account.bytes = c.bytes;
      account.wire_bytes = c.wire_bytes;
      out.accounts.push_back(std::move(account));
    }
  }
  const auto& spent = ledger.spent();
  out.phases.compute = spent.compute;
  out.phases.queueing = spent.queueing;
  out.phases.transfer = spent.transfer;
  out.phases.propagation = spent.propagation;
  out.latency = ledger.latencies();
}

bool World::all_finished(const std::vector<Worker*>& workers) const {
  std::uint32_t finished = 0;
  for (const auto* worker : workers) finished += worker->finished;
  return finished == nodes_.size();
}

void World::intervene(const Intervention& intervention) {
  if (intervention.action == Intervention::Action::cut)
    network_.cut({intervention.groups, intervention.at, std::nullopt});
  if (intervention.action == Intervention::Action::restore)
    network_.restore(intervention.groups, intervention.at);
}

void World::fill_snapshot(const std::vector<Worker*>& workers,
                          Time settled,
                          RunSnapshot& snapshot) const {
  RunOutcome& out = snapshot.outcome;
  Ledger totals(types());
  for (const auto* worker : workers) totals.add_totals(worker->ledger);
  add_up(workers, out);
  summarise(totals, out);
  // Inside a window some nodes are further in virtual time than others.
  snapshot.now = all_finished(workers) ? out.finished_at : std::min(out.last_event, settled);
  for (auto& a : out.accounts) {
    const auto ended = a.delivered + a.discarded + a.dropped_loss + a.dropped_queue +
                       a.dropped_partition + a.dropped_crash;
    a.in_flight = a.sent + a.repeated + a.duplicated - ended;
    out.lossless = out.lossless && ended == a.delivered + a.discarded;
  }

  Ledger::RoundCount later, outside;  // later rounds than those in the rows; round 0
  std::uint64_t bytes = 0, values = 0;
  for (const auto* worker : workers) {
    if (!worker->ledger.rounds().empty()) {
      outside.bytes += worker->ledger.rounds().front().bytes;
      outside.values += worker->ledger.rounds().front().values;
    }
  }
  for (const auto& a : out.accounts) {
    if (a.type == type_names_[acknowledgement_type_]) continue;
    bytes += a.bytes;
    values += a.values;
  }
  std::size_t rounds = 1;
  for (const auto* worker : workers) rounds = std::max(rounds, worker->ledger.rounds().size());
  std::size_t counted = rounds;  // rounds from this one on are included in `later`
  for (auto row = out.rounds.rbegin(); row != out.rounds.rend(); ++row) {
    for (; counted > row->round.value + std::size_t{1}; --counted)
      for (const auto* worker : workers)
        if (counted - 1 < worker->ledger.rounds().size()) {
          later.bytes += worker->ledger.rounds()[counted - 1].bytes;
          later.values += worker->ledger.rounds()[counted - 1].values;
        }
    row->bytes_so_far = bytes - outside.bytes - later.bytes;
    row->values_so_far = values - outside.values - later.values;
    for (const auto* worker : workers)
      if (row->round.value < worker->ledger.rounds().size())
        book_round(worker->ledger.rounds()[row->round.value], *row);
  }
  recent_messages(workers, snapshot);
}

void World::recent_messages(const std::vector<Worker*>& workers, RunSnapshot& snapshot) const {
  for (const auto* worker : workers)
    snapshot.messages.insert(snapshot.messages.end(),
                             worker->recent.in_any_order().begin(),
                             worker->recent.in_any_order().end());
  std::sort(snapshot.messages.begin(),
            snapshot.messages.end(),
            [](const MessageRecord& a, const MessageRecord& b) {
              return std::tie(a.sent, a.from, a.to, a.id) < std::tie(b.sent, b.from, b.to, b.id);
            });
  if (snapshot.messages.size() > kRecentMessages)
    snapshot.messages.erase(snapshot.messages.begin(), snapshot.messages.end() - kRecentMessages);
}

void World::conclude(std::vector<Worker*> workers,
                     RunStatus status,
                     std::string report,
                     SimulationResult& result) {
  RunOutcome& out = result.outcome;
  Ledger ledger(types());
  const RoleFailure* failure = nullptr;
  for (const auto* worker : workers) {
    ledger.add(worker->ledger);
    const auto& f = worker->failure;
    if (f && (!failure || before(*f, *failure))) failure = &*f;
  }
  add_up(workers, out);
  if (failure) {
    status = RunStatus::failed;
    report = fmt::format(
        "{} failed at {}: {}", nodes_.name(failure->node), seconds(failure->time), failure->what);
  }
  if (spec_.tamper_with_ledger) spec_.tamper_with_ledger(ledger);
  if (auto imbalance = check_balance(ledger, link_ledger_, type_names_)) {
    status = RunStatus::ledger_violated;
    report = *imbalance;
  }
  result.smallest_latency = network_.lookahead().value_or(Duration{});
  out.status = status;
  out.report = std::move(report);

  summarise(ledger, out);
  const bool nothing_dropped =
      std::all_of(out.accounts.begin(), out.accounts.end(), [](const TypeAccount& a) {
        return a.dropped_loss + a.dropped_queue + a.dropped_partition + a.dropped_crash == 0;
      });
  out.lossless = nothing_dropped && lost_by(workers).empty() &&
                 std::all_of(out.rounds.begin(), out.rounds.end(), [](const RoundRecord& row) {
                   return row.arrived == row.expected;
                 });

  const auto& counts = ledger.rounds();
  for (auto& row : out.rounds) {
    if (row.round.value < counts.size()) book_round(counts[row.round.value], row);
  }
  // Totals include all round numbers, since rounds that did not end send messages, too.
  std::uint64_t bytes_so_far = 0, values_so_far = 0;
  std::size_t counted = 1;
  for (auto& row : out.rounds) {
    for (; counted < counts.size() && counted <= row.round.value; ++counted) {
      bytes_so_far += counts[counted].bytes;
      values_so_far += counts[counted].values;
    }
    row.bytes_so_far = bytes_so_far;
    row.values_so_far = values_so_far;
  }
  // Bytes on the regret curve are those of the rounds before each point, so that they do not depend
  // on how far other nodes have run ahead.
  std::vector<std::uint64_t> bytes_until(1, 0);
  for (std::size_t r = 1; r < counts.size(); ++r)
    bytes_until.push_back(bytes_until.back() + counts[r].bytes);
  for (auto& point : result.regret_curve) {
    if (point.rounds == 0 || out.rounds.empty()) continue;
    // Rounds that did not end are not counted.
    const auto number =
        out.rounds[std::min<std::size_t>(point.rounds, out.rounds.size()) - 1].round;
    point.bytes = bytes_until[std::min<std::size_t>(number.value, bytes_until.size() - 1)];
  }

  for (const auto& node : state_)
    out.ingredients.deliveries = hash_combine(out.ingredients.deliveries, node.hash);
  out.ingredients.accounts = hash_of_accounts(out);
  out.ingredients.numbers = hash_of_numbers(out);
  out.fingerprint = out.ingredients.combined();

  if (spec_.trace_messages) {
    for (auto* worker : workers)
      result.messages.insert(
          result.messages.end(), worker->messages.begin(), worker->messages.end());
    std::sort(result.messages.begin(),
              result.messages.end(),
              [](const MessageRecord& a, const MessageRecord& b) {
                return std::tie(a.sent, a.from, a.to, a.id) < std::tie(b.sent, b.from, b.to, b.id);
              });
    for (std::size_t i = 0; i < result.messages.size(); ++i) result.messages[i].id = i;
  }
  result.node_names.reserve(nodes_.size());
  for (std::uint32_t i = 0; i < nodes_.size() && nodes_.size() <= 100000; ++i)
    result.node_names.push_back(nodes_.name({i}));
}

}  // namespace posse
