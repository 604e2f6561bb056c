// SPDX-License-Identifier: Apache-2.0
// Radii and pulls of DP-Fed-PNE, that is, Fed-PNE whose clients add noise to the means they send.
//
// The mechanism is Posse's own (see PAPERS.md, fed-pne-7). Neighbouring inputs are two reward
// sequences of one client that differ in one reward in [0, 1]; they change a mean of t rewards by
// at most 1/t. Every reward enters exactly one released mean, so that all releases together are as
// private as one.
//   laplace    mean + Lap(1 / (t epsilon)):  epsilon-DP
//   gaussian   mean + N(0, sigma^2), sigma = sqrt(2 ln(1.25 / delta_p)) / (t epsilon):
//              (epsilon, delta_p)-DP for epsilon <= 1
// The noise times t has a distribution that does not depend on t; s is its standard deviation. The
// mean of M noises is within W / t, so the radius is b'(t) = c sqrt(Lambda / (M t)) + W / t, and
// t'_h and tau'_h take the place of t_h and tau_h everywhere. With A = c sqrt(Lambda / M), W is
//   practical  A s: as many standard deviations of the noise as A has of a reward with standard
//              deviation 1
//   theory     a bound that fails with probability beta = 2 (delta / (c1 T))^{2 c^2} per cell, the
//              probability that Hoeffding's inequality gives for the rewards. laplace: 4 c
//              sqrt(Lambda) max(sqrt M, 2 c sqrt(Lambda)) / (M epsilon), by the tail of a sum of M
//              Laplace variables (Chan, Shi and Song 2011). gaussian: 2 A s
// Without noise (epsilon = infinity) every function returns bit for bit the value of Fed-PNE's.
// All functions are pure and take valid parameters. Cost: O(1) unless stated otherwise.
#pragma once

#include <cstdint>
#include <limits>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

enum class PrivacyMechanism { laplace, gaussian };

struct Privacy {
  PrivacyMechanism mechanism = PrivacyMechanism::laplace;
  double epsilon = std::numeric_limits<double>::infinity();  // > 0; infinity: no noise
  double delta = 1e-5;                                       // delta_p in (0, 1); gaussian only
  bool theory_radius = false;                                // W by the tail bound, for c >= 2

  bool adds_noise() const { return epsilon < std::numeric_limits<double>::infinity(); }
};

/// s, the standard deviation of the noise times t: sqrt(2) / epsilon for laplace,
/// sqrt(2 ln(1.25 / delta_p)) / epsilon for gaussian, 0 without noise.
double privacy_noise_sd(const Privacy& privacy);

/// Quantile at u in (0, 1) of the noise times t. 0 without noise.
double privacy_noise_quantile(const Privacy& privacy, double u);

/// W for the mean of `arrived` noises; `arrived` is M unless the server policy closed the round
/// early.
double dp_fed_pne_width(const FedPneParameters& p, const Privacy& privacy, std::uint64_t arrived);

/// b'(t) = c sqrt(Lambda / (arrived t)) + W / t.
double dp_fed_pne_radius(const FedPneParameters& p,
                         const Privacy& privacy,
                         std::uint64_t pulls,
                         std::uint64_t arrived);

/// tau'_h = ceil(M t*), where t* solves b'(t) = nu1 rho^h. At least 1; saturates at 2^63.
std::uint64_t dp_fed_pne_tau(const FedPneParameters& p,
                             const Privacy& privacy,
                             std::uint32_t depth);

/// t'_h = ceil(tau'_h / M).
std::uint64_t dp_fed_pne_pulls(const FedPneParameters& p,
                               const Privacy& privacy,
                               std::uint32_t depth);

/// The expansion criterion with tau': K is split without sampling while |K| tau'_h <= M or h < 1.
bool dp_fed_pne_expands(const FedPneParameters& p,
                        const Privacy& privacy,
                        std::uint32_t depth,
                        std::uint64_t cells);

/// Ceiling on the depth of a complete phase, which always holds: the deepest h <= max_depth with
/// k t'_h <= T, because a complete phase pulls at least k cells. Cost: O(max_depth).
std::uint32_t dp_fed_pne_depth_ceiling(const FedPneParameters& p,
                                       const Privacy& privacy,
                                       std::uint32_t max_depth);

}  // namespace posse::theory
