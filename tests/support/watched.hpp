// Runs with somebody who looks on: at every window and every reaction of a role, without threads or
// clocks, so that what is asked is asked at the same moment every time.
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

/// What happens while a run goes on; whatever is left out does nothing.
struct Onlooker {
  /// Called before each window (serial kernel: event) until it says that the run may go on; while a
  /// run is paused again and again. False: look again.
  std::function<bool(Time next, bool paused)> before = [](Time, bool paused) { return !paused; };
  /// Called after every reaction, by the thread that made it, one at a time.
  std::function<void(NodeId, const Reaction&)> reacted = [](NodeId, const Reaction&) {};
  /// Called when nothing will happen any more, before the run's outcome is made.
  std::function<void()> ending = [] {};
};

class OnlookersWatch final : public Watch {
 public:
  explicit OnlookersWatch(Onlooker& onlooker) : onlooker_(onlooker) {}
  Waited wait(Time time, bool paused) override {
    // A pause that nobody ends would hang the test.
    POSSE_CHECK(++calls_ < 50'000'000, "the run is held for ever");
    const bool go_on = onlooker_.before(time, paused);
    return {StopReason::none, go_on && !paused};
  }
  StopReason glance() override { return StopReason::none; }

 private:
  Onlooker& onlooker_;
  std::uint64_t calls_ = 0;
};

class OnlookersHost final : public RoleHost {
 public:
  OnlookersHost(const Protocol& protocol, std::uint32_t nodes, Onlooker& onlooker)
      : host_(protocol, nodes), onlooker_(onlooker) {}
  void react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    host_.react(node, stimulus, reaction);
    const std::lock_guard lock(mutex_);
    onlooker_.reacted(node, reaction);
  }
  std::optional<Waiting> waiting(NodeId node) const override {
    if (node.value == 0) onlooker_.ending();
    return host_.waiting(node);
  }

 private:
  DirectHost host_;
  Onlooker& onlooker_;
  std::mutex mutex_;
};

/// threads 0: the serial kernel; else windows (whose lookahead must allow them).
inline SimulationResult run_watched(const SimulationSpec& spec,
                                    std::size_t threads,
                                    Onlooker onlooker,
                                    Progress& progress) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  OnlookersWatch watch(onlooker);
  OnlookersHost host(*spec.protocol, nodes.size(), onlooker);
  if (threads == 0) return run_in_serial_order(spec, world, host, &progress, &watch);
  POSSE_CHECK(windows_possible(world));
  WindowOptions options;
  options.threads = threads;
  options.watch = &watch;
  return run_in_windows(spec, world, std::vector<RoleHost*>(threads, &host), &progress, options);
}

/// The partitions that a run's interventions amount to.
inline std::vector<NetworkPartition> as_scheduled(const std::vector<Intervention>& interventions) {
  std::vector<NetworkPartition> partitions;
  for (const auto& done : interventions) {
    if (done.action == Intervention::Action::cut)
      partitions.push_back({done.groups, done.at, std::nullopt});
    if (done.action != Intervention::Action::mend) continue;
    for (auto& open : partitions)
      if (!open.lasting && open.groups == done.groups) open.lasting = done.at - open.at;
  }
  return partitions;
}

}  // namespace posse::test
