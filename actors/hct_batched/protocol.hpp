// SPDX-License-Identifier: Apache-2.0
// HCT and VHCT in batches (experimental): one learner at the server, which lets all clients
// evaluate many cells at a time instead of one.
//
// Posse's own, after HCT of Azar, Lazaric & Brunskill 2014 at a server as in Remark 10 of Li, Song,
// Honorio & Lin (AAAI 2024), VHCT of Li, Wang, Cheng & Song 2023, batches whose rewards are assumed
// while they are chosen (Desautels, Krause & Burdick, JMLR 2014), and batches whose sizes grow with
// the time (Perchet, Rigollet, Chassang & Snowberg 2016; Gao, Han, Ren & Zhou 2019).
//   M, T     clients, evaluations per client
//   b0       `batch`, the least number of evaluations per client in a batch, >= 1
//   g        `growth`, >= 1: a batch after t evaluations has max(b0, floor((g - 1) t)), or T - t
//            if that is less
// and the parameters of HCT or VHCT (learners/hct.hpp).
//
// A batch is a list of cells with numbers of pulls, the same for every client. The server chooses
// it by running the learner as if every reward were the mean that it knows of the cell
// (core/learner/hct.hpp); every client makes all pulls; the mean over the clients, in their order,
// takes the place of what was assumed. VHCT needs the variance of a step's mean over M clients: the
// M within-client sample variances v_m give sum v_m / M^2.
//
// With b0 = g = 1 the decisions are those of hct-central and central vhct in every bit, so that
// HCT's regret bound holds with the theory's constants; b0 = 1 and g = 2 take 1 + ceil(log2 T)
// rounds instead of T. Of larger batches nothing is proven but the numbers of rounds, messages and
// cells: within a batch means stay as they are while radii shrink, so B need not bound the maximum.
// scenarios/experimental/batched.toml says what was measured.
//
// Nodes: `server` (node 0), `client-0 …`. Round = batch, from 1. Its row shows the number of cells,
// the largest number of pulls among them, and the cell that has it. Messages:
//   PullPlan{batch 4, n 4, {depth 4, index 8, pulls 4} n}  down, 8 + 16n bytes, 2n values
//   LocalMeans{batch 4, n 4, mean 8n}                      up (HCT), 8 + 8n bytes, n values
//   LocalMoments{batch 4, n 4, mean 8n, n 4, variance 8n}  up (VHCT), 12 + 16n bytes, 2n values
//
// Server policies: with Q < M arrivals the learner gets the means over the arrivals, which estimate
// their mean objective. A client that misses a plan makes fewer than T evaluations.
//
// Recommendation: the learner's. Cost beyond the learner's steps: O(M n) per batch of n cells.
// Streams: the learner's, named `learner`; `reward/client-m`, `point/client-m` (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: batch (1), growth (2), and those of `hct`, but placement.
const AlgorithmSpec& hct_batched_algorithm();
/// Parameters: batch (1), growth (2), and those of `vhct`, but placement.
const AlgorithmSpec& vhct_batched_algorithm();

}  // namespace posse
