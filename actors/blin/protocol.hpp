// BLiN: batched Lipschitz narrowing, a bandit on a cube that learns in few batches.
//
// Paper: Feng, Huang, Wang, "Lipschitz bandits with batched feedback" (NeurIPS 2022), D-BLiN: the
// cubes' edges are halved from batch to batch. The papers on federated X-armed bandits list it in
// tables only; how a federation runs it is ours.
//   M  clients          T  the problem's budget: evaluations per client
//   L  `lipschitz`      Lipschitz constant of f̄ in the maximum norm, the domain scaled to [0, 1]^d
//   r_m, n_m            edge 2^{1-m} and pulls of batch m's cubes, theory/blin.hpp
//
// Batch m (from 1, the whole domain): every client pulls each active cube n_m = ceil(16 ln T / (L
// r_m)^2) times, in index order, and sends the means; the server averages them in client order (an
// evaluation of f̄ is one of every client at the same point, as for centralised algorithms), drops
// the cubes with mu < max mu - 4 L r_m, and halves every edge of the others. `share_pulls`: the M
// clients share the n_m pulls, ceil(n_m / M) each.
// A batch that doesn't fit into T is not begun: the clients pull its cubes round robin, one pull
// each, until T, and upload nothing. They know it by its size, more pulls than they have left. Only
// as many cubes are sent as can be reached, and one more.
// At the partition's depth limit (62 / d halvings) cubes are not cut any more: the survivors are
// sent as the next batch and pulled round robin.
//
// Roles: `server` (node 0), `client-0 …`. Round = batch. Messages:
//   Batch{batch 4, n 4, index 8n}        down, 8 + 8n bytes, n values
//   BatchMeans{batch 4, n 4, mean 8n}    up, 8 + 8n bytes, n values
// A cube is cell (m - 1, index) of the `dimwise` partition. `point`: centre, corner or uniform.
//
// Server policies: with Q < M arrivals the means are averages over the arrivals, of their mean
// objective. Recommendation: the cube with the largest mean of the last complete batch, the
// domain's centre before; equal means: the smallest index. Cost: O(M n) a batch at the server.
// Streams: `reward/client-m`, `point/client-m` (cell_rewards.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: lipschitz (default 1), share_pulls (false), point (centre).
const AlgorithmSpec& blin_algorithm();

}  // namespace posse
