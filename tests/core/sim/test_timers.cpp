// SPDX-License-Identifier: Apache-2.0
// What a role's timers do: when they fire, in which order, and what becomes of them when they are
// set again or cancelled, and when the node works, pauses or crashes. Times are counted by hand.
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_timers {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

/// The timers that fired at the client, with the time in milliseconds.
using Fired = std::vector<std::pair<std::uint32_t, double>>;
using Reactions = std::function<void(Reaction&)>;

struct Script {
  Reactions start;
  std::function<void(TimerId, Reaction&)> timer = [](TimerId, Reaction&) {};
  Reactions restart;  // null: as any role that does not say
};

/// The server, which finishes at once.
class Idle final : public Role {
 public:
  void on_start(Reaction& reaction) override { reaction.finish(); }
  void on_message(const Message&, Reaction&) override {}
};

class Client final : public Role {
 public:
  Client(const Script& script, Fired& fired) : script_(script), fired_(fired) {}
  void on_start(Reaction& reaction) override { script_.start(reaction); }
  void on_message(const Message&, Reaction&) override {}
  void on_timer(TimerId timer, Reaction& reaction) override {
    fired_.emplace_back(timer.value, static_cast<double>(reaction.now().ns) / 1e6);
    script_.timer(timer, reaction);
  }
  void on_restart(Reaction& reaction) override {
    script_.restart ? script_.restart(reaction) : Role::on_restart(reaction);
  }

 private:
  const Script& script_;
  Fired& fired_;
};

class OneClient final : public Protocol {
 public:
  OneClient(const Script& script, Fired& fired) : script_(script), fired_(fired) {}
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", 1, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node.value == 0) return std::make_unique<Idle>();
    return std::make_unique<Client>(script_, fired_);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  const Script& script_;
  Fired& fired_;
};

NodeFault stop(NodeFaultKind kind, double at, double lasting) {
  return {{"client-0"}, {.at = at_ms(at), .lasting = ms(lasting)}, kind};
}
constexpr auto kCrash = NodeFaultKind::crash;
constexpr auto kPause = NodeFaultKind::pause;

/// The timers fired, equal on every kernel. The run must end when the last one has fired, at `end`.
Fired run(const Script& script, double end, std::vector<NodeFault> faults = {}) {
  static const AlgorithmSpec algorithm = test::chatter_spec(Topology::star);
  Fired fired, others;
  const auto specification = [&](const Protocol& protocol) {
    SimulationSpec spec;
    spec.algorithm = &algorithm;
    spec.protocol = &protocol;
    spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
    spec.network.node_faults = faults;
    return spec;
  };
  const OneClient protocol(script, fired), again(script, others);
  const auto spec = specification(protocol), spec_again = specification(again);
  const auto out = run_serial(spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(end));
  CHECK(run_windows(spec_again, 2).outcome.fingerprint == out.fingerprint);
  CHECK(others == fired);
  return fired;
}

TEST_CASE("a timer that is set again replaces the pending one, be it earlier or later") {
  const Script script{.start = [](Reaction& r) {
    r.set_timer_from_now(TimerId{1}, ms(5));
    r.set_timer_from_now(TimerId{1}, ms(9));
    r.set_timer_from_now(TimerId{2}, ms(8));
    r.set_timer_from_now(TimerId{2}, ms(3));
    r.set_timer_from_now(TimerId{3}, ms(4));
    r.set_timer_from_now(TimerId{3}, ms(4));
    r.set_timer_from_now(TimerId{4}, ms(6));
    r.cancel_timer(TimerId{4});
    r.set_timer_from_now(TimerId{5}, ms(2));
    r.cancel_timer(TimerId{5});
    r.set_timer_from_now(TimerId{5}, ms(7));
  }};
  CHECK(run(script, 9) == Fired{{2, 3}, {3, 4}, {5, 7}, {1, 9}});
}

TEST_CASE("a timer that fires may set itself again, move others and cancel those due at once") {
  int times = 0;
  const Script script{.start =
                          [&](Reaction& r) {
                            times = 0;
                            r.set_timer_from_now(TimerId{1}, ms(5));
                            r.set_timer_from_now(TimerId{2}, ms(5));
                            r.set_timer_from_now(TimerId{3}, ms(20));
                          },
                      .timer =
                          [&](TimerId timer, Reaction& r) {
                            if (timer.value != 1 || ++times > 2) return;
                            r.set_timer_from_now(TimerId{1}, times == 1 ? ms(5) : Duration{});
                            r.cancel_timer(TimerId{2});
                            r.set_timer_from_now(TimerId{3}, ms(1));
                          }};
  // 1 fires at 5 (before 2, which it cancels), at 10 and at 10 again; 3 is moved to 6 and set anew.
  CHECK(run(script, 11) == Fired{{1, 5}, {3, 6}, {1, 10}, {1, 10}, {3, 11}});
}

TEST_CASE("timers of one instant fire in the order in which they were last set") {
  const Script script{.start = [](Reaction& r) {
    for (const std::uint32_t timer : {3, 1, 2}) r.set_timer_from_now(TimerId{timer}, ms(5));
    r.set_timer_from_now(TimerId{3}, ms(5));
  }};
  CHECK(run(script, 5) == Fired{{1, 5}, {2, 5}, {3, 5}});
}

TEST_CASE("timers count from now, while the node works, after its work only if they are told so") {
  const Script script{.start = [](Reaction& r) {
    r.set_timer_after_work(TimerId{1});
    r.work(ms(4));
    r.set_timer_from_now(TimerId{2}, ms(1));
    r.set_timer_after_work(TimerId{3});
    r.work(ms(3));
    r.set_timer_after_work(TimerId{4});
  }};
  CHECK(run(script, 7) == Fired{{1, 0}, {2, 1}, {3, 4}, {4, 7}});
}

TEST_CASE("a crash drops all timers, whenever they are due, and the role may set them again") {
  Script script{.start =
                    [](Reaction& r) {
                      r.set_timer_from_now(TimerId{1}, ms(3));
                      r.set_timer_from_now(TimerId{2}, ms(6));   // while it is down
                      r.set_timer_from_now(TimerId{3}, ms(20));  // after its restart
                      r.set_timer_from_now(TimerId{4}, ms(30));
                    },
                .restart = [](Reaction& r) { r.set_timer_from_now(TimerId{3}, ms(15)); }};
  CHECK(run(script, 23, {stop(kCrash, 5, 3)}) == Fired{{1, 3}, {3, 23}});
  // The event of the first setting comes at 20 ms, when timer 3 is pending for 23 ms.
  CHECK(run(script, 28, {stop(kCrash, 10, 3)}) == Fired{{1, 3}, {2, 6}, {3, 28}});
  // Twice: the second crash drops what the first restart has set.
  CHECK(run(script, 27, {stop(kCrash, 5, 3), stop(kCrash, 10, 2)}) == Fired{{1, 3}, {3, 27}});
  script.restart = [](Reaction&) {};
  CHECK(run(script, 8, {stop(kCrash, 5, 3)}) == Fired{{1, 3}});
}

TEST_CASE("timers go on after a crash where it dropped them, unless the role says otherwise") {
  const Script script{.start = [](Reaction& r) {
    r.set_timer_from_now(TimerId{1}, ms(3));
    r.set_timer_from_now(TimerId{2}, ms(6));
    r.set_timer_from_now(TimerId{3}, ms(20));
    r.set_timer_from_now(TimerId{2}, ms(7));
    r.set_timer_from_now(TimerId{4}, ms(9));
    r.cancel_timer(TimerId{4});
  }};
  CHECK(run(script, 23, {stop(kCrash, 5, 3)}) == Fired{{1, 3}, {2, 10}, {3, 23}});
  // Twice, and once within a pause, in which timer 2 was due.
  CHECK(run(script, 25, {stop(kCrash, 5, 3), stop(kCrash, 10, 2)}) ==
        Fired{{1, 3}, {2, 12}, {3, 25}});
  CHECK(run(script, 21, {stop(kPause, 5, 5), stop(kCrash, 9, 1)}) ==
        Fired{{1, 3}, {2, 10}, {3, 21}});
}

TEST_CASE("a timer after work is due after the end of work that a fault interrupts") {
  const Script script{.start = [](Reaction& r) {
    r.work(ms(10));
    r.set_timer_after_work(TimerId{1}, ms(2));
    r.work(ms(10));
    r.set_timer_after_work(TimerId{2});
  }};
  CHECK(run(script, 23, {stop(kCrash, 5, 3)}) == Fired{{1, 15}, {2, 23}});
  CHECK(run(script, 23, {stop(kPause, 5, 3)}) == Fired{{1, 15}, {2, 23}});
  CHECK(run(script, 25, {stop(kPause, 5, 5), stop(kCrash, 9, 1)}) == Fired{{1, 17}, {2, 25}});
  // Timer 1 counts from 10 ms, when the work was done.
  CHECK(run(script, 23, {stop(kPause, 11, 3)}) == Fired{{1, 14}, {2, 23}});
}

TEST_CASE("a pause delays timers that are due to its end, in their order, and no others") {
  const Script script{.start =
                          [](Reaction& r) {
                            r.set_timer_from_now(TimerId{1}, ms(8));
                            r.set_timer_from_now(TimerId{2}, ms(6));
                            r.set_timer_from_now(TimerId{3}, ms(12));
                          },
                      .restart = [](Reaction&) {}};
  CHECK(run(script, 12, {stop(kPause, 5, 5)}) == Fired{{2, 10}, {1, 10}, {3, 12}});
  // A crash within the pause drops those that wait, too.
  CHECK(run(script, 10, {stop(kPause, 5, 5), stop(kCrash, 9, 1)}) == Fired{});
}

TEST_CASE("a timer in the past fails the run by name") {
  static const AlgorithmSpec algorithm = test::chatter_spec(Topology::star);
  Fired fired;
  const Script script{.start = [](Reaction& r) { r.set_timer_from_now(TimerId{1}, Duration{-1}); }};
  const OneClient protocol(script, fired);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  const auto out = run_serial(spec).outcome;
  CHECK(out.status == RunStatus::failed);
  CHECK(out.report.find("a timer was set 1 ns in the past") != std::string::npos);
}

}  // namespace
TEST_CASE("the driver that runs roles without a kernel replaces a pending timer, too") {
  const Script script{.start = [](Reaction& reaction) {
    reaction.set_timer_from_now(TimerId{1}, ms(1));
    reaction.set_timer_from_now(TimerId{2}, ms(1));
    reaction.set_timer_from_now(TimerId{1}, ms(2));
  }};
  Fired fired;
  test::RoleDriver(OneClient(script, fired)).run();
  REQUIRE(fired.size() == 2);
  CHECK(fired[0].first == 2);
  CHECK(fired[1].first == 1);
}

}  // namespace posse::test_timers
