// SPDX-License-Identifier: Apache-2.0
// Which decisions count as made before the evaluations that they rest on were done. An evaluation
// takes 10 ms.
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/chatter.hpp"

namespace posse::test_early_decisions {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

using Act = std::function<void(Reaction&)>;
struct Script {
  Act start, timer;
  Act message = [](Reaction&) {};
  Act restart = [](Reaction& reaction) { reaction.resume_timers(); };
  std::string_view reason = "";
};

/// Sends every client a message at 5 ms, and finishes at 1 s.
class Server final : public Role {
 public:
  explicit Server(std::uint32_t clients) : clients_(clients) {}
  void on_start(Reaction& reaction) override {
    reaction.set_timer_from_now(TimerId{1}, ms(4));
    reaction.set_timer_from_now(TimerId{2}, ms(1000));
  }
  void on_message(const Message&, Reaction&) override {}
  void on_timer(TimerId timer, Reaction& reaction) override {
    if (timer.value == 2) return reaction.finish();
    reaction.broadcast(NodeId{1}, clients_, Round{1}, test::Gossip{1});
  }

 private:
  std::uint32_t clients_;
};

class Client final : public Role {
 public:
  explicit Client(const Script& script) : script_(script) {}
  void on_start(Reaction& reaction) override { script_.start(reaction); }
  void on_message(const Message&, Reaction& reaction) override { script_.message(reaction); }
  void on_timer(TimerId, Reaction& reaction) override { script_.timer(reaction); }
  void on_restart(Reaction& reaction) override { script_.restart(reaction); }

 private:
  const Script& script_;
};

class Star final : public Protocol {
 public:
  explicit Star(const Script& script) : script_(script) {}
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", kClients, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node.value == 0) return std::make_unique<Server>(kClients);
    return std::make_unique<Client>(script_);
  }
  std::string_view why_timers_decide_early() const override { return script_.reason; }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

  static constexpr std::uint32_t kClients = 3;

 private:
  const Script& script_;
};

/// Early decisions of one client, the same on every kernel.
std::uint64_t early(const Script& script, std::vector<NodeFault> faults = {}) {
  static const AlgorithmSpec algorithm = test::chatter_spec(Topology::star);
  const Star protocol(script);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  spec.network.node_faults = std::move(faults);
  spec.compute.evaluation = ConstantDuration{ms(10)};
  const auto out = run_serial(spec).outcome;
  CHECK(out.status == RunStatus::finished);
  for (const std::size_t threads : {1, 2, 4})
    CHECK(run_windows(spec, threads).outcome.early_decisions == out.early_decisions);
  CHECK(out.early_decisions % Star::kClients == 0);
  return out.early_decisions / Star::kClients;
}

/// Evaluates, with a timer that fires after `after`, or so long after the evaluation.
Act evaluates(Duration after, bool after_work = false) {
  return [=](Reaction& reaction) {
    reaction.evaluate(1);
    if (after_work)
      reaction.set_timer_after_work(TimerId{1}, after);
    else
      reaction.set_timer_from_now(TimerId{1}, after);
  };
}
void sends(Reaction& reaction) { reaction.send(NodeId{0}, Round{1}, test::Gossip{2}); }

TEST_CASE("a timer that evaluates, sends or finishes while its node evaluates decides early") {
  CHECK(early({.start = evaluates(ms(9)), .timer = sends}) == 1);
  CHECK(early({.start = evaluates(ms(9)), .timer = [](Reaction& r) { r.evaluate(1); }}) == 1);
  CHECK(early({.start = evaluates(ms(9)), .timer = [](Reaction& r) { r.finish(); }}) == 1);
  // Only looking around and setting timers decides nothing.
  int again = 0;
  CHECK(early({.start = evaluates(ms(9)), .timer = [&](Reaction& r) {
                 r.observe(StaleObserved{Round{1}, NodeId{0}});
                 r.work(ms(1));
                 if (again++ < 3) r.set_timer_from_now(TimerId{2}, Duration{});
               }}) == 0);
}

TEST_CASE("a timer at the end of the evaluations is not early, nor one that counts from there") {
  CHECK(early({.start = evaluates(ms(10)), .timer = sends}) == 0);
  CHECK(early({.start = evaluates(ms(0), true), .timer = sends}) == 0);
  CHECK(early({.start = evaluates(ms(3), true), .timer = sends}) == 0);
}

TEST_CASE("a loop of evaluations counts each step that a timer takes ahead of its evaluation") {
  const auto loop = [](bool after_work) {
    const auto step = evaluates(Duration{}, after_work);
    return Script{.start = step, .timer = [step](Reaction& r) {
                    if (r.now() < at_ms(60)) step(r);
                  }};
  };
  CHECK(early(loop(true)) == 0);
  // Five steps at 0 s, all but the first before an evaluation was made.
  auto trapped = loop(false);
  std::vector<int> steps(1 + Star::kClients);
  trapped.start = [&](Reaction& r) {
    steps[r.self().value] = 0;
    evaluates(Duration{})(r);
  };
  trapped.timer = [&](Reaction& r) {
    if (++steps[r.self().value] < 5) evaluates(Duration{})(r);
  };
  CHECK(early(trapped) == 4);
}

TEST_CASE("a message may be acted on while a node evaluates: what it sends leaves afterwards") {
  Script script{.start = evaluates(ms(500)), .timer = [](Reaction&) {}};
  script.message = [](Reaction& r) {
    r.evaluate(1);
    sends(r);
  };
  CHECK(early(script) == 0);
}

TEST_CASE("a timer during work that is no evaluation decides nothing early") {
  Script script{.start =
                    [](Reaction& r) {
                      r.evaluate(1);
                      r.work(ms(50));
                      r.set_timer_from_now(TimerId{1}, ms(20));
                    },
                .timer = sends};
  CHECK(early(script) == 0);
  // The evaluation is done at 60 ms.
  script.start = [](Reaction& r) {
    r.work(ms(50));
    r.evaluate(1);
    r.set_timer_from_now(TimerId{1}, ms(20));
  };
  CHECK(early(script) == 1);
}

TEST_CASE("a protocol with a reason may let timers decide while its nodes evaluate") {
  CHECK(early({.start = evaluates(ms(9)), .timer = sends, .reason = "it is a heartbeat"}) == 0);
}

TEST_CASE("evaluations take longer by the time for which their node stands still") {
  const auto stop = [](NodeFaultKind kind, bool lost = false) {
    NodeFault fault{{"client"}, {.at = at_ms(5), .lasting = ms(20)}, kind};
    fault.loses_state = lost;
    return std::vector{fault};
  };
  const Script script{.start = evaluates(ms(27)), .timer = sends};
  CHECK(early(script) == 0);
  CHECK(early(script, stop(NodeFaultKind::pause)) == 1);  // they are done at 30 ms
  // A crash stops the timer, too: 22 ms are left of it, after 25 ms.
  CHECK(early(script, stop(NodeFaultKind::crash)) == 0);
  const Script soon{.start = evaluates(ms(9)), .timer = sends};
  CHECK(early(soon, stop(NodeFaultKind::crash)) == 1);
}

}  // namespace
}  // namespace posse::test_early_decisions
