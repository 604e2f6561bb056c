// PF-PNE with reuse: clients search together for as long as they look alike, then each one alone,
// from where they parted and with all the samples that it has.
//
// Posse's own, experimental. It starts from PF-PNE (pf_pne.hpp; Li, Song, Honorio, Lin 2024), which
// in our runs loses to Fed-PNE and to HCT run by each client alone: its clients begin again at the
// root, pull every cell tau_h times whatever its rewards say, and part at a depth H0 that follows
// from a Delta which has to be known. Here instead:
//
// 1. Nothing is thrown away. A client keeps its own sum and count of every cell that it ever
//    pulled. Cells that the server keeps aren't sampled again: their children come next. Cells that
//    the server drops stay leaves of the client's own tree, with its own few samples, which are
//    mostly enough to see that they are bad; so no client can lose its optimum to the others'.
// 2. The difference is estimated. Together with its means every client sends how much its rewards
//    of one cell vary; from the variance across clients of their means the server takes that of the
//    noise, and takes two standard deviations off for confidence (theory/pf_pne_reuse.hpp,
//    clients_spread). The clients part when the spread, which stands for Delta = |f̄* - f_m*| but
//    is not a bound of it, is above nu1 rho^{h+1}, the width of the next level: PF-PNE's H0, found
//    on the way. Clients that are alike never part (but for errors of the estimate).
// 3. Pulls adapt to rewards. Together: a level is sampled in rounds of 1, 1, 2, 4, … pulls a cell
//    up to t_h = ceil(tau_h / M), and cells are dropped after each round; a level ends early when a
//    single cell is left; levels with |K| tau_h <= M are passed without sampling, as in Fed-PNE.
//    Alone: learner/frontier_search.hpp, optimism over leaves. Cells are compared with the best
//    lower bound of any cell of any depth.
// 4. Confidence goes with what is at stake: Lambda_h = max(1, ln(N (nu1 rho^h)^2)), N = M T
//    together and T alone. `confidence = "horizon"` takes the papers' ln(c1 T / delta) instead.
// 5. Budget that can't be searched with together is used: when the next round doesn't fit into T,
//    the clients part if the last estimate says that they differ at all (is above 0), otherwise,
//    and if every cell was dropped ((A) fails), the cell with the largest lower bound is played
//    until T.
//
// What to expect, measured in scenarios/experimental/pf_pne_reuse.toml: less local regret than
// Fed-PNE, PF-PNE and HCT alone with the papers' constants, most of it by the search alone. The
// common part helps clients that are alike where noise is what costs; where width is, its
// elimination level by level costs more than it saves, and `together = false` is better.
//
// What holds. On the event that every mean is within its radius whenever it is looked at (own means
// of f_m: c sqrt(Lambda_h(T) / n)), and given (A) for f_m, the cell with f_m's maximiser is always
// among the client's leaves once it searches alone, whatever Delta is, f_m* < f̄* included: neither
// P3's Assumptions 3 and 4 nor `safe` are needed. While all search together the same holds of f̄,
// with c sqrt(Lambda_h(M T) / (M n)). With `horizon`, c >= 2 and c1 as in P3 the event has P3's
// probability for each client's own search; with `level` it is smaller: a late error costs little,
// and avoiding it costs more. No bound of the regret is claimed.
//
// Roles: `server` (node 0), `client-0 …`. Round = one exchange, from 1. Messages:
//   PhasePlan{phase 4, depth 4, pulls 4, n 4, index 8n}   down, 16 + 8n bytes, 2n values; Fed-PNE's
//   SpreadMeans{phase 4, spread 8, n 4, mean 8n}          up, 16 + 8n bytes, n + 1 values
// The means are of this round's pulls alone. pulls = 0: search alone, from the children of these
// cells. pulls = 2^32 - 1 of one cell: play it until T; nothing is uploaded. That is the last plan
// in either case. T is at most 2^32 - 2. One client, or `together = false`: the first plan is the
// last. The server needs every client's means (no other policy).
//
// Parameters nu1, rho, c as for Fed-PNE, of every f_m and of f̄. Recommendation: every client its
// own; x_{0,1} first, then the cell with the largest lower bound, of the server's means while
// together, of its own rewards then. Cost: O(M |K|) per round at the server, O(log leaves) per pull
// alone. Memory: O(M |K|) at the server, O(cells sampled) at a client. Streams: `reward/client-m`,
// `point/client-m` (CellRewards).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), c (0.1), together (true), confidence ("level"), c1 (1)
/// and delta (auto: 1/M) for the confidence "horizon", and the partition's.
const AlgorithmSpec& pf_pne_reuse_algorithm();

}  // namespace posse
