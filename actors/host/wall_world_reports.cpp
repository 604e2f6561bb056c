// SPDX-License-Identifier: Apache-2.0
// Runs in wall time over several processes: what they report, and what of it is adopted.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "actors/host/turn_context.hpp"

namespace posse {
namespace {

/// A process that is there says so.
constexpr std::chrono::milliseconds kReportAnyway{500};

}  // namespace

bool WallWorld::is_sound(const Event& copy) const {
  return copy.node.value < world_.nodes() && copy.source.value < world_.nodes() &&
         world_.links().map().connected(copy.source, copy.node) &&
         copy.round.value <= Ledger::kMaxRound &&
         (world_.links().repeats_lost() || copy.pair() <= Pair::second);
}

bool WallWorld::may_come(const Event& copy) const {
  return is_sound(copy) && is_here(copy.node) && !is_here(copy.source);
}

void WallWorld::note_crossing(const Event& copy) {
  const bool to_be_reported = !reports_from_.empty() && reports_from_[copy.source.value];
  if (companions_.empty() && !to_be_reported) return;
  Crossing crossing{copy.source, copy.node, copy.type, copy.sequence, copy.round};
  crossing.bytes = world_.links().size_bytes(copy.payload);
  if (copy.payload) {
    crossing.header_bytes = crossing.bytes - copy.payload.size_bytes();
    crossing.values = copy.payload.values();
  }
  if (to_be_reported)
    came_.push_back(crossing);
  else
    take_down(crossing);
}

void WallWorld::take_down(const Crossing& crossing) {
  const std::size_t sender = process_of_node_[crossing.from.value];
  if (is_reported(crossing)) return;
  if (sender == kNoProcess)
    book(crossing);  // it has been lost since
  else if (sender != 0)
    companions_[sender - 1].unreported.push_back(crossing);
}

void WallWorld::expect(std::vector<std::size_t> process_of_node) {
  const std::unique_lock lock(mutex_);
  for (const std::size_t process : process_of_node)
    if (process != kNoProcess && process > companions_.size()) companions_.resize(process);
  process_of_node_ = std::move(process_of_node);
  was_lost_.resize(process_of_node_.size());
}

void WallWorld::lose(const std::vector<NodeId>& nodes) {
  const std::unique_lock lock(mutex_);
  for (const NodeId node : nodes) {
    auto& process = process_of_node_[node.value];
    if (process != kNoProcess)
      for (const Crossing& crossing : std::exchange(companions_[process - 1].unreported, {}))
        if (!is_reported(crossing)) book(crossing);
    process = kNoProcess;
    was_lost_[node.value] = true;
    NodeReport& known = elsewhere_[node.value];
    known.busy = false;
    if (is_over(now())) continue;
    Intervention crash;
    crash.action = world_.spec().protocol->can_lose_state(node) ? Intervention::Action::forget
                                                                : Intervention::Action::crash;
    crash.groups = {{world_.names().name(node)}};
    crash.at = now();
    happen_in_shadow(crash);
  }
}

std::vector<Resumption> WallWorld::resumptions(const std::vector<NodeId>& nodes) {
  const std::unique_lock lock(mutex_);
  std::vector<Resumption> resumed;
  resumed.reserve(nodes.size());
  for (const NodeId node : nodes)
    resumed.push_back({node, world_.state(node).progress(), world_.link_starts(node)});
  return resumed;
}

void WallWorld::find(const std::vector<NodeId>& nodes) {
  const std::unique_lock lock(mutex_);
  for (const NodeId node : nodes) {
    elsewhere_[node.value].busy = true;  // until it reports
    if (is_over(now())) continue;
    Intervention restart;
    restart.action = Intervention::Action::restart;
    restart.groups = {{world_.names().name(node)}};
    restart.at = now();
    happen_in_shadow(restart);
  }
}

void WallWorld::expect_anew(const std::vector<NodeId>& nodes) {
  const std::unique_lock lock(mutex_);
  for (const NodeId node : nodes) world_.expect_anew(node);
}

void WallWorld::report_what_comes_from(std::vector<bool> nodes) {
  const std::unique_lock lock(mutex_);
  reports_from_ = std::move(nodes);
}

void WallWorld::happen_in_shadow(const Intervention& what) {
  TurnContext& context = *contexts_.front();
  auto before = std::exchange(context.emitted, {});
  world_.intervene(what, context);
  for (auto& [event, propagation] : std::exchange(context.emitted, {})) {
    event.time = std::max(event.time, now());
    world_.handle(event, context.worker);
    world_.follow_end(event, context);
  }
  context.emitted = std::move(before);
  control_.note(what);
  changed_.notify_all();
}

bool WallWorld::adopt(std::size_t process, ProcessReport report) {
  const std::unique_lock lock(mutex_);
  if (process == 0 || process > companions_.size()) return false;
  Companion& companion = companions_[process - 1];
  for (const NodeReport& node : report.nodes)
    if (node.node.value >= world_.nodes() || is_here(node.node)) return false;
  if (!fits(report, world_)) return false;
  if (report.number != companion.reports + 1) return false;
  companion.reports = report.number;
  companion.idle = report.idle;
  if (!companion.context) companion.context = std::make_unique<TurnContext>(*this);
  TurnContext& context = *companion.context;
  Worker& worker = context.worker;
  worker.ledger.add(report.ledger);
  worker.events += report.events;
  worker.deliveries += report.deliveries;
  worker.ties += report.ties;
  worker.evaluations += report.evaluations;
  worker.early_decisions += report.early_decisions;
  worker.finished += report.finished;
  worker.finished_at = std::max(worker.finished_at, report.finished_at);
  worker.last_event = std::max(worker.last_event, report.last_event);
  const auto append = [](auto& list, auto& more) {
    std::move(more.begin(), more.end(), std::back_inserter(list));
  };
  append(observed_, report.observations);
  append(worker.messages, report.messages);
  append(worker.work, report.work);
  append(worker.faults, report.faults);
  worker.fault_counts.add(report.fault_counts);
  append(measured_elsewhere_, report.service);
  for (const LostMessage& lost : report.lost) worker.lost.add(lost);
  if (!report.failure.empty()) {
    Event at;
    at.time = report.last_event;
    if (!report.nodes.empty()) at.node = report.nodes.front().node;
    worker.fail(at, std::move(report.failure), report.failed_outside);
    failed_ = true;
  }
  for (const LinkReport& link : report.links)
    world_.link_ledger().add({link.link}, link.type, link.copies, link.wire_bytes);
  std::erase_if(companion.unreported, [&](const auto& crossing) { return is_reported(crossing); });
  for (const Crossing& crossing : report.came) take_down(crossing);
  for (NodeReport& node : report.nodes) {
    world_.adopt(node.node, node.progress);
    elsewhere_[node.node.value] = std::move(node);
  }
  if (world_.ending().answer_known()) {
    if (!world_.ending().begun()) world_.begin_ending(context);
    for (const NodeReport& node : report.nodes)
      world_.settle_if_done(node.node, elsewhere_[node.node.value].progress.last_event, context);
  }
  changed_.notify_all();
  return true;
}

bool WallWorld::is_reported(const Crossing& crossing) const {
  const auto link = world_.links().map().link(crossing.from, crossing.to);
  return crossing.sequence < world_.links().ledger().of(link).departed;
}

void WallWorld::book(const Crossing& crossing) {
  Worker& worker = contexts_.front()->worker;
  const LinkMap& map = world_.links().map();
  world_.link_ledger().add(
      map.link(crossing.from, crossing.to), crossing.type, {.departed = 1}, crossing.bytes);
  auto& counts = worker.ledger.of(crossing.type, map.direction(crossing.from, crossing.to));
  ++counts.sent;
  counts.bytes += crossing.bytes;
  counts.wire_bytes += crossing.bytes;
  counts.header_bytes += crossing.header_bytes;
  counts.values += crossing.values;
  if (crossing.type == world_.types().acknowledgement()) return;
  auto& totals = worker.ledger.round(crossing.round);
  ++totals.messages;
  totals.bytes += crossing.bytes;
  totals.values += crossing.values;
}

void WallWorld::account_for_missing() {
  Worker& worker = contexts_.front()->worker;
  LinkLedger& links = world_.link_ledger();
  const LinkMap& map = world_.links().map();
  const auto types = static_cast<std::uint16_t>(world_.types().size());
  for (std::uint32_t link = 0; link < map.links(); ++link) {
    const NodeId from = map.from({link}), to = map.to({link});
    for (std::uint16_t type = 0; type < types; ++type) {
      const auto missing = static_cast<std::int32_t>(links.copies({link}, type).missing());
      if (missing == 0) continue;
      const auto count = static_cast<std::uint32_t>(std::abs(missing));
      auto& counts = worker.ledger.of(type, map.direction(from, to));
      if (missing < 0) {  // a process was lost with its accounts
        links.add({link}, type, {.departed = count}, 0);
        counts.sent += count;
      } else if (was_lost_[to.value] || was_lost_[from.value]) {
        links.add({link}, type, {.dropped = count}, 0);
        counts.dropped_crash += count;
      } else {
        links.add({link}, type, {.in_flight = count}, 0);
        counts.in_flight += count;
      }
    }
  }
}

std::optional<ProcessReport> WallWorld::next_report(std::chrono::milliseconds patience,
                                                    bool until_idle) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return failed_ || over_ || (until_idle && idle()); });
  std::uint64_t events = 0;
  for (const Worker* worker : workers()) events += worker->events;
  if (failure_) std::rethrow_exception(failure_);
  const bool silent = Clock::now() - reported_at_ < kReportAnyway;
  if (!failed_ && events == 0 && idle() == reported_idle_ && silent) return std::nullopt;
  return make_report(false);
}

ProcessReport WallWorld::end() {
  std::unique_lock lock(mutex_);
  close(lock);
  Worker& worker = contexts_.front()->worker;
  for (const auto& [number, event] : under_way_) world_.book_in_flight(event, worker);
  world_.conclude_stopped_nodes(worker);
  return make_report(true);
}

ProcessReport WallWorld::make_report(bool last) {
  ProcessReport report;
  reported_at_ = Clock::now();
  report.number = ++reports_;
  report.came = std::exchange(came_, {});
  report.last = last;
  if (last) report.service = book_.take();
  report.idle = reported_idle_ = idle();
  report.ledger = Ledger(world_.types().size());
  report.observations = std::exchange(observed_, {});
  const auto append = [](auto& list, auto& more) {
    std::move(more.begin(), more.end(), std::back_inserter(list));
    more.clear();
  };
  for (Worker* worker : workers()) {
    report.ledger.add(worker->ledger);
    worker->ledger = Ledger(world_.types().size());
    report.events += std::exchange(worker->events, 0);
    report.deliveries += std::exchange(worker->deliveries, 0);
    report.ties += std::exchange(worker->ties, 0);
    report.evaluations += std::exchange(worker->evaluations, 0);
    report.early_decisions += std::exchange(worker->early_decisions, 0);
    report.finished += std::exchange(worker->finished, 0);
    report.finished_at = std::max(report.finished_at, worker->finished_at);
    report.last_event = std::max(report.last_event, worker->last_event);
    append(report.observations, worker->observations());
    append(report.messages, worker->messages);
    append(report.work, worker->work);
    append(report.faults, worker->faults);
    report.fault_counts.add(std::exchange(worker->fault_counts, {}));
    for (const LostMessage& lost : worker->lost.sorted()) report.lost.push_back(lost);
    worker->lost = {};
    if (worker->failure && report.failure.empty()) {
      report.failure =
          fmt::format("{}: {}", world_.names().name(worker->failure->node), worker->failure->what);
      report.failed_outside = worker->failure->outside;
    }
  }
  const TurnContext& context = *contexts_.front();
  for (std::uint32_t i = 0; i < world_.nodes(); ++i) {
    const NodeId node{i};
    if (!is_here(node)) continue;
    NodeReport& own = report.nodes.emplace_back();
    own.node = node;
    own.progress = world_.state(node).progress();
    own.busy = reacting_[i] || world_.is_busy(node, context);
    if (last) own.waiting = context.waiting(node);
  }
  const LinkLedger& links = world_.links().ledger();
  const auto types = static_cast<std::uint16_t>(world_.types().size());
  const auto count = static_cast<std::uint32_t>(world_.links().map().links());
  reported_copies_.resize(std::size_t{count} * types);
  reported_wire_bytes_.resize(count);
  for (std::uint32_t link = 0; link < count; ++link) {
    std::uint64_t wire_bytes = links.wire_bytes({link}) - reported_wire_bytes_[link];
    reported_wire_bytes_[link] += wire_bytes;
    for (std::uint16_t type = 0; type < types; ++type) {
      const auto copies = links.copies({link}, type);
      auto& before = reported_copies_[std::size_t{link} * types + type];
      if (copies == before) continue;
      report.links.push_back({link,
                              type,
                              {copies.departed - before.departed,
                               copies.dropped - before.dropped,
                               copies.arrived - before.arrived,
                               copies.in_flight - before.in_flight},
                              std::exchange(wire_bytes, 0)});
      before = copies;
    }
  }
  return report;
}

}  // namespace posse
