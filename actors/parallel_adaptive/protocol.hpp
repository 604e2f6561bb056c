// The parallel X-armed bandit without known smoothness (experimental): POO's grid over the parallel
// algorithm, on one set of players who share evaluations and rounds.
//
// Posse's own answer to what Chen, Liu, Zhang, Li, "A parallel algorithm for X-armed bandits",
// leave open (nu1 and rho unknown), from POO's and GPO's grid (Grill, Valko, Munos 2015; Shang,
// Kaufmann, Valko 2019): N instances of `parallel` (parallel.hpp: S_h, T_h, margins) with nu_max
// and rho_i = rho_max^{2N/(2i+1)}. Formulas and what holds: theory/parallel_adaptive.hpp.
//
// Every player keeps one table of cells: how often each player evaluated it, and the players' mean.
// A level of instance i needs T_h evaluations of the cells of its S_h; whatever the table lacks is
// evaluated once, whoever needs it, and all use the mean of everything in the table.
//
// n_e = explore · n evaluations are for exploring. Each instance has an account of what it would
// have used alone. A round: in the order of account + next level (ties: smaller i), every instance
// for which that is within the allowance joins with its next level, unless what the table lacks
// exceeds what is left of n_e: then its search ends, as it does at the partition's depth limit. All
// players evaluate what the joined levels lack, ascending by (depth, index), and broadcast their
// means in one message; then the joined instances eliminate and split. Levels that lack nothing
// need no round. When no instance fits into its allowance, it is doubled, from n_e / N to n_e:
// nobody gets less than its share, and what sharing saves goes to those who can still use it.
//
// The choice: the different outputs of the instances (best cell of the deepest level) are evaluated
// afresh with all that is left, V times each by every player, and after one more round the best
// mean wins (ties: smaller i); if only one point is left over, or fewer evaluations than outputs,
// the best mean in the table wins without a round. The rest of the budget pulls the winner. With
// one instance n_e = n, and the algorithm is `parallel` with leftover = exploit to the last bit.
//
// Round: an exchange. Its row has the cells evaluated, the most evaluations that one of them got,
// the cells that the joined instances keep, in sum, and the output with the best mean so far.
// Message, to each other player:
//   SharedMeans{round 4, n 4, mean 8n}    8 + 8n bytes, n values
// of all the player's evaluations of each cell (of the fresh ones in the last round); the cells
// needn't be named, all players follow the same plan. Buffering and copies as in parallel.hpp.
// Rounds: each allowance takes at most as many as its busiest instance has levels: O(log N log mn).
//
// Cost: O(sum over instances of |S_h| log(cells)) per round, 48 bytes and a tree node per cell.
// Streams: `reward/client-m` through RewardSource. If players' objectives differ, their mean is
// maximised, as in parallel.hpp.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu_max (default 1), rho_max (0.9), grid (auto: GPO's N), explore (0.5), delta (auto:
/// 1/n), and the partition's.
const AlgorithmSpec& parallel_adaptive_algorithm();

}  // namespace posse
