// The end of a run: reports, accounts, fingerprint.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

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

}  // namespace

std::string World::stall_report(const std::vector<Worker*>& workers, const RoleHost& host) const {
  std::vector<LostMessage> lost;
  for (const auto* worker : workers)
    lost.insert(lost.end(), worker->lost.begin(), worker->lost.end());
  std::sort(lost.begin(), lost.end(), [](const LostMessage& a, const LostMessage& b) {
    return std::tie(a.left, a.from, a.to, a.type) < std::tie(b.left, b.from, b.to, b.type);
  });
  std::map<NodeId, std::vector<const LostMessage*>> lost_at;  // by either end
  for (const auto& message : lost) {
    lost_at[message.from].push_back(&message);
    lost_at[message.to].push_back(&message);
  }
  // Those that a known loss explains come first: the others mostly wait for them.
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
      list.emplace_back();  // only counted
      continue;
    }
    std::string text = fmt::format("  {} has waited for {} from {} since {}\n",
                                   name({i}),
                                   waiting->for_what,
                                   shown(waiting->from, name),
                                   seconds(std::max(state_[i].last_event, Time{})));
    if (!culprits.empty())
      text +=
          "    lost: " +
          shown(culprits,
                [&](const LostMessage& m) {
                  return fmt::format("{} of round {} from {} to {}, sent at {} ({}{})",
                                     type_names_[m.type],
                                     m.round.value,
                                     name(m.from),
                                     name(m.to),
                                     seconds(m.left),
                                     to_string(m.cause),
                                     m.tries > 1 ? fmt::format(", given up after {} tries", m.tries)
                                                 : std::string());
                }) +
          "\n";
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
    text += fmt::format("  … and {} more nodes wait\n", waiting_nodes - shown_nodes);
  return text;
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
    out.events += worker->events;
    out.deliveries += worker->deliveries;
    out.ties += worker->ties;
    out.finished_at = std::max(out.finished_at, worker->finished_at);
    out.last_event = std::max(out.last_event, worker->last_event);
    const auto& f = worker->failure;
    if (f && (!failure || std::tie(f->time, f->node) < std::tie(failure->time, failure->node)))
      failure = &*f;
  }
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
  out.header_bytes = header_bytes_;
  out.status = status;
  out.report = std::move(report);

  std::uint64_t dropped = 0;
  for (std::size_t type = 0; type < types(); ++type) {
    for (const auto direction : {Direction::up, Direction::down, Direction::peer}) {
      const auto& c = ledger.of(static_cast<std::uint16_t>(type), direction);
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
      dropped += c.lost + c.queue + c.partition + c.crash;
      out.accounts.push_back(std::move(account));
    }
  }
  out.lossless = dropped == 0;

  const auto& counts = ledger.rounds();
  for (auto& row : out.rounds) {
    if (row.round.value >= counts.size()) continue;
    const auto& c = counts[row.round.value];
    row.messages = c.messages;
    row.bytes = c.bytes;
    row.values = c.values;
    row.compute = c.compute;
    row.queueing = c.queueing;
    row.transfer = c.transfer;
    row.propagation = c.propagation;
  }
  // Bytes on the regret curve: those of the rounds behind each point, so that they don't depend on
  // how far other nodes have run ahead.
  for (auto& point : result.regret_curve) {
    for (std::uint32_t r = 1; r <= point.rounds && r < counts.size(); ++r)
      point.bytes += counts[r].bytes;
  }

  std::uint64_t hash = 0;
  for (const auto& node : state_) hash = hash_combine(hash, node.hash);
  hash = hash_combine(hash, static_cast<std::uint64_t>(out.finished_at.ns));
  hash = hash_combine(hash, static_cast<std::uint64_t>(status));
  for (const auto& account : out.accounts)
    for (const auto number : {account.sent, account.repeated, account.delivered, account.bytes})
      hash = hash_combine(hash, number);
  const auto& regret = out.regret;
  hash = hash_combine(hash, regret.evaluations);
  hash = hash_double(hash, regret.cumulative_global);
  hash = hash_double(hash, regret.cumulative_local);
  for (const double x : regret.recommendation) hash = hash_double(hash, x);
  out.fingerprint = hash;

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
