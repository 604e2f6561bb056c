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
    double numbers = 0;  // in all of them
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

}  // namespace posse::theory
