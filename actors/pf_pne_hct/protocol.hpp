// SPDX-License-Identifier: Apache-2.0
// PF-PNE with HCT or VHCT (experimental): the clients search together as in PF-PNE, then every
// client runs HCT on its own objective, in a tree that starts from what it knows.
//
// Posse's own, after PF-PNE of Li, Song and Honorio (AISTATS 2024; pf_pne/protocol.hpp), HCT of
// Azar, Lazaric & Brunskill 2014 and VHCT of Li, Wang, Cheng & Song 2023 (core/learner/hct.hpp).
// PF-PNE's second stage starts at the root again and pulls every cell tau_h times, whatever its
// rewards. HCT needs no such schedule.
//
// Stage 1 is PF-PNE's, with the same messages, H0, cut levels and server policies. A client keeps
// its own rewards (number, sum, squared deviations) of every cell that it pulled.
//
// Stage 2: the client's tree consists of the cells that the server kept, their children, and
// nothing else.
//   - A kept cell is passed like HCT's root: never pulled again and always expanded. It has U from
//     the client's own rewards; U = +infinity if there are none (Survivors that never arrived). The
//     global means of stage 1 are not used.
//   - An eliminated cell is a leaf with the client's own rewards. It is pulled on if its B is
//     large, and expanded once T >= tau_h(t), which may be so before the first step.
//   - The other children of kept cells, those of depth H0 + 1, are leaves that were never pulled.
// HCT then spends the rest of the budget. Its t counts the client's evaluations of stage 1, too. A
// kept cell at the partition's depth limit is a leaf. Without stage 1 (H0 = -1), or if a client
// lost its state before, it is HCT from the root: the decisions are those of hct-local, or of vhct
// placed locally, in every bit.
//
// What is proved. Stage 1: rounds, bytes and the survivors' regret as in PF-PNE. Stage 2, of HCT
// with valid (nu1, rho) for f_m, one point per cell, rewards in a range of width 1, and c >= 2 /
// sqrt(1 - rho):
// 1. Number a client's cells in the order of their first evaluations. Which cell is the j-th
//    depends on the past alone, so that Hoeffding's inequality holds for its rewards. At time t
//    there are at most t cells with at most t rewards each: all means are within c sqrt(L(t) / T)
//    but with probability 2 t^2 (c1 delta / t)^8, c1^8 = rho / (3 nu1). Summed over t this is at
//    most delta if nu1 >= 0.68 rho delta^7. (HCT's own proof counts the cells down to a depth that
//    t evaluations can reach. This tree may be deeper.)
// 2. On this event U >= f_m* for every cell with the client's maximiser, whether stage 1 kept it or
//    not, so B >= f_m* by induction from the leaves. A client can't lose its maximum to the others,
//    for any Delta; Assumptions 3 and 4 of the PF-PNE paper and `safe` aren't needed.
// 3. Hence every step has a regret of at most nu1 rho^h + 2 c sqrt(L / T). Steps in cells whose
//    parent has T >= tau of its own are those of HCT's proof, and its bound holds for them. A child
//    of a kept cell has at most tau_h pulls, which cost 5 c^2 L(n) / (nu1 rho^h) + 1. So the
//    regret of the client is at most HCT's bound, plus this for each of the k children of a kept
//    cell, plus that of stage 1.
// The sum is no smaller than HCT's bound: what stage 1 saves is measured, not proved. Of VHCT's
// regret nothing is claimed. scenarios/experimental/pf_pne_hct.toml says what was measured.
//
// Nodes, messages, rounds: those of PF-PNE. Server policies, too: a client that missed a Survivors
// message continues with the next one, and passes the ancestors of the cells that were kept. A
// client that misses the last one stops with fewer than T evaluations.
//
// One `c` serves both stages. `delta`, if it is not given, is 1/M in stage 1 and HCT's in stage 2.
// Recommendation: as in PF-PNE during stage 1, then the learner's, of its own steps. Cost: the
// learner's. Streams: the learner's, named as in learners/local_learner.hpp; `reward/client-m`,
// `point/client-m` (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: c1 (1) and max_difference (0.01) of PF-PNE, and those of `hct`, but placement.
const AlgorithmSpec& pf_pne_hct_algorithm();
/// Parameters: c1 (1) and max_difference (0.01) of PF-PNE, and those of `vhct`, but placement.
const AlgorithmSpec& pf_pne_vhct_algorithm();

}  // namespace posse
