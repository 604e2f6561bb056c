// SPDX-License-Identifier: Apache-2.0
// When traces say that a node worked, by hand: also where it is interrupted.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/chatter.hpp"

namespace posse::test_work_records {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// The server finishes at once. The client works for 20, 20 and 30 ms from the start and finishes.
class ThreePieces final : public Role {
 public:
  explicit ThreePieces(bool works) : works_(works) {}
  void on_start(Reaction& reaction) override {
    for (const double piece : {20, 20, 30})
      if (works_) reaction.work(ms(piece));
    reaction.finish();
  }
  void on_message(const Message&, Reaction&) override {}

 private:
  bool works_;
};

class OneWorker final : public Protocol {
 public:
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", 1, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<ThreePieces>(node.value == 1);
  }
  bool can_lose_state(NodeId) const override { return true; }
  std::unique_ptr<Role> make_role_anew(NodeId, std::uint64_t) const override {
    return std::make_unique<ThreePieces>(false);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }
};

NodeFault stop(NodeFaultKind kind, double at, std::optional<Duration> lasting) {
  return {{"client-0"}, {.at = Time{} + ms(at), .lasting = lasting}, kind};
}
NodeFault pause(double at, double lasting) { return stop(NodeFaultKind::pause, at, ms(lasting)); }

/// Beginnings and ends in milliseconds, the same on every kernel.
using Pieces = std::vector<std::pair<double, double>>;
Pieces pieces(std::vector<NodeFault> faults) {
  static const AlgorithmSpec algorithm = test::chatter_spec(Topology::star);
  const OneWorker protocol;
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.trace_messages = true;
  spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  spec.network.node_faults = std::move(faults);
  const auto of = [](const SimulationResult& result) {
    Pieces found;
    for (const WorkRecord& work : result.work) {
      CHECK(work.node == NodeId{1});
      found.emplace_back(work.from.to_seconds() * 1e3, work.until.to_seconds() * 1e3);
    }
    return found;
  };
  const Pieces found = of(run_serial(spec));
  CHECK(of(run_windows(spec, 2)) == found);
  return found;
}

}  // namespace

TEST_CASE("each piece of work is traced from its beginning to its end") {
  CHECK(pieces({}) == Pieces{{0, 20}, {20, 40}, {40, 70}});
}

TEST_CASE("traced work ends where the node stops, and all that is left comes later") {
  // The third piece would have begun after the pause.
  CHECK(pieces({pause(12, 10)}) == Pieces{{0, 12}, {22, 30}, {30, 50}, {50, 80}});
  CHECK(pieces({pause(20, 5)}) == Pieces{{0, 20}, {25, 45}, {45, 75}});
  CHECK(pieces({pause(12, 10), pause(25, 1)}) ==
        Pieces{{0, 12}, {22, 25}, {26, 31}, {31, 51}, {51, 81}});
  CHECK(pieces({pause(12, 10), pause(15, 20)}) == Pieces{{0, 12}, {35, 43}, {43, 63}, {63, 93}});
  CHECK(pieces({stop(NodeFaultKind::crash, 30, ms(10))}) ==
        Pieces{{0, 20}, {20, 30}, {40, 50}, {50, 80}});
}

TEST_CASE("work that is never done, or lost with the node's state, is not traced") {
  CHECK(pieces({stop(NodeFaultKind::pause, 30, std::nullopt)}) == Pieces{{0, 20}, {20, 30}});
  NodeFault forgetful = stop(NodeFaultKind::crash, 30, ms(10));
  forgetful.loses_state = true;
  CHECK(pieces({forgetful}) == Pieces{{0, 20}, {20, 30}});
}

}  // namespace posse::test_work_records
