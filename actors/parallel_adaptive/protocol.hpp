// SPDX-License-Identifier: Apache-2.0
// The parallel X-armed bandit without known smoothness (experimental): a grid of instances of the
// parallel algorithm, which one set of players runs with shared evaluations and shared rounds.
//
// Posse's own. The grid is that of POO and GPO (Grill, Valko and Munos 2015; Shang, Kaufmann and
// Valko 2019); the instances are those of Chen, Liu, Zhang and Li (2015), see
// parallel/protocol.hpp, whose nu1 and rho have to be known.
//   N          instances; instance i = 1 … N has nu_max and rho_i = rho_max^{2N/(2i+1)}
//   m, n       players, evaluations per player
//   n_e        evaluations per player for exploration, floor(explore n); n if N = 1
//   S_h, T_h   of each instance, as in `parallel`
// Formulas and guarantees: bounds.hpp.
//
// Every player keeps one table of cells: how often each player has evaluated a cell, and the mean
// of all players. A level of instance i needs T_h evaluations of each cell of its S_h. Evaluations
// that the table lacks are made once, and all instances use the mean of all evaluations in the
// table.
//
// Each instance has an account: the evaluations that its complete levels would have cost it alone.
// The instances share an allowance, which starts at n_e / N. A round has these steps:
//   1. Instances whose account plus next level is within the allowance join the round, smallest sum
//      first (ties: smallest i). An instance ends instead if the evaluations that the table lacks
//      for its level exceed the rest of n_e. It also ends at the partition's depth limit.
//   2. All players make the missing evaluations, ascending by (depth, index), and broadcast their
//      means in one message.
//   3. The instances that joined eliminate cells and split the rest.
// A level that needs no new evaluations is completed without a round. If no instance fits into the
// allowance, the allowance is doubled, up to n_e. So every instance gets at least its share of n_e,
// and evaluations saved by sharing go to the instances that can still use them.
//
// Final choice: the output of an instance is the best cell of its deepest complete level. In one
// more round every player evaluates each distinct output V times afresh, where V uses all remaining
// evaluations, and the best mean wins (ties: smallest i). If there is only one output, or fewer
// evaluations than outputs, the best mean in the table wins without a round. Remaining evaluations
// go to the winner. With N = 1 the results are bit for bit those of `parallel` with leftover =
// exploit.
//
// Round = exchange, from 1. Its row shows the cells evaluated, the largest number of evaluations of
// one of them, the sum of the cells that the joined instances keep, and the output with the best
// mean so far. The message is `SharedMeans`, from each player to every other one. Buffering,
// duplicates and differing objectives are as in parallel/protocol.hpp. Number of rounds: each
// allowance takes at most as many rounds as one instance has levels, so O(log N log(m n)).
//
// Cost: O(sum over instances of |S_h| log(cells)) per round; 48 bytes and a tree node per cell.
// Streams: `reward/client-m`, `point/client-m` (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu_max (default 1), rho_max (0.9), grid (GPO's N), explore (0.5), delta (1/n), and
/// those of the partition.
const AlgorithmSpec& parallel_adaptive_algorithm();

}  // namespace posse
