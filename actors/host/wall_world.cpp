// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_world.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace posse {
namespace {

/// How often the run is looked at for observers, limits and signals.
constexpr std::chrono::milliseconds kTick{10};

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

  void emit(Event&& event) override { emitted.push_back(std::move(event)); }

  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    shared_.keep_observations(worker);
    shared_.reacting_[node.value] = true;
    ++shared_.reactions_;
    lock->unlock();
    std::exception_ptr failure;
    try {
      const Heed heed(shared_.interruption_.get());
      call_role(*shared_.roles_[node.value], stimulus, reaction);
    } catch (...) {
      failure = std::current_exception();
    }
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
    shared_.roles_[node.value] = std::move(role);
  }
  std::optional<Waiting> waiting(NodeId node) const override {
    if (shared_.reacting_[node.value]) return Waiting{"its own work", {}, {}, {}};
    return shared_.roles_[node.value]->waiting();
  }
  std::uint32_t messages_before_finish(NodeId) const override { return 0; }

  Worker worker;
  std::vector<Event> emitted;
  std::unique_lock<std::mutex>* lock = nullptr;

 private:
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
      reacting_(nodes.size()) {
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
  for (Event& event : hand.emitted) {
    Appointment& made = appointments.emplace_back();
    made.number = ++numbers_;
    made.node = event.node;
    made.due = event.time == Time::max() ? Clock::time_point::max()
                                         : start_ + std::chrono::nanoseconds(event.time.ns);
    if (std::holds_alternative<ArrivalEvent>(event.kind)) made.copy = event;
    under_way_.emplace(made.number, std::move(event));
  }
  hand.emitted.clear();
  return appointments;
}

bool WallWorld::is_over(Time at) const {
  const auto end = world_.ending().end();
  return over_ || (end && at > *end);
}

bool WallWorld::decided() {
  if (failed_ || (under_way_.empty() && reactions_ == 0)) return true;
  return world_.ending().end().has_value();
}

std::vector<Worker*> WallWorld::workers() {
  std::vector<Worker*> all;
  for (const auto& hand : hands_) all.push_back(&hand->worker);
  return all;
}

std::vector<Appointment> WallWorld::begin() {
  const std::unique_lock lock(mutex_);
  start_ = Clock::now();
  world_.begin(*hands_.front());
  return appoint(*hands_.front());
}

std::vector<Appointment> WallWorld::take_turn(std::uint64_t number, Payload arrived) {
  std::unique_lock lock(mutex_);
  const Time time = now();
  if (is_over(time)) return {};
  const auto it = under_way_.find(number);
  if (it == under_way_.end()) return {};
  Event event = std::move(it->second);
  under_way_.erase(it);
  event.time = std::max(event.time, time);
  if (arrived) event.payload = std::move(arrived);

  Hand& hand = free_hand();
  hand.lock = &lock;
  world_.handle(event, hand.worker);
  if (hand.worker.interrupted && is_over(now())) hand.worker.interrupted = false;
  world_.follow_end(event, hand);
  if (hand.worker.failure || hand.worker.interrupted) failed_ = true;
  keep_observations(hand.worker);
  auto appointments = appoint(hand);
  free_.push_back(&hand);
  if (over_ || decided()) changed_.notify_all();
  return appointments;
}

void WallWorld::fail(std::exception_ptr failure) {
  const std::unique_lock lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  failed_ = true;
  changed_.notify_all();
}

void WallWorld::watch_over(const std::function<void(std::vector<Appointment>)>& keep) {
  std::vector<ObservationRecord> observations;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto end = world_.ending().end();
    const Time present = now();
    if (failed_ || (end ? present > *end : under_way_.empty() && reactions_ == 0)) break;
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
      changed_.wait_for(lock, kTick, [&] { return decided(); });
  }
  over_ = true;
  changed_.wait(lock, [&] { return reactions_ == 0; });
}

SimulationResult WallWorld::conclude() {
  const std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  control_.take(observed_);
  Hand& hand = *hands_.front();
  for (const auto& [number, event] : under_way_) world_.book_in_flight(event, hand.worker);
  world_.conclude_stopped_nodes(hand.worker);
  const auto all = workers();
  if (std::any_of(all.begin(), all.end(), [](const Worker* w) { return w->failure.has_value(); }))
    stopped_ = StopReason::failure;
  return control_.conclude(all, hand, stopped_);
}

}  // namespace posse
