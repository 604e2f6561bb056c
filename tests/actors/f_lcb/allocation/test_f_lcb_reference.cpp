// SPDX-License-Identifier: Apache-2.0
// F-LCB pull by pull: against hand-computed runs with ties, and against the pseudo-code of Dorn et
// al. 2025, Algorithm 1, written out literally, on small random arms whose numbers are multiples
// of 1/4, so that ties are frequent and exact.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"
#include "actors/f_lcb/bounds.hpp"
#include "core/random/stream.hpp"
#include "tests/support/curve_arms.hpp"

namespace test_f_lcb_reference {

using namespace posse;

namespace {

/// Value and bound of one arm after its k-th pull, k = 1, 2, …
struct Curve {
  std::vector<double> values, bounds;
};
using Curves = std::vector<Curve>;
using Order = std::vector<std::uint32_t>;

/// value constant, g(k) = first/2^{k-1}.
Curve halving(double value, double first) {
  Curve curve;
  for (int k = 0; k < 40; ++k) {
    curve.values.push_back(value);
    curve.bounds.push_back(std::ldexp(first, -k));
  }
  return curve;
}

/// LCB after k = 1, 2, … pulls: 0, 1, 1.5, …; 0.5, 1, 1.25, …; 0.5, 0.75, 0.875, …
Curves three_arms() { return {halving(2, 2), halving(1.5, 1), halving(1, 0.5)}; }

ArmSet arm_set(const Curves& curves, const std::vector<double>& minima) {
  ArmSet set;
  for (std::size_t i = 0; i < curves.size(); ++i)
    set.arms.push_back(test::curve_arm(minima[i], [curve = curves[i]](double k) {
      const auto at = static_cast<std::size_t>(k) - 1;
      return std::pair{curve.values.at(at), curve.bounds.at(at)};
    }));
  return set;
}

/// What an allocation did.
struct Run {
  Order started;  // arms, in the order of starting
  Order answers;  // its answer before the first reply and after each
  std::uint32_t answer = 0;
  bool stopped = false;
  bool operator==(const Run&) const = default;
};

/// Which of n pulls under way is answered next, from 0 for the oldest.
using Next = std::function<std::size_t(std::size_t n)>;
std::size_t oldest(std::size_t) { return 0; }
std::size_t newest(std::size_t n) { return n - 1; }

template <class FunctionalAllocation>
Run play(FunctionalAllocation& allocation, const Curves& curves, const Next& next) {
  Run run;
  std::vector<std::size_t> pulls(curves.size());
  std::vector<Pull> under_way;
  for (;;) {
    const std::size_t before = under_way.size();
    allocation.start(under_way);
    for (std::size_t p = before; p < under_way.size(); ++p) {
      CHECK(under_way[p].instance == 0);
      run.started.push_back(under_way[p].arm);
    }
    run.answers.push_back(allocation.answer());
    if (under_way.empty()) break;
    const std::size_t which = next(under_way.size());
    const Pull pull = under_way[which];
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
    const std::size_t k = pulls[pull.arm]++;
    allocation.take(pull, {k + 1, curves[pull.arm].values.at(k), curves[pull.arm].bounds.at(k)});
  }
  run.answer = allocation.answer();
  return run;
}

Run play(const FLcbOptions& options, const Curves& curves, std::uint64_t budget, const Next& next) {
  FLcb agent(curves.size(), budget, options);
  Run run = play(agent, curves, next);
  run.stopped = agent.stopped();
  return run;
}

/// Algorithm 1 with the rules of f_lcb.hpp, literally.
Run literal(const FLcbOptions& options,
            const Curves& curves,
            std::uint64_t budget,
            const Next& next) {
  struct Known {
    std::size_t k = 0;
    double v = 0, m = 0, g = 0;
    bool away = false;
  };
  std::vector<Known> arms(curves.size());
  const auto lcb = [&](const Known& a) { return (options.last_value ? a.v : a.m) - a.g; };
  const auto smallest_value = [&] {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < arms.size(); ++i)
      if (arms[i].k > 0 && (!best || arms[i].m < arms[*best].m)) best = i;
    return static_cast<std::uint32_t>(best.value_or(0));
  };
  Run run;
  std::vector<std::uint32_t> away;
  std::optional<std::uint32_t> stopped_at;
  const auto all_pulled = [&] {
    return std::none_of(arms.begin(), arms.end(), [](const Known& a) { return a.k == 0; });
  };
  const std::size_t most = options.order == PullOrder::sequential ? 1 : options.parallel;
  for (;;) {
    // A batch starts when the last one is complete; otherwise free places are filled.
    const bool may_start = options.order != PullOrder::batched || away.empty();
    while (may_start && !stopped_at && away.size() < most && run.started.size() < budget) {
      // Selection: if every arm was pulled, stop at the lowest LCB of all if its g is small.
      if (options.epsilon > 0 && all_pulled()) {
        std::size_t lowest = 0;
        for (std::size_t i = 1; i < arms.size(); ++i)
          if (lcb(arms[i]) < lcb(arms[lowest])) lowest = i;
        if (arms[lowest].g <= options.epsilon / 2) {
          stopped_at = static_cast<std::uint32_t>(lowest);
          break;
        }
      }
      std::optional<std::size_t> chosen;  // an arm without a pull, else the lowest LCB
      for (std::size_t i = arms.size(); i-- > 0;)
        if (!arms[i].away && arms[i].k == 0) chosen = i;
      for (std::size_t i = 0; !chosen && i < arms.size(); ++i) {
        if (arms[i].away) continue;
        bool lowest = true;
        for (std::size_t j = 0; j < arms.size(); ++j)
          if (!arms[j].away && j != i &&
              (lcb(arms[j]) < lcb(arms[i]) || (lcb(arms[j]) == lcb(arms[i]) && j < i)))
            lowest = false;
        if (lowest) chosen = i;
      }
      if (!chosen) break;
      arms[*chosen].away = true;
      away.push_back(static_cast<std::uint32_t>(*chosen));
      run.started.push_back(away.back());
    }
    run.answers.push_back(stopped_at.value_or(smallest_value()));
    if (away.empty()) break;
    const std::size_t which = next(away.size());
    Known& arm = arms[away[which]];
    const Curve& curve = curves[away[which]];
    away.erase(away.begin() + static_cast<std::ptrdiff_t>(which));
    arm.away = false;
    arm.v = curve.values.at(arm.k);
    arm.m = arm.k == 0 ? arm.v : std::min(arm.m, arm.v);
    arm.g = curve.bounds.at(arm.k);
    ++arm.k;
  }
  run.answer = stopped_at.value_or(smallest_value());
  run.stopped = stopped_at.has_value();
  return run;
}

/// Multiples of 1/4: values in [-1, 2], bounds that fall from at most 2 to 0.
Curves random_curves(std::uint64_t trial, std::size_t pulls) {
  DrawEngine draws(stream_key(Seed{trial}, "test", "f-lcb"), 0);
  Curves curves(1 + draws() % 5);
  for (auto& curve : curves) {
    double bound = static_cast<double>(draws() % 9) / 4;
    for (std::size_t k = 0; k < pulls; ++k) {
      curve.values.push_back(static_cast<double>(draws() % 13) / 4 - 1);
      curve.bounds.push_back(bound);
      if (draws() % 3 == 0) bound = std::max(bound - 0.25, 0.0);
    }
  }
  return curves;
}

}  // namespace

TEST_CASE("F-LCB by hand: first pulls in order, then the lowest LCB, the lowest index on ties") {
  // After 0 1 2: LCBs 0, .5, .5; 0 rises to 1; the tie .5, .5 goes to 1, which rises to 1; then 2
  // is at .5, .75, .875, … < 1 forever.
  const auto run = play({}, three_arms(), 10, oldest);
  CHECK(run.started == Order{0, 1, 2, 0, 1, 2, 2, 2, 2, 2});
  // Answers: none is 0, then the smallest value so far.
  CHECK(run.answers == Order{0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2});
  CHECK_FALSE(run.stopped);
}

TEST_CASE("F-LCB by hand: best function identification stops when g <= epsilon/2 at selection") {
  // After 0 1 2 0 1 2, arm 2 has g = 1/4 and the lowest LCB.
  const auto at_equality = play({.epsilon = 0.5}, three_arms(), 100, oldest);
  CHECK(at_equality.started == Order{0, 1, 2, 0, 1, 2});
  CHECK(at_equality.stopped);
  CHECK(at_equality.answer == 2);
  const auto below = play({.epsilon = 0.49}, three_arms(), 100, oldest);  // needs g = 1/8
  CHECK(below.started == Order{0, 1, 2, 0, 1, 2, 2});
  CHECK(below.stopped);
  // The budget ends before the next selection: the run isn't stopped, and the answer is the arm of
  // the smallest value.
  const auto ended = play({.epsilon = 0.5}, three_arms(), 6, oldest);
  CHECK(ended.started == Order{0, 1, 2, 0, 1, 2});
  CHECK_FALSE(ended.stopped);
  // Every arm is pulled once, even if its g is small from the start: LCBs 1, 1, 0.
  const auto sure =
      play({.epsilon = 8}, {halving(3, 2), halving(3, 2), halving(2, 2)}, 100, oldest);
  CHECK(sure.started == Order{0, 1, 2});
  CHECK(sure.answer == 2);
  // The answer is the arm selected, not the one of the smallest value: LCBs -1 and 0.
  const auto selected = play({.epsilon = 4}, {halving(1, 2), halving(0.5, 0.5)}, 100, oldest);
  CHECK(selected.started == Order{0, 1});
  CHECK(selected.answer == 0);
}

TEST_CASE("F-LCB by hand: the best value, or the last one as an option") {
  // g = 1 always. Arm 0: values 1, 3, 3, …; arm 1: 2, 2, …
  const Curves curves{{{1, 3, 3, 3, 3, 3}, std::vector<double>(6, 1)},
                      {std::vector<double>(6, 2), std::vector<double>(6, 1)}};
  CHECK(play({}, curves, 6, oldest).started == Order{0, 1, 0, 0, 0, 0});
  // LCB 0 < 1: arm 0; then 2 > 1: arm 1 forever. The answer is still that of the smallest value.
  const auto last = play({.last_value = true}, curves, 6, oldest);
  CHECK(last.started == Order{0, 1, 0, 1, 1, 1});
  CHECK(last.answer == 0);
}

TEST_CASE("F-LCB by hand: batches, and asynchronous pulls") {
  const FLcbOptions batched{.order = PullOrder::batched, .parallel = 2};
  // 0 1 | 2 and the lowest LCB, 0 | LCBs 1, .5, .5 | LCBs 1, 1, .75 | LCBs 1.5, 1, .875
  CHECK(play(batched, three_arms(), 10, oldest).started == Order{0, 1, 2, 0, 1, 2, 2, 0, 2, 1});
  CHECK(play(batched, three_arms(), 10, newest).started == Order{0, 1, 2, 0, 1, 2, 2, 0, 2, 1});
  CHECK(play(batched, three_arms(), 9, oldest).started == Order{0, 1, 2, 0, 1, 2, 2, 0, 2});
  // Each reply is followed by the lowest LCB of those not in flight: 2 is new; 0 < .5; .5 = .5; .5
  // < 1; 1 = 1; .75 < 1; 1 < 1.5; .875 is the lowest.
  const FLcbOptions asynchronous{.order = PullOrder::asynchronous, .parallel = 2};
  CHECK(play(asynchronous, three_arms(), 10, oldest).started ==
        Order{0, 1, 2, 0, 1, 2, 0, 2, 1, 2});
}

TEST_CASE("F-LCB equals the literal pseudo-code on arms with many ties, in every order and mode") {
  std::uint64_t stops = 0, runs = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    constexpr std::uint64_t kBudget = 40;
    const Curves curves = random_curves(trial, kBudget);
    for (const bool last_value : {false, true})
      for (const double epsilon : {0.0, 0.5, 0.75})
        for (const auto order :
             {PullOrder::sequential, PullOrder::batched, PullOrder::asynchronous})
          for (const Next& next :
               {Next(oldest), Next(newest), Next([](std::size_t n) { return n / 2; })}) {
            const auto parallel = static_cast<std::uint32_t>(
                order == PullOrder::sequential ? 1 : 1 + trial % curves.size());
            const FLcbOptions options{last_value, epsilon, order, parallel};
            const std::uint64_t budget = 1 + trial % kBudget;
            const Run made = play(options, curves, budget, next);
            const Run expected = literal(options, curves, budget, next);
            if (made == expected) {
              ++runs;
              stops += made.stopped;
              continue;
            }
            INFO("trial " << trial << ", last value " << last_value << ", epsilon " << epsilon
                          << ", order " << static_cast<int>(order));
            CHECK(made.started == expected.started);
            CHECK(made.answers == expected.answers);
            CHECK(made.stopped == expected.stopped);
            FAIL("not the pseudo-code");
          }
  }
  CHECK(runs == 400 * 2 * 3 * 3 * 3);
  CHECK(stops > runs / 10);  // the stop rule was at work
}

TEST_CASE(
    "epsilon-greedy with epsilon 0 is F-LCB, with epsilon 1 and without it the literal rule") {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Curves curves = random_curves(trial, 40);
    const std::size_t arms = curves.size();
    GreedyAllocation greedy(arms, 40, 0.0, Seed{trial});
    CHECK(play(greedy, curves, oldest).started == play({}, curves, 40, oldest).started);
    GreedyAllocation uniform(arms, 40, std::nullopt, Seed{trial});
    GreedyAllocation random(arms, 40, 0.6, Seed{trial});
    const Order in_turn = play(uniform, curves, oldest).started;
    const Order drawn = play(random, curves, oldest).started;
    REQUIRE(in_turn.size() == 40);
    REQUIRE(drawn.size() == 40);
    UniformStream explore(stream_key(Seed{trial}, "explore", "agent"));
    for (std::uint64_t t = 0; t < 40; ++t) {
      CHECK(in_turn[t] == t % arms);
      if (t < arms) CHECK(drawn[t] == t);
      // Draws 2t and 2t + 1 belong to pull t.
      if (t >= arms && explore.at(2 * t) < 0.6)
        CHECK(drawn[t] ==
              static_cast<std::uint32_t>(explore.at(2 * t + 1) * static_cast<double>(arms)));
    }
  }
}

TEST_CASE("Theorem 4's ceiling by hand") {
  // Minima 2, 1.5, 1; epsilon = 1/2: g must fall to max(1 - 1/4, 1/4) = 3/4 from 2, 1, 1/2: 3
  // pulls; to max(1/2 - 1/4, 1/4) = 1/4 from 1, 1/2, 1/4: 3; to 1/4 from 1/2, 1/4: 2.
  ArmSet set = arm_set(three_arms(), {2, 1.5, 1});
  CHECK(theory::bfi_pulls_ceiling(set, 0.5, 100) == 1 + 3 + 3 + 2);
  // epsilon = 1: 1/2, 1/2, 1/2: 3, 2 and 1 pulls.
  CHECK(theory::bfi_pulls_ceiling(set, 1, 100) == 1 + 3 + 2 + 1);
  // epsilon = 1/4: max(7/8, 1/8), max(3/8, 1/8), 1/8: 3, 3 and 3.
  CHECK(theory::bfi_pulls_ceiling(set, 0.25, 100) == 1 + 3 + 3 + 3);
  CHECK(theory::bfi_pulls_ceiling(set, 0.5, 3) == 9);
  CHECK(theory::bfi_pulls_ceiling(set, 0.5, 2) == std::nullopt);
  set.arms[1].minimum.reset();
  CHECK(theory::bfi_pulls_ceiling(set, 0.5, 100) == std::nullopt);
}

}  // namespace test_f_lcb_reference
