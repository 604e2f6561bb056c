// SPDX-License-Identifier: Apache-2.0
// Formulas of PF-PNE with reuse (Posse's own): confidence that depends on the depth, and an
// estimate of the difference between the clients.
//
// The confidence `level` follows the logarithm of improved UCB (Auer and Ortner, "UCB revisited",
// 2010). Distinguishing cells at the resolution nu1 rho^h costs 1 / (nu1 rho^h)^2 evaluations per
// cell and a logarithm. ln(N (nu1 rho^h)^2) is sufficient there; ln(N) would be needed to be right
// at all depths with the same probability.
// All functions are pure, take valid parameters and cost O(1).
#pragma once

#include <cstdint>
#include <string_view>

namespace posse::theory {

/// level: Lambda_h(N) = max(1, ln(N (nu1 rho^h)^2)). horizon: Lambda = ln(c1 T / delta) at every
/// depth, as in the papers of Fed-PNE and PF-PNE.
enum class Confidence { level, horizon };

struct ReuseParameters {
  std::uint64_t clients = 1;  // M >= 1
  std::uint64_t horizon = 1;  // T >= 1, pulls per client
  double nu1 = 1;             // > 0
  double rho = 0.5;           // in (0, 1)
  double c = 0.1;             // > 0
  Confidence confidence = Confidence::level;
  double c1 = 1;     // > 0; horizon only
  double delta = 1;  // in (0, 1]; horizon only
};

/// Who samples: all clients (N = M T evaluations) or one client (N = T).
enum class Stake { together, alone };

/// Lambda_h. At least 1 with `level`; with `horizon` the constants may make it smaller.
double reuse_log_term(const ReuseParameters& p, Stake stake, std::uint32_t depth);

/// c sqrt(Lambda_h / n): confidence radius of a mean of n >= 1 rewards, of all clients or of one.
double reuse_radius(const ReuseParameters& p, Stake stake, std::uint32_t depth, std::uint64_t n);

/// tau_h = ceil(c^2 Lambda_h nu1^-2 rho^-2h): the number of rewards that reduces the radius to
/// nu1 rho^h. At least 1; saturates at 2^63.
std::uint64_t reuse_tau(const ReuseParameters& p, Stake stake, std::uint32_t depth);

/// Lower confidence bound of the clients' spread, the standard deviation of f_m(x) across clients
/// as a root mean square over `cells` cells:
/// sqrt(max(0, mean_variance (1 - 2 sqrt(2 / ((M - 1) cells))) - noise_variance)).
/// `mean_variance` is the mean over the cells of the sample variance (divisor M - 1) of the
/// clients' means, `noise_variance` the variance of one client's mean. The bound subtracts two
/// standard deviations of the sample variance of normal variables. M >= 2, cells >= 1.
double clients_spread(std::uint64_t clients,
                      std::uint64_t cells,
                      double mean_variance,
                      double noise_variance);

}  // namespace posse::theory
