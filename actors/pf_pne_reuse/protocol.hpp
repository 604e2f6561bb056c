// SPDX-License-Identifier: Apache-2.0
// PF-PNE with reuse (experimental): the clients search together as long as their rewards look
// alike; then each client searches alone, from the cells that remain and with all samples that it
// has.
//
// Posse's own, after PF-PNE (Li, Song and Honorio, AISTATS 2024; pf_pne/protocol.hpp). In our runs
// PF-PNE loses to Fed-PNE and to HCT run by each client alone: its clients start again at the root,
// pull every cell tau_h times whatever its rewards are, and separate at a depth H0 that follows
// from Delta, which has to be known. This variant differs in five points:
//
// 1. Samples are reused. A client keeps its own sum and count of every cell that it has pulled.
//    Cells that the server keeps are not sampled again; their children come next. Cells that the
//    server eliminates stay leaves of the client's own tree, with the client's few samples. These
//    are mostly enough to show that a cell is bad, and so no client can lose its optimum to the
//    other clients.
// 2. Delta is estimated. With its means every client sends an estimate of the variance of its
//    rewards. The server computes the variance of the means across clients, subtracts the variance
//    of the noise and, for confidence, two standard deviations (`clients_spread` in bounds.hpp).
//    The clients separate when this spread is above nu1 rho^{h+1}, the width of the next level. The
//    spread takes the place of Delta = |f̄* - f_m*|, but is not a bound of it. Identical clients
//    separate only if the estimate is wrong.
// 3. The number of pulls adapts to the rewards. Together, a level is sampled in rounds of 1, 1, 2,
//    4, … pulls per cell, up to t_h = ceil(tau_h / M). Cells are eliminated after each round, and
//    the level ends early when a single cell is left. As in Fed-PNE, levels with |K| tau_h <= M are
//    split without sampling. Alone, a client uses optimism over leaves (frontier_search.hpp). Cells
//    are compared with the best lower bound of any cell at any depth.
// 4. The confidence depends on the depth: Lambda_h = max(1, ln(N (nu1 rho^h)^2)), with N = M T
//    together and N = T alone. `confidence = "horizon"` uses ln(c1 T / delta) as in the papers of
//    Fed-PNE and PF-PNE.
// 5. The rest of the budget is used. If the next round does not fit into T, the clients separate if
//    the last estimate of the spread is above 0; otherwise they pull the cell with the largest
//    lower bound until T. They also do that if every cell was eliminated, which means that (A)
//    fails.
//
// Measurements: scenarios/experimental/pf_pne_reuse.toml. With the constants of the papers the
// local regret is smaller than with Fed-PNE, PF-PNE and HCT alone, mostly because of the search
// alone. The search together helps if clients are alike and noise dominates. If the width of the
// cells dominates, elimination level by level costs more than it saves, and `together = false` is
// better.
//
// Guarantee. Consider the event that every mean is always within its radius, which for the own
// means of client m is c sqrt(Lambda_h(T) / n). If (A) holds for f_m, the cell with the maximiser
// of f_m is always among the leaves of the client once it searches alone. This holds for every
// Delta and also if f_m* < f̄*; neither Assumptions 3 and 4 of the PF-PNE paper nor `safe` are
// needed. The same holds for f̄ during the search together, with the radius c sqrt(Lambda_h(M T) /
// (M n)). With `confidence = "horizon"`, c >= 2 and c1 as in PF-PNE, the event has the probability
// stated there, for the search of each client alone. With `level` the probability is smaller: a
// late error costs little, and avoiding it would cost more. No bound of the regret is claimed.
//
// Nodes: `server` (node 0), `client-0 …`. Round = exchange, from 1. Messages: `PhasePlan`, as in
// Fed-PNE, from the server to every client, and `SpreadMeans` from a client to the server
// (messages.hpp). The last plan has pulls = 0 (search alone, from the children of these cells) or
// pulls = 2^32 - 1 for a single cell (pull it until T); nothing is uploaded after it. T is at most
// 2^32 - 2. With one client or `together = false` the first plan is the last. The only server
// policy is `all`.
//
// nu1, rho and c are as in Fed-PNE and apply to f̄ and to every f_m. Recommendation: one per client,
// the root at first, then the cell with the largest lower bound by the client's own rewards, or the
// cell that the last plan says to pull until T.
// Cost: O(M |K|) per round at the server, O(log leaves) per pull alone. Memory: O(M |K|) at the
// server, O(sampled cells) at a client. Streams: `reward/client-m`, `point/client-m`
// (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), together (true), confidence ("level"), c1 (1)
/// and delta (1/M) for the confidence "horizon", and those of the partition.
const AlgorithmSpec& pf_pne_reuse_algorithm();

}  // namespace posse
