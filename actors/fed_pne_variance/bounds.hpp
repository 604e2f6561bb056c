// Fed-PNE with radii that know the rewards' variance (ours): what empirical Bernstein bounds say of
// means of many clients.
//
// Source: the radii and thresholds of VHCT (Li, Wang, Cheng, Song 2023), on Fed-PNE's phases. With
// L = 2 c^2 Lambda, N = M t rewards of a cell and V the clients' average within-client variance,
//   B(V, N) = sqrt(2 V L / N) + 3 b L / N          b: range of the rewards
//   tau_h(V) = L (V + 3 b g + sqrt(V (V + 6 b g))) / g^2,  g = nu1 rho^h: the N at which B is g
// L is scaled so that the first term is Fed-PNE's radius c sqrt(Lambda / N) at V = b^2 / 4, the
// largest variance there is: the same c gives the same confidence, and no reward costs more looks
// than there by more than the second term.
// With little variance tau_h(V) is below Fed-PNE's c^2 Lambda / g^2 only where V + 3 b g +
// sqrt(V (V + 6 b g)) < 1/2, g < 1 / (6 b) at most: shallower cells cost more than there.
//
// Validity. A cell's N rewards are independent, those of client m with mean f_m(x), variance
// s_m^2 and a range <= b. By Bernstein their mean is within sqrt(2 S L / N) + b L / (3 N) of f̄(x)
// but for probability 2 e^{-L}, S = (1/M) sum s_m^2: how different the clients' f_m are doesn't
// matter, since every client has the same number of rewards. With the unbiased sample variances V_m
// of t >= 3 rewards each and V = (1/M) sum V_m, the function N V / b^2 of the rewards is
// self-bounding with a = t / (t - 1) <= 3/2 (Maurer 2006), so sqrt(S) <= sqrt(V) + b sqrt(2 a L /
// N) but for e^{-L}, and 2 sqrt(a) + 1/3 < 3 gives B. Pooling all rewards of a cell would be valid
// as well (Maurer, Pontil 2009) but adds the spread of the f_m(x) to V. V may be cut at b^2 / 4,
// which S never exceeds. For all numbers of rewards t <= T and all of at most T / 3 cells together:
// failure <= T^2 e^{-L} <= delta / T^6 with Fed-PNE's c >= 2, c1 >= (2M)^{1/8}; so a cell may be
// given more rewards because of what it showed.
// Pure functions, O(1) unless said otherwise. All take valid parameters.
#pragma once

#include <cstdint>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

/// Rewards per client of a cell, at least: fewer say too little of a variance.
inline constexpr std::uint64_t kLeastRewards = 3;

struct VarianceParameters {
  double range = 1;     // b > 0
  double floor = 1e-3;  // > 0: estimates below become this (VHCT), as far as b^2 / 4 allows
};

/// An estimate between the floor and b^2 / 4.
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

/// Each client's rewards of a cell of that variance: max(3, ceil(tau_h(V) / M)).
std::uint64_t fed_pne_variance_pulls(const FedPneParameters& p,
                                     const VarianceParameters& v,
                                     double variance,
                                     std::uint32_t depth);

/// Always: an exchange about cells of depth h gives at least k of them the pulls of the smallest
/// variance; the deepest h <= max_depth for which that fits into T. O(max_depth).
std::uint32_t fed_pne_variance_depth_ceiling(const FedPneParameters& p,
                                             const VarianceParameters& v,
                                             std::uint32_t max_depth);

/// How often cells of one depth can be asked about, if every time but the first they get a quarter
/// more rewards than they have, or all that the largest variance needs.
std::uint64_t fed_pne_variance_exchanges(const FedPneParameters& p,
                                         const VarianceParameters& v,
                                         std::uint32_t depth);

}  // namespace posse::theory
