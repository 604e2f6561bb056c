// SPDX-License-Identifier: Apache-2.0
// Schedule and bounds of PF-PNE.
//
// Source: Li, Song and Honorio, "Personalized federated X-armed bandit" (AISTATS 2024), with the
// corrections pf-pne-1 to pf-pne-5 of PAPERS.md. Symbols as in fed_pne/bounds.hpp, and
//   Delta  known bound of |f̄* - f_m*| over the clients, >= 0 (Assumption 3 of the paper)
//   H0     the deepest depth that the clients search together
// tau_h, t_h, Lambda and the radii are those of Fed-PNE. All functions are pure and take valid
// parameters. Cost: O(1) unless stated otherwise.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

struct PfPneParameters {
  FedPneParameters federation;   // the theory needs c1 >= (2M^2)^{1/8}
  double max_difference = 0.01;  // Delta
  bool safe = false;             // add Delta when the best cell is protected
};

/// H0 = max{h : nu1 rho^h >= Delta}, but at most `limit`; nothing if nu1 < Delta, when there is no
/// stage 1 (see PAPERS.md, pf-pne-1). Cost: O(H0).
std::optional<std::uint32_t> pf_pne_shared_depth(const PfPneParameters& p, std::uint32_t limit);

/// Ceiling on the number of rounds, which always holds: min(H0 + 1,
/// floor(1/2 log_{1/rho}(T M nu1^2 / (k c^2 Lambda))) + 1, 1 + (T-1)/k). The last term holds
/// because every level but the root pulls at least k cells. `limit`: the partition's depth limit.
std::uint64_t pf_pne_rounds_ceiling(const PfPneParameters& p, std::uint32_t limit);

/// Whether the constants satisfy the conditions of the theory: c >= 2 and c1 >= (2M^2)^{1/8}.
bool pf_pne_constants_apply(const PfPneParameters& p);

/// Bound on the regret of one pull at depth h in stage 1, averaged over the clients, on the
/// high-probability event E_t of the paper: min(1, 12 nu1 rho^{h-1} + Delta); 1 at the root.
double pf_pne_shared_regret(const PfPneParameters& p, std::uint32_t depth);

/// Bound on the regret of one pull of a client at depth h in stage 2, if the parent was not
/// protected: min(1, 24 nu1 rho^{h-1}). With `safe` 26 instead of 24, because a kept cell may be
/// worse by Delta <= nu1 rho^{h-1} (Posse's own). Children of protected cells and the root have 1:
/// the paper's bound for them needs its Assumption 4, whose constant is unknown (see PAPERS.md,
/// pf-pne-5).
double pf_pne_own_regret(const PfPneParameters& p, std::uint32_t depth, bool parent_protected);

}  // namespace posse::theory
