// SPDX-License-Identifier: Apache-2.0
// BLiN (batched Lipschitz narrowing): a bandit on a cube that learns in few batches.
//
// Paper: Feng, Huang & Wang, "Lipschitz bandits with batched feedback" (NeurIPS 2022), the variant
// D-BLiN, which halves the edges of the cubes from batch to batch. The paper has a single learner;
// the federation is ours (see PAPERS.md, blin-1).
//   M  clients          T  the problem's budget: evaluations per client
//   L  `lipschitz`      Lipschitz constant of f̄ in the maximum norm, the domain scaled to [0, 1]^d
//   r_m, n_m            edge 2^{1-m} and pulls of the cubes of batch m, see bounds.hpp
//
// Batch m (batch 1: the whole domain): every client pulls each active cube n_m = ceil(16 ln T /
// (L r_m)^2) times, in index order, and sends the means. The server averages them in client order,
// drops the cubes with mu < max mu - 4 L r_m, and halves every edge of the others. With
// `share_pulls` the M clients share the n_m pulls of a cube, ceil(n_m / M) each.
//
// A batch that does not fit into T ends the run: the clients pull its cubes round robin, one pull
// each, until T, and upload nothing. They recognise it because it has more pulls than they have
// left. The server sends only the cubes that the remaining budget can reach, and one more. At the
// partition's depth limit (62 / d halvings) the survivors are not split: they are sent as the next
// batch and pulled round robin.
//
// Roles: `server` (node 0), `client-0 …`. Round = batch. Messages:
//   Batch{batch 4, n 4, index 8n}        down, 8 + 8n bytes, n values
//   BatchMeans{batch 4, n 4, mean 8n}    up, 8 + 8n bytes, n values
// A cube is cell (m - 1, index) of the `dimwise` partition. `point`: centre, corner or uniform.
//
// Server policies: with Q < M arrivals the means are averages over the arrivals, and estimate the
// arrivals' mean objective. Recommendation: the cube with the largest mean in the last complete
// batch (ties: the smallest index); the centre of the domain before.
// Cost: O(M n) per batch at the server.
// Streams: `reward/client-m`, `point/client-m` (actors/common/cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: lipschitz (default 1), share_pulls (false), point (centre).
const AlgorithmSpec& blin_algorithm();

}  // namespace posse
