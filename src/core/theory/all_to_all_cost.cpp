// SPDX-License-Identifier: Apache-2.0
#include "core/theory/all_to_all_cost.hpp"

#include <algorithm>
#include <bit>

namespace posse::theory {
namespace {

/// floor(log2 x), x >= 1.
std::uint32_t floor_log2(std::uint32_t x) {
  return static_cast<std::uint32_t>(std::bit_width(x)) - 1;
}
std::uint32_t ceil_log2(std::uint32_t x) { return x == 1 ? 0 : floor_log2(x - 1) + 1; }

/// Sum over the players of their depth in the tree: sum_{k=1}^m floor(log2 k).
double sum_of_depths(std::uint32_t m) {
  const double levels = floor_log2(m + 1);
  return (m + 1.0) * levels - 2.0 * static_cast<double>(std::bit_floor(m + 1)) + 2.0;
}

}  // namespace

AllToAllCost all_to_all_cost(AllToAll way, SumsBy sums, std::uint32_t m, double n) {
  AllToAllCost cost;
  const double others = m - 1.0, pairs = m * others;
  switch (way) {
    case AllToAll::mesh:
      cost.vectors = {pairs, pairs * n};
      break;
    case AllToAll::relay:
      cost.vectors = cost.results = {others, others * n};
      break;
    case AllToAll::ring:
      if (sums == SumsBy::gathered)
        cost.vectors = {pairs, pairs * n};
      else
        cost.sums = cost.results = {std::min<double>(m, n) * others, others * n};
      break;
    case AllToAll::tree:
      cost.results = {others, others * n};
      if (sums == SumsBy::gathered)
        cost.vectors = {others, sum_of_depths(m) * n};
      else
        cost.sums = {others, others * n};
      break;
    case AllToAll::doubling:
      if (sums == SumsBy::gathered) {
        cost.vectors = {double{1} * m * ceil_log2(m), pairs * n};
      } else {
        const std::uint32_t p = std::bit_floor(m);
        const double extra = m - p;
        const double messages = extra + double{1} * p * floor_log2(p);
        cost.sums = {messages, messages * n};
        cost.results = {extra, extra * n};
      }
      break;
  }
  return cost;
}

std::uint32_t all_to_all_steps(AllToAll way, SumsBy sums, std::uint32_t m) {
  if (m == 1) return 0;
  switch (way) {
    case AllToAll::mesh:
      return 1;
    case AllToAll::relay:
      return 2;
    case AllToAll::ring:
      return sums == SumsBy::gathered ? m - 1 : 2 * (m - 1);
    case AllToAll::tree:
      return 2 * floor_log2(m);
    case AllToAll::doubling: {
      if (sums == SumsBy::gathered) {
        // The last message, over the distance d, needs ceil(log2 (m - d)) steps before it.
        const std::uint32_t d = std::bit_floor(m - 1);
        return floor_log2(d) + (2 * (m - d) > d ? 1 : 0);
      }
      // Of the p players that exchange sums, the first m - p wait for another player's vector. If
      // these are at most half of them, the last of log2 p stages waits for it only once.
      const std::uint32_t p = std::bit_floor(m), extra = m - p;
      return floor_log2(p) + (extra == 0 ? 0 : 2 * extra <= p ? 1 : 2);
    }
  }
  return 0;
}

double gossip_shrinkage(std::uint32_t m) {
  if (m == 1) return 0;
  return m % 2 == 0 ? (m - 2.0) / (2 * (m - 1.0)) : 0.5;
}

double gossip_error(std::uint32_t m, std::uint32_t steps) {
  double error = m == 1 ? 0 : 1;
  for (std::uint32_t step = 0; step < steps; ++step) error *= gossip_shrinkage(m);
  return error;
}

std::uint32_t gossip_steps(std::uint32_t m) {
  std::uint32_t steps = 0;
  for (double error = m - 1.0; error > 1.0 / 16; error *= gossip_shrinkage(m)) ++steps;
  return steps;
}

AllToAllCost gossip_cost(std::uint32_t m, double n, std::uint32_t steps) {
  const double in_pairs = double{1} * (m - m % 2) * steps, others = m - 1.0;
  return {.vectors = {in_pairs, in_pairs * n}, .sums = {}, .results = {others, others * n}};
}

}  // namespace posse::theory
