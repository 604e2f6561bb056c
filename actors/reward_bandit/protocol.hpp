// SPDX-License-Identifier: Apache-2.0
// Stochastic bandits with heavy-tailed rewards: an agent, and one node per arm with its rewards.
//
// Paper: Dorn, Katrutsa, Latypov & Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (2025), Appendix D. The agent runs a policy (policy/reward_policy.hpp).
// A decision is one request for some rewards of one arm and one reply with all of them, a round
// trip. Maximisation. The budget counts rewards.
//
// Roles: `agent` (node 0), `arm-1 …`. Messages:
//   Draw{count 4}             down, 4 bytes, 1 value
//   Rewards{count doubles}    up, 8 bytes and 1 value per reward
// Round = decision, from 1. Each reward is one evaluation of the arm's compute model. A repeated
// request or reply changes nothing: the agent has one request under way, and an arm replies once
// per round. A lost message stalls the run; the stall report names it.
//
// Observed after every reply: ArmPulled for each of its rewards, with -mean_i as its value, which
// the agent does not use. The regret of functional bandits (core/sim/arm_book.hpp) is then the
// pseudo-regret, the sum of max mean - mean_i. ArmAnswered when the arm of the largest estimate
// changes.
// Streams: those of the arms (`reward/…`) and of the policy.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: m (1), n (2), theta (0.001), clip (0.9), step (auto), c (0.1).
const AlgorithmSpec& sgd_ucb_smom_algorithm();
/// Parameters: m (1), n (2), theta (0.001), clip (0.9), step (auto), c (1), index (functional |
/// printed).
const AlgorithmSpec& sgd_ucb_smom_f_algorithm();
/// Parameters: epsilon (0), v (0.9).
const AlgorithmSpec& rucb_median_algorithm();

}  // namespace posse
