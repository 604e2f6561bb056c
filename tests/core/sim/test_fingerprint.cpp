// SPDX-License-Identifier: Apache-2.0
// What fingerprints depend on: every number that they are said to cover, and nothing of the order
// in which accounts happen to be listed.
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <vector>

#include "core/base/hash.hpp"
#include "core/sim/fingerprint.hpp"
#include "core/sim/simulation.hpp"

namespace posse::test_fingerprint {
namespace {

/// Each change alone gives another hash than all others and than none.
template <class Subject>
void check_all_differ(const Subject& original,
                      const std::function<std::uint64_t(const Subject&)>& hash,
                      const std::vector<std::function<void(Subject&)>>& changes) {
  std::set<std::uint64_t> hashes{hash(original)};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    INFO("change " << i);
    Subject changed = original;
    changes[i](changed);
    CHECK(hashes.insert(hash(changed)).second);
  }
}

RunOutcome outcome() {
  RunOutcome out;
  TypeAccount question, answer;
  question.type = "Question";
  question.direction = Direction::down;
  question.sent = 3;
  question.delivered = 3;
  answer.type = "Answer";
  answer.direction = Direction::up;
  answer.sent = 2;
  answer.delivered = 1;
  answer.in_flight = 1;
  out.accounts = {question, answer};
  out.regret.recommendation = {0.5, 0.25};
  out.regret.local_recommendations = {{0.125}, {0.5}};
  out.arms.arms.resize(1);
  out.arms.arms[0].name = "a";
  return out;
}

}  // namespace

TEST_CASE("a fingerprint is the hash of its three parts, in their order") {
  CHECK(Fingerprint{1, 2, 3}.combined() == hash_combine(hash_combine(hash_combine(0, 1), 2), 3));
}

TEST_CASE("the fingerprint of accounts covers each count, by type and direction, in any order") {
  std::vector<std::function<void(RunOutcome&)>> changes;
  for (const auto field : {&TypeAccount::sent,
                           &TypeAccount::repeated,
                           &TypeAccount::duplicated,
                           &TypeAccount::delivered,
                           &TypeAccount::discarded,
                           &TypeAccount::dropped_loss,
                           &TypeAccount::dropped_queue,
                           &TypeAccount::dropped_partition,
                           &TypeAccount::dropped_crash,
                           &TypeAccount::in_flight,
                           &TypeAccount::values,
                           &TypeAccount::bytes,
                           &TypeAccount::wire_bytes,
                           &TypeAccount::after_finish})
    for (const std::size_t account : {0, 1})
      changes.emplace_back([=](RunOutcome& out) { out.accounts[account].*field += 7; });
  changes.emplace_back([](RunOutcome& out) { out.accounts[0].type = "Quest"; });
  changes.emplace_back([](RunOutcome& out) { out.accounts[0].direction = Direction::peer; });
  changes.emplace_back([](RunOutcome& out) { out.accounts.pop_back(); });
  check_all_differ<RunOutcome>(outcome(), hash_of_accounts, changes);

  // What both count alike, in another order, also where only the direction differs.
  RunOutcome swapped = outcome();
  std::swap(swapped.accounts[0], swapped.accounts[1]);
  CHECK(hash_of_accounts(swapped) == hash_of_accounts(outcome()));
  RunOutcome same_type = outcome();
  same_type.accounts[1].type = "Question";
  const auto one = hash_of_accounts(same_type);
  std::swap(same_type.accounts[0], same_type.accounts[1]);
  CHECK(hash_of_accounts(same_type) == one);
}

TEST_CASE("the fingerprint of accounts is defined by names and counts that are not 0") {
  const auto add = [](std::uint64_t hash, std::string_view name) {
    return hash_combine(hash, hash_name(name));
  };
  std::uint64_t hash = add(add(0, "Answer"), "up");
  hash = hash_combine(add(hash, "sent"), 2);
  hash = hash_combine(add(hash, "delivered"), 1);
  hash = hash_combine(add(hash, "in flight"), 1);
  hash = add(add(hash, "Question"), "down");
  hash = hash_combine(add(hash, "sent"), 3);
  hash = hash_combine(add(hash, "delivered"), 3);
  CHECK(hash_of_accounts(outcome()) == hash);
}

TEST_CASE("the fingerprint of numbers covers status, end, rounds, regret, recommendations, arms") {
  using Out = RunOutcome;
  check_all_differ<RunOutcome>(outcome(),
                               hash_of_numbers,
                               {[](Out& out) { out.status = RunStatus::stalled; },
                                [](Out& out) { out.finished_at = Time{1}; },
                                [](Out& out) { out.complete_rounds = 1; },
                                [](Out& out) { out.regret.evaluations = 1; },
                                [](Out& out) { out.regret.cumulative = 0.5; },
                                [](Out& out) { out.regret.local_cumulative = 0.5; },
                                [](Out& out) { out.regret.recommendation[1] = 0.75; },
                                [](Out& out) { out.regret.recommendation.pop_back(); },
                                [](Out& out) { out.regret.local_recommendations[0][0] = 0.75; },
                                [](Out& out) { out.regret.local_recommendations[1][0] = 0.75; },
                                [](Out& out) { out.arms.arms[0].name = "b"; },
                                [](Out& out) { out.arms.arms[0].pulls = 1; },
                                [](Out& out) { out.arms.arms[0].last = 1; },
                                [](Out& out) { out.arms.arms[0].best = 1; },
                                [](Out& out) { out.arms.arms[0].bound = 1; },
                                [](Out& out) { out.arms.answer = 0; },
                                [](Out& out) { out.arms.answer = 1; }});
}

TEST_CASE("the hash of results covers each number of curves, rounds and measurements") {
  SimulationResult result;
  result.regret_curve.resize(1);
  result.regret_curve[0].metric = "simple_regret";
  result.outcome.rounds.resize(1);
  result.outcome.rounds[0].late = {NodeId{1}};
  using Result = SimulationResult;
  const auto row = [](auto field) {
    return [=](Result& r) { std::invoke(field, r.outcome.rounds[0]) = {7}; };
  };
  check_all_differ<SimulationResult>(
      result,
      [](const Result& r) { return hash_of_results(r, {}); },
      {[](Result& r) { r.regret_curve[0].metric = "cumulative_regret"; },
       [](Result& r) { r.regret_curve[0].evaluations = 7; },
       [](Result& r) { r.regret_curve[0].rounds = 7; },
       [](Result& r) { r.regret_curve[0].bytes = 7; },
       [](Result& r) { r.regret_curve[0].virtual_s = 7; },
       [](Result& r) { r.regret_curve[0].value = 7; },
       [](Result& r) { r.outcome.rounds[0].round = Round{7}; },
       [](Result& r) {
         r.outcome.rounds[0].best = Cell{7, 1};
       },
       [](Result& r) {
         r.outcome.rounds[0].best = Cell{1, 7};
       },
       [](Result& r) { r.outcome.rounds[0].late = {NodeId{7}}; },
       [](Result& r) { r.outcome.rounds[0].late = {}; },
       row(&RoundRecord::began),
       row(&RoundRecord::ended),
       row(&RoundRecord::active_cells),
       row(&RoundRecord::pulls_per_cell),
       row(&RoundRecord::kept_cells),
       row(&RoundRecord::steps),
       row(&RoundRecord::arrived),
       row(&RoundRecord::expected),
       row(&RoundRecord::stale),
       row(&RoundRecord::messages),
       row(&RoundRecord::bytes),
       row(&RoundRecord::values),
       row(&RoundRecord::bytes_so_far),
       row(&RoundRecord::values_so_far),
       row(&RoundRecord::compute),
       row(&RoundRecord::queueing),
       row(&RoundRecord::transfer),
       row(&RoundRecord::propagation),
       row(&RoundRecord::waiting)});

  Measurement measured;
  measured.measured = 1;
  Measurement bounded = measured;
  bounded.bound = Bound{.value = 3};
  Measurement other = bounded;
  other.bound->value = 4;
  Measurement more = measured;
  more.measured = 2;
  std::set<std::uint64_t> hashes{hash_of_results(result, {})};
  for (const auto& each : {measured, bounded, other, more})
    CHECK(hashes.insert(hash_of_results(result, std::span(&each, 1))).second);
}

}  // namespace posse::test_fingerprint
