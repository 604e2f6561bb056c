// SPDX-License-Identifier: Apache-2.0
// Fed-PNE: federated X-armed bandit with phased elimination of cells. Rewards never leave a client.
//
// Paper: Li, Song, Honorio and Lin, "Federated X-armed bandit" (AAAI 2024, arXiv 2205.15268),
// Algorithm 1 (client), Algorithm 2 and equation 1 (server).
//   M          clients
//   T          the problem's budget: evaluations per client
//   f̄          mean of the clients' objectives
//   nu1, rho   smoothness of f̄, nu1 > 0, 0 < rho < 1
//   c, c1      confidence constants, > 0; the experiments of the paper use 0.1 and 1, its theory
//              needs c >= 2 and c1 >= (2M)^{1/8}
//   delta      confidence, 0 < delta <= 1; default 1/M (Theorem 1)
//   K^p        active cells of phase p, all of one depth h, in ascending order
//   tau_h, t_h, b, Lambda   see bounds.hpp
//
// Each phase p = 1, 2, …
//   1. The server splits the cells of K without sampling while |K| tau_h <= M or K is the root.
//   2. It sends the cells of K^p. Every client pulls each of them t_h times and uploads its means.
//   3. The server averages the means over the clients, in client order, and eliminates the cells
//      with mean + b + nu1 rho^h < best mean - b. The children of the others are the next K.
//
// Nodes: `server` (node 0), `edge-0 …` if there are edges, `client-0 …`. Round = phase, from 1.
// Messages: `PhasePlan` or, with `compact_plan`, `CompactPlan` from the server to every client,
// `LocalMeans` from a client to the server (messages.hpp), or CodedMeans if `means` is not f64.
//
// `means` chooses in how many bytes the clients' means travel (core/exchange/mean_encoding.hpp);
// the private client rounds after it has added noise. The regret bound does not cover u16 and u8.
//
// Last phase: if the pulls of a phase do not fit into T, the phase is cut. The clients pull the
// cells in the order of the plan until T and upload nothing. A client recognises a cut plan by its
// size: cells times pulls exceeds the pulls that it has left. With `trim_last_plan` the server
// sends only the first floor((T - t) / t_h) + 1 cells of a cut plan. That is one cell more than
// needed if t_h divides T - t, because without it the plan would look like one that fits exactly.
// For the same reason `pulls` is capped at 2^32 - 1 and T is at most 2^32 - 2.
//
// Compact plans: each plan refers to the plan before, so they need the server policy `all`. The
// clients keep K^p (8 bytes a cell). Decisions and random draws are the same as with `PhasePlan`.
//
// Hierarchy: with `edges` = E > 0 there are nodes `edge-0 …` between server and clients, each with
// a block of clients (core/role/hierarchy.hpp). An edge hands on every plan and sends one message
// for the uploads of its clients, `EdgeMeans` (with their encoding) or, with sums = "exact",
// `EdgeSums` (edge_uploads.hpp). It follows the clients' budget, so that it knows the cut plan.
// Decisions are those of the star with the same `sums`, in every bit. A phase is 4 messages long
// instead of 2; between server and edges there are E instead of M messages each way. Edges wait for
// all their clients: they need the server policy `all`, and no node can lose its state.
//
// Server policies: if the server closes a phase with Q < M uploads, it averages these, in client
// order, with b = c sqrt(Lambda / (Q t_h)). The averages are then unbiased for the mean objective
// of these clients, not for f̄, and the paper's theory does not apply. Late `LocalMeans` are
// reported as stale. A client that misses a plan makes fewer than T evaluations, and may upload
// means for a plan that is cut for the others; these are stale, too.
//
// At the partition's depth limit no cell is split. The server then sends the best cell alone, with
// 2^32 - 1 pulls, as a cut phase that lasts until T.
//
// Recommendation: the best cell of the last complete phase; before that, the root.
// Cost: O(M |K|) per phase at the server. Streams: `reward/client-m`, `point/client-m`
// (cell_rewards.hpp), `rounding/client-m` (mean_encoding.hpp).
// Departures from the paper: see PAPERS.md, fed-pne-1 to fed-pne-11, fed-pne-16, fed-pne-17.
#pragma once

#include <memory>

#include "actors/fed_pne/setup.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), c1 (1), delta (1/M), trim_last_plan (true),
/// compact_plan (false), means (f64), means_low (0), means_high (1), edges (0), sums (gathered),
/// and those of the partition.
const AlgorithmSpec& fed_pne_algorithm();

/// The protocol of Fed-PNE, or of DP-Fed-PNE if the setup has a privacy mechanism.
std::unique_ptr<Protocol> make_fed_pne(FedPneSetup setup);

}  // namespace posse
