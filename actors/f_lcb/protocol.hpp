// SPDX-License-Identifier: Apache-2.0
// Functional bandits as a protocol: an agent, and one node per arm with its optimizer.
// Minimisation.
//
// Paper: Dorn, Katrutsa, Latypov & Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (2025). The agent runs an allocation (allocation/allocation.hpp): F-LCB
// or one of its baselines. A pull is one request and one reply, a round trip. Iterates never leave
// the arm.
//
// Roles: `agent` (node 0), `arm-1 …` (numbered from 1 as in the paper). Messages:
//   Step{instance 4}                                    down, 4 bytes, 1 value
//   Stepped{instance 4, pulls 8, value 8, bound 8}      up, 28 bytes, 2 values
// Round = decision of the agent, from 1: one pull, or a batch of pulls that start at once. A round
// ends when all its replies have arrived. Each pull is one evaluation of the arm's compute model. A
// repeated request or reply changes nothing. The agent waits for every reply. A lost message stalls
// a sequential or batched run at once; an asynchronous run continues with one worker less, never
// pulls that arm again and stalls at its end. The stall report names the message.
//
// Where several pulls are under way that are no batch, each reply starts the next pull: the order
// of replies that come at one instant matters to the agent.
//
// Observed after every reply: ArmPulled; at the end ArmAnswered. Regret (FMAB): the sum over pulls
// of value - f*, with f* = min_i f_i* (core/sim/arm_book.hpp). Departures: see PAPERS.md, f-lcb-1
// to f-lcb-6 and f-lcb-22. Streams: those of the arms' oracles (`oracle/…`) and of the allocation.
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
