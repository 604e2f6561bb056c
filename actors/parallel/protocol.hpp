// SPDX-License-Identifier: Apache-2.0
// The parallel X-armed bandit: m players evaluate the same cells of one partition tree and exchange
// their means once per level.
//
// Paper: Chen, Liu, Zhang and Li, "A parallel algorithm for X-armed bandits" (2015, revised 2022),
// section 4 and Algorithm 1.
//   m          players
//   n          the problem's budget: evaluations per player
//   nu1, rho   smoothness, nu1 > 0, 0 < rho < 1
//   delta      failure probability, 0 < delta <= 1; default 1/n
//   S_h        active cells of depth h, in ascending order
//   T_h        evaluations of each active cell by each player (bounds.hpp)
//
// At each level h = 0, 1, …
//   1. Every player evaluates each cell of S_h T_h times and sends its means to all other players.
//   2. Every player averages the means of all players. They are added in the order of the players,
//      or exactly, so that all players have identical averages.
//   3. S_{h+1} consists of the children of the cells whose average is within 3 nu1 rho^h of the
//      best.
// The search ends at the first level whose T_h |S_h| evaluations do not fit into the rest of the
// budget. The output is the best cell of the last complete level, or the root if there is none.
// Ties go to the smallest index.
//
// `leftover` chooses how the rest of the budget is used:
//   pull      evaluate the cells of the unfinished level in order and send nothing (the paper)
//   stop      end with fewer than n evaluations
//   exploit   evaluate the output
// At the partition's depth limit the search ends and the best cell is evaluated until n.
//
// `exchange` chooses how the means reach all players (core/exchange/all_to_all.hpp); the paper's
// way is the mesh. `sums` chooses whether means travel one by one (gathered), or are added on their
// way as multiples of 2^-80 in 16 bytes (exact). With the same `sums`, every exact exchange gives
// the same decisions and regret in every bit; rounds, messages, bytes and times differ, by the
// formulas of core/theory/all_to_all_cost.hpp.
//
// exchange = "gossip" is inexact: in each of `gossip_steps` steps random pairs of players take the
// mean of their vectors; then the vector of one player, drawn for each level, decides for all
// (core/exchange/gossip.hpp). All players keep the same cells. The expected squared error is stated
// beside the results, and the bound on the simple regret does not apply.
//
// `means` chooses in how many bytes unsummed means travel (core/exchange/mean_encoding.hpp). Each
// player rounds its own means once, so that every exchange still has the same decisions; averages
// stay doubles. The bound on the simple regret does not cover u16 and u8.
//
// Round = h + 1. In a mesh the message is `LevelMeans` (CodedMeans), from each player to every
// other one. A message for a later level is buffered. Duplicates are ignored. There is no
// server and no server policy: a player waits for the means of all others, since with a quorum the
// players could disagree on S_{h+1}.
//
// If the players' objectives differ, the same steps maximise their mean f̄, and the bounds hold for
// f̄: each average consists of independent bounded rewards with mean f̄(x).
//
// Cost: O(m |S_h|) additions per player and level. Streams: `reward/client-m`, `point/client-m`
// (cell_rewards.hpp), `rounding/player-m` (mean_encoding.hpp), `gossip/pairs` and `gossip/decider`
// (gossip.hpp).
//
// Departures from the paper: see PAPERS.md, parallel-1 to parallel-3, parallel-5 to parallel-7,
// parallel-11 to parallel-14, parallel-16 and parallel-17.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), delta (1/n), leftover (pull), exchange (mesh), sums
/// (gathered), gossip_steps (0), means (f64), means_low (0), means_high (1), and those of the
/// partition.
const AlgorithmSpec& parallel_algorithm();

}  // namespace posse
