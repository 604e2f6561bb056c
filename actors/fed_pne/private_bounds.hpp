// Differentially private Fed-PNE: what the clients' noise does to radii and pulls.
//
// The paper (Li, Song, Honorio, Lin 2024) speaks of a private version in a supplement that isn't
// public; the mechanism is Posse's own. Neighbours are two reward streams of one client that differ
// in one reward in [0, 1], so a mean of t rewards moves by at most 1/t. Every reward enters one
// released number, so all releases together are as private as one.
//   laplace    mean + Lap(1 / (t epsilon)):  epsilon-DP
//   gaussian   mean + N(0, sigma^2), sigma = sqrt(2 ln(1.25 / delta_p)) / (t epsilon):
//              (epsilon, delta_p)-DP for epsilon <= 1
// t times one noise has a law that doesn't depend on t; s is its standard deviation. The mean of M
// noises is within W / t, so the radius is b'(t) = c sqrt(Lambda / (M t)) + W / t, and t'_h, tau'_h
// stand for t_h, tau_h wherever Fed-PNE has them. W is, with A = c sqrt(Lambda / M),
//   practical  A s: as many standard deviations of the noise as A is of a reward's
//   theory     a bound that fails with probability beta = 2 (delta / (c1 T))^{2 c^2} per node, what
//              Hoeffding gives the rewards: laplace 4 c sqrt(Lambda) max(sqrt M, 2 c sqrt(Lambda))
//              / (M epsilon) (tail of a sum of M Laplace variables, Chan, Shi, Song 2011), gaussian
//              2 A s
// Without noise (epsilon = infinity) every function here is Fed-PNE's, bit for bit.
// Pure functions, O(1) unless said otherwise. All take valid parameters.
#pragma once

#include <cstdint>
#include <limits>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {

enum class PrivacyMechanism { laplace, gaussian };

struct Privacy {
  PrivacyMechanism mechanism = PrivacyMechanism::laplace;
  double epsilon = std::numeric_limits<double>::infinity();  // > 0; infinity: nothing is added
  double delta = 1e-5;                                       // delta_p in (0, 1); gaussian only
  bool theory_radius = false;                                // W is a bound for c >= 2

  bool adds_noise() const { return epsilon < std::numeric_limits<double>::infinity(); }
};

/// s, the standard deviation of t times one noise: sqrt(2) / epsilon, or
/// sqrt(2 ln(1.25 / delta_p)) / epsilon. 0 without noise.
double privacy_noise_sd(const Privacy& privacy);

/// t times one noise: the quantile of its law at u in (0, 1). 0 without noise.
double privacy_noise_quantile(const Privacy& privacy, double u);

/// W for the mean of `arrived` noises (= M unless a policy closed the round early).
double dp_fed_pne_width(const FedPneParameters& p, const Privacy& privacy, std::uint64_t arrived);

/// b'(t) = c sqrt(Lambda / (arrived t)) + W / t.
double dp_fed_pne_radius(const FedPneParameters& p,
                         const Privacy& privacy,
                         std::uint64_t pulls,
                         std::uint64_t arrived);

/// tau'_h = ceil(M t*), t* the root of b'(t) = nu1 rho^h. At least 1; saturates at 2^63.
std::uint64_t dp_fed_pne_tau(const FedPneParameters& p,
                             const Privacy& privacy,
                             std::uint32_t depth);

/// t'_h = ceil(tau'_h / M).
std::uint64_t dp_fed_pne_pulls(const FedPneParameters& p,
                               const Privacy& privacy,
                               std::uint32_t depth);

/// The expansion criterion with tau': go deeper without sampling while |K| tau'_h <= M or h < 1.
bool dp_fed_pne_expands(const FedPneParameters& p,
                        const Privacy& privacy,
                        std::uint32_t depth,
                        std::uint64_t cells);

/// Always: a complete phase of depth h pulls at least k cells, so k t'_h <= T; the deepest such
/// h <= max_depth. O(max_depth).
std::uint32_t dp_fed_pne_depth_ceiling(const FedPneParameters& p,
                                       const Privacy& privacy,
                                       std::uint32_t max_depth);

}  // namespace posse::theory
