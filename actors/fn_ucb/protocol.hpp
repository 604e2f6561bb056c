// FN-UCB: federated neural upper confidence bounds on random arms.
//
// Paper: Dai, Shu, Verma, Fan, Low, Jaillet, "Federated neural bandits" (ICLR 2023), in the variant
// with less communication, as in the code that they published.
//   M  agents (clients)      T  the problem's budget: steps t = 0 … T-1, one evaluation each
//   net, g(x), theta_0, p    learner/relu_features.hpp, shared by all; arms: learner/arm_points.hpp
//   lambda, nu, nu2          0.1 each; D = sync_threshold, 0; alpha_t: 0 for t < 3, then
//                            (t - 3) / ramp, at most 1
//   agent i: W_i = sum g g^T, B_i = sum r g since the last synchronisation; V_i = lambda I + sum of
//            all its own g g^T; its own net theta_i, trained on its own rewards
//   shared:  W = W_sync, B = B_sync, theta_sync, V_inv: what the last synchronisation gave
// Step t of agent i: play the arm with the largest alpha_t UCB1 + (1 - alpha_t) UCB2, the smallest
// of equals:
//   UCB1 = net(x; theta_sync) + nu2 sqrt(lambda g^T V_inv g)
//   UCB2 = g^T V̄^-1 (B + B_i) + nu sqrt(lambda g^T V̄^-1 g),  V̄ = lambda I + W + W_i
// After a step in which for some agent (t - t_last) ln(det V̄ / det(lambda I + W)) > D, all
// synchronise: every agent trains its net (30 full-batch steps on the mean squared error, rate
// 0.01, weight decay lambda / rewards so far, while t < 2000) and sends W_i, B_i, theta_i, V_i^-1;
// W and B grow by the sums, theta_sync and V_inv become the means, all in client order.
// `exact_det`: the determinant itself; else, as in the code, the product of the diagonal. With D =
// 0 that is every step from t = 1 on.
//
// Lock step. Whether some agent's criterion holds is known only when all have said so; so that
// decisions depend on no network, the server waits for every agent's word after every step. An
// agent whose criterion holds sends its update at once, the others StepDone; if there is any
// update, the server asks the others for theirs, else it sends NextStep. The paper has no such
// messages: they are 4 bytes each and counted apart. With D = 0 they appear at t = 0 only.
//
// Roles: `server` (node 0), `client-0 …`. Messages of step t carry round t + 1; a step that ends
// with a synchronisation is a round.
//   AgentUpdate{n 4, W 8p^2, n 4, B 8p, n 4, net 8p, n 4, inverse 8p^2}   up
//   SyncedModel{the same: W, B, theta_sync, V_inv}     down, not after the last step
//   StepDone{step 4}                                   up
//   SendUpdate{step 4}, NextStep{step 4}               down
// The algorithm is synchronous: there are no server policies.
//
// Recommendation after a synchronisation: the arm with the largest alpha net(x; theta_sync) + (1 -
// alpha) g^T (lambda I + W)^-1 B, the next step's score without its bonuses; arm 1 before.
// Departures from the code: it trains on the rewards of synchronised steps from t = 3 on only (the
// same with D = 0, less the first three); the 1 among the inputs (relu_features.hpp).
// Cost per step and agent: O(p^2 + K p), after a synchronisation also O(p^3) while alpha < 1.
// Streams: `arms/coordinates`, `net/theta-0`, `reward/client-m`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: width (20), lambda, nu, nu2 (0.1), sync_threshold (0), exact_det (false),
/// train_steps (30), rate (0.01), train_until (2000), ramp (700), and the arms'.
const AlgorithmSpec& fn_ucb_algorithm();

}  // namespace posse
