// SPDX-License-Identifier: Apache-2.0
// Successive halving, Hyperband and ASHA pull by pull, against the rules in their headers written
// out literally, on losses with many ties: multiples of 1/4.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "actors/f_lcb/allocation/asha.hpp"
#include "actors/f_lcb/allocation/rung_allocation.hpp"
#include "core/base/hash.hpp"

namespace test_halving_reference {

using namespace posse;

namespace {

/// Of pull k of an instance of an arm, in a trial.
double loss(std::uint64_t trial, const Pull& pull, std::uint64_t k) {
  const auto drawn = mix64(hash_combine(hash_combine(trial, 8 * pull.arm + pull.instance), k));
  return static_cast<double>(drawn % 9) / 4;
}

/// Answers every pull at once; what was pulled, in order.
std::vector<Pull> play(Allocation& allocation, std::uint64_t trial) {
  std::vector<Pull> all, started;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> made;
  for (;;) {
    started.clear();
    allocation.start(started);
    if (started.empty()) return all;
    REQUIRE(started.size() == 1);
    const Pull pull = started[0];
    all.push_back(pull);
    const auto k = ++made[{pull.arm, pull.instance}];
    allocation.take(pull, {k, loss(trial, pull, k), 0});
  }
}

std::uint64_t rounded_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

TEST_CASE("successive halving equals its rules, with ties and budgets that end in any round") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const std::size_t arms = 1 + trial % 9;
    const std::uint64_t budget = 1 + (7 * trial) % 61;
    INFO("trial " << trial << ": " << arms << " arms, " << budget << " pulls");
    std::uint64_t rounds = 0;  // ceil(log2 K), at least 1
    while ((std::size_t{1} << rounds) < arms) ++rounds;
    rounds = std::max<std::uint64_t>(rounds, 1);
    std::vector<std::uint32_t> active;
    for (std::uint32_t i = 0; i < arms; ++i) active.push_back(i);
    std::vector<std::uint32_t> expected;
    std::map<std::uint32_t, std::uint64_t> pulls;
    std::map<std::uint32_t, double> score;
    while (expected.size() < budget) {
      const std::uint64_t each = active.size() == 1
                                     ? budget - expected.size()
                                     : std::max<std::uint64_t>(1, budget / rounds / active.size());
      for (const auto arm : active)
        for (std::uint64_t n = 0; n < each && expected.size() < budget; ++n) {
          expected.push_back(arm);
          ++pulls[arm];
        }
      // The values at the round's end; a round that the budget cuts short counts, too.
      std::vector<std::pair<double, std::uint32_t>> sorted;
      for (const auto arm : active) {
        if (pulls[arm] == 0) continue;
        const double value = loss(trial, {arm, 0}, pulls[arm]);
        score[arm] = score.count(arm) ? std::min(score[arm], value) : value;
      }
      if (expected.size() == budget) break;
      for (const auto arm : active) sorted.push_back({score[arm], arm});
      std::sort(sorted.begin(), sorted.end());
      sorted.resize(std::max<std::size_t>(1, sorted.size() / 2));
      active.clear();
      for (const auto& [value, arm] : sorted) active.push_back(arm);
      std::sort(active.begin(), active.end());
    }
    RungAllocation allocation(arms, halving_of_budget(arms, budget), 1, Seed{1});
    std::vector<std::uint32_t> made;
    for (const auto& pull : play(allocation, trial)) {
      CHECK(pull.instance == 0);
      made.push_back(pull.arm);
    }
    REQUIRE(made == expected);
    std::uint32_t best = score.begin()->first;
    for (const auto& [arm, value] : score)
      if (value < score[best]) best = arm;
    CHECK(allocation.answer() == best);
  }
}

TEST_CASE("Hyperband with eta = 2 equals its rules: brackets, rungs, survivors and answer") {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::size_t arms = 1 + trial % 7;
    const std::uint64_t budget = 2 + (13 * trial) % 150;
    INFO("trial " << trial << ": " << arms << " arms, " << budget << " pulls");
    // R: the root of R ln^2(2 R) = T ln^2 2, rounded up.
    std::uint64_t longest = 1;
    while (static_cast<double>(longest) *
               std::pow(std::log2(2.0 * static_cast<double>(longest)), 2) <
           static_cast<double>(budget) - 1e-9)
      ++longest;
    std::uint64_t brackets = 0;  // smax
    while (std::uint64_t{2} << brackets <= longest) ++brackets;
    const auto plan = hyperband_of_2025(2, budget);
    RungAllocation allocation(arms, plan, 1, Seed{trial});
    CHECK(plan.brackets.back() == Bracket{{brackets + 1, longest}});
    const auto made = play(allocation, trial);
    CHECK(made.size() == plan.pulls());
    using Instance = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Instance, std::uint64_t> pulls;
    std::map<std::uint32_t, std::uint32_t> instances;
    std::pair<double, std::uint32_t> best{INFINITY, 0};  // score, arm
    std::size_t at = 0;
    for (std::uint64_t s = brackets + 1; s-- > 0;) {
      const std::uint64_t n = rounded_up((brackets + 1) << s, s + 1);
      std::set<Instance> active;
      for (std::uint64_t rung = 0; rung <= s; ++rung) {
        const std::uint64_t each = rounded_up(longest, std::uint64_t{1} << (s - rung));
        const std::size_t size = rung == 0 ? n : active.size();
        std::vector<std::pair<double, Instance>> sorted;
        std::set<Instance> seen;
        std::set<std::uint32_t> list;  // arms of the current shuffled list
        for (std::size_t i = 0; i < size; ++i) {
          REQUIRE(at < made.size());
          const Instance instance{made[at].arm, made[at].instance};
          for (std::uint64_t k = 0; k < each; ++k) {
            REQUIRE(at < made.size());
            REQUIRE(Instance{made[at].arm, made[at].instance} == instance);
            ++at;
          }
          CHECK(seen.insert(instance).second);
          if (rung == 0) {  // new instances, every arm once before any twice
            CHECK(instance.second == instances[instance.first]++);
            if (list.size() == arms) list.clear();
            CHECK(list.insert(instance.first).second);
          }
          pulls[instance] += each;
          sorted.push_back(
              {loss(trial, {instance.first, instance.second}, pulls[instance]), instance});
        }
        if (rung > 0) CHECK(seen == active);
        std::sort(sorted.begin(), sorted.end());
        best = std::min(best, std::pair{sorted.front().first, sorted.front().second.first});
        const std::size_t kept = std::min<std::size_t>(sorted.size(), n >> (rung + 1));
        if (kept == 0) break;
        active.clear();
        for (std::size_t i = 0; i < kept; ++i) active.insert(sorted[i].second);
      }
    }
    CHECK(at == made.size());
    CHECK(allocation.answer() == best.second);
  }
}

TEST_CASE("ASHA equals its rules, with ties, one worker and several") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const auto arms = static_cast<std::uint32_t>(1 + trial % 9);
    const std::uint64_t budget = 1 + (11 * trial) % 67;
    const auto eta = static_cast<std::uint32_t>(2 + trial % 2);
    const auto workers = static_cast<std::uint32_t>(1 + trial % 3);
    INFO("trial " << trial << ": " << arms << " arms, " << budget << " pulls, eta " << eta << ", "
                  << workers << " workers");
    // By arm: pulls made, the number of pulls at which its job is done (0: it has no job), the rung
    // that it reached (-1: none), its smallest value so far and at every rung, and whether a pull
    // is under way.
    struct Known {
      std::uint64_t pulls = 0, job = 0;
      int rung = -1;
      double best = INFINITY;
      std::vector<double> at;
      bool away = false;
    };
    std::vector<Known> known(arms);
    std::vector<std::uint32_t> expected, away, made;
    const auto next_job = [&]() -> std::optional<std::uint32_t> {
      for (int rung = 10; rung >= 0; --rung) {
        std::vector<std::pair<double, std::uint32_t>> sorted;  // of the arms that reached it
        for (std::uint32_t i = 0; i < arms; ++i)
          if (known[i].rung >= rung)
            sorted.push_back({known[i].at[static_cast<std::size_t>(rung)], i});
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t n = 0; n < sorted.size() / eta; ++n) {
          const auto i = sorted[n].second;
          if (known[i].rung == rung && known[i].job == 0) return i;
        }
      }
      for (std::uint32_t i = 0; i < arms; ++i)
        if (known[i].rung < 0 && known[i].job == 0) return i;
      std::optional<std::uint32_t> best;
      for (std::uint32_t i = 0; i < arms; ++i) {
        if (known[i].job > 0) continue;
        if (!best || known[i].rung > known[*best].rung ||
            (known[i].rung == known[*best].rung && known[i].at.back() < known[*best].at.back()))
          best = i;
      }
      return best;
    };
    const auto start = [&](std::uint32_t i) {
      known[i].away = true;
      away.push_back(i);
      expected.push_back(i);
    };
    Asha asha(arms, budget, eta, workers);
    for (;;) {
      // Jobs under way go on first, then free workers look for new ones.
      for (std::uint32_t i = 0; i < arms; ++i)
        if (known[i].job > 0 && !known[i].away && away.size() < workers && expected.size() < budget)
          start(i);
      while (away.size() < workers && expected.size() < budget) {
        const auto i = next_job();
        if (!i) break;
        known[*i].job = 1;
        for (int r = 0; r <= known[*i].rung; ++r) known[*i].job *= eta;  // eta^(rung + 1)
        start(*i);
      }
      std::vector<Pull> started;
      asha.start(started);
      for (const auto& pull : started) made.push_back(pull.arm);
      REQUIRE(made == expected);
      if (away.empty()) break;
      const std::uint32_t i = away.back();  // the newest pull is answered first
      away.pop_back();
      Known& arm = known[i];
      arm.away = false;
      const double value = loss(trial, {i, 0}, ++arm.pulls);
      arm.best = std::min(arm.best, value);
      if (arm.pulls == arm.job) {
        ++arm.rung;
        arm.at.push_back(arm.best);
        arm.job = 0;
      }
      asha.take({i, 0}, {arm.pulls, value, 0});
    }
    CHECK(made.size() == budget);
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < arms; ++i)
      if (known[i].best < known[best].best) best = i;
    CHECK(asha.answer() == best);
  }
}

TEST_CASE("of equal arms only the first floor(n/eta) of a rung are promoted by ASHA") {
  const auto pulled = [](std::size_t arms, std::uint64_t budget, std::uint32_t eta) {
    Asha asha(arms, budget, eta, 1);
    std::vector<std::uint32_t> order;
    std::map<std::uint32_t, std::uint64_t> made;
    std::vector<Pull> started;
    for (asha.start(started); !started.empty(); asha.start(started)) {
      const Pull pull = started[0];
      started.clear();
      order.push_back(pull.arm);
      asha.take(pull, {++made[pull.arm], 1.0, 0});
    }
    return order;
  };
  // Arms 0 and 1 enter; 0, the top one of two, goes to rung 1; 2 and 3 enter; 1 is the second of
  // four and goes to rung 1; of rung 1, 0 goes to rung 2 with two more pulls. Nobody is left to
  // promote: 0, in the highest rung, goes on to rung 3.
  CHECK(pulled(4, 12, 2) == std::vector<std::uint32_t>{0, 1, 0, 2, 3, 1, 0, 0, 0, 0, 0, 0});
  // Three arms for each promotion: 0 goes on from 1 to 3 pulls.
  CHECK(pulled(3, 5, 3) == std::vector<std::uint32_t>{0, 1, 2, 0, 0});
}

}  // namespace test_halving_reference
