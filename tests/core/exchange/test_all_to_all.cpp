// SPDX-License-Identifier: Apache-2.0
// Plans of exchanges, carried out step by step, against the closed formulas of what they cost.
#include <algorithm>
#include <bitset>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <vector>

#include "core/exchange/all_to_all.hpp"
#include "core/theory/all_to_all_cost.hpp"

namespace posse::test_all_to_all {
namespace {

using theory::SumsBy;

constexpr std::uint32_t kMostPlayers = 70;

struct Seen {
  double vectors = 0, vector_numbers = 0;
  double sums = 0, sum_numbers = 0;
  double results = 0, result_numbers = 0;
  std::uint32_t steps = 0;
};

/// Sends what each player has at the beginning of a step, until nothing is left to send.
Seen gather(AllToAll way, std::uint32_t m, double n) {
  std::vector<GatherPlan> plans;
  std::vector<std::set<std::uint32_t>> has(m);
  std::vector<bool> knows(m, false);
  for (std::uint32_t i = 0; i < m; ++i) {
    plans.push_back(gather_plan(way, m, i));
    has[i].insert(i);
  }
  Seen seen;
  const auto all = [&](std::uint32_t i) { return has[i].size() == m; };
  for (bool sent = true; sent;) {
    sent = false;
    const auto before = has;
    const auto knew = knows;
    for (std::uint32_t i = 0; i < m; ++i) {
      std::erase_if(plans[i].sends, [&](const VectorSend& send) {
        bool ready = true;
        if (send.count == 0) ready = before[i].size() == m || knew[i];
        for (std::uint32_t k = 0; k < send.count; ++k)
          ready = ready && before[i].contains((send.first + k) % m);
        if (!ready) return false;
        for (std::uint32_t to = send.to.value; to < send.to.value + send.nodes; ++to) {
          REQUIRE(to < m);
          REQUIRE(to != i);
          if (send.count == 0) {
            ++seen.results;
            seen.result_numbers += n;
            CHECK_FALSE((all(to) || knows[to]));  // nobody is told what it knows
            CHECK(plans[to].result_from == NodeId{i});
            knows[to] = true;
          }
          seen.vectors += send.count > 0;
          seen.vector_numbers += send.count * n;
          for (std::uint32_t k = 0; k < send.count; ++k)
            CHECK(has[to].insert((send.first + k) % m).second);  // nothing comes twice
        }
        return sent = true;
      });
    }
    seen.steps += sent;
  }
  for (std::uint32_t i = 0; i < m; ++i) {
    INFO("player " << i);
    CHECK(plans[i].sends.empty());
    CHECK((all(i) || knows[i]));
    CHECK(has[i].size() == plans[i].vectors);
    for (std::uint32_t k = 0; k < plans[i].vectors; ++k) CHECK(has[i].contains((i + k) % m));
  }
  return seen;
}

/// Players whose vectors are in a sum.
using Players = std::bitset<kMostPlayers>;

/// Sends exact sums until nothing is left to send; follows which players' vectors are in each sum.
Seen add_up(AllToAll way, std::uint32_t m, std::size_t n) {
  Seen seen;
  const std::uint32_t parts = sum_parts(way, m);
  for (std::uint32_t part = 0; part < parts; ++part) {
    const std::size_t count = n * (part + 1) / parts - n * part / parts;
    if (count == 0) continue;
    const auto numbers = static_cast<double>(count);
    std::vector<SumPlan> plans;
    std::vector<Players> sum(m);
    std::vector<std::size_t> stage(m, 0);
    std::vector<std::vector<std::pair<NodeId, Players>>> inbox(m);
    std::vector<bool> knows(m, false), forwarded(m, false);
    for (std::uint32_t i = 0; i < m; ++i) {
      plans.push_back(sum_plan(way, m, i, part));
      sum[i].set(i);
    }
    std::uint32_t steps = 0;
    for (bool sent = true; sent;) {
      sent = false;
      const auto arrived = inbox;
      const auto knew = knows;
      for (std::uint32_t i = 0; i < m; ++i) {
        while (stage[i] < plans[i].stages.size()) {
          const auto& now = plans[i].stages[stage[i]];
          const auto from = [&](NodeId node) {
            return std::find_if(arrived[i].begin(), arrived[i].end(), [&](const auto& message) {
              return message.first == node;
            });
          };
          if (std::any_of(now.from.begin(), now.from.end(), [&](NodeId node) {
                return from(node) == arrived[i].end();
              }))
            break;
          for (const NodeId node : now.from) {
            CHECK((sum[i] & from(node)->second).none());  // nobody twice
            sum[i] |= from(node)->second;
          }
          for (const NodeId to : now.to) {
            CHECK(std::none_of(inbox[to.value].begin(),
                               inbox[to.value].end(),
                               [&](const auto& other) { return other.first == NodeId{i}; }));
            inbox[to.value].emplace_back(NodeId{i}, sum[i]);
            ++seen.sums;
            seen.sum_numbers += numbers;
            sent = true;
          }
          ++stage[i];
        }
        const bool has_sum = stage[i] == plans[i].stages.size() && !plans[i].result_from;
        if (has_sum) {
          CHECK(sum[i].count() == m);  // everybody
          knows[i] = true;
        }
        if ((knew[i] || has_sum) && !forwarded[i]) {
          forwarded[i] = true;
          for (const NodeId to : plans[i].forwards) {
            CHECK(plans[to.value].result_from == NodeId{i});
            CHECK_FALSE(knows[to.value]);
            knows[to.value] = true;
            ++seen.results;
            seen.result_numbers += numbers;
            sent = true;
          }
        }
      }
      steps += sent;
    }
    CHECK(std::count(knows.begin(), knows.end(), true) == m);
    seen.steps = std::max(seen.steps, steps);
  }
  return seen;
}

void check_cost(const Seen& seen, const theory::AllToAllCost& cost, std::uint32_t steps) {
  CHECK(seen.vectors == cost.vectors.messages);
  CHECK(seen.vector_numbers == cost.vectors.numbers);
  CHECK(seen.sums == cost.sums.messages);
  CHECK(seen.sum_numbers == cost.sums.numbers);
  CHECK(seen.results == cost.results.messages);
  CHECK(seen.result_numbers == cost.results.numbers);
  CHECK(seen.steps == steps);
}

}  // namespace

TEST_CASE("gathered vectors reach everybody once, at the cost and in the steps of the formulas",
          "[long]") {
  for (const AllToAll way : kAllToAll)
    for (std::uint32_t m = 1; m <= kMostPlayers; ++m) {
      INFO(to_string(way) << ", " << m << " players");
      check_cost(gather(way, m, 3),
                 theory::all_to_all_cost(way, SumsBy::gathered, m, 3),
                 theory::all_to_all_steps(way, SumsBy::gathered, m));
    }
}

TEST_CASE("sums have every player's vector once, at the cost and in the steps of the formulas",
          "[long]") {
  for (const AllToAll way : {AllToAll::ring, AllToAll::tree, AllToAll::doubling})
    for (std::uint32_t m = 1; m <= kMostPlayers; ++m)
      for (const std::size_t n : {1, 5, 64, 100}) {
        INFO(to_string(way) << ", " << m << " players, " << n << " numbers");
        check_cost(add_up(way, m, n),
                   theory::all_to_all_cost(way, SumsBy::exact, m, static_cast<double>(n)),
                   theory::all_to_all_steps(way, SumsBy::exact, m));
      }
}

TEST_CASE("the tree's subtrees hold consecutive players and differ by at most one") {
  for (std::uint32_t m = 1; m <= kMostPlayers; ++m)
    for (std::uint32_t i = 0; i < m; ++i) {
      const TreePlace place = tree_place(m, i);
      CHECK(place.parent.has_value() == (i > 0));
      std::uint32_t next = i + 1, below = 1;
      for (const NodeId child : place.children) {
        CHECK(child.value == next);
        const TreePlace under = tree_place(m, child.value);
        CHECK(under.parent == NodeId{i});
        next += under.below;
        below += under.below;
      }
      CHECK(place.below == below);
      if (place.children.size() == 2) {
        const auto left = tree_place(m, place.children[0].value).below;
        const auto right = tree_place(m, place.children[1].value).below;
        CHECK((left == right || left == right + 1));
      }
    }
}

}  // namespace posse::test_all_to_all
