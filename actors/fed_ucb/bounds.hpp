// SPDX-License-Identifier: Apache-2.0
// Schedules and confidence radii of Fed1-UCB and Fed2-UCB.
//
// Source: Shi & Shen, "Federated multi-armed bandits" (AAAI 2021), with the constants of the
// authors' published code, which are tuned (see PAPERS.md, fed-ucb-1). Symbols: M clients, T
// horizon per client, K arms, p phase from 1, f(p) pulls per client and active arm in phase p, g(p)
// clients that join in it, M(p) = g(1) + … + g(p), sigma the noise's sub-Gaussian constant, sigma_c
// that of a client's deviation from the global mean. Pure functions of valid arguments; O(1) unless
// stated.
#pragma once

#include <cstdint>
#include <span>

namespace posse::theory {

/// f(p) of Fed1-UCB: floor(10 ln T), at least 1 (see PAPERS.md, fed-ucb-4).
std::uint64_t fed1_ucb_pulls(std::uint64_t horizon);

/// CB = sqrt(4 sigma^2 ln T / (M n)); n: pulls per client of an active arm so far.
double fed1_ucb_radius(double sigma, std::uint64_t horizon, std::uint64_t clients, std::uint64_t n);

/// M(p) of Fed2-UCB with g(p) = 2^p while clients are left: min(M, 2^{p+1} - 2).
std::uint64_t fed2_ucb_joined(std::uint64_t clients, std::uint32_t phase);

/// CB = sqrt(sigma^2 eta_p ln T) + sqrt(sigma_c^2 ln T / M(p)) with
/// eta_p = M(p)^-2 sum_{q<=p} g(q) / sum_{j=q}^p f(j), for constant f. `joined`: g(1), g(2) …, of
/// which those that are not there are 0; `phase`: p >= joined.size(). O(joined.size()).
double fed2_ucb_radius(double sigma,
                       double sigma_c,
                       std::uint64_t horizon,
                       std::span<const std::uint64_t> joined,
                       std::uint32_t phase,
                       std::uint64_t pulls_per_phase);

/// Ceiling on the number of complete phases: 1 + floor((T - K f) / (2 f)); 0 if K f > T or K = 1.
/// Always holds: phase 1 pulls all K arms, and every later complete phase at least two.
std::uint64_t fed_ucb_phases_ceiling(std::uint64_t horizon,
                                     std::uint64_t arms,
                                     std::uint64_t pulls_per_phase);

}  // namespace posse::theory
