// POO and GPO: many tree learners with different rho side by side, for those who don't know the
// smoothness. PCT is GPO over HCT, VPCT over VHCT.
//
// Papers: POO: Grill, Valko, Munos, "Black-box optimization of noisy functions with unknown
// smoothness" (NIPS 2015), over HCT: Shang, Kaufmann, Valko 2018 (P2), where delta = 1/n. GPO, PCT:
// Shang, Kaufmann, Valko, "General parallel optimization without a metric" (ALT 2019).
//   n                 the problem's budget, spent exactly
//   nu_max, rho_max   (default 1, 0.9) nu of all instances, the largest rho
//   base              hoo, t-hoo, hct (default), vhct: what the instances run
//   D_max, N          theory::poo_depth_constant; the number of instances
// Their schedules: learner/poo_schedule.hpp, learner/gpo.hpp; learners that do the same in one
// place and in the listings' order, to the same output given the same rewards per instance:
// learner/poo.hpp, learner/gpo.hpp. Here the instances of a pass work at the same time. Roles,
// messages and streams: instances.hpp. Round = pass of the schedule: POO's are the starting of new
// instances, and the evaluations with all of them up to the next doubling; GPO has one.
//
// One client only: the papers have one objective, which all instances evaluate.
// Cost: that of the instances; O(N) per pass at the hub.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& poo_algorithm();
const AlgorithmSpec& gpo_algorithm();
const AlgorithmSpec& pct_algorithm();
const AlgorithmSpec& vpct_algorithm();

}  // namespace posse
