// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_world.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "actors/host/turn_context.hpp"

namespace posse {
namespace {

/// How often the run is looked at for observers, limits and signals.
constexpr std::chrono::milliseconds kTick{10};
/// Until a message has come and been reported.
constexpr std::chrono::milliseconds kOnTheWay{2000};

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
  contexts_.push_back(std::make_unique<TurnContext>(*this));
}

WallWorld::~WallWorld() = default;

Time WallWorld::now() {
  const auto passed =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  latest_ = std::max(latest_, Time{passed});
  return latest_;
}

WallWorld::TurnContext& WallWorld::free_context() {
  if (free_.empty()) {
    contexts_.push_back(std::make_unique<TurnContext>(*this));
    return *contexts_.back();
  }
  TurnContext& context = *free_.back();
  free_.pop_back();
  return context;
}

void WallWorld::keep_observations(Worker& worker) {
  std::move(
      worker.observations().begin(), worker.observations().end(), std::back_inserter(observed_));
  worker.observations().clear();
}

std::vector<Appointment> WallWorld::appoint(TurnContext& context) {
  std::vector<Appointment> appointments;
  for (auto& [event, propagation] : context.emitted) {
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
  context.emitted.clear();
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
  for (const auto& context : contexts_) all.push_back(&context->worker);
  for (const auto& companion : companions_)
    if (companion.context) all.push_back(&companion.context->worker);
  return all;
}

std::vector<Appointment> WallWorld::begin(Clock::time_point start,
                                          const std::vector<Resumption>& resumed) {
  const std::unique_lock lock(mutex_);
  start_ = start;
  world_.begin(*contexts_.front());
  for (const Resumption& node : resumed)
    if (node.node.value < world_.nodes() && is_here(node.node))
      world_.begin_anew(node.node, node.progress, node.links, now(), *contexts_.front());
  return appoint(*contexts_.front());
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
  TurnContext& context = free_context();
  context.lock = &lock;
  context.turn = &turn;
  world_.handle(event, context.worker);
  context.turn = nullptr;
  if (context.worker.interrupted && is_over(now())) context.worker.interrupted = false;
  world_.follow_end(event, context);
  if (context.worker.failure || context.worker.interrupted) failed_ = true;
  keep_observations(context.worker);
  auto appointments = appoint(context);
  free_.push_back(&context);
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
    if (!contexts_.front()->emitted.empty()) {
      auto appointments = appoint(*contexts_.front());
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

SimulationResult WallWorld::conclude() {
  const std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  control_.take(observed_);
  TurnContext& context = *contexts_.front();
  for (const auto& [number, event] : under_way_) world_.book_in_flight(event, context.worker);
  world_.conclude_stopped_nodes(context.worker);
  if (!process_of_node_.empty()) account_for_missing();
  const auto all = workers();
  if (std::any_of(all.begin(), all.end(), [](const Worker* w) { return w->failure.has_value(); }))
    stopped_ = StopReason::failure;
  SimulationResult result = control_.conclude(all, context, stopped_);
  result.outcome.in_wall_time = true;
  result.service = book_.take();
  result.service.insert(
      result.service.end(), measured_elsewhere_.begin(), measured_elsewhere_.end());
  result.outcome.fingerprint = 0;
  result.outcome.ingredients = {};
  return result;
}

}  // namespace posse
