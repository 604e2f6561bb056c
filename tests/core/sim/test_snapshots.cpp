// SPDX-License-Identifier: Apache-2.0
// Looking on: snapshots cost a run nothing but time, and tell what it will have done.
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <thread>

#include "actors/blin/protocol.hpp"
#include "actors/echo/protocol.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/describe.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/watched.hpp"

namespace posse::test_snapshots {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// Runs on stars, a mesh and without links; clients that search for themselves, instances that
/// share a client, and functional bandits. Called with the run's name.
template <class Use>
void each_kind_of_run(std::uint64_t number, std::uint64_t budget, Use use) {
  const auto play = [&](const AlgorithmSpec& algorithm, std::uint32_t clients, double shift) {
    const auto problem = test::make_problem("garland", clients, budget, Seed{number}, shift);
    test::Run run(
        algorithm, default_parameters(algorithm.parameters), clients, Seed{number}, &problem);
    run.spec.network = test::random_network(Seed{number});
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission.max_tries = 1000;
    run.spec.compute.evaluation = ExponentialDuration{ms(1), Duration{}};
    INFO(algorithm.kind << ", network " << number);
    use(run.spec);
  };
  play(fed_pne_algorithm(), 150, 0.05);
  play(pf_pne_algorithm(), 4, 0.05);
  play(blin_algorithm(), 4, 0.05);
  play(parallel_algorithm(), 5, 0);
  play(hct_central_algorithm(), 3, 0.05);
  play(hct_local_algorithm(), 150, 0.05);
  play(poo_algorithm(), 1, 0);
  play(pct_algorithm(), 1, 0);
  {
    const ArmSet arms = test::random_arms(number, 100);
    test::Run run(
        f_lcb_algorithm(), default_parameters(f_lcb_algorithm().parameters), Seed{number}, arms);
    run.spec.network = test::random_network(Seed{number});
    run.spec.network.transport = Transport::reliable;
    run.spec.compute.evaluation = ExponentialDuration{ms(10), Duration{}};
    INFO("f-lcb, network " << number);
    use(run.spec);
  }
}

SimulationResult run_on(const SimulationSpec& spec, std::size_t threads, Progress* progress) {
  return threads == 0 ? run_serial(spec, progress) : run_windows(spec, threads, progress);
}

std::string describe(const SimulationResult& result) {
  std::string text = test::describe(result.outcome);
  for (const auto& point : result.regret_curve)
    text += fmt::format("{} {} {} {} {} {}\n",
                        point.evaluations,
                        point.rounds,
                        point.bytes,
                        point.virtual_s,
                        point.metric,
                        point.value);
  for (const auto& point : result.arm_curves)
    text += fmt::format("{} {} {} {}\n", point.arm, point.total_pulls, point.virtual_s, point.best);
  return text;
}

/// What is counted: a word, a name and up to two numbers. Names are not put together: there are
/// hundreds of counters, and thousands of snapshots.
using Counter = std::tuple<std::string_view, std::string, std::size_t, std::size_t>;

/// What may never go back from one snapshot to the next.
std::map<Counter, std::uint64_t> counters(const RunSnapshot& snapshot) {
  const RunOutcome& out = snapshot.outcome;
  std::map<Counter, std::uint64_t> counted;
  const auto put = [&](std::string_view word,
                       std::uint64_t count,
                       std::string_view name = "",
                       std::size_t a = 0,
                       std::size_t b = 0) {
    counted[{word, std::string(name), a, b}] = count;
  };
  for (const auto& a : out.accounts) {
    const auto way = static_cast<std::size_t>(a.direction);
    put("sent", a.sent, a.type, way);
    put("repeated", a.repeated, a.type, way);
    put("duplicated", a.duplicated, a.type, way);
    put("delivered", a.delivered, a.type, way);
    put("discarded", a.discarded, a.type, way);
    put("lost", a.dropped_loss, a.type, way);
    put("overflowed", a.dropped_queue, a.type, way);
    put("cut", a.dropped_partition, a.type, way);
    put("values", a.values, a.type, way);
    put("bytes", a.bytes, a.type, way);
    put("wire", a.wire_bytes, a.type, way);
  }
  for (const auto& link : out.links) {
    put("set out", link.departed, "link", link.from.value, link.to.value);
    put("arrived", link.arrived, "link", link.from.value, link.to.value);
    put("dropped", link.dropped, "link", link.from.value, link.to.value);
  }
  for (std::size_t d = 0; d < out.latency.size(); ++d)
    for (std::size_t i = out.latency[d].first(); i < out.latency[d].end(); ++i)
      put("latency", out.latency[d].count(i), "", d, i);
  for (std::size_t i = out.round_durations.first(); i < out.round_durations.end(); ++i)
    put("rounds", out.round_durations.count(i), "", i);
  for (const auto& [kind, count] : kFaultCountsKinds) {
    put("begun", (out.faults.*count).begun, kind);
    put("ended", (out.faults.*count).ended, kind);
  }
  for (const auto& [name, count] : out.counts) put("count", count, name);
  for (const auto& arm : out.arms.arms) put("arm", arm.pulls, arm.name);
  put("arms", out.arms.pulls);
  put("events", out.events);
  put("deliveries", out.deliveries);
  put("ties", out.ties);
  put("complete", out.complete_rounds);
  put("stale", out.stale);
  put("evaluations", out.regret.evaluations);
  put("least evaluations", out.regret.min_evaluations);
  put("most evaluations", out.regret.max_evaluations);
  put("busiest", out.busiest_evaluations);
  put("cells", out.cells.size());
  put("eliminated", out.optimum_eliminated);
  put("last round", out.rounds.empty() ? 0 : out.rounds.back().round.value);
  const auto& phases = out.phases;
  for (const auto& [name, phase] : {std::pair{"compute", phases.compute},
                                    std::pair{"queueing", phases.queueing},
                                    std::pair{"transfer", phases.transfer},
                                    std::pair{"propagation", phases.propagation},
                                    std::pair{"waiting", phases.waiting}})
    put(name, static_cast<std::uint64_t>(phase.ns));
  put("now", static_cast<std::uint64_t>(snapshot.now.ns));
  return counted;
}

void check_consistent(const RunSnapshot& snapshot) {
  const RunOutcome& out = snapshot.outcome;
  std::uint64_t copies = 0, arrived = 0, dropped_by_sender_or_receiver = 0, under_way = 0;
  for (const auto& a : out.accounts) {
    const auto dropped = a.dropped_loss + a.dropped_queue + a.dropped_partition + a.dropped_crash;
    REQUIRE(a.sent + a.repeated + a.duplicated ==
            a.delivered + a.discarded + dropped + a.in_flight);
    REQUIRE(a.in_flight < std::uint64_t{1} << 60);  // not below 0
    copies += a.sent + a.repeated + a.duplicated;
    arrived += a.delivered + a.discarded;
    dropped_by_sender_or_receiver += dropped;
    under_way += a.in_flight;
  }
  REQUIRE(out.deliveries == arrived);
  std::uint64_t latencies = 0;
  for (const auto& latency : out.latency) latencies += latency.count();
  REQUIRE(latencies == out.deliveries);
  if (!out.links.empty()) {
    std::uint64_t departed = 0, ended = 0;
    for (const auto& link : out.links) {
      departed += link.departed;
      ended += link.arrived + link.dropped;
    }
    REQUIRE(departed == copies);
    REQUIRE(ended == arrived + dropped_by_sender_or_receiver);
    REQUIRE(departed - ended == under_way);
  }
  REQUIRE(out.rounds.size() <= kRecentRounds);
  REQUIRE(out.rounds.size() <= out.complete_rounds);
  for (std::size_t i = 1; i < out.rounds.size(); ++i) {
    REQUIRE(out.rounds[i - 1].round < out.rounds[i].round);
    REQUIRE(out.rounds[i - 1].bytes_so_far <= out.rounds[i].bytes_so_far);
  }
}

void check_follows(const RunSnapshot& before, const RunSnapshot& after) {
  const auto now = counters(after);
  std::string fallen;
  for (const auto& [counter, count] : counters(before)) {
    const auto& [word, name, a, b] = counter;
    if (word == "now" && after.over) continue;
    const auto found = now.find(counter);
    if (found == now.end() || found->second < count)
      fallen += fmt::format("{} {} {} {}\n", word, name, a, b);
  }
  REQUIRE(fallen == "");
  // What comes after a run's end may have been seen, but isn't its time.
  const RunOutcome& out = after.outcome;
  if (after.over)
    REQUIRE(after.now == (out.status == RunStatus::finished ? out.finished_at : out.last_event));
}

}  // namespace

TEST_CASE("constant observation does not change any number of a run") {
  for (std::uint64_t number = 0; number < 2; ++number)
    each_kind_of_run(number, 250, [&](const SimulationSpec& spec) {
      const auto alone = describe(run_serial(spec));
      for (const std::size_t threads : {0, 1, 2, 3}) {
        Progress progress;
        std::atomic<bool> over{false};
        std::size_t seen = 0;
        std::thread observer([&] {
          std::shared_ptr<const RunSnapshot> last;
          while (!over) {
            progress.snapshots.ask();
            std::this_thread::yield();
            auto next = progress.snapshots.latest();
            seen += next != last;
            last = std::move(next);
          }
        });
        const auto result = run_on(spec, threads, &progress);
        over = true;
        observer.join();
        CHECK(test::differences(describe(result), alone) == "");
        const auto last = progress.snapshots.latest();
        REQUIRE(last != nullptr);
        CHECK(last->over);
      }
    });
}

TEST_CASE("snapshots at every window and event are consistent and do not change the run",
          "[long]") {
  each_kind_of_run(3, 200, [&](const SimulationSpec& spec) {
    const auto alone = describe(run_serial(spec));
    for (const std::size_t threads : {0, 1, 2, 3}) {
      Progress progress;
      std::shared_ptr<const RunSnapshot> last;
      std::size_t looks = 0;
      test::RunObserver observer;
      observer.before = [&](Time next, bool) {
        const auto snapshot = progress.snapshots.latest();
        // The serial kernel's events are many: every seventh moment will do.
        if (looks++ % (threads == 0 ? 7 : 1) == 0) progress.snapshots.ask();
        if (snapshot == nullptr || snapshot == last) return true;
        check_consistent(*snapshot);
        REQUIRE_FALSE(snapshot->over);
        REQUIRE_FALSE(snapshot->paused);
        REQUIRE(snapshot->now <= next);
        if (last != nullptr) check_follows(*last, *snapshot);
        last = snapshot;
        return true;
      };
      const auto result = test::run_watched(spec, threads, observer, progress);
      CHECK(test::differences(describe(result), alone) == "");
      const auto end = progress.snapshots.latest();
      REQUIRE(end != nullptr);
      CHECK(end->over);
      check_consistent(*end);
      if (last != nullptr) check_follows(*last, *end);
      if (spec.algorithm->topology != Topology::none) CHECK(looks > 3);
      // The last one is the outcome, but for rounds long past.
      auto kept = result.outcome;
      if (kept.rounds.size() > kRecentRounds)
        kept.rounds.erase(kept.rounds.begin(), kept.rounds.end() - kRecentRounds);
      CHECK(test::differences(test::describe(end->outcome), test::describe(kept)) == "");
    }
  });
}

TEST_CASE("regret and rounds of a snapshot are those of the observations so far") {
  const auto check = [](const AlgorithmSpec& algorithm,
                        std::uint32_t clients,
                        std::size_t threads) {
    INFO(algorithm.kind << ", threads " << threads);
    const auto problem = test::make_problem("garland", clients, 300, Seed{2}, 0.05);
    test::Run run(algorithm, default_parameters(algorithm.parameters), clients, Seed{2}, &problem);
    run.spec.network.links = {{.latency = UniformDuration{ms(20), ms(60)}}};
    run.spec.compute.evaluation = ConstantDuration{ms(1)};
    double global = 0, local = 0;
    std::uint64_t evaluations = 0;
    std::map<std::uint32_t, int> rounds;
    std::size_t looks = 0;
    Progress progress;
    test::RunObserver observer;
    observer.reacted = [&](NodeId, const Reaction& reaction) {
      for (const auto& record : reaction.observations()) {
        if (const auto* p = std::get_if<PullsObserved>(&record.observation)) {
          const auto count = static_cast<double>(p->count);
          global += count * (problem.mean_maximum().value - problem.mean(p->point));
          local +=
              count * (problem.local_maximum(p->client).value - problem.local(p->client, p->point));
          evaluations += p->count;
        } else if (const auto* ended = std::get_if<RoundEnded>(&record.observation)) {
          ++rounds[ended->round.value];
        }
      }
    };
    bool asked = false;
    observer.before = [&](Time, bool) {
      asked = !asked;
      if (asked) {  // for one of this moment; a long window may have answered an earlier question
        progress.snapshots.ask();
        return false;
      }
      const auto snapshot = progress.snapshots.latest();
      const auto& outcome = snapshot->outcome;
      REQUIRE(outcome.regret.evaluations == evaluations);
      REQUIRE(outcome.regret.cumulative == Approx(global / clients).margin(1e-9));
      REQUIRE(outcome.regret.local_cumulative == Approx(local / clients).margin(1e-9));
      REQUIRE(outcome.complete_rounds == rounds.size());
      ++looks;
      return true;
    };
    test::run_watched(run.spec, threads, observer, progress);
    CHECK(looks > (algorithm.topology == Topology::none ? 0 : 5));
    CHECK(evaluations == 300 * clients);
  };
  for (const std::size_t threads : {0, 1, 2}) {
    check(fed_pne_algorithm(), 140, threads);
    check(parallel_algorithm(), 4, threads);
    check(pf_pne_algorithm(), 4, threads);
    check(hct_central_algorithm(), 4, threads);
    check(hct_local_algorithm(), 140, threads);
  }
}

TEST_CASE("pulls that wait for their order are in a snapshot once their time has come") {
  const auto problem = test::make_problem("garland", 1, 2000, Seed{2});
  test::Run run(
      poo_algorithm(), default_parameters(poo_algorithm().parameters), 1, Seed{2}, &problem);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  run.spec.compute.evaluation = ConstantDuration{ms(1)};
  for (const std::size_t threads : {0, 1}) {
    std::uint64_t observed = 0, most_behind = 0, shown = 0;
    Progress progress;
    test::RunObserver observer;
    observer.reacted = [&](NodeId, const Reaction& reaction) {
      for (const auto& record : reaction.observations())
        if (const auto* p = std::get_if<PullsObserved>(&record.observation)) observed += p->count;
    };
    observer.before = [&](Time, bool) {
      const auto snapshot = progress.snapshots.latest();
      progress.snapshots.ask();
      if (snapshot == nullptr) return true;
      REQUIRE(snapshot->outcome.regret.evaluations <= observed);
      // All that was made before this moment is there: at most what is being worked on is missing.
      most_behind = std::max(most_behind, observed - snapshot->outcome.regret.evaluations);
      shown = snapshot->outcome.regret.evaluations;
      return true;
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    CHECK(result.outcome.regret.evaluations == observed);
    CHECK(shown > 1000);
    CHECK(most_behind < 1500);
  }
}

namespace {

/// Two evaluators of one client, of which the second is known to pull at 5 ns before the first one
/// comes to it.
class Tied final : public Protocol {
 public:
  class Evaluator final : public Role {
   public:
    void on_start(Reaction& reaction) override {
      if (reaction.self().value == 2) {
        reaction.work(Duration{5});
        reaction.observe(PullsObserved{0, {0.3}, 3});
      } else {
        reaction.set_timer_from_now(TimerId{1}, Duration{5});
      }
      if (reaction.self().value != 1) reaction.finish();
    }
    void on_message(const Message&, Reaction&) override {}
    void on_timer(TimerId, Reaction& reaction) override {
      if (reaction.self().value != 1) return;
      reaction.observe(PullsObserved{0, {0.1}, 3});
      reaction.finish();
    }
  };
  std::vector<NodeGroup> groups() const override {
    return {{"hub", 1, false}, {"instance", 2, true}};
  }
  std::unique_ptr<Role> make_role(NodeId) const override { return std::make_unique<Evaluator>(); }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }
  bool several_evaluators() const override { return true; }
};

}  // namespace

TEST_CASE("a snapshot between two events of one instant leaves evaluators in their order") {
  const auto problem = test::make_problem("garland", 1, 6, Seed{2});
  const Tied protocol;
  AlgorithmSpec algorithm;
  algorithm.kind = "tied";
  algorithm.topology = Topology::star;
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.problem = &problem;
  const auto alone = run_serial(spec);
  Progress progress;
  test::RunObserver observer;
  observer.before = [&](Time, bool) {
    progress.snapshots.ask();
    return true;
  };
  const auto watched = test::run_watched(spec, 0, observer, progress);
  // After three evaluations those of the first evaluator count, whoever looks on.
  const double first = 3 * (problem.mean_maximum().value - problem.mean(std::vector<double>{0.1}));
  for (const auto* result : {&alone, &watched}) {
    bool found = false;
    for (const auto& point : result->regret_curve)
      if (point.evaluations == 3 && point.metric == "cumulative_regret") {
        CHECK(point.value == Approx(first));
        found = true;
      }
    CHECK(found);
  }
  CHECK(test::differences(describe(watched), describe(alone)) == "");
}

TEST_CASE(
    "the snapshot after the last event equals the outcome, but for fields defined only at the "
    "end") {
  for (std::uint64_t number = 0; number < 4; ++number)
    each_kind_of_run(number, 200, [&](const SimulationSpec& spec) {
      Progress progress;
      std::shared_ptr<const RunSnapshot> at_end;
      test::RunObserver observer;
      Time asked_at;
      observer.before = [&](Time next, bool) {
        progress.snapshots.ask();
        asked_at = next;
        return true;
      };
      auto ending = spec;
      ending.tamper_with_ledger = [&](Ledger&) { at_end = progress.snapshots.latest(); };
      auto out = test::run_watched(ending, 2, observer, progress).outcome;
      REQUIRE(at_end != nullptr);
      REQUIRE_FALSE(at_end->over);
      // Everybody had finished before.
      if (at_end->outcome.events != out.events || asked_at < out.finished_at) return;
      if (out.rounds.size() > kRecentRounds)
        out.rounds.erase(out.rounds.begin(), out.rounds.end() - kRecentRounds);
      if (!out.rounds.empty()) {  // the latest one's duration may still grow
        auto durations = at_end->outcome.round_durations;
        durations.add(out.rounds.back().ended - out.rounds.back().began);
        CHECK(durations == out.round_durations);
      }
      out.round_durations = at_end->outcome.round_durations;
      out.report.clear();
      out.fingerprint = 0;
      out.own_searches.clear();
      out.regret.local_recommendations.clear();
      CHECK(test::differences(test::describe(at_end->outcome), test::describe(out)) == "");
    });
  // Closed early by a policy: not theory's network, though nothing was dropped.
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{3});
  test::Run run(
      echo_algorithm(), parameters, 5, Seed{1}, nullptr, {.kind = PolicyKind::quorum, .quorum = 2});
  run.spec.network.links = {{.latency = UniformDuration{ms(1), ms(9)}}};
  Progress progress;
  bool lossless = true;
  test::RunObserver observer;
  observer.before = [&](Time, bool) {
    progress.snapshots.ask();
    return true;
  };
  run.spec.tamper_with_ledger = [&](Ledger&) {
    lossless = progress.snapshots.latest()->outcome.lossless;
  };
  CHECK_FALSE(test::run_watched(run.spec, 1, observer, progress).outcome.lossless);
  CHECK_FALSE(lossless);
}

TEST_CASE("rows of rounds in a snapshot are those of the table once the rounds are over") {
  const auto check = [](const AlgorithmSpec& algorithm,
                        std::uint32_t clients,
                        std::uint64_t budget) {
    INFO(algorithm.kind);
    const auto problem = test::make_problem("garland", clients, budget, Seed{2}, 0.02);
    test::Run run(algorithm, default_parameters(algorithm.parameters), clients, Seed{2}, &problem);
    run.spec.network.links = {{.latency = UniformDuration{ms(20), ms(90)}, .rate = Rate{1e5}}};
    run.spec.network.header_bytes = 20;
    run.spec.compute.evaluation = ConstantDuration{ms(1)};
    for (const std::size_t threads : {0, 2}) {
      std::map<std::uint32_t, std::string> past, just_ended;
      std::size_t most = 0;
      Progress progress;
      test::RunObserver observer;
      observer.before = [&](Time, bool) {
        const auto snapshot = progress.snapshots.latest();
        progress.snapshots.ask();
        if (snapshot == nullptr) return true;
        const auto& rows = snapshot->outcome.rounds;
        most = std::max(most, rows.size());
        // When two rounds have ended after it, no node is still in it.
        for (std::size_t i = 0; i + 2 < rows.size(); ++i)
          past[rows[i].round.value] += test::describe(rows[i]) + "|";
        return true;
      };
      const auto result = test::run_watched(run.spec, threads, observer, progress);
      std::map<std::uint32_t, std::string> table;
      for (const auto& row : result.outcome.rounds)
        table[row.round.value] = test::describe(row) + "|";
      REQUIRE(past.size() >= 2);
      for (const auto& [round, rows] : past)
        for (std::size_t at = 0; at < rows.size(); at += table.at(round).size())
          REQUIRE(rows.compare(at, table.at(round).size(), table.at(round)) == 0);
      CHECK(most == std::min<std::size_t>(kRecentRounds, result.outcome.rounds.size()));
    }
  };
  check(fed_pne_algorithm(), 140, 3000);
  check(parallel_algorithm(), 4, 3000);
  check(pf_pne_algorithm(), 4, 3000);
  check(hct_central_algorithm(), 3, 200);  // 200 rounds: only the latest are shown
}

namespace {

struct Traced {
  SimulationResult result;
  double bits_per_second = 1e5;
};

/// By the message log: what each link, direction and phase must have been.
void check_against_log(const SimulationResult& result, const Nodes& nodes, LinkMap links) {
  const auto& out = result.outcome;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::uint64_t, 3>> by_link;
  std::array<DurationHistogram, 3> latency;
  for (const auto& message : result.messages) {
    auto& [departed, arrived, dropped] = by_link[{message.from.value, message.to.value}];
    ++departed;
    dropped += message.outcome == MessageOutcome::dropped;
    arrived += message.arrived();
    if (!message.arrived()) continue;
    latency[static_cast<unsigned>(links.direction(message.from, message.to))].add(
        message.delivered - message.sent);
  }
  for (std::size_t d = 0; d < 3; ++d) CHECK(latency[d] == out.latency[d]);
  REQUIRE(out.links.size() == links.links());
  std::pair<std::uint32_t, std::uint32_t> before;
  for (std::size_t i = 0; i < out.links.size(); ++i) {
    const auto& link = out.links[i];
    const std::pair at{link.from.value, link.to.value};
    if (i > 0) CHECK(before < at);
    before = at;
    REQUIRE(links.connected(link.from, link.to));
    const auto& [departed, arrived, dropped] = by_link[at];
    CHECK(link.departed == departed);
    CHECK(link.arrived == arrived);
    CHECK(link.dropped == dropped);
  }
  CHECK(nodes.size() <= kMostNodesWithLinks);
}

}  // namespace

TEST_CASE("links, latencies and phases are those of the message log") {
  for (std::uint64_t number = 0; number < 12; ++number) {
    for (const auto* algorithm : {&fed_pne_algorithm(), &parallel_algorithm()}) {
      const auto problem = test::make_problem("garland", 6, 200, Seed{number}, 0.02);
      test::Run run(
          *algorithm, default_parameters(algorithm->parameters), 6, Seed{number}, &problem);
      run.spec.network = test::random_network(Seed{number});
      // Only what senders drop can be told from the log.
      run.spec.network.nodes.clear();
      run.spec.network.link_faults = {
          {{{"*"}, {algorithm == &fed_pne_algorithm() ? "client-2" : "player-2"}},
           Time{} + ms(100),
           ms(200)}};
      run.spec.trace_messages = true;
      run.spec.limits.virtual_time = Time{} + ms(100'000);
      run.spec.compute.evaluation = ConstantDuration{ms(2)};
      const auto result = run_serial(run.spec);
      INFO(algorithm->kind << ", network " << number);
      const Nodes nodes(run.protocol->groups());
      check_against_log(result, nodes, LinkMap(algorithm->topology, nodes.size()));
      const auto evaluations = static_cast<std::int64_t>(result.outcome.regret.evaluations);
      CHECK(result.outcome.phases.compute == ms(2) * static_cast<std::uint64_t>(evaluations));
    }
  }
}

TEST_CASE("phase totals of a run are exact, and are the sum over its rounds and the time outside") {
  const std::uint32_t clients = 5;
  const auto problem = test::make_problem("garland", clients, 500, Seed{2}, 0.02);
  test::Run run(fed_pne_algorithm(),
                default_parameters(fed_pne_algorithm().parameters),
                clients,
                Seed{2},
                &problem);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}, .rate = Rate{64'000}}};
  run.spec.compute.evaluation = ConstantDuration{ms(1)};
  run.spec.trace_messages = true;
  const auto result = run_serial(run.spec);
  const auto& out = result.outcome;
  Duration transfer, on_the_way;
  for (const auto& message : result.messages) {
    transfer += Duration::seconds(static_cast<double>(message.bytes) * 8 / 64'000);
    on_the_way += message.delivered - message.sent;
  }
  CHECK(out.phases.transfer == transfer);
  CHECK(out.phases.propagation == ms(50) * result.messages.size());
  CHECK(out.phases.queueing == on_the_way - transfer - out.phases.propagation);
  CHECK(out.phases.compute == ms(1) * out.regret.evaluations);

  // An echo's rounds all end, and nothing happens outside them.
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{7});
  test::Run echo(echo_algorithm(), parameters, 9, Seed{1});
  echo.spec.network = test::random_network(Seed{21});
  echo.spec.network.transport = Transport::reliable;
  echo.spec.network.nodes = {{.nodes = "*", .rate_up = Rate{1e5}, .rate_down = Rate{1e5}}};
  const auto rounds = run_serial(echo.spec).outcome;
  REQUIRE(rounds.complete_rounds == 7);
  PhaseTotals sum;
  DurationHistogram durations;
  for (const auto& row : rounds.rounds) {
    sum.compute += row.compute;
    sum.queueing += row.queueing;
    sum.transfer += row.transfer;
    sum.propagation += row.propagation;
    sum.waiting += row.waiting;
    durations.add(row.ended - row.began);
  }
  CHECK(sum.compute == rounds.phases.compute);
  CHECK(sum.queueing == rounds.phases.queueing);
  CHECK(sum.transfer == rounds.phases.transfer);
  CHECK(sum.propagation == rounds.phases.propagation);
  CHECK(sum.waiting == rounds.phases.waiting);
  CHECK(sum.waiting.ns > 0);
  CHECK(sum.queueing.ns > 0);
  CHECK(durations == rounds.round_durations);
}

TEST_CASE("the durations of rounds are those of the table, on every kernel and under policies") {
  for (std::uint64_t number = 0; number < 3; ++number)
    each_kind_of_run(number, 200, [&](const SimulationSpec& spec) {
      for (const std::size_t threads : {0, 1, 3}) {
        const auto out = run_on(spec, threads, nullptr).outcome;
        DurationHistogram durations;
        for (const auto& row : out.rounds) durations.add(row.ended - row.began);
        CHECK(out.round_durations == durations);
      }
    });
  // A quorum lets some be rounds ahead of others.
  for (std::uint64_t number = 0; number < 6; ++number) {
    const auto problem = test::make_problem("garland", 6, 400, Seed{number}, 0.02);
    test::Run run(fed_pne_algorithm(),
                  default_parameters(fed_pne_algorithm().parameters),
                  6,
                  Seed{number},
                  &problem,
                  {.kind = PolicyKind::quorum, .quorum = 2});
    run.spec.network = test::random_network(Seed{number});
    const auto out = run_serial(run.spec).outcome;
    DurationHistogram durations;
    for (const auto& row : out.rounds) durations.add(row.ended - row.began);
    CHECK(out.round_durations == durations);
  }
}

TEST_CASE("a snapshot has at most kRecentMessages messages, in the order of sending") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{40});
  test::Run run(echo_algorithm(), parameters, 10, Seed{1});
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  run.spec.trace_messages = true;
  const auto log = run_serial(run.spec).messages;
  run.spec.trace_messages = false;
  run.spec.recent_messages = true;
  for (const std::size_t threads : {0, 2}) {
    Progress progress;
    const auto result = run_on(run.spec, threads, &progress);
    CHECK(result.messages.empty());
    const auto recent = progress.snapshots.latest()->messages;
    REQUIRE(recent.size() == kRecentMessages);
    // The last to arrive; of 20 messages a round those of the last ten rounds are among them.
    std::size_t found = 0;
    for (std::size_t i = 0; i < recent.size(); ++i) {
      if (i > 0) CHECK(recent[i - 1].sent <= recent[i].sent);
      for (const auto& message : log)
        found += message.sent == recent[i].sent && message.from == recent[i].from &&
                 message.to == recent[i].to && message.delivered == recent[i].delivered &&
                 message.type == recent[i].type && message.outcome == recent[i].outcome;
    }
    CHECK(found == recent.size());
    CHECK(recent.front().round.value >= 27);
    CHECK(recent.back().round.value == 40);
  }
}

TEST_CASE("a run that fails or stalls leaves a last snapshot that says so") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  test::Run run(echo_algorithm(), parameters, 3, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.drops = {{.type = "EchoReply"}};
  Progress progress;
  const auto result = run_serial(run.spec, &progress);
  REQUIRE(result.outcome.status == RunStatus::stalled);
  const auto last = progress.snapshots.latest();
  CHECK(last->over);
  CHECK(last->outcome.report == result.outcome.report);
  CHECK(last->outcome.status == RunStatus::stalled);
  CHECK(last->now == Time{} + ms(10));  // the last thing that happened
}

}  // namespace posse::test_snapshots
