// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/all_to_all.hpp"

#include <algorithm>
#include <bit>

#include "core/base/check.hpp"

namespace posse {

TreePlace tree_place(std::uint32_t players, std::uint32_t self) {
  POSSE_CHECK(self < players);
  TreePlace place;
  std::uint32_t root = 0, end = players;
  for (;;) {
    const std::uint32_t left = root + 1, right = left + (end - root) / 2;
    if (self == root) {
      if (left < end) place.children.push_back(NodeId{left});
      if (right < end) place.children.push_back(NodeId{right});
      place.below = end - root;
      return place;
    }
    place.parent = NodeId{root};
    if (self < right) {
      root = left;
      end = right;
    } else {
      root = right;
    }
  }
}

GatherPlan gather_plan(AllToAll way, std::uint32_t players, std::uint32_t self) {
  POSSE_CHECK(self < players);
  GatherPlan plan;
  auto& sends = plan.sends;
  if (players == 1) return plan;
  plan.vectors = players;
  switch (way) {
    case AllToAll::mesh:
      if (self > 0) sends.push_back({NodeId{0}, self, self, 1});
      if (self + 1 < players) sends.push_back({NodeId{self + 1}, players - self - 1, self, 1});
      break;
    case AllToAll::relay:
      if (self == 0) {
        sends.push_back({NodeId{1}, players - 1, 0, 0});
      } else {
        sends.push_back({NodeId{0}, 1, self, 1});
        plan.vectors = 1;
        plan.result_from = NodeId{0};
      }
      break;
    case AllToAll::ring:
      for (std::uint32_t step = 0; step + 1 < players; ++step)
        sends.push_back({NodeId{(self + 1) % players}, 1, (self + players - step) % players, 1});
      break;
    case AllToAll::tree: {
      const TreePlace place = tree_place(players, self);
      if (place.parent) sends.push_back({*place.parent, 1, self, place.below});
      for (const NodeId child : place.children) sends.push_back({child, 1, 0, 0});
      plan.vectors = place.below;
      plan.result_from = place.parent;
      break;
    }
    case AllToAll::doubling:
      for (std::uint32_t distance = 1; distance < players; distance *= 2)
        sends.push_back({NodeId{(self + players - distance) % players},
                         1,
                         self,
                         std::min(distance, players - distance)});
      break;
  }
  return plan;
}

std::uint32_t sum_parts(AllToAll way, std::uint32_t players) {
  return way == AllToAll::ring ? players : 1;
}

namespace {

/// Part c starts at player c and is complete at the player before it, from which the result goes
/// the same way.
SumPlan ring_plan(std::uint32_t players, std::uint32_t self, std::uint32_t part) {
  const NodeId before{(self + players - 1) % players}, next{(self + 1) % players};
  const std::uint32_t place = (self + players - part) % players;
  SumPlan plan;
  plan.stages.emplace_back();
  if (place > 0) plan.stages[0].from = {before};
  if (place + 1 != players) {
    plan.stages[0].to = {next};
    plan.result_from = before;
  }
  if (place + 2 != players && players > 1) plan.forwards = {next};
  return plan;
}

SumPlan tree_plan(std::uint32_t players, std::uint32_t self) {
  const TreePlace place = tree_place(players, self);
  SumPlan plan;
  plan.stages.push_back({place.children, {}});
  if (place.parent) plan.stages[0].to = {*place.parent};
  plan.result_from = place.parent;
  plan.forwards = place.children;
  return plan;
}

/// The players from p = 2^k on, where p is the largest power of two that is not above their number,
/// hand their vectors to the first ones and get the result from them.
SumPlan doubling_plan(std::uint32_t players, std::uint32_t self) {
  const std::uint32_t p = std::bit_floor(players);
  SumPlan plan;
  plan.stages.emplace_back();
  if (self >= p) {
    plan.stages[0].to = {NodeId{self - p}};
    plan.result_from = NodeId{self - p};
    return plan;
  }
  if (self + p < players) {
    plan.stages[0].from = {NodeId{self + p}};
    plan.forwards = {NodeId{self + p}};
  }
  for (std::uint32_t distance = 1; distance < p; distance *= 2) {
    plan.stages.back().to = {NodeId{self ^ distance}};
    plan.stages.push_back({{NodeId{self ^ distance}}, {}});
  }
  return plan;
}

}  // namespace

SumPlan sum_plan(AllToAll way, std::uint32_t players, std::uint32_t self, std::uint32_t part) {
  POSSE_CHECK(self < players && part < sum_parts(way, players));
  switch (way) {
    case AllToAll::ring:
      return ring_plan(players, self, part);
    case AllToAll::tree:
      return tree_plan(players, self);
    case AllToAll::doubling:
      return doubling_plan(players, self);
    case AllToAll::mesh:
    case AllToAll::relay:
      break;
  }
  POSSE_CHECK(false, "{} adds up whole vectors", to_string(way));
  return {};
}

}  // namespace posse
