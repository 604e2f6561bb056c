// The formulas of PF-PNE with reuse (algorithm/pf_pne_reuse.hpp): confidence by depth, and how much
// clients differ.
//
// Ours. `level` confidence follows the logarithm of improved UCB (Auer, Ortner, "UCB revisited",
// 2010): telling cells apart at the resolution nu1 rho^h can save at most N (nu1 rho^h)^2
// evaluations a cell times 1 / (nu1 rho^h)^2, so that ln(N (nu1 rho^h)^2) is enough where ln(N)
// would be needed to be right at all depths alike. Pure functions, O(1); all take valid parameters.
#pragma once

#include <cstdint>
#include <string_view>

namespace posse::theory {

/// level: Lambda_h(N) = max(1, ln(N (nu1 rho^h)^2)). horizon: Lambda = ln(c1 T / delta) at every
/// depth, as P1 and P3 have it.
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

/// Who samples: all clients, whose M T evaluations are at stake, or one with its T.
enum class Stake { together, alone };

/// Lambda_h; with `level` at least 1, with `horizon` as the constants make it.
double reuse_log_term(const ReuseParameters& p, Stake stake, std::uint32_t depth);

/// c sqrt(Lambda_h / n): radius of a mean of n >= 1 rewards, of all clients or of one.
double reuse_radius(const ReuseParameters& p, Stake stake, std::uint32_t depth, std::uint64_t n);

/// tau_h = ceil(c^2 Lambda_h nu1^-2 rho^-2h): so many rewards make the radius nu1 rho^h. At least
/// 1; saturates at 2^63.
std::uint64_t reuse_tau(const ReuseParameters& p, Stake stake, std::uint32_t depth);

/// A lower confidence bound of the clients' spread: the standard deviation across clients of
/// f_m(x), in mean square over `cells` compared cells. `mean_variance`: mean over the cells of the
/// sample variance (divisor M - 1) of the clients' means; `noise_variance`: of one client's mean.
/// mean_variance (1 - 2 sqrt(2 / ((M - 1) cells))) - noise_variance, its root, or 0: two standard
/// deviations of the sample variance of normal numbers. M >= 2, cells >= 1.
double clients_spread(std::uint64_t clients,
                      std::uint64_t cells,
                      double mean_variance,
                      double noise_variance);

}  // namespace posse::theory
