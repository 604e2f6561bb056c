// Functional bandits as actors: an agent, and an arm with its optimizer per node.
//
// Paper: Dorn, Katrutsa, Latypov, Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (paper 004). The agent runs an allocation (functional/allocation.hpp):
// F-LCB, or one of its baselines. A pull is one request and one reply, a round trip; iterates never
// leave the arm. Minimisation.
//
// Roles: `agent` (node 0), `arm-1 …` (numbered from 1 as the paper does). Messages:
//   Step{instance 4}                                    down, 4 bytes, 1 value
//   Stepped{instance 4, pulls 8, value 8, bound 8}      up, 28 bytes, 2 values
// Round = decision of the agent, from 1: one pull, or the batch that it starts at once. A round
// ends when all its replies are there. Each pull is one evaluation of the arm's computing model. A
// request or reply that comes twice changes nothing. The agent waits for every reply: a lost one
// stalls a sequential or batched run at once; an asynchronous one goes on with a worker less, never
// pulls that arm again and stalls at its end. The report names the message.
//
// Observed after every reply: ArmPulled; at the end ArmAnswered. Regret (FMAB): sum over pulls of
// value - f*, f* = min_i f_i* (sim/arm_book.hpp).
// Streams: those of the arms' oracles (`oracle/…`) and of the allocation.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// f-lcb: value (best | last), epsilon (0), order (sequential | batched | asynchronous), parallel.
const AlgorithmSpec& f_lcb_algorithm();
/// No parameters.
const AlgorithmSpec& uniform_allocation_algorithm();
/// epsilon (0.1).
const AlgorithmSpec& epsilon_greedy_algorithm();
/// parallel (1).
const AlgorithmSpec& successive_halving_algorithm();
/// eta (2), parallel (1).
const AlgorithmSpec& hyperband_algorithm();
/// eta (2), parallel (4).
const AlgorithmSpec& asha_algorithm();

}  // namespace posse
