// SPDX-License-Identifier: Apache-2.0
// Runs with an observer: callbacks at every window and every reaction of a role, without threads or
// clocks, so that requests always come at the same moment.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/sim/run_control.hpp"
#include "core/sim/window_engine.hpp"
#include "core/sim/world.hpp"

namespace posse::test {

/// Callbacks during a run; the default ones do nothing.
struct RunObserver {
  /// Called before each window (serial kernel: event) until it returns true, so that the run goes
  /// on; called repeatedly while a run is paused.
  std::function<bool(Time next, bool paused)> before = [](Time, bool paused) { return !paused; };
  /// Called after every reaction, by the thread that made it, one at a time.
  std::function<void(NodeId, const Reaction&)> reacted = [](NodeId, const Reaction&) {};
};

class ObserverWatch final : public Watch {
 public:
  explicit ObserverWatch(RunObserver& observer) : observer_(observer) {}
  Waited wait(Time time, bool paused) override {
    // An endless pause would hang the test.
    POSSE_CHECK(++calls_ < 50'000'000, "the run is paused for ever");
    const bool go_on = observer_.before(time, paused);
    return {StopReason::none, go_on && !paused};
  }
  StopReason stop_reason() override { return StopReason::none; }

 private:
  RunObserver& observer_;
  std::uint64_t calls_ = 0;
};

class ObserverHost final : public RoleHost {
 public:
  ObserverHost(const Protocol& protocol, std::uint32_t nodes, RunObserver& observer)
      : host_(protocol, nodes), observer_(observer) {}
  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    host_.react(node, stimulus, reaction);
    const std::lock_guard lock(mutex_);
    observer_.reacted(node, reaction);
    return {};
  }
  void replace(NodeId node, std::unique_ptr<Role> role) override {
    host_.replace(node, std::move(role));
  }
  std::optional<Waiting> waiting(NodeId node) const override { return host_.waiting(node); }
  std::uint32_t messages_before_finish(NodeId node) const override {
    return host_.messages_before_finish(node);
  }

 private:
  DirectHost host_;
  RunObserver& observer_;
  std::mutex mutex_;
};

/// threads 0: the serial kernel; else windows (whose lookahead must allow them).
inline SimulationResult run_watched(const SimulationSpec& spec,
                                    std::size_t threads,
                                    RunObserver observer,
                                    Progress& progress) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  ObserverWatch watch(observer);
  ObserverHost host(*spec.protocol, nodes.size(), observer);
  if (threads == 0) return run_in_serial_order(spec, world, host, &progress, &watch);
  POSSE_CHECK(windows_possible(world));
  WindowOptions options;
  options.threads = threads;
  options.watch = &watch;
  return run_in_windows(spec, world, std::vector<RoleHost*>(threads, &host), &progress, options);
}

/// The faults of nodes that correspond to a run's interventions.
inline std::vector<NodeFault> node_faults_of(const std::vector<Intervention>& interventions) {
  std::vector<NodeFault> faults;
  for (const auto& done : interventions) {
    if (done.is_of_nodes() && !done.undoes()) faults.push_back(node_fault_of(done));
    if (done.action != Intervention::Action::restart) continue;
    for (auto& open : faults)
      if (!open.when.lasting && open.nodes == done.groups.front())
        open.when.lasting = done.at - open.when.at;
  }
  return faults;
}

/// The partitions that correspond to a run's interventions.
inline std::vector<LinkFault> as_scheduled(const std::vector<Intervention>& interventions) {
  std::vector<LinkFault> partitions;
  for (const auto& done : interventions) {
    if (done.action == Intervention::Action::cut)
      partitions.push_back({done.groups, done.at, std::nullopt});
    if (done.action != Intervention::Action::restore) continue;
    for (auto& open : partitions)
      if (!open.when.lasting && open.groups == done.groups)
        open.when.lasting = done.at - open.when.at;
  }
  return partitions;
}

}  // namespace posse::test
