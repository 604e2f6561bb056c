// Fed-PNE with variance-aware radii (experimental): a cell whose rewards vary little is known after
// fewer of them, as in VHCT.
//
// Posse's own combination of Fed-PNE (Li, Song, Honorio, Lin 2024) and VHCT (Li, Wang, Cheng, Song
// 2023). Radii B, pulls and what holds of them are in theory/fed_pne_variance.hpp; M, T, nu1, rho,
// c, c1, delta, Lambda as in fed_pne.hpp. b is the rewards' `range`, `variance_floor` the least
// estimate that is believed (VHCT's 0.001: a few equal rewards don't mean that all are).
//
// A phase is about cells K of one depth h, as in Fed-PNE, but takes one exchange or several.
// The first one gives every cell as many rewards as the variance of its parent asks for (the first
// phase: as the largest possible one, b^2 / 4). Clients answer with mean and sample variance of all
// their rewards of the cell in this phase; the server averages both, so that V has nothing of the
// clients' differences in it. With the cells' own radii B_i it drops
//   { i : mean_i + B_i + nu1 rho^h < max_j (mean_j - B_j) }
// and asks again about those that remain with B_i > nu1 rho^h: for what their new variance needs,
// but at least a quarter more, and no more than the largest variance needs. When none is left the
// phase ends: K = children of what remains. Cells are split without being sampled while the sum of
// their tau_h is at most M (and no more of them than steps are left).
//
// What holds: on an event of probability 1 - delta / T^6 (c >= 2, c1 >= (2M)^{1/8}, rewards within
// `range`), given (A) for f̄, the maximiser's cell is never dropped, and since B_i <= nu1 rho^h at
// the end of a phase, survivors are 6 nu1 rho^h-optimal as in Fed-PNE: with it, Fed-PNE's regret
// certificate. What doesn't: bounds on the regret in advance, since pulls depend on the rewards.
//
// Roles: `server` (node 0), `client-0 …`. Round = exchange, from 1; its row has the cells asked
// about, the largest number of pulls among them, and the cells that remain in K. Messages:
//   VariancePlan{round 4, depth 4, n 4, index 8n, n 4, pulls 4n}  down, 16 + 12n bytes, 2n values
//   LocalMoments{round 4, n 4, mean 8n, n 4, variance 8n}         up, 12 + 16n bytes, 2n values
// A plan that doesn't fit into T is cut as in fed_pne.hpp, to the fewest cells that reach T;
// clients know it by its pulls, which are more than they have left, and upload nothing. At the
// depth limit the best cell is pulled until T.
//
// There are no policies but `all`: moments are means over all clients with equal numbers of
// rewards. Clients hold the moments of a phase's cells.
// Recommendation: the best mean of the last complete phase. Cost: O(M n) per exchange at the
// server. Streams: `reward/client-m` through RewardSource.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (auto: 1/M), range (1),
/// variance_floor (0.001), and the partition's.
const AlgorithmSpec& fed_pne_variance_algorithm();

}  // namespace posse
