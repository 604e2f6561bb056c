// Fed1-UCB and Fed2-UCB: federated multi-armed bandits by phased elimination of arms.
//
// Paper: Shi & Shen, "Federated multi-armed bandits" (AAAI 2021), Algorithms 1-4, with the
// constants of the code that they published; the arms of a continuous domain as in the experiments
// of P1 and P3 (learner/arm_points.hpp).
//   M  clients               T  the problem's budget: evaluations per client
//   K  arms                  sigma, sigma_c, f(p), g(p), CB: theory/fed_ucb.hpp
//
// Phase p: every client of the phase pulls every active arm f(p) times, in arm order, and sends its
// running means, of all phases together. The server averages them in client order, mu_k, and drops
// the arms with mu_k + CB < max mu - CB (the maximum over active arms; of equal maxima the smallest
// arm). The last arm is played to the end. Fed1-UCB: all clients from the start, f(p) = floor(10 ln
// T). Fed2-UCB: 2^p new clients join in phase p while more than one arm is left and until all M
// have; f(p) = 100.
//
// Roles: `server` (node 0), `client-0 …`. Round = phase, from 1. Messages:
//   ActiveArms{phase 4, pulls 4, n 4, arm 4n}        down, 12 + 4n bytes, n + 1 values
//   Join{steps 4, phase 4, pulls 4, n 4, arm 4n}     down, 16 + 4n bytes, n + 1 values
//   ArmMeans{phase 4, n 4, mean 8n}                  up, 8 + 8n bytes, n values
//
// The paper's clients share one clock of steps t and stop at T, so a client of Fed2-UCB that joins
// at step t makes T - t evaluations. ActiveArms alone doesn't tell it t: a client that joins after
// phase 1 gets a Join in its place, which does (ours; 4 bytes once per client). Clients that never
// join evaluate nothing.
//
// The phase that doesn't fit into T is cut: clients pull in arm order until T and upload nothing.
// They know it by its size, more pulls than they have left. The last arm is sent as a plan of
// 2^32 - 1 pulls, so T must be at most 2^32 - 2.
//
// Server policies, Fed1-UCB only: with Q < M arrivals the means are averaged over the arrivals,
// with Q for M in CB: unbiased for the arrivals' mean objective, and outside the paper's theory.
//
// Recommendation: the arm with the largest mean in the last complete phase, arm 1 before.
// Departures from the published code: the maximum runs over active arms only (theirs includes what
// the dropped ones had); f(p) >= 1. Cost: O(M n) per phase at the server.
// Streams: `arms/coordinates`, and `reward/client-m` through RewardSource.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: sigma (default 0.5), pulls_per_phase (auto: floor(10 ln T)), and the arms'.
const AlgorithmSpec& fed1_ucb_algorithm();
/// Parameters: sigma (default 0.5), sigma_c (0.02), pulls_per_phase (100), and the arms'.
const AlgorithmSpec& fed2_ucb_algorithm();

}  // namespace posse
