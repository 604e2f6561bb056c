// SPDX-License-Identifier: Apache-2.0
// Races: who is beaten when, and how often verdicts are wrong.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "core/base/math.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"
#include "program/sweep/race.hpp"

namespace posse::test_race {
namespace {

using Result = std::vector<std::uint32_t>;

/// Looks until the race is over; all values are there from the first look on.
Race raced(const Race::Values& values, double error = 0.05) {
  Race race(values.size(), error, static_cast<std::uint32_t>(values.front().size()));
  while (race.state() == RaceState::racing) race.look(values);
  return race;
}

Result repetitions(const Race& race) {
  Result all;
  for (const auto& candidate : race.candidates()) all.push_back(candidate.repetitions);
  return all;
}

/// `n` values around a mean, the spread in a fixed pattern.
std::vector<std::optional<double>> around(double mean,
                                          double spread,
                                          std::size_t n,
                                          std::size_t shift = 0) {
  constexpr std::array<double, 7> kPattern{0.3, -1.1, 0.8, -0.2, 1.3, -0.9, -0.2};
  std::vector<std::optional<double>> values;
  for (std::size_t i = 0; i < n; ++i)
    values.emplace_back(mean + spread * kPattern[(i + shift) % kPattern.size()]);
  return values;
}

/// A verdict of a synthetic sweep: candidate 0 is best, or one of the best.
struct Drawn {
  Race::Values values;
  bool tied = false;
};

/// Gaps to the best, in standard deviations of a difference: an exact tie, a near one, or 0.5 to 5.
/// Values have a part in common within a repetition. `skew` > 0: lognormal with this sigma, with
/// another scale for each candidate.
Drawn draw_verdict(DrawEngine& draws, std::size_t candidates, std::size_t most, double skew) {
  Drawn drawn;
  const double common = 0.25 + draws.uniform() / 2;
  std::vector<double> gaps(candidates, 0), scales(candidates, 1);
  for (std::size_t c = 1; c < candidates; ++c) {
    const double kind = draws.uniform(), u = draws.uniform();
    gaps[c] = kind < 0.15   ? 0
              : kind < 0.35 ? 0.05 + u / 4
                            : math::exp(math::log(0.5) + math::log(10) * u);
    drawn.tied = drawn.tied || gaps[c] == 0;
  }
  if (skew > 0)
    for (auto& scale : scales) scale = 0.5 + draws.uniform();
  drawn.values.resize(candidates);
  for (std::size_t r = 0; r < most; ++r) {
    const double shared = draw_normal(draws);
    for (std::size_t c = 0; c < candidates; ++c) {
      double noise = std::sqrt(common) * shared + std::sqrt(1 - common) * draw_normal(draws);
      if (skew > 0) {
        const double square = math::exp(skew * skew);
        noise = scales[c] * (math::exp(skew * noise) - std::sqrt(square)) /
                std::sqrt(square * (square - 1));
      }
      drawn.values[c].emplace_back(gaps[c] + noise / std::sqrt(2 * (1 - common)));
    }
  }
  return drawn;
}

struct Outcomes {
  double wrong_sweeps = 0, runs = 0, decided = 0;  // shares
};

/// The form of a sweep.
struct Form {
  std::size_t verdicts = 6, candidates = 3;
  std::uint32_t most = 30;
};

/// With exact ties, every verdict is wrong.
Outcomes synthetic_sweeps(int sweeps, const Form& form, double skew) {
  constexpr double kError = 0.05;
  DrawEngine draws(stream_key(Seed{1}, "test", "sweeps"), 0);
  Outcomes outcomes;
  for (int i = 0; i < sweeps; ++i) {
    bool wrong = false;
    for (std::size_t s = 0; s < form.verdicts; ++s) {
      const Drawn drawn = draw_verdict(draws, form.candidates, form.most, skew);
      const Race race = raced(drawn.values, kError / static_cast<double>(form.verdicts));
      for (const auto n : repetitions(race)) outcomes.runs += n;
      if (race.state() != RaceState::decided) continue;
      outcomes.decided += 1;
      wrong = wrong || drawn.tied || !race.candidates().front().races();
    }
    outcomes.wrong_sweeps += wrong;
  }
  outcomes.wrong_sweeps /= sweeps;
  outcomes.decided /= sweeps * static_cast<double>(form.verdicts);
  outcomes.runs /= sweeps * static_cast<double>(form.verdicts * form.candidates * form.most);
  return outcomes;
}

}  // namespace

TEST_CASE("a candidate that is far behind stops first, and the best is found") {
  const auto race = raced({around(10, 1, 40), around(40, 1, 40, 3), around(12, 1, 40, 2)});
  CHECK(race.state() == RaceState::decided);
  CHECK(race.candidates()[0].races());
  CHECK(race.candidates()[1].beaten_by == std::size_t{0});
  CHECK(race.candidates()[2].beaten_by == std::size_t{0});
  const auto n = repetitions(race);
  CHECK(n[1] == kFirstRepetitions);
  CHECK(n[2] > n[1]);
  CHECK(n[0] == n[2]);
  CHECK(n[0] < 40);
}

TEST_CASE("a race depends on the repetitions that it asked for alone") {
  const Race::Values values{around(10, 1, 40), around(40, 1, 40, 3), around(12, 1, 40, 2)};
  const auto n = repetitions(raced(values));
  auto others = values;
  for (std::size_t c = 0; c < others.size(); ++c)
    for (std::size_t r = n[c]; r < 40; ++r) others[c][r] = -1e6;
  CHECK(repetitions(raced(others)) == n);
  CHECK(raced(others).state() == RaceState::decided);
}

TEST_CASE("after a look a race tells what the values that are there say") {
  Race race(2, 0.05, 17);
  const Race::Values values{around(10, 1, kFirstRepetitions),
                            around(10.5, 1, kFirstRepetitions, 3)};
  race.look(values);
  REQUIRE(race.state() == RaceState::racing);
  REQUIRE(race.candidates()[0].repetitions > kFirstRepetitions);  // asked for, not there
  CHECK(race.leader(values) == std::size_t{0});
  CHECK(race.difference(values, 1, 0).n == kFirstRepetitions);
}

TEST_CASE("repetitions grow by a quarter, up to the most") {
  // The spread grows with the mean difference, which stays at the edge of being known.
  Race race(2, 0.05, 17);
  const Race::Values values{around(0, 0.1, 17), around(0.9, 1, 17, 3)};
  Result asked;
  while (race.state() == RaceState::racing) {
    asked.push_back(repetitions(race).front());
    race.look(values);
  }
  CHECK(std::equal(asked.begin(), asked.end(), Result{5, 6, 7, 8, 10, 12, 15, 17}.begin()));
  CHECK(asked.size() >= 4);
  CHECK(repetitions(Race(2, 0.05, 3)) == Result{3, 3});
}

TEST_CASE("what the most repetitions are unlikely to decide is given up, and the rest goes on") {
  const auto race = raced({around(10, 1, 700), around(10, 1, 700, 3)});
  CHECK(race.state() == RaceState::hopeless);
  CHECK(repetitions(race)[0] < 700);
  CHECK(repetitions(race)[0] > 10);
  // 1 can't be told from 0; 2 can, later.
  Race::Values values(3);
  for (int i = 0; i < 100; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    values[0].emplace_back(10);
    values[1].emplace_back(10 + sign);
    values[2].emplace_back(10.42 - sign);
  }
  const auto three = raced(values);
  CHECK(three.state() == RaceState::hopeless);
  CHECK(three.candidates()[2].beaten_by);
  CHECK(three.candidates()[0].in());
  CHECK(three.candidates()[1].in());
  CHECK(repetitions(three)[1] < repetitions(three)[0]);
  // So few repetitions can't decide anything.
  CHECK(raced({around(1, 1, 2), around(10, 1, 2, 3)}).state() == RaceState::undecided);
}

TEST_CASE("values that are equal often enough are taken for equal, or for their difference") {
  const auto equal = raced({around(10, 1, 30), around(10, 1, 30), around(50, 1, 30, 2)});
  CHECK(equal.state() == RaceState::decided);
  CHECK(equal.candidates()[1].equal_to == std::size_t{0});
  CHECK(equal.candidates()[2].beaten_by == std::size_t{0});
  CHECK(repetitions(equal)[0] == 7);  // 2^(1 - 7) <= 0.025
  const auto constant = raced({around(11, 0, 30), around(10, 0, 30)});
  CHECK(constant.state() == RaceState::decided);
  CHECK(constant.candidates()[0].beaten_by == std::size_t{1});
  CHECK(repetitions(constant)[0] == 6);  // 2^(1 - 6) <= 0.05
  CHECK(repetitions(raced({around(11, 0, 30), around(10, 0, 30)}, 1e-9))[0] ==
        5);  // 30 are too few
}

TEST_CASE("runs without a value are left out, and a candidate without any is not decided about") {
  auto values = Race::Values{around(10, 1, 30), around(30, 1, 30, 3)};
  values[0][1] = values[1][3] = std::nullopt;
  const auto race = raced(values);
  CHECK(race.state() == RaceState::decided);
  CHECK(race.difference(values, 1, 0).n == repetitions(race)[0] - 2);
  for (auto& value : values[1]) value.reset();
  CHECK(raced(values).state() == RaceState::hopeless);
  for (auto& value : values[0]) value.reset();
  CHECK(raced(values).state() == RaceState::hopeless);
  CHECK_FALSE(raced(values).leader(values));
}

TEST_CASE("synthetic sweeps have a wrong verdict less often than stated", "[statistical]") {
  const auto normal = synthetic_sweeps(1000, {}, 0);
  CAPTURE(normal.wrong_sweeps, normal.runs, normal.decided);
  CHECK(normal.wrong_sweeps <= 0.01);  // of 0.05
  CHECK(normal.runs <= 0.53);
  CHECK(normal.decided >= 0.24);
  const auto skewed = synthetic_sweeps(1000, {}, 1);
  CAPTURE(skewed.wrong_sweeps, skewed.runs, skewed.decided);
  CHECK(skewed.wrong_sweeps <= 0.03);
  CHECK(skewed.runs <= 0.5);
  CHECK(skewed.decided >= 0.27);
  const auto longer = synthetic_sweeps(300, {6, 3, 100}, 0);
  CAPTURE(longer.wrong_sweeps, longer.runs, longer.decided);
  CHECK(longer.wrong_sweeps <= 0.01);
  CHECK(longer.runs <= 0.37);
  CHECK(longer.decided >= 0.38);
  const auto tuning = synthetic_sweeps(1000, {1, 10, 100}, 0);
  CAPTURE(tuning.wrong_sweeps, tuning.runs, tuning.decided);
  CHECK(tuning.wrong_sweeps <= 0.01);
  CHECK(tuning.runs <= 0.36);
}

}  // namespace posse::test_race
