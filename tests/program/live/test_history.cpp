// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <memory>

#include "program/live/history.hpp"

namespace test_history {

using namespace posse;

namespace {

/// A run after so many evaluations, with the rows of the latest rounds.
RunView view(std::uint64_t evaluations, double virtual_s, std::uint32_t last_round = 0) {
  auto snapshot = std::make_shared<RunSnapshot>();
  RunOutcome& out = snapshot->outcome;
  out.regret.evaluations = 3 * evaluations;
  out.regret.max_evaluations = evaluations;
  out.regret.cumulative = static_cast<double>(evaluations) / 2;
  out.regret.recommendation = {0.5};
  out.regret.by_client = {1, 2};
  out.complete_rounds = last_round;
  snapshot->now = Time{} + Duration::seconds(virtual_s);
  const auto shown = static_cast<std::uint32_t>(kRecentRounds);
  for (std::uint32_t r = last_round < shown ? 1 : last_round - shown + 1; r <= last_round; ++r) {
    RoundRecord row;
    row.round = Round{r};
    row.steps = 10 * r;
    row.bytes_so_far = evaluations;  // may still change
    out.rounds.push_back(row);
  }
  TypeAccount account;
  account.type = "LocalMeans";
  account.bytes = 7 * evaluations;
  out.accounts.push_back(account);
  account.type = "Ack";
  out.accounts.push_back(account);
  RunView view;
  view.snapshot = std::move(snapshot);
  return view;
}

}  // namespace

TEST_CASE("a history samples evaluations, rounds, payload bytes, time and regret") {
  LiveHistory history;
  history.add(view(0, 0));  // nothing yet
  CHECK(history.samples().empty());
  history.add(view(10, 0.25, 3));
  REQUIRE(history.samples().size() == 1);
  const auto& sample = history.samples()[0];
  CHECK(sample.evaluations == 10);
  CHECK(sample.rounds == 3);
  CHECK(sample.bytes == 70);  // without acknowledgements
  CHECK(sample.virtual_s == 0.25);
  CHECK(sample.regret.cumulative == 5);
  CHECK(sample.regret.recommendation.empty());
  CHECK(sample.regret.by_client.empty());
  history.add(view(10, 0.25, 3));  // no news
  CHECK(history.samples().size() == 1);
  history.add(view(10, 0.5, 3));
  history.add(view(11, 0.5, 3));
  CHECK(history.samples().size() == 3);
}

TEST_CASE("a long history is thinned evenly, and keeps its first and its last sample") {
  LiveHistory history;
  for (std::uint64_t i = 1; i <= 20'000; ++i) {
    history.add(view(i, static_cast<double>(i)));
    const auto& samples = history.samples();
    REQUIRE(samples.size() <= LiveHistory::kMostSamples);
    REQUIRE(samples.front().evaluations == 1);
    REQUIRE(samples.back().evaluations == i);
  }
  const auto& samples = history.samples();
  CHECK(samples.size() >= LiveHistory::kMostSamples / 2);
  std::uint64_t widest = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    REQUIRE(samples[i - 1].evaluations < samples[i].evaluations);
    widest = std::max(widest, samples[i].evaluations - samples[i - 1].evaluations);
  }
  CHECK(widest <= 20'000 / 50);  // no gap longer than a fiftieth
}

TEST_CASE("a history of rounds has the latest row of each, including the first and the last") {
  LiveHistory history;
  history.add(view(1, 1, 5));
  history.add(view(2, 2, 5));
  REQUIRE(history.rounds().size() == 5);
  CHECK(history.rounds()[4].bytes_so_far == 2);
  for (std::uint32_t last = 6; last <= 6000; last += 3) {
    history.add(view(last, last, last));
    const auto rounds = history.rounds();
    REQUIRE(rounds.size() <= LiveHistory::kMostRounds);
    REQUIRE(rounds.front().round == Round{1});
    REQUIRE(rounds.back().round == Round{last});
    for (std::size_t i = 1; i < rounds.size(); ++i) REQUIRE(rounds[i - 1].round < rounds[i].round);
  }
  const auto rounds = history.rounds();
  CHECK(rounds.size() >= LiveHistory::kMostRounds / 2);
  std::uint32_t widest = 0;
  for (std::size_t i = 1; i < rounds.size(); ++i)
    widest = std::max(widest, rounds[i].round.value - rounds[i - 1].round.value);
  CHECK(widest <= 6000 / 50);
}

TEST_CASE("a history of a run with mostly unobserved rounds is bounded, too", "[long]") {
  LiveHistory history;
  for (std::uint32_t look = 1; look <= 2000; ++look) {
    history.add(view(look, look, 1024 * look));
    REQUIRE(history.rounds().size() <= LiveHistory::kMostRounds);
    REQUIRE(history.rounds().back().round == Round{1024 * look});
  }
}

TEST_CASE("a history with few rounds loses none") {
  LiveHistory history;
  for (std::uint32_t last = 1; last <= LiveHistory::kMostRounds; ++last)
    history.add(view(last, last, last));
  CHECK(history.rounds().size() == LiveHistory::kMostRounds);
}

}  // namespace test_history
