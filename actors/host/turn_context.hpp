// SPDX-License-Identifier: Apache-2.0
// What an actor works with during its turn in a world in wall time: part of WallWorld.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "actors/host/wall_world.hpp"

namespace posse {

class WallWorld::TurnContext final : public RoleHost, public EventSink {
 public:
  explicit TurnContext(WallWorld& shared) : worker(shared.world_.types().size()), shared_(shared) {
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
    // Meanwhile others may take or add to what the worker has observed.
    Reaction own(reaction.now(), node);
    const auto dropped = reaction.dropped_timers();
    own.restart_with({dropped.begin(), dropped.end()});
    lock->unlock();
    std::exception_ptr failure;
    const auto began = Clock::now();
    try {
      const Heed heed(shared_.interruption_.get());
      call_role(*shared_.roles_[node.value], stimulus, own);
    } catch (...) {
      failure = std::current_exception();
    }
    if (turn != nullptr) note(stimulus, own, began, Clock::now());
    lock->lock();
    --shared_.reactions_;
    shared_.reacting_[node.value] = false;
    shared_.keep_observations(worker);
    reaction = std::move(own);
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

}  // namespace posse
