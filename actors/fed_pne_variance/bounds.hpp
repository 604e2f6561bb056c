// SPDX-License-Identifier: Apache-2.0
// Radii and pulls of Fed-PNE with variance-aware radii (Posse's own): empirical Bernstein bounds
// for means over many clients.
//
// Source: the radii and thresholds of VHCT (Li, Wang, Cheng and Song 2023) in the phases of
// Fed-PNE. With L = 2 c^2 Lambda, N = M t rewards of a cell and V the average over the clients of
// the sample variance of a client's rewards,
//   B(V, N) = sqrt(2 V L / N) + 3 b L / N          b: range of the rewards
//   tau_h(V) = L (V + 3 b g + sqrt(V (V + 6 b g))) / g^2, with g = nu1 rho^h: the N with B = g
// L is scaled so that for the largest variance, V = b^2 / 4, the first term is Fed-PNE's radius c
// sqrt(Lambda / N). So the same c gives the same confidence, and only the second term costs
// additional pulls. tau_h(V) is below Fed-PNE's c^2 Lambda / g^2 only where V + 3 b g + sqrt(V (V +
// 6 b g)) < 1/2, so at most for g < 1 / (6 b): cells of smaller depth need more pulls than in
// Fed-PNE.
//
// Validity. The N rewards of a cell are independent; those of client m have mean f_m(x), variance
// s_m^2 and a range of at most b. Let S = (1/M) sum s_m^2. By Bernstein's inequality their mean is
// within sqrt(2 S L / N) + b L / (3 N) of f̄(x) except with probability 2 e^{-L}. Differences
// between the f_m have no influence, because every client has the same number of rewards. Let V_m
// be the unbiased sample variance of t >= 3 rewards of client m, and V = (1/M) sum V_m. The
// function N V / b^2 of the rewards is self-bounding with a = t / (t - 1) <= 3/2 (Maurer 2006). So
// sqrt(S) <= sqrt(V) + b sqrt(2 a L / N) except with probability e^{-L}, and 2 sqrt(a) + 1/3 < 3
// gives B. A pooled variance of all rewards of a cell would be valid as well (Maurer and Pontil
// 2009), but it contains the differences between the f_m(x). V may be reduced to b^2 / 4, which S
// never exceeds. For all numbers of rewards t <= T and all of the at most T / 3 cells together, the
// failure probability is at most T^2 e^{-L} <= delta / T^6 with Fed-PNE's c >= 2, c1 >= (2M)^{1/8}.
// Therefore the number of rewards of a cell may depend on its earlier rewards.
// All functions are pure and take valid parameters. Cost: O(1) unless stated otherwise.
#pragma once

#include <cstdint>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

/// Smallest number of rewards of a cell per client; the variance bound needs t >= 3.
inline constexpr std::uint64_t kLeastRewards = 3;

struct VarianceParameters {
  double range = 1;     // b > 0
  double floor = 1e-3;  // > 0: smaller estimates are raised to it (VHCT), at most to b^2 / 4
};

/// The estimate, limited to the interval from the floor to b^2 / 4.
double usable_variance(const VarianceParameters& v, double estimate);

/// B(V, N) for `variance` = V and t = `pulls` rewards of each client.
double fed_pne_variance_radius(const FedPneParameters& p,
                               const VarianceParameters& v,
                               double variance,
                               std::uint64_t pulls);

/// tau_h(V), rounded up. At least 1; saturates at 2^63.
std::uint64_t fed_pne_variance_tau(const FedPneParameters& p,
                                   const VarianceParameters& v,
                                   double variance,
                                   std::uint32_t depth);

/// Rewards of a cell of that variance per client: max(3, ceil(tau_h(V) / M)).
std::uint64_t fed_pne_variance_pulls(const FedPneParameters& p,
                                     const VarianceParameters& v,
                                     double variance,
                                     std::uint32_t depth);

/// Ceiling on the depth of an exchange, which always holds: the deepest h <= max_depth at which k
/// cells of the smallest variance get their pulls within T. Cost: O(max_depth).
std::uint32_t fed_pne_variance_depth_ceiling(const FedPneParameters& p,
                                             const VarianceParameters& v,
                                             std::uint32_t max_depth);

/// Largest number of exchanges at one depth: each one after the first gives a cell a quarter more
/// rewards than it has, or all that the largest variance requires.
std::uint64_t fed_pne_variance_exchanges(const FedPneParameters& p,
                                         const VarianceParameters& v,
                                         std::uint32_t depth);

}  // namespace posse::theory
