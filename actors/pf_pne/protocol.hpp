// PF-PNE: personalized federated X-armed bandit. The clients eliminate cells together as long as
// their objectives may be told apart by less than the cells' own width, then each one alone, for
// its own maximum.
//
// Paper: Li, Song, Honorio, Lin, "Personalized federated X-armed bandit" (AISTATS 2024, arXiv
// 2310.16323), Algorithms 1 (client), 2 (server) and 3 (elimination).
//   M  clients               T  the problem's budget (evaluations per client)
//   nu1, rho, c, c1, delta   as for Fed-PNE (fed_pne.hpp); the theory needs c1 >= (2M^2)^{1/8}
//   Delta                    `max_difference`: known bound of |f̄* - f_m*|; 0.01 as the paper ran it
//   H0                       max{h : nu1 rho^h >= Delta}, theory/pf_pne.hpp (E10)
//   K^h, K̄^h, E^h            stage 1's cells of depth h, those kept, those eliminated
//   K_m^h                    client m's cells of depth h in stage 2
//
// Stage 1, depths h = 0 … H0, from the root (no expansion criterion): every client pulls every cell
// of K^h t_h times; the server eliminates as in Fed-PNE and tells everybody K̄^h, its means and
// their radius; the children of K̄^h come next. Stage 2, every client alone, from the root again: a
// cell of K̄^h is *protected*: it is never eliminated nor pulled and carries the global mean and
// radius; other cells are pulled until the client has tau_h samples of its own, those of stage 1
// included. H0 = -1 (nu1 < Delta) leaves out stage 1.
//
// `safe` (ours, default off): the client's optimum may lose against a global mean, which can exceed
// all of f_m by f̄* - f_m* <= Delta (E11). With `safe` Delta is added in its favour whenever the
// best cell is a protected one. Without, the optimum is safe only where f_m* >= f̄*, as for clients
// that are shifts of one function.
//
// Roles: `server` (node 0), `client-0 …`. Round = level of stage 1, h + 1. Messages:
//   LocalMeans{depth 4, n 4, mean 8n}                          up,   8 + 8n bytes, n values
//   Survivors{depth 4, radius 8, n 4, (index 8, mean 8) n}     down, 16 + 16n bytes, 2n values
// Nothing is sent in stage 2. A level of stage 1 that doesn't fit into T is cut: clients pull in
// order until T and upload nothing, the server ends. A level of stage 2 is cut alike (E21). At the
// partition's depth limit stage 1 ends; a stage 2 that gets there pulls its best cell until T.
//
// Server policies: with Q < M arrivals means are averaged over them, with b = c sqrt(Lambda / (Q
// t_h)), outside the paper's theory. Late LocalMeans are stale. A client that missed a Survivors
// message goes on from the next one: at the missed depths no cell is protected for it, so its stage
// 2 pulls them alone. One that misses the last stops there, with fewer than T evaluations, and so
// may one that missed others and fills a level that is cut for the rest.
//
// Recommendation: every client its own; x_{0,1} first, then stage 1's best cell by the server's
// means, then the best of stage 2's last complete level, by its own mean or a protected cell's.
// Cost: O(M |K^h|) a level at the server, O(|K_m|) at a client; memory O(cells). Streams:
// `reward/client-m`, `point/client-m` (CellRewards).
// Departures from the paper: E10, E11, E11b (depths 0 … H0, the root included) and E11c of our
// specification, E9b (ceilings), E21.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (auto: 1/M), max_difference
/// (0.01), safe (false), and the partition's.
const AlgorithmSpec& pf_pne_algorithm();

}  // namespace posse
