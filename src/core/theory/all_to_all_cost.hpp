// SPDX-License-Identifier: Apache-2.0
// What an exchange of vectors among all players costs, in closed formulas.
//
//   m  players
//   n  numbers in a player's vector
#pragma once

#include <cstdint>

#include "core/exchange/all_to_all.hpp"

namespace posse::theory {

/// How sums that depend on the order of their terms are avoided.
enum class SumsBy { gathered, exact };

struct AllToAllCost {
  struct Messages {
    double messages = 0;
    double numbers = 0;  // in all messages
  };
  Messages vectors;  // players' own vectors, one or several in a message
  Messages sums;     // exact partial sums
  Messages results;  // what follows from all vectors
};

AllToAllCost all_to_all_cost(AllToAll way, SumsBy sums, std::uint32_t m, double n);

/// Messages that wait for one another: with a constant latency and no computing, an exchange that
/// all players begin at once takes so many latencies. Exact sums in a ring: if n >= m; otherwise
/// some players know the averages earlier and may begin the next exchange.
std::uint32_t all_to_all_steps(AllToAll way, SumsBy sums, std::uint32_t m);

/// Gossip (core/exchange/gossip.hpp), m >= 1: the factor by which a step shrinks the expected
/// squared error of a player's vector, averaged over the players. With the errors e_i of one
/// number, whose sum is 0, a pair keeps (e_i + e_j)^2 / 2 of e_i^2 + e_j^2, and sum_{i<j} e_i e_j =
/// -1/2 sum e_i^2. For even m each pair has probability 1/(m-1), which leaves (m-2) / (2 (m-1));
/// for odd m 1/m, and so has staying alone, which leaves 1/2. One player: 0.
double gossip_shrinkage(std::uint32_t m);

/// After so many steps: the expected squared error of a random player's vector, over the variance
/// of the players' vectors before them (their mean squared distance from the average).
double gossip_error(std::uint32_t m, std::uint32_t steps);

/// The fewest steps K after which the error adds at most 1/16 to the variance of the average, if
/// the players' numbers are independent with one variance: (m-1) gossip_error(m, K) <= 1/16.
std::uint32_t gossip_steps(std::uint32_t m);

/// `vectors` are those of the pairs, `results` what the deciding player sends to the others. An
/// exchange that all begin at once takes steps + 1 latencies for even m, and at most that for odd
/// m, where whoever stays alone need not wait. The next one may take less: the deciding player
/// begins it one latency before the others.
AllToAllCost gossip_cost(std::uint32_t m, double n, std::uint32_t steps);

}  // namespace posse::theory
