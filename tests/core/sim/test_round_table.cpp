// SPDX-License-Identifier: Apache-2.0
// A table that forgets rounds tells the same as one that keeps all of them.
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

#include "core/sim/round_table.hpp"

namespace posse::test_round_table {
namespace {

using Catch::Contains;

/// Books and ends the rounds 1 … `rounds` in both ways of keeping them.
class Tables {
 public:
  explicit Tables(std::uint32_t seed) : random_(seed) {}

  void end(std::uint32_t number, std::uint64_t steps) {
    const bool begins_early = random_() % 5000 == 0;
    const std::uint32_t depth = number / 3000;
    for (RoundTable* table : {&all, &some}) {
      RoundTable::Row& row = table->row(Round{number});
      row.reporter = NodeId{0};
      row.record.round = Round{number};
      row.record.began = Time{number * 10 - (begins_early ? 15 : 0)};
      row.record.ended = Time{number * 10 + 9};
      row.record.steps = steps;
      row.record.active_cells = number % 7;
      row.record.best = Cell{depth, 1};
    }
  }
  void book(std::uint32_t number) {
    const RoundCount cost{.messages = 1,
                          .bytes = random_() % 1000,
                          .values = random_() % 10,
                          .needless = random_() % 3,
                          .propagation = Duration{5}};
    for (RoundTable* table : {&all, &some}) table->book(Round{number}, cost);
  }
  std::uint64_t random(std::uint64_t below) { return random_() % below; }

  RoundTable all{false}, some{true};

 private:
  std::mt19937 random_;
};

void check_equal(const std::vector<RoundRecord>& a, const std::vector<RoundRecord>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("row " << i << ", round " << a[i].round.value);
    CHECK(a[i].round == b[i].round);
    CHECK(a[i].steps == b[i].steps);
    CHECK(static_cast<const RoundCount&>(a[i]) == static_cast<const RoundCount&>(b[i]));
    CHECK(a[i].bytes_so_far == b[i].bytes_so_far);
    CHECK(a[i].values_so_far == b[i].values_so_far);
  }
}

void check_alike(RoundTable& all, RoundTable& some) {
  check_equal(all.latest(64), some.latest(64));
  RunOutcome a, b;
  all.conclude(a);
  some.conclude(b);
  CHECK(a.complete_rounds == b.complete_rounds);
  CHECK(a.active_cells == b.active_cells);
  CHECK(a.rounds_overlap == b.rounds_overlap);
  const std::uint64_t most = a.rounds.back().steps;
  for (std::size_t i = 0; checkpoint(i) <= most; ++i) {
    INFO("checkpoint " << checkpoint(i));
    const std::uint32_t complete = all.complete_with(checkpoint(i));
    CHECK(complete == some.complete_with(checkpoint(i)));
    CHECK(all.after_complete(complete).bytes == some.after_complete(complete).bytes);
    CHECK(all.after_complete(complete).round == some.after_complete(complete).round);
  }
  CHECK(some.complete_with(most) == some.complete_with(most + 7));
  thin_rounds(a.rounds);
  thin_rounds(b.rounds);
  check_equal(a.rounds, b.rounds);
}

TEST_CASE("what results show of a long run is the same whether or not rounds are forgotten") {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Tables tables(seed);
    std::uint64_t steps = 0;
    for (std::uint32_t round = 1; round <= 20'000; ++round) {
      for (int messages = 0; messages < 3; ++messages) tables.book(round);
      // Repeated messages of rounds that ended long ago, and those of no round.
      if (tables.random(3) == 0) tables.book(static_cast<std::uint32_t>(tables.random(round)));
      steps += seed == 1 ? 1 : tables.random(20);
      tables.end(round, steps);
      tables.some.forget(round);
    }
    tables.book(20'001);  // does not end
    check_alike(tables.all, tables.some);
  }
}

TEST_CASE("the memory of a long run's rounds does not grow with their number") {
  const auto rows_of = [](std::uint32_t rounds) {
    Tables tables(1);
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      tables.end(round, round);
      tables.some.forget(round);
    }
    RunOutcome out;
    tables.some.conclude(out);
    CHECK(out.complete_rounds == rounds);
    return out.rounds.size();
  };
  CHECK(rows_of(10'000) < 4'000);
  CHECK(rows_of(100'000) < 4'000);
}

TEST_CASE("rounds that end in another order than they began are counted as well") {
  Tables tables(4);
  std::vector<std::uint32_t> open;
  std::uint64_t steps = 0;
  const auto end_one = [&] {
    const std::size_t at = tables.random(open.size());
    tables.end(open[at], ++steps);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
  };
  std::uint32_t latest = 0;
  for (std::uint32_t round = 1; round <= 10'000; ++round) {
    open.push_back(round);
    tables.book(round);
    if (open.size() > 3) end_one();
    latest = round;
    if (tables.all.end() > 4) tables.some.forget(latest - 4);
  }
  while (!open.empty()) end_one();
  RunOutcome a, b;
  tables.all.conclude(a);
  tables.some.conclude(b);
  CHECK(b.complete_rounds == 10'000);
  CHECK(a.active_cells == b.active_cells);
  CHECK(a.rounds_overlap == b.rounds_overlap);
  thin_rounds(a.rounds);
  thin_rounds(b.rounds);
  check_equal(a.rounds, b.rounds);
}

TEST_CASE("a round stays in the table while its critical path is not known") {
  RoundTable table(true);
  for (std::uint32_t round = 1; round <= 10'000; ++round) {
    RoundTable::Row& row = table.row(Round{round});
    row.reporter = NodeId{0};
    if (round == 2'500) row.path = Path::beginning(NodeId{0}, Time{0});
    table.forget(round);
  }
  CHECK(table.row(Round{2'500}).path);
  table.row(Round{2'500}).record.steps = 77;
  table.row(Round{2'500}).path = {};
  table.forget(10'000);
  CHECK(table.row(Round{2'501}).record.steps == 0);
  CHECK(table.end() == 10'001);
}

TEST_CASE("a round whose steps will be read is kept whatever its number") {
  RoundTable table(true);
  for (std::uint32_t round = 1; round <= 10'000; ++round) {
    RoundTable::Row& row = table.row(Round{round});
    row.reporter = NodeId{0};
    row.record.steps = 5 * round;
    row.read = round == 3'333;
    table.forget(round);
  }
  RunOutcome out;
  table.conclude(out);
  CHECK(table.after(Round{3'333}).steps == 16'665);
  CHECK(table.after(Round{3'333}).complete == 3'333);
  CHECK(table.after(Round{10'001}).steps == 0);
}

TEST_CASE("a number far beyond all rounds so far is an error") {
  RoundTable table(true);
  CHECK_THROWS_WITH(table.row(Round{900'000'000}), Contains("round 900000000 is more than"));
  CHECK_THROWS_WITH(table.book(Round{900'000'000}, {}), Contains("which has not ended"));
}

}  // namespace
}  // namespace posse::test_round_table
