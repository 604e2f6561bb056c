// SPDX-License-Identifier: Apache-2.0
// PF-PNE: personalized federated X-armed bandit. The clients eliminate cells together while the
// cells are wider than the known difference of the clients' maxima; then each client searches alone
// for the maximum of its own objective.
//
// Paper: Li, Song and Honorio, "Personalized federated X-armed bandit" (AISTATS 2024, arXiv
// 2310.16323), Algorithm 1 (server), Algorithm 2 (client) and Algorithm 3 (personalized
// elimination).
//   M, T                     clients; the problem's budget (evaluations per client)
//   f_m, f̄                   objective of client m, mean of the objectives; f_m*, f̄* their maxima
//   nu1, rho, c, c1, delta   as in fed_pne/protocol.hpp; the theory needs c1 >= (2M^2)^{1/8}
//   Delta                    `max_difference`: known bound of |f̄* - f_m*|; default 0.01, the value
//                            of the paper's experiments
//   H0                       max{h : nu1 rho^h >= Delta}; -1 if nu1 < Delta (bounds.hpp)
//   K^h, K̄^h, E^h            cells of depth h in stage 1: all, kept, eliminated
//   K_m^h, E_m^h             cells of depth h of client m in stage 2: all, eliminated
//
// Stage 1, depths h = 0 … H0, starts at the root and has no expansion criterion. Every client pulls
// every cell of K^h t_h times. The server eliminates cells as in Fed-PNE and sends K̄^h with its
// means and their radius to all clients. K^{h+1} consists of the children of K̄^h. If H0 = -1, there
// is no stage 1.
//
// Stage 2 starts at the root again, and every client works alone. A cell of K̄^h is protected: it is
// neither eliminated nor pulled, and it has the global mean and radius. Every other cell is pulled
// until the client has tau_h samples of its own, including those of stage 1.
//
// `safe` (Posse's own, off by default): a protected cell has a global mean, which can exceed every
// value of f_m by f̄* - f_m* <= Delta, so that a client can eliminate its own optimum (see
// PAPERS.md, pf-pne-4). With `safe`, Delta is added in favour of the client's cells whenever the
// best cell is protected. Without it, the optimum is safe only where f_m* >= f̄*, as for clients
// that are shifts of one function.
//
// Nodes: `server` (node 0), `client-0 …`. Round = h + 1, a level of stage 1. Messages: `LocalMeans`
// from a client to the server, `Survivors` from the server to every client (messages.hpp). In stage
// 2 nothing is sent.
//
// A level of stage 1 that does not fit into T is cut: the clients pull its cells in order until T
// and upload nothing, and the server finishes. A level of stage 2 is cut in the same way. At the
// partition's depth limit stage 1 ends; in stage 2 the client pulls its best cell until T.
//
// Server policies: if the server closes a level with Q < M uploads, it averages these, with
// b = c sqrt(Lambda / (Q t_h)), and the paper's theory does not apply. Late `LocalMeans` are stale.
// A client that misses a `Survivors` message continues with the next one. It then has no protected
// cells at the missed depths and pulls those cells alone in stage 2. A client that misses the last
// one stops with fewer than T evaluations; the same can happen to a client that missed others and
// completes a level that is cut for the rest.
//
// Recommendation: one per client. At first the root, then the best cell of stage 1 by the server's
// means, then the best cell of the last complete level of stage 2, by its own mean or the global
// mean of a protected cell.
// Cost: O(M |K^h|) per level at the server, O(|K_m^h|) at a client; memory O(cells). Streams:
// `reward/client-m`, `point/client-m` (cell_rewards.hpp).
// Departures from the paper: see PAPERS.md, pf-pne-1 to pf-pne-9.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (1/M), max_difference (0.01),
/// safe (false), and those of the partition.
const AlgorithmSpec& pf_pne_algorithm();

}  // namespace posse
