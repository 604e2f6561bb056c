// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

namespace posse {
namespace {

/// How often the run is looked at for observers, limits and signals.
constexpr std::chrono::milliseconds kTick{10};
/// Until a message has come and been reported.
constexpr std::chrono::milliseconds kOnTheWay{2000};
/// A process that is there says so.
constexpr std::chrono::milliseconds kReportAnyway{500};

}  // namespace

/// Ends reactions that nobody waits for any more.
class WallWorld::Ending final : public Interruption {
 public:
  Ending(const std::atomic<bool>& over, const Interruption* outer) : over_(over), outer_(outer) {}
  bool wanted() const override {
    return over_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->wanted());
  }

 private:
  const std::atomic<bool>& over_;
  const Interruption* outer_;
};

class WallWorld::Hand final : public RoleHost, public EventSink {
 public:
  explicit Hand(WallWorld& shared) : worker(shared.world_.types().size()), shared_(shared) {
    worker.sink = this;
    worker.host = this;
  }

  struct Emitted {
    Event event;
    Duration propagation;
  };
  void emit(Event&& event) override { emitted.push_back({std::move(event), {}}); }
  void emit_copy(Event&& copy, Duration propagation) override {
    emitted.push_back({std::move(copy), propagation});
  }

  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    if (!shared_.is_here(node)) return {};  // it reacts elsewhere
    shared_.keep_observations(worker);
    shared_.reacting_[node.value] = true;
    ++shared_.reactions_;
    lock->unlock();
    std::exception_ptr failure;
    const auto began = Clock::now();
    try {
      const Heed heed(shared_.interruption_.get());
      call_role(*shared_.roles_[node.value], stimulus, reaction);
    } catch (...) {
      failure = std::current_exception();
    }
    if (turn != nullptr) note(stimulus, reaction, began, Clock::now());
    lock->lock();
    --shared_.reactions_;
    shared_.reacting_[node.value] = false;
    const Time after = shared_.now();
    // What was under way when the run ended does not take place.
    if (shared_.is_over(after)) throw Interrupted();
    if (failure) std::rethrow_exception(failure);
    return after - reaction.now();
  }
  void replace(NodeId node, std::unique_ptr<Role> role) override {
    if (shared_.is_here(node)) shared_.roles_[node.value] = std::move(role);
  }
  std::optional<Waiting> waiting(NodeId node) const override {
    if (!shared_.is_here(node)) {
      const NodeReport& known = shared_.elsewhere_[node.value];
      return known.busy && !known.waiting ? Waiting{"its own work", {}, {}, {}} : known.waiting;
    }
    if (shared_.reacting_[node.value]) return Waiting{"its own work", {}, {}, {}};
    return shared_.roles_[node.value]->waiting();
  }
  std::uint32_t messages_before_finish(NodeId) const override { return 0; }

  Worker worker;
  std::vector<Emitted> emitted;
  std::unique_lock<std::mutex>* lock = nullptr;
  Turn* turn = nullptr;

 private:
  void note(const Stimulus& stimulus,
            const Reaction& reaction,
            Clock::time_point began,
            Clock::time_point ended) const {
    const ServiceCause cause = service_cause(stimulus, shared_.world_.types());
    const ReactionSize size = size_of(reaction);
    if (!turn->reacted) turn->reaction_began = began;
    turn->reacted = true;
    turn->reaction_ended = ended;
    turn->cause = cause;
    turn->sends = turn->sends || size.sends;
    turn->evaluations += size.evaluations;
  }
  WallWorld& shared_;
};

WallWorld::WallWorld(const SimulationSpec& spec,
                     const Nodes& nodes,
                     std::vector<std::unique_ptr<Role>> roles,
                     Progress* progress,
                     Watch& watch,
                     const Interruption* interruption)
    : world_(spec, nodes),
      control_(spec, world_, progress, &watch),
      roles_(std::move(roles)),
      interruption_(std::make_unique<Ending>(over_, interruption)),
      reacting_(nodes.size()),
      elsewhere_(nodes.size()) {
  hands_.push_back(std::make_unique<Hand>(*this));
}

WallWorld::~WallWorld() = default;

Time WallWorld::now() {
  const auto passed =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  latest_ = std::max(latest_, Time{passed});
  return latest_;
}

WallWorld::Hand& WallWorld::free_hand() {
  if (free_.empty()) {
    hands_.push_back(std::make_unique<Hand>(*this));
    return *hands_.back();
  }
  Hand& hand = *free_.back();
  free_.pop_back();
  return hand;
}

void WallWorld::keep_observations(Worker& worker) {
  std::move(worker.observations.begin(), worker.observations.end(), std::back_inserter(observed_));
  worker.observations.clear();
}

std::vector<Appointment> WallWorld::appoint(Hand& hand) {
  std::vector<Appointment> appointments;
  for (auto& [event, propagation] : hand.emitted) {
    const bool is_copy = std::holds_alternative<ArrivalEvent>(event.kind);
    if (!is_here(event.node) && !is_copy) continue;  // happens elsewhere
    Appointment& made = appointments.emplace_back();
    made.node = event.node;
    made.due = event.time == Time::max() ? Clock::time_point::max()
                                         : start_ + std::chrono::nanoseconds(event.time.ns);
    if (is_copy) made.copy = event;
    made.propagation = propagation;
    if (!is_here(event.node)) continue;
    made.number = ++numbers_;
    under_way_.emplace(made.number, std::move(event));
  }
  hand.emitted.clear();
  return appointments;
}

bool WallWorld::is_over(Time at) const {
  const auto end = world_.ending().end();
  return over_ || (end && at > *end);
}

bool WallWorld::decided() { return failed_ || idle() || over_ || world_.ending().answer_known(); }

bool WallWorld::idle_everywhere() const {
  if (!idle()) return false;
  if (process_of_node_.empty()) return true;
  for (const std::size_t process : process_of_node_)
    if (process != 0 && process != kNoProcess && !companions_[process - 1].idle) return false;
  const LinkLedger& links = world_.links().ledger();
  const LinkMap& map = world_.links().map();
  const auto types = static_cast<std::uint16_t>(world_.types().size());
  for (std::uint32_t link = 0; link < map.links(); ++link) {
    if (was_lost_[map.from({link}).value] || was_lost_[map.to({link}).value]) continue;
    for (std::uint16_t type = 0; type < types; ++type)
      if (links.copies({link}, type).missing() != 0) return false;
  }
  return true;
}

std::vector<Worker*> WallWorld::workers() {
  std::vector<Worker*> all;
  for (const auto& hand : hands_) all.push_back(&hand->worker);
  for (const auto& companion : companions_)
    if (companion.hand) all.push_back(&companion.hand->worker);
  return all;
}

std::vector<Appointment> WallWorld::begin(Clock::time_point start,
                                          const std::vector<Resumption>& resumed) {
  const std::unique_lock lock(mutex_);
  start_ = start;
  world_.begin(*hands_.front());
  for (const Resumption& node : resumed)
    if (node.node.value < world_.nodes() && is_here(node.node))
      world_.begin_anew(node.node, node.progress, node.links, now(), *hands_.front());
  return appoint(*hands_.front());
}

std::vector<Appointment> WallWorld::take_turn(std::uint64_t number, Turn& turn, Payload arrived) {
  std::unique_lock lock(mutex_);
  const Time time = now();
  if (is_over(time)) return {};
  const auto it = under_way_.find(number);
  if (it == under_way_.end()) return {};
  Event event = std::move(it->second);
  under_way_.erase(it);
  event.time = std::max(event.time, time);
  if (arrived) event.payload = std::move(arrived);
  follow_handling(event, turn);
  return handle(std::move(event), turn, lock);
}

Time WallWorld::time_of(Clock::time_point when) const {
  return Time{std::chrono::duration_cast<std::chrono::nanoseconds>(when - start_).count()};
}

void WallWorld::follow_handling(Event& copy, const Turn& turn) const {
  const auto departed = departure_of(copy);
  if (!departed || !copy.payload || !copy.payload.path()) return;
  const Time came = std::min(time_of(turn.came), copy.time);
  Path path = copy.payload.path();
  path.extend(PathPart::retransmission, copy.source, *departed);
  path.extend(PathPart::compute, copy.source, std::min(turn.left, came));
  path.extend(PathPart::propagation, copy.source, came);
  path.extend(PathPart::compute, copy.node, copy.time);
  copy.payload = std::move(copy.payload).with_path(std::move(path));
}

void WallWorld::measure(NodeId node, const Turn& turn) {
  if (!world_.spec().measures_service) return;
  const std::unique_lock lock(mutex_);
  if (over_) return;
  const auto length = [](Clock::time_point from, Clock::time_point until) {
    return Duration{std::max<std::int64_t>(
        0, std::chrono::duration_cast<std::chrono::nanoseconds>(until - from).count())};
  };
  ServiceSample sample;
  const auto add = [&](ServiceSample::Of of, Duration time) {
    sample.of = of;
    sample.time = time;
    book_.add(sample);
  };
  if (turn.from) {
    sample.cause = turn.transmission;
    sample.group = turn.from->value;
    sample.to = node.value;
    add(ServiceSample::Of::latency,
        {std::max<std::int64_t>(0, (time_of(turn.came) - turn.left).ns)});
  }
  sample = {};
  sample.group = world_.names().group_of(node);
  auto done = turn.reacted ? turn.reaction_ended : turn.began;
  for (const Turn::Encoded& copy : turn.encoded) {
    if (copy.type == world_.types().acknowledgement()) continue;
    sample.cause = copy.type;
    add(ServiceSample::Of::encode, length(done, copy.done));
    done = copy.done;
  }
  if (!turn.reacted) return;
  sample.cause = turn.cause;
  if (turn.from) add(ServiceSample::Of::decode, length(turn.began, turn.decoded));
  add(ServiceSample::Of::dispatch,
      length(turn.free, turn.began) + length(turn.decoded, turn.reaction_began) +
          length(done, turn.ended));
  sample.sends = turn.sends;
  sample.evaluations = turn.evaluations;
  add(ServiceSample::Of::compute, length(turn.reaction_began, turn.reaction_ended));
}

bool WallWorld::may_come(const Event& copy) const {
  return copy.node.value < world_.nodes() && copy.source.value < world_.nodes() &&
         is_here(copy.node) && !is_here(copy.source) &&
         world_.links().map().connected(copy.source, copy.node) &&
         copy.round.value <= Ledger::kMaxRound;
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

std::vector<Appointment> WallWorld::receive(Event copy, Turn& turn) {
  std::unique_lock lock(mutex_);
  copy.time = now();
  if (is_over(copy.time)) return {};
  auto& departed = std::get<ArrivalEvent>(copy.kind).departed;
  departed = std::clamp(departed, Time{}, copy.time);  // clocks of two machines differ a little
  note_crossing(copy);
  follow_handling(copy, turn);
  return handle(std::move(copy), turn, lock);
}

std::vector<Appointment> WallWorld::handle(Event event,
                                           Turn& turn,
                                           std::unique_lock<std::mutex>& lock) {
  Hand& hand = free_hand();
  hand.lock = &lock;
  hand.turn = &turn;
  world_.handle(event, hand.worker);
  hand.turn = nullptr;
  if (hand.worker.interrupted && is_over(now())) hand.worker.interrupted = false;
  world_.follow_end(event, hand);
  if (hand.worker.failure || hand.worker.interrupted) failed_ = true;
  keep_observations(hand.worker);
  auto appointments = appoint(hand);
  free_.push_back(&hand);
  if (decided()) changed_.notify_all();
  return appointments;
}

void WallWorld::fail(std::exception_ptr failure) {
  const std::unique_lock lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  failed_ = true;
  changed_.notify_all();
}

void WallWorld::watch_over(const std::function<void(std::vector<Appointment>)>& keep,
                           const std::function<void()>& answered,
                           std::chrono::milliseconds patience) {
  std::vector<ObservationRecord> observations;
  bool told = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto end = world_.ending().end();
    const Time present = now();
    if (failed_ || (end && present > *end)) break;
    if (!end && idle_everywhere()) {
      // A member that is lost may come again. Of one that did, nobody knows what is on its way.
      std::chrono::milliseconds wait{0};
      for (std::size_t i = 0; i < process_of_node_.size(); ++i) {
        if (process_of_node_[i] == kNoProcess)
          wait = std::max(wait, patience);
        else if (was_lost_[i])
          wait = std::max(wait, kOnTheWay);
      }
      if (!idle_since_) idle_since_ = Clock::now();
      if (Clock::now() - *idle_since_ >= wait) break;
    } else {
      idle_since_.reset();
    }
    if (answered && !told && world_.ending().answer_known()) {
      told = true;
      lock.unlock();
      answered();
      lock.lock();
    }
    if (!observed_.empty()) {
      observations.swap(observed_);
      lock.unlock();  // the recorder evaluates objectives, which may take long
      control_.take(observations);
      lock.lock();
    }
    stopped_ = control_.between_windows(workers(), present, under_way_.size());
    if (stopped_ != StopReason::none) break;
    if (!hands_.front()->emitted.empty()) {
      auto appointments = appoint(*hands_.front());
      lock.unlock();
      keep(std::move(appointments));
      lock.lock();
    }
    if (end)
      changed_.wait_until(lock, start_ + std::chrono::nanoseconds(end->ns + 1));
    else
      changed_.wait_for(lock, kTick);
  }
  close(lock);
}

void WallWorld::close(std::unique_lock<std::mutex>& lock) {
  over_ = true;
  changed_.wait(lock, [&] { return reactions_ == 0; });
}

void WallWorld::account_for_missing() {
  Worker& worker = hands_.front()->worker;
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
        counts.crash += count;
      } else {
        links.add({link}, type, {.in_flight = count}, 0);
        counts.in_flight += count;
      }
    }
  }
}

bool WallWorld::is_reported(const Crossing& crossing) const {
  const auto link = world_.links().map().link(crossing.from, crossing.to);
  return crossing.sequence < world_.links().ledger().of(link).departed;
}

void WallWorld::book(const Crossing& crossing) {
  Worker& worker = hands_.front()->worker;
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

SimulationResult WallWorld::conclude() {
  const std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  control_.take(observed_);
  Hand& hand = *hands_.front();
  for (const auto& [number, event] : under_way_) world_.book_in_flight(event, hand.worker);
  world_.conclude_stopped_nodes(hand.worker);
  if (!process_of_node_.empty()) account_for_missing();
  const auto all = workers();
  if (std::any_of(all.begin(), all.end(), [](const Worker* w) { return w->failure.has_value(); }))
    stopped_ = StopReason::failure;
  SimulationResult result = control_.conclude(all, hand, stopped_);
  result.outcome.in_wall_time = true;
  result.service = book_.take();
  result.service.insert(
      result.service.end(), measured_elsewhere_.begin(), measured_elsewhere_.end());
  result.outcome.fingerprint = 0;
  result.outcome.ingredients = {};
  return result;
}

void WallWorld::expect(std::vector<std::size_t> process_of_node) {
  const std::unique_lock lock(mutex_);
  for (const std::size_t process : process_of_node)
    if (process != kNoProcess && process > companions_.size()) companions_.resize(process);
  process_of_node_ = std::move(process_of_node);
  was_lost_.resize(process_of_node_.size());
}

void WallWorld::happen_in_shadow(const Intervention& what) {
  Hand& hand = *hands_.front();
  auto before = std::exchange(hand.emitted, {});
  world_.intervene(what, hand);
  for (auto& [event, propagation] : std::exchange(hand.emitted, {})) {
    event.time = std::max(event.time, now());
    world_.handle(event, hand.worker);
    world_.follow_end(event, hand);
  }
  hand.emitted = std::move(before);
  control_.note(what);
  changed_.notify_all();
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
  if (!companion.hand) companion.hand = std::make_unique<Hand>(*this);
  Hand& hand = *companion.hand;
  Worker& worker = hand.worker;
  worker.ledger.add(report.ledger);
  worker.events += report.events;
  worker.deliveries += report.deliveries;
  worker.ties += report.ties;
  worker.evaluations += report.evaluations;
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
    if (!world_.ending().begun()) world_.begin_ending(hand);
    for (const NodeReport& node : report.nodes)
      world_.look_at(node.node, elsewhere_[node.node.value].progress.last_event, hand);
  }
  changed_.notify_all();
  return true;
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
  Worker& worker = hands_.front()->worker;
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
    report.finished += std::exchange(worker->finished, 0);
    report.finished_at = std::max(report.finished_at, worker->finished_at);
    report.last_event = std::max(report.last_event, worker->last_event);
    append(report.observations, worker->observations);
    append(report.messages, worker->messages);
    append(report.work, worker->work);
    append(report.faults, worker->faults);
    for (const LostMessage& lost : worker->lost.sorted()) report.lost.push_back(lost);
    worker->lost = {};
    if (worker->failure && report.failure.empty()) {
      report.failure =
          fmt::format("{}: {}", world_.names().name(worker->failure->node), worker->failure->what);
      report.failed_outside = worker->failure->outside;
    }
  }
  const Hand& hand = *hands_.front();
  for (std::uint32_t i = 0; i < world_.nodes(); ++i) {
    const NodeId node{i};
    if (!is_here(node)) continue;
    NodeReport& own = report.nodes.emplace_back();
    own.node = node;
    own.progress = world_.state(node).progress();
    own.busy = reacting_[i] || world_.is_busy(node, hand);
    if (last) own.waiting = hand.waiting(node);
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
