// Stochastic bandits with heavy tails as actors: an agent, and an arm with its rewards per node.
//
// Paper: Dorn, Katrutsa, Latypov, Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (paper 004), Appendix D. The agent runs a policy
// (functional/reward_policy.hpp); a decision is one request for some rewards of one arm and one
// reply with all of them, a round trip. Maximisation; the budget counts rewards.
//
// Roles: `agent` (node 0), `arm-1 …`. Messages:
//   Draw{count 4}             down, 4 bytes, 1 value
//   Rewards{count doubles}    up, 8 bytes and 1 value per reward
// Round = decision, from 1. Each reward is one evaluation of the arm's computing model. A request
// or reply that comes twice changes nothing: the agent has one request under way, and the arm
// answers a round once. A lost message stalls the run; the report names it.
//
// Observed after every reply: ArmPulled for each of its rewards, with -mean_i as its value (the
// agent doesn't use it), so the functional bandits' regret (sim/arm_book.hpp) is the pseudo-regret
// sum of max mean - mean_i; ArmAnswered when the arm of the largest estimate is another one.
// Streams: those of the arms (`reward/…`) and of the policy.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// m (1), n (2), theta (0.001), clip (0.9), step (auto), c (0.1).
const AlgorithmSpec& sgd_ucb_smom_algorithm();
/// The same with c = 1, and index (functional | printed).
const AlgorithmSpec& sgd_ucb_smom_f_algorithm();
/// epsilon (0), v (0.9).
const AlgorithmSpec& rucb_median_algorithm();

}  // namespace posse
