#include <queue>

#include "core/sim/run_state.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kEventsBetweenLooks = 256;

class HeapSink final : public EventSink {
 public:
  void emit(Event&& event) override { heap_.push(std::move(event)); }
  bool empty() const { return heap_.empty(); }
  Time next() const { return heap_.top().time; }
  Event pop() {
    Event event = std::move(const_cast<Event&>(heap_.top()));  // popped at once
    heap_.pop();
    return event;
  }

 private:
  struct After {
    bool operator()(const Event& a, const Event& b) const { return before(b, a); }
  };
  std::priority_queue<Event, std::vector<Event>, After> heap_;
};

}  // namespace

SimulationResult run_in_serial_order(const SimulationSpec& spec,
                                     World& world,
                                     RoleHost& host,
                                     Progress* progress,
                                     const BeforeWindow& before_window) {
  HeapSink sink;
  Worker worker(world.types());
  worker.sink = &sink;
  worker.host = &host;
  RunState state(spec, world, progress);
  for (std::uint32_t i = 0; i < world.nodes(); ++i) sink.emit(world.start_event(NodeId{i}));
  auto stopped = StopReason::none;
  while (!sink.empty()) {
    stopped = state.between_windows({&worker}, sink.next());
    if (stopped == StopReason::none && before_window) stopped = before_window(sink.next());
    if (stopped != StopReason::none) break;
    for (std::uint64_t i = 0; i < kEventsBetweenLooks && !sink.empty(); ++i) {
      if (before_window && i > 0) break;  // paced: every instant waits for its own time
      if (sink.next() > spec.limits.virtual_time || worker.failure) break;
      Event event = sink.pop();
      world.handle(event, worker);
      if (worker.events >= spec.limits.events) break;
    }
  }
  while (!sink.empty()) world.book_in_flight(sink.pop(), worker);
  return state.conclude(world, {&worker}, host, stopped);
}

SimulationResult run_serial(const SimulationSpec& spec, Progress* progress) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  DirectHost host(*spec.protocol, nodes.size());
  return run_in_serial_order(spec, world, host, progress, {});
}

}  // namespace posse
