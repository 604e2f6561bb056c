// SPDX-License-Identifier: Apache-2.0
// Fed1-UCB and Fed2-UCB: federated multi-armed bandits by phased elimination of arms.
//
// Paper: Shi & Shen, "Federated multi-armed bandits" (AAAI 2021), Algorithms 1 to 4, with the
// constants of the authors' published code. The arms are random points of the domain, as in the
// experiments of Li, Song, Honorio & Lin (Fed-PNE) and of Li, Song & Honorio (PF-PNE); see
// core/learner/arm_points.hpp.
//   M  clients    T  the problem's budget: evaluations per client
//   K  arms       sigma, sigma_c, f(p), g(p), CB: see bounds.hpp
//
// Phase p: every client of the phase pulls every active arm f(p) times, in arm order, and sends its
// running means over all phases. The server averages them in client order to mu_k, and drops the
// arms with mu_k + CB < max mu - CB. The maximum is over the active arms (ties: the smallest arm).
// The last arm is played until T.
//   Fed1-UCB  all clients take part from the start; f(p) = floor(10 ln T)
//   Fed2-UCB  2^p new clients join in phase p while more than one arm is active; f(p) = 100
//
// Roles: `server` (node 0), `client-0 …`. Round = phase, from 1. Messages:
//   ActiveArms{phase 4, pulls 4, n 4, arm 4n}        down, 12 + 4n bytes, n + 1 values
//   Join{steps 4, phase 4, pulls 4, n 4, arm 4n}     down, 16 + 4n bytes, n + 1 values
//   ArmMeans{phase 4, n 4, mean 8n}                  up, 8 + 8n bytes, n values
//
// The paper's clients share one clock of steps t and stop at T, so a client of Fed2-UCB that joins
// at step t makes T - t evaluations. A client that joins after phase 1 gets a Join instead of
// ActiveArms, which tells it t (4 more bytes, once per client). Clients that never join evaluate
// nothing.
//
// A phase that does not fit into T is cut: clients pull in arm order until T and upload nothing.
// They recognise it because it has more pulls than they have left. The last arm is sent as a plan
// of 2^32 - 1 pulls, so T must be at most 2^32 - 2.
//
// Server policies (Fed1-UCB only): with Q < M arrivals the means are averaged over the arrivals,
// and Q replaces M in CB. The averages are unbiased for the arrivals' mean objective. The paper's
// theory does not cover this case.
//
// Recommendation: the arm with the largest mean in the last complete phase; arm 1 before.
// Departures: see PAPERS.md, fed-ucb-1 to fed-ucb-4. Cost: O(M n) per phase at the server.
// Streams: `arms/coordinates`; `reward/client-m` through RewardSource.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: sigma (default 0.5), pulls_per_phase (auto: floor(10 ln T)), and those of the arms.
const AlgorithmSpec& fed1_ucb_algorithm();
/// Parameters: sigma (default 0.5), sigma_c (0.02), pulls_per_phase (100), and those of the arms.
const AlgorithmSpec& fed2_ucb_algorithm();

}  // namespace posse
