// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "core/base/reference_count.hpp"
#include "core/sim/run_control.hpp"

namespace posse {
namespace {

class HeapSink final : public EventSink {
 public:
  void emit(Event&& event) override {
    if (event.time == tied_at_ && event.node < tied_node_)
      after_tie_.push_back(std::move(event));
    else
      heap_.push(std::move(event));
  }
  void emit_copy(Event&& copy, Duration) override { emit(std::move(copy)); }
  /// What is tied at this node and instant stays together: without latency, it may send something
  /// to earlier nodes at the same instant.
  void begin_tie(NodeId node, Time instant) {
    tied_node_ = node;
    tied_at_ = instant;
  }
  void end_tie() {
    tied_node_ = NodeId{};
    for (Event& event : after_tie_) heap_.push(std::move(event));
    after_tie_.clear();
  }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  Time next() const { return heap_.top().time; }
  const Event& top() const { return heap_.top(); }
  Event pop() {
    Event event = std::move(const_cast<Event&>(heap_.top()));  // popped in the next line
    heap_.pop();
    return event;
  }

 private:
  struct After {
    bool operator()(const Event& a, const Event& b) const { return before(b, a); }
  };
  std::priority_queue<Event, std::vector<Event>, After> heap_;
  NodeId tied_node_;  // 0: nothing is tied
  Time tied_at_;
  std::vector<Event> after_tie_;
};

}  // namespace

SimulationResult run_in_serial_order(
    const SimulationSpec& spec, World& world, RoleHost& host, Progress* progress, Watch* watch) {
  const OneThread one_thread;
  HeapSink sink;
  Worker worker(world.types().size());
  worker.sink = &sink;
  worker.host = &host;
  RunControl state(spec, world, progress, watch);
  world.begin(sink);
  auto stopped = StopReason::none;
  const auto over = [&] {
    const auto end = world.ending().end();
    return sink.empty() || (end && sink.next() > *end);
  };
  const std::function<void()> take_observations = [&] { state.take_observations_if_many(worker); };
  /// The next event, and those that are tied with it.
  const auto handle_next = [&] {
    for (bool more = true; more;) {
      Event event = sink.pop();
      const auto [node, time] = std::pair(event.node, event.time);
      more = !sink.empty() && world.are_tied(event, sink.top());
      worker.tied.begin_or_go_on(more, !world.is_acknowledgement(event));
      if (more) sink.begin_tie(node, time);
      if (!world.is_void(event)) {
        world.handle(event, worker);
        world.follow_end(event, host, worker.tied.open);
      }
      if (!more && worker.tied.open && world.end_tie(worker, take_observations))
        world.follow_end_of_tie(node, time, host);
    }
    sink.end_tie();
  };
  while (!over() && stopped == StopReason::none) {
    stopped = state.between_windows({&worker}, sink.next(), sink.size());
    for (std::uint64_t i = 0; stopped == StopReason::none && i < state.events_between_checks();
         ++i) {
      if (over() || sink.next() > spec.limits.virtual_time || worker.events >= spec.limits.events ||
          worker.failure || worker.interrupted)
        break;
      handle_next();
      take_observations();
    }
  }
  if (worker.failure) stopped = StopReason::failure;
  const auto end = world.ending().end();
  if (stopped == StopReason::none && !(end && *end <= spec.limits.virtual_time) &&
      world.waits_beyond_limit({&worker}))
    stopped = StopReason::virtual_time;
  Time handled = world.last_time();
  if (!sink.empty()) handled = std::min(handled, sink.next() - Duration{1});
  world.conclude_foreseen(handled, {&worker});
  while (!sink.empty()) world.book_in_flight(sink.pop(), worker);
  world.conclude_stopped_nodes(worker);
  return state.conclude({&worker}, host, stopped);
}

SimulationResult run_serial(const SimulationSpec& spec, Progress* progress) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  DirectHost host(*spec.protocol, nodes.size());
  return run_in_serial_order(spec, world, host, progress, nullptr);
}

}  // namespace posse
