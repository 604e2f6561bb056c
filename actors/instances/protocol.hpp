// SPDX-License-Identifier: Apache-2.0
// POO and GPO: many tree learners with different rho side by side, for unknown smoothness. PCT is
// GPO over HCT, VPCT is GPO over VHCT.
//
// Papers: POO: Grill, Valko & Munos, "Black-box optimization of noisy functions with unknown
// smoothness" (NIPS 2015); over HCT with delta = 1/n: Shang, Kaufmann & Valko (2018). GPO, PCT:
// Shang, Kaufmann & Valko, "General parallel optimization without a metric" (ALT 2019).
//   n                 the problem's budget, spent exactly
//   nu_max, rho_max   (default 1, 0.9) nu of all instances, the largest rho
//   base              hoo, t-hoo, hct (default), vhct: the learner of the instances
//   D_max, N          theory::poo_depth_constant; the number of instances
// Schedules: core/learner/poo_schedule.hpp, core/learner/gpo.hpp. core/learner/poo.hpp and gpo.hpp
// also have sequential learners, which follow the papers' listings and give the same output for the
// same rewards per instance. Here the instances of a pass work at the same time.
//
// One node per instance, and a hub that tells each what to evaluate and outputs the best result.
// Nodes: `poo` or `gpo` (0, the hub), `instance-0 …`. Round = pass p = 1, 2, … of the schedule,
// which is known before the run. A pass of POO either starts new instances, or gives evaluations to
// all of them up to the next doubling. GPO has one pass. Messages:
//   Start{nu 8, rho 8, budget 8}   down, to each instance with evaluations in this pass, 3 values
//   Found{mean 8, x 8d}            up, when they are made, d + 1 values
// An instance creates its learner at its first Start, evaluates for client 0 and keeps its learner
// for later passes. No other node sees its rewards. One reaction makes at most 4096 evaluations of
// the learner and continues by a timer of length 0.
//   POO  `budget` evaluations of the learner. x: its recommendation, `mean`: of all its rewards
//   GPO  budget/2 evaluations of the learner, then as many of its recommendation x. `mean`: of the
//        latter. The hub evaluates what is left of the whole budget, at the winner's x
// Output: x of the largest mean, after every pass (ties: the instance with the lowest number).
//
// Only one client is allowed: the papers have one objective, which all instances evaluate.
// Departures: see PAPERS.md, poo-1 to poo-3, gpo-1 and gpo-2.
// Cost: that of the instances, and O(N) per pass at the hub. Streams, for instance i:
// `reward/client-0/instance-i`, `point/client-0/instance-i`, and the learner's, named `instance-i`;
// for the hub: `reward/client-0/hub`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& poo_algorithm();
const AlgorithmSpec& gpo_algorithm();
const AlgorithmSpec& pct_algorithm();
const AlgorithmSpec& vpct_algorithm();

}  // namespace posse
