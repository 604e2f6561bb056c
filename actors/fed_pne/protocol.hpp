// Fed-PNE: federated X-armed bandit by phased node elimination; rewards never leave a client.
//
// Paper: Li, Song, Honorio, Lin, "Federated X-armed bandit" (AAAI 2024, arXiv 2205.15268),
// Algorithms 1 (client) and 2 (server).
//   M  clients               T  the problem's budget (evaluations per client)
//   nu1, rho                 smoothness of f̄, nu1 > 0, 0 < rho < 1
//   c, c1                    confidence constants; the papers run 0.1 and 1, their theory needs
//                            c >= 2 and c1 >= (2M)^{1/8}
//   delta                    confidence, 0 < delta <= 1; auto: 1/M (their Theorem 1)
//   Lambda, tau_h, t_h, b    theory/fed_pne.hpp
//   K^p                      active cells of phase p, all of one depth h, ascending
//
// Roles: `server` (node 0), `client-0 …`. Round = phase, from 1. Messages:
//   PhasePlan{phase 4, depth 4, pulls 4, n 4, index 8n}   down, 16 + 8n bytes, 2n values
//   LocalMeans{phase 4, n 4, mean 8n}                     up, 8 + 8n bytes, n values
// or, with `compact_plan`, in place of PhasePlan
//   CompactPlan{phase 2, expansions 2, n 4, kept n}       down, 8 + n bytes, n = ⌈|K^{p-1}|/8⌉;
//                                                         values: cells kept + 1 count
// A CompactPlan tells what became of K^{p-1}, which its reader has (K^0 is the root), a bit per
// cell, and how often the children of the kept ones are split again without being sampled; depth
// and t_h follow from the parameters, which all share. Decisions and draws are those of the plain
// plan. Each plan needs the one before, so compact plans need the policy `all`, under which the
// server never goes on without a client. Clients hold K^p then (8 bytes a cell).
//
// The last phase is cut when it doesn't fit into T: clients pull in the plan's order until their
// own T evaluations are made and upload nothing. A client knows a cut plan by its size: n · pulls
// is more than it has left. `trim_last_plan` therefore sends the first ⌊(T−t)/t_h⌋ + 1 cells, one
// more than needed when t_h divides T − t, so that a cut plan never looks like one that just fits.
// For the same reason `pulls` is capped at 2^32 − 1, and T must be at most 2^32 − 2.
//
// Server policies: with Q < M arrivals means are averaged over the arrivals, in client order, with
// b = c sqrt(Lambda / (Q t_h)): unbiased for the arrivals' mean objective, not for f̄, and outside
// the paper's theory. Late LocalMeans are reported as stale. A client that never got a plan makes
// fewer than T evaluations, and may upload for a cut plan that isn't cut for it (stale as well).
//
// At the partition's depth limit cells are never split: the best cell is sent as a plan of
// 2^32 − 1 pulls, a cut phase that lasts until T.
//
// Recommendation: best of the last complete phase, x_{0,1} before. Cost: O(M |K|) per phase at the
// server. Streams: `reward/client-m` through RewardSource.
// Departures from the paper: h is the depth of K's cells (erratum E8 of our specification), the
// expansion criterion is recovered from the text (E7), ceilings for floors (E9b), the cut phase and
// the depth limit are ours (E21).
#pragma once

#include <memory>

#include "actors/fed_pne/setup.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (auto: 1/M), trim_last_plan
/// (true), compact_plan (false), and the partition's.
const AlgorithmSpec& fed_pne_algorithm();

/// Fed-PNE with this setup: its roles, measurements and forecast.
std::unique_ptr<Protocol> make_fed_pne(FedPneSetup setup);

}  // namespace posse
