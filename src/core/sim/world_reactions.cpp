// SPDX-License-Identifier: Apache-2.0
// How roles react, and what their reactions bring about.
#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/check.hpp"
#include "core/base/interruption.hpp"
#include "core/base/outside_failure.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// The effects and observations of a reaction, in their order.
class World::ReactionApplier {
 public:
  /// How long a reaction takes by itself, beside the work that it declares.
  struct OwnTime {
    Duration before;      // until the role reacts
    Duration reacting;    // covers declared work
    bool passed = false;  // already, in wall time
  };
  /// `path`: which led to the reaction.
  ReactionApplier(World& world,
                  const Event& stimulus,
                  NodeState& node,
                  Path path,
                  OwnTime own_time,
                  Worker& worker)
      : world_(world),
        id_(stimulus.node),
        node_(node),
        now_(stimulus.time),
        round_(stimulus.round),
        path_(std::move(path)),
        own_time_(own_time),
        worker_(worker),
        effects_(worker.reaction.mutable_effects()),
        observations_(worker.reaction.mutable_observations()) {
    if (world_.follows_paths_ && !path_) path_ = Path::beginning(id_, now_);
  }

  [[gnu::always_inline]] void take_place() {
    follow_work();
    if (own_time_.before.ns > 0 || own_time_.reacting.ns > 0) spend_own_time();
    for (; done_ < number_of_effects_; ++done_) {
      if (observed_ < observations_.size()) observe();
      std::visit([&](auto& effect) { happen(effect); }, effects_[done_]);
    }
    if (observed_ < observations_.size()) observe();
    if (NodeStops* stops = node_.stops()) {
      worker_.reaction.drop_observations();  // which were moved
      report_until(now_, *stops, worker_);
    }
    book_work(round_);
    if (node_.busy_until > now_ && !world_.work_paths_.empty())
      world_.work_paths_[id_.value] = std::move(path_);
  }

 private:
  void happen(SendEffect& message) {
    const auto type = world_.types_.number_of(message.payload.type());
    world_.check_send(id_, node_, message);
    if (world_.service_.any() && !node_.finished) return send_one_by_one(message, type);
    pass_on(message, type);
  }
  /// Each copy is encoded before it leaves.
  void send_one_by_one(const SendEffect& message, std::uint16_t type) {
    for (std::uint32_t i = 0; i < message.count; ++i) {
      SendEffect one{NodeId{message.first.value + i}, 1, message.round, message.payload};
      unbooked_work_ +=
          world_.work(id_, node_, now_, world_.service_.of_encoding(id_, type), worker_);
      follow_work();
      pass_on(one, type);
    }
  }
  [[gnu::always_inline]] void pass_on(SendEffect& message, std::uint16_t type) {
    book_work(message.round);
    if (world_.follows_paths_) {
      const bool last = done_ + 1 == number_of_effects_ && observed_ == observations_.size() &&
                        world_.work_paths_.empty();
      const std::uint32_t number =
          world_.recorded_.empty() ? message.payload.number() : ++world_.recorded_[id_.value].sent;
      message.payload = std::move(message.payload).sent(last ? std::move(path_) : path_, number);
    }
    world_.send(id_, node_, now_, type, message, worker_);
  }
  void happen(const SetTimerEffect& effect) {
    POSSE_CHECK(effect.after.ns >= 0, "a timer was set {} ns in the past", -effect.after.ns);
    const Time from = effect.after_work ? node_.free_at(now_) : now_;
    Event event = node_.local_event(id_, from + effect.after, TimerEvent{effect.timer});
    node_.make_extras().timers.set(effect.timer, event.sequence, event.time, from, path_);
    worker_.sink->emit(std::move(event));
  }
  void happen(const CancelTimerEffect& effect) {
    if (node_.extras) node_.extras->timers.cancel(effect.timer);
  }
  void happen(const EvaluateEffect& evaluate) {
    const std::uint64_t end = node_.evaluations + evaluate.count;
    const Time from = node_.free_at(now_);
    Duration taken;
    const auto make = [&](std::uint64_t count) {
      taken += world_.network().evaluation_time(id_, node_.evaluations, count);
      node_.evaluations += count;
      return from + world_.slowed(id_, beyond_spent(taken));
    };
    for (Time began = from; node_.evaluations < end && pulls_follow(); ++observed_) {
      ObservationRecord& pulls = observations_[observed_];
      const auto count = std::get<PullsObserved>(pulls.observation).count;
      const Time made = make(std::min(count, end - node_.evaluations));
      report(pulls, made, std::exchange(began, made));
    }
    make(end - node_.evaluations);
    work(taken);
    if (evaluate.count > 0) world_.early_decisions_.evaluates_until(id_, node_.free_at(now_));
    worker_.evaluations += evaluate.count;
  }
  /// Right after the present effect.
  bool pulls_follow() const {
    return observed_ < observations_.size() && observations_[observed_].after == done_ + 1 &&
           std::holds_alternative<PullsObserved>(observations_[observed_].observation);
  }
  void happen(const WorkEffect& effect) { work(effect.duration); }
  static void happen(const UseEffect&) {}
  void happen(const FinishEffect&) { world_.finish_after_work(id_, node_, now_, worker_); }

  /// The reaction itself is work. What it goes on to declare includes that time: `[compute]` says
  /// how long work takes at least.
  void spend_own_time() {
    if (!node_.finished) {
      work(own_time_.before);
      work(own_time_.reacting);
    }
    if (own_time_.passed) now_ = now_ + own_time_.before + own_time_.reacting;
    spent_ = own_time_.reacting;
  }
  Duration beyond_spent(Duration duration) const {
    return {std::max<std::int64_t>(0, duration.ns - spent_.ns)};
  }

  void work(Duration declared) {
    const Duration duration = beyond_spent(declared);
    spent_ = {spent_.ns - std::min(spent_.ns, declared.ns)};
    unbooked_work_ += world_.work(id_, node_, now_, duration, worker_);
    follow_work();
  }
  void follow_work() {
    if (path_) path_.extend(PathPart::compute, id_, node_.free_at(now_));
  }
  /// Work belongs to the round of the next message or of the next RoundEnded.
  [[gnu::always_inline]] void book_work(Round round) {
    if (unbooked_work_.ns == 0) return;
    worker_.ledger.add_time(round, &RoundCount::compute, unbooked_work_);
    unbooked_work_ = {};
  }

  /// What was observed before the next effect.
  void observe() {
    for (; observed_ < observations_.size() && observations_[observed_].after <= done_;
         ++observed_) {
      ObservationRecord& record = observations_[observed_];
      POSSE_CHECK(!had_finished_ || std::holds_alternative<StaleObserved>(record.observation),
                  "{} reports something other than a late message after it finished, so that the "
                  "run may end before the report",
                  world_.nodes_.name(id_));
      if (const auto* ended = std::get_if<RoundEnded>(&record.observation)) {
        book_work(ended->round);
        if (world_.ending_.decides(id_)) world_.ending_.round_closed(*ended);
        record.path = path_;
      } else if (std::holds_alternative<RoundBegan>(record.observation)) {
        path_.begin_round();
      }
      const Time time = node_.free_at(now_);
      report(record, time, time);
    }
  }
  [[gnu::always_inline]] void report(ObservationRecord& record, Time time, Time began) {
    record.time = time;
    record.began = began;
    if (NodeStops* stops = node_.stops()) stops->observations.push_back(std::move(record));
  }

  World& world_;
  NodeId id_;
  NodeState& node_;
  Time now_;
  Round round_;  // of the stimulus
  Path path_;    // to the end of the work so far; empty if paths are not followed
  OwnTime own_time_;
  Duration spent_{};  // of reacting: what declared work has not covered
  Worker& worker_;
  std::vector<Effect>& effects_;
  const std::span<ObservationRecord> observations_;
  const std::size_t number_of_effects_ = effects_.size();
  const bool had_finished_ = node_.finished;
  std::size_t done_ = 0, observed_ = 0;  // of effects_, of observations_
  Duration unbooked_work_{};
};

void World::let_role_react(const Event& event,
                           Stimulus::Kind kind,
                           NodeState& node,
                           Worker& worker) {
  worker.stimulus.kind = kind;
  worker.reaction.reset(event.time, event.node);
  node.last_reaction = event.time;
  try {
    if (kind == Stimulus::Kind::restart_anew) renew_role(event.node, node, worker);
    if (!recorded_.empty())
      recorded_[event.node.value].waits = worker.host->waiting(event.node).has_value();
    if (kind == Stimulus::Kind::restart)
      worker.reaction.restart_with(std::exchange(node.stops()->dropped_timers, {}));
    ReactionApplier::OwnTime time;
    if (service_.any()) time.before = service_.before_reaction(event.node, worker.stimulus);
    time.reacting = worker.host->react(event.node, worker.stimulus, worker.reaction);
    if (kind == Stimulus::Kind::restart) worker.reaction.restart_with({});
    if (kind == Stimulus::Kind::timer)
      worker.early_decisions += early_decisions_.is_early(event.node, event.time, worker.reaction);
    time.passed = time.reacting.ns > 0;
    if (service_.any())
      time.reacting = service_.of_reaction(event.node, worker.stimulus, worker.reaction);
    if (!recorded_.empty())
      record(worker.stimulus, worker.reaction, *spec_.algorithm, recorded_[event.node.value]);
    Payload message = std::exchange(worker.stimulus.message.payload, Payload{});
    const Reaction& reaction = worker.reaction;
    if (reaction.effects().empty() && reaction.observations().empty() &&
        time.before.ns + time.reacting.ns == 0)
      return;
    ReactionApplier(
        *this, event, node, path_to(event, std::move(message), node, worker), time, worker)
        .take_place();
    return;
  } catch (const Interrupted&) {
    worker.interrupted = true;
  } catch (const std::exception& error) {
    const auto [what, outside] = blame(error);
    worker.fail(event, what, outside);
  } catch (...) {
    worker.fail(event, "an exception that is not a std::exception", false);
  }
  worker.reaction.drop_observations();
}

Path World::path_to(const Event& event, Payload&& message, const NodeState& node, Worker& worker) {
  if (!follows_paths_) return {};
  if (node.busy_until > event.time && !work_paths_.empty()) return work_paths_[event.node.value];
  if (worker.stimulus.kind == Stimulus::Kind::timer) {
    Path path = std::move(worker.timer_path);
    path.extend(PathPart::timer, event.node, event.time);
    return path;
  }
  if (message)
    return LinkLayer::path_of(event, *departure_of(event), std::move(message).take_path());
  if (worker.stimulus.kind != Stimulus::Kind::start) return {};
  Path path = Path::beginning(event.node, Time{});
  // If it starts late, it stood still, or its machine was slow.
  path.extend(spec_.in_wall_time ? PathPart::compute : PathPart::stopped, event.node, event.time);
  return path;
}

void World::finish_after_work(NodeId id, NodeState& node, Time now, Worker& worker) {
  if (node.finished) return;
  if (!node.stops() || node.busy_until <= now) return finish(id, node, now, worker);
  Event finish;
  finish.kind = DepartureEvent{};  // to no node
  plan_departure(id, node, now, std::move(finish), worker);
}

void World::finish(NodeId id, NodeState& node, Time now, Worker& worker) {
  if (node.finished) return;
  node.finished = true;
  ++worker.finished;
  node.busy_until = node.free_at(now);
  worker.finished_at = std::max(worker.finished_at, node.busy_until);
  if (ending_.decides(id)) ending_.decided(node.busy_until);
}

void World::check_send(NodeId from, const NodeState& node, const SendEffect& message) const {
  POSSE_CHECK(!(node.finished && ending_.has_hub() && from == Ending::kHub),
              "{} sends after it finished",
              nodes_.name(from));
  POSSE_CHECK(message.round.value <= Ledger::kMaxRound,
              "round {} is above the limit {}",
              message.round.value,
              Ledger::kMaxRound);
  if (message.count == 0 || links_.map().connected(from, message.first, message.count)) return;
  for (std::uint32_t i = 0; i < message.count; ++i)
    POSSE_CHECK(links_.map().connected(from, NodeId{message.first.value + i}),
                "{} has no link to node {} ({} nodes) in this topology",
                nodes_.name(from),
                std::uint64_t{message.first.value} + i,
                nodes_.size());
}

Duration World::slowed(NodeId id, Duration duration) const {
  const double factor = network().straggler_factor(id);
  return factor == 1.0 ? duration : Duration::seconds(duration.to_seconds() * factor);
}

Duration World::work(NodeId id, NodeState& node, Time now, Duration duration, Worker& worker) {
  POSSE_CHECK(!node.finished || duration.ns == 0, "{} works after it finished", nodes_.name(id));
  duration = slowed(id, duration);
  const Time from = node.free_at(now);
  node.busy_until = from + duration;
  node.worked = node.worked || duration.ns > 0;
  if (spec_.trace_messages && duration.ns > 0)
    (node.stops() ? node.stops()->work : worker.work).push_back({id, from, node.busy_until});
  return duration;
}

void World::send(NodeId from,
                 NodeState& node,
                 Time now,
                 std::uint16_t type,
                 SendEffect& message,
                 Worker& worker) {
  if (corruption_.any()) {
    const Path path = message.payload.path();
    corruption_.apply(from, type, message.payload, node.free_at(now));
    if (path) message.payload = std::move(message.payload).with_path(path);
  }
  // Queue behind an earlier departure even if the work ends at this very time: a node's messages
  // leave in the order of sending.
  if (node.busy_until <= now && node.departures == 0)
    return post(from, node, now, type, std::move(message), worker);
  Event departure;
  departure.kind = DepartureEvent{message.first, message.count};
  departure.type = type;
  departure.round = message.round;
  departure.payload = std::move(message.payload);
  plan_departure(from, node, now, std::move(departure), worker);
}

void World::plan_departure(
    NodeId from, NodeState& node, Time now, Event&& content, Worker& worker) {
  ++node.departures;
  const auto planned = std::get<DepartureEvent>(content.kind);
  if (ending_.has_hub() && from == Ending::kHub && planned.count > 0)
    hub_departures_.push_back(planned);
  Event departure = node.local_event(from, node.free_at(now), content.kind);
  departure.type = content.type;
  departure.round = content.round;
  departure.payload = std::move(content.payload);
  if (NodeStops* stops = node.stops()) {
    departure.number = stops->epoch;
    stops->departures.push_back(departure);
    departure.payload = Payload{};
  }
  worker.sink->emit(std::move(departure));
}

void World::post(NodeId from,
                 NodeState& node,
                 Time now,
                 std::uint16_t type,
                 SendEffect&& message,
                 Worker& worker) {
  last_messages_.sends(from, message.first, message.count, message.round, type, now);
  if (follows_paths_ && (node.stops() || spec_.in_wall_time) &&
      message.payload.path().until() < now) {  // it stood still before, or the machine was slow
    Path path = message.payload.path();
    const bool stood = node.stops() && node.stops()->epoch > 0;
    path.extend(stood ? PathPart::stopped : PathPart::compute, from, now);
    message.payload = std::move(message.payload).with_path(std::move(path));
  }
  for (std::uint32_t i = 0; i < message.count; ++i) {
    const NodeId to{message.first.value + i};
    const bool last = i + 1 == message.count;
    Transmission transmission{.from = from, .to = to, .type = type, .round = message.round};
    transmission.payload = last ? std::move(message.payload) : message.payload;
    if (transport_) {
      transmission.number = transport_->take_number(from, to);
      transport_->transmit(std::move(transmission), node, now, worker);
    } else {
      links_.transmit(transmission, now, worker);
    }
  }
}

}  // namespace posse
