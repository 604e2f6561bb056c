// What theory says of PF-PNE, before and after a run.
//
// Source: Li, Song, Honorio, Lin, "Personalized federated X-armed bandit" (P3), with the
// corrections E10-E11e of our specification. Symbols as for Fed-PNE (theory/fed_pne.hpp), and
//   Delta  known bound of |f̄* - f_m*| over the clients, >= 0 (P3's Assumption 3)
//   H0     the deepest depth that the clients search together
// tau_h, t_h, Lambda and the radii are Fed-PNE's. Pure functions, O(1) unless said otherwise.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

struct PfPneParameters {
  FedPneParameters federation;   // c1 >= (2M^2)^{1/8} in theory
  double max_difference = 0.01;  // Delta
  bool safe = false;             // allow for Delta when the best cell has a global mean
};

/// H0 = max{h : nu1 rho^h >= Delta}, but at most `limit`; nothing if nu1 < Delta: then nothing is
/// worth doing together. O(H0).
std::optional<std::uint32_t> pf_pne_shared_depth(const PfPneParameters& p, std::uint32_t limit);

/// Always: rounds <= min(H0 + 1, floor(1/2 log_{1/rho}(T M nu1^2 / (k c^2 Lambda))) + 1, 1 +
/// (T-1)/k), the last because every level but the root pulls at least k cells. `limit`: the
/// partition's depth limit.
std::uint64_t pf_pne_rounds_ceiling(const PfPneParameters& p, std::uint32_t limit);

/// True where the constants are the theory's: c >= 2 and c1 >= (2M^2)^{1/8}.
bool pf_pne_constants_apply(const PfPneParameters& p);

/// What one pull at depth h may cost on the event E_t, on average over the clients, in stage 1:
/// min(1, 12 nu1 rho^{h-1} + Delta); 1 at the root.
double pf_pne_shared_regret(const PfPneParameters& p, std::uint32_t depth);

/// The same of one client's pull in stage 2 of a cell whose parent it kept by its own mean:
/// min(1, 24 nu1 rho^{h-1}). With `safe` 26: a survivor may be Delta <= nu1 rho^{h-1} worse (ours).
/// Children of protected cells, and the root, have 1: for them P3 needs its Assumption 4, whose
/// constant isn't known (E11e).
double pf_pne_own_regret(const PfPneParameters& p, std::uint32_t depth, bool parent_protected);

}  // namespace posse::theory
