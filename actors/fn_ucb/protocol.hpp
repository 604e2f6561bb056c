// SPDX-License-Identifier: Apache-2.0
// FN-UCB: federated neural upper confidence bounds on random arms.
//
// Paper: Dai, Shu, Verma, Fan, Low & Jaillet, "Federated neural bandits" (ICLR 2023), in the
// variant with less communication of the authors' published code.
//   M  agents (clients)      T  the problem's budget: steps t = 0 … T-1, one evaluation each
//   net, g(x), theta_0, p    core/learner/relu_features.hpp, shared by all agents
//   arms                     core/learner/arm_points.hpp
//   lambda, nu, nu2          0.1 each; D = sync_threshold, 0; alpha_t: 0 for t < 3, then
//                            (t - 3) / ramp, at most 1
//   agent i: W_i = sum g g^T, B_i = sum r g since the last synchronisation; V_i = lambda I + sum of
//            g g^T over all its steps; theta_i, its own net, trained on its own rewards
//   shared:  W = W_sync, B = B_sync, theta_sync, V_inv: the result of the last synchronisation
// In step t, agent i plays the arm with the largest alpha_t UCB1 + (1 - alpha_t) UCB2 (ties: the
// smallest arm):
//   UCB1 = net(x; theta_sync) + nu2 sqrt(lambda g^T V_inv g)
//   UCB2 = g^T V̄^-1 (B + B_i) + nu sqrt(lambda g^T V̄^-1 g),  V̄ = lambda I + W + W_i
// All agents synchronise after a step in which, for some agent, the criterion (t - t_last) ln(det
// V̄ / det(lambda I + W)) > D holds. Every agent trains its net (30 full-batch steps on the mean
// squared error, rate 0.01, weight decay lambda / rewards so far, while t < 2000) and sends W_i,
// B_i, theta_i and V_i^-1. The sums are added to W and B; theta_sync and V_inv become the means.
// All sums run in client order. `exact_det` compares determinants; otherwise, as in the published
// code, the products of the diagonals. With D = 0 the agents synchronise after every step from t =
// 1 on.
//
// Lock step. Whether the criterion holds for some agent is known only when all agents have
// reported. So that no decision depends on the network, the server waits after every step for a
// report of every agent. An agent whose criterion holds sends its update at once, the others send
// StepDone. If there is an update, the server requests those of the others with SendUpdate;
// otherwise it sends NextStep. These messages are not in the paper, take 4 bytes each and are
// counted separately. With D = 0 they occur at t = 0 only.
//
// Roles: `server` (node 0), `client-0 …`. Messages of step t carry round t + 1. A step that ends
// with a synchronisation is a round.
//   AgentUpdate{n 4, W 8p^2, n 4, B 8p, n 4, net 8p, n 4, inverse 8p^2}   up
//   SyncedModel{W, B, theta_sync, V_inv as in AgentUpdate}   down, not after the last step
//   StepDone{step 4}                                   up
//   SendUpdate{step 4}, NextStep{step 4}               down
// The algorithm is synchronous and has no server policies.
//
// Recommendation after a synchronisation: the arm with the largest alpha net(x; theta_sync) +
// (1 - alpha) g^T (lambda I + W)^-1 B, which is the next step's score without its bonuses; arm 1
// before. Departures: see PAPERS.md, fn-ucb-1 to fn-ucb-4.
// Cost per step and agent: O(p^2 + K p), after a synchronisation also O(p^3) while alpha < 1.
// Streams: `arms/coordinates`, `net/theta-0`, `reward/client-m`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: width (20), lambda, nu, nu2 (0.1), sync_threshold (0), exact_det (false),
/// train_steps (30), rate (0.01), train_until (2000), ramp (700), and those of the arms.
const AlgorithmSpec& fn_ucb_algorithm();

}  // namespace posse
