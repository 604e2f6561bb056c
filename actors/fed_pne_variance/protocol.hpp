// SPDX-License-Identifier: Apache-2.0
// Fed-PNE with variance-aware radii (experimental): cells whose rewards have a small variance get
// fewer pulls, as in VHCT.
//
// Posse's own combination of Fed-PNE (Li, Song, Honorio and Lin, AAAI 2024) and VHCT (Li, Wang,
// Cheng and Song 2023).
//   M, T, nu1, rho, c, c1, delta, Lambda, h, K   as in fed_pne/protocol.hpp
//   b                                            `range`: width of the rewards' range at a point
//   variance_floor                               smaller variance estimates are raised to it (0.001
//                                                as in VHCT: a few equal rewards do not show that
//                                                the variance is 0)
//   V, B, tau_h(V)                               variance estimate of a cell, its radius, its pulls
//                                                by all clients (bounds.hpp)
//
// As in Fed-PNE, a phase has cells K of one depth h, but it takes one exchange or several.
//   1. In the first exchange of a phase every cell gets the rewards that the variance of its parent
//      requires; in the first phase those that the largest variance b^2 / 4 requires.
//   2. The clients send the mean and the sample variance of all their rewards of the cell in this
//      phase. The server averages both, so that V does not contain differences between clients.
//   3. The server eliminates cells with mean_i + B_i + nu1 rho^h < max_j (mean_j - B_j).
//   4. Remaining cells with B_i > nu1 rho^h are pulled again in the next exchange: as often as
//      their new variance requires, but at least a quarter more than before and at most as often as
//      the largest variance requires.
// The phase ends when no such cell is left. The next K consists of the children of the remaining
// cells. Cells are split without sampling while the sum of their tau_h is at most M and there are
// no more cells than remaining evaluations.
//
// Guarantee: on an event of probability 1 - delta / T^6 (with c >= 2, c1 >= (2M)^{1/8} and rewards
// within `range`), and if (A) holds for f̄, the cell of the maximiser is never eliminated. Since
// B_i <= nu1 rho^h at the end of a phase, the remaining cells are 6 nu1 rho^h-optimal as in
// Fed-PNE, and Fed-PNE's regret certificate holds. There is no regret bound before the run, because
// the number of pulls depends on the rewards.
//
// Nodes: `server` (node 0), `client-0 …`. Round = exchange, from 1. Its row shows the cells of the
// plan, the largest number of pulls among them, and the cells that remain in K. Messages:
// `VariancePlan` from the server to every client, `LocalMoments` from a client to the server
// (messages.hpp).
//
// A plan that does not fit into T is cut as in Fed-PNE, to the fewest cells that reach T. Clients
// recognise it, because its pulls exceed the pulls that they have left, and upload nothing. At the
// depth limit the best cell is pulled until T. The only server policy is `all`, because the moments
// are averages over all clients with equal numbers of rewards.
//
// Recommendation: the best cell of the last complete phase. Cost: O(M n) per exchange of n cells at
// the server; clients keep the moments of the cells of one phase. Streams: `reward/client-m`,
// `point/client-m` (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (1/M), range (1), variance_floor
/// (0.001), and those of the partition.
const AlgorithmSpec& fed_pne_variance_algorithm();

}  // namespace posse
