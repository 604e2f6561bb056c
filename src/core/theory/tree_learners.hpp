// SPDX-License-Identifier: Apache-2.0
// Bounds for the single-learner tree algorithms, before and after a run, and the thresholds and
// schedules that the learners use.
//
// Sources: HOO and T-HOO, Bubeck, Munos, Stoltz & Szepesvári 2011; HCT-iid, Azar, Lazaric &
// Brunskill 2014 and Shang, Kaufmann & Valko 2018, with the corrections hct-1 to hct-7 of
// PAPERS.md; VHCT, Li, Wang, Cheng & Song 2023; POO, Grill, Valko & Munos 2015; GPO, Shang,
// Kaufmann & Valko 2019; StoSOO, Valko, Carpentier & Munos 2013. Symbols: n evaluations; nu > 0 and
// 0 < rho < 1 smoothness constants; c > 0 and 0 < delta <= 1 confidence constants; k children per
// cell; h depth; d and C near-optimality dimension and constant. Pure functions of valid
// parameters; cost O(1) unless stated otherwise.
#pragma once

#include <cstdint>
#include <optional>

namespace posse::theory {

// --- HOO and T-HOO -------------------------------------------------------------------------------

/// D = ceil((1/2 ln n - ln(1/nu)) / ln(1/rho)), at least 1: T-HOO does not expand cells at depth D.
std::uint32_t t_hoo_depth(std::uint64_t n, double nu, double rho);

/// Order of E[R_n]: n^{(d+1)/(d+2)} (ln n)^{1/(d+2)}, constant unknown. No bound is proven under
/// the local assumption of Shang, Kaufmann & Valko 2018 alone (see PAPERS.md, hoo-3).
double hoo_regret_rate(std::uint64_t n, double d);

// --- HCT and VHCT --------------------------------------------------------------------------------

struct HctParameters {
  double nu = 1;        // > 0
  double rho = 0.5;     // in (0, 1)
  double c = 0.1;       // > 0; the theory needs 2 / sqrt(1 - rho)
  double delta = 0.01;  // in (0, 1]; for expected regret 1/n
};

/// The theory's c = 2 / sqrt(1 - rho).
double hct_theory_c(double rho);

/// L(t) = ln(1 / min(c1 delta / t+, 1/2)), c1 = (rho / (3 nu))^{1/8}, t+ the least power of two >=
/// t (base 2: see PAPERS.md, hct-4). t >= 1. At least ln 2.
double hct_log_term(const HctParameters& p, std::uint64_t t);

/// HCT's tau_h(t) = ceil(c^2 L nu^-2 rho^-2h) for L = L(t): the walk passes a cell with at least
/// this number of pulls of its own. At least 1; saturates at 2^63.
std::uint64_t hct_pulls(const HctParameters& p, double log_term, std::uint32_t depth);

/// The estimate of the variance that VHCT uses is never below this.
inline constexpr double kVhctLeastVariance = 1e-3;

/// VHCT's tau_{h,i}(t) = ceil((V + 3 b OE + V sqrt(1 + 6 b OE / V)) c^2 L / OE^2), OE = nu rho^h,
/// V = `variance` >= 1e-3, b = `range` > 0: the T at which vhct_radius equals OE, rounded up.
std::uint64_t vhct_pulls(
    const HctParameters& p, double range, double variance, double log_term, std::uint32_t depth);
/// vhct_pulls with OE = `smoothness`.
std::uint64_t vhct_pulls_of(
    const HctParameters& p, double range, double variance, double log_term, double smoothness);

/// c sqrt(L / T).
double hct_radius(const HctParameters& p, double log_term, std::uint64_t pulls);
/// c sqrt(2 V L / T) + 3 b c^2 L / T.
double vhct_radius(
    const HctParameters& p, double range, double variance, double log_term, std::uint64_t pulls);

/// Holds always: a cell is expanded after tau_h >= c^2 L(1) nu^-2 rho^-2h of the n pulls, so the
/// deepest depth is <= 1 + floor(1/2 log_{1/rho}(n nu^2 / (c^2 L(1)))). At least 1.
std::uint64_t hct_depth_bound(const HctParameters& p, std::uint64_t n);
/// hct_depth_bound for VHCT, whose threshold is smallest for V = 1e-3. O(depth).
std::uint64_t vhct_depth_bound(const HctParameters& p, double range, std::uint64_t n);

/// Holds always: the number of cells of the tree, including the root, if at depth h no more than
/// min(k^h, n / tau_h) cells are expanded, with tau_h as in the depth bounds, and none at the
/// partition's depth limit `max_depth`. `range`: VHCT's b. O(depth).
double hct_cells_bound(const HctParameters& p,
                       std::optional<double> range,
                       std::uint64_t n,
                       std::uint32_t children_per_cell,
                       std::uint32_t max_depth);

/// Lemma 4 of Shang, Kaufmann & Valko 2018: ceil(ln(n nu^2 / (c^2 rho^2)) / (2 (1 - rho))).
double hct_depth_paper(const HctParameters& p, std::uint64_t n);
/// True where Lemma 4 holds: L(1) >= 1, which does not follow from delta~ <= 1/2 (PAPERS.md,
/// hct-5).
bool hct_depth_paper_applies(const HctParameters& p);

/// True if c is at least the theory's value.
bool hct_constants_apply(const HctParameters& p);

/// With probability 1 - delta, under Assumption 1 of Shang, Kaufmann & Valko 2018, near-optimality
/// with 3 nu rho^h (PAPERS.md, hct-7) and the theory's c:
/// R_n <= sqrt(n) + sqrt(2 n ln(4 n^2 / delta))
/// + 24 nu (4 C rho^d L_n / ((1-rho)^2 nu^2))^{1/(d+2)} n^{(d+1)/(d+2)},
/// L_n = ln((2n / delta) (3 nu / rho)^{1/8}). The paper's equation 15 has 24 nu / c (hct-6).
double hct_regret_bound(const HctParameters& p, std::uint64_t n, double d, double C);

// --- POO and GPO ---------------------------------------------------------------------------------

/// D_max = ln k / ln(1 / rho_max).
double poo_depth_constant(std::uint32_t children_per_cell, double rho_max);

/// True while POO doubles its N instances after n evaluations: n >= 3 (PAPERS.md, poo-1) and
/// N <= 1/2 D_max ln(n / ln n). Monotone in n.
bool poo_doubles(std::uint64_t n, std::uint64_t instances, double depth_constant);

/// rho_max^{2N / (2i+1)}: instance i = 1 … N of GPO's N, and of those that make POO's N to 2N.
double poo_rho(double rho_max, std::uint64_t instances, std::uint64_t i);

/// Order of the simple regret of POO: (ln^2 n / n)^{1/(d(nu*,rho*)+2)}, constant unknown.
double poo_loss_rate(std::uint64_t n, double d);

/// GPO's N = ceil(1/2 D_max ln((n/2) / ln(n/2))). Where the listing is undefined (PAPERS.md,
/// gpo-1): N = 1 for n/2 < 3, and N <= n/2, so that every instance evaluates something. At least 1.
std::uint64_t gpo_instances(std::uint64_t n, double depth_constant);

// --- StoSOO --------------------------------------------------------------------------------------

/// kappa = ceil(n / ln^3 n), the largest number of pulls of a cell. At least 1; 2^63 for n = 1.
std::uint64_t stosoo_pulls(std::uint64_t n);
/// delta = 1 / sqrt(n).
double stosoo_delta(std::uint64_t n);
/// h_max = floor(sqrt(n / kappa)), the largest depth that is searched.
std::uint32_t stosoo_depth(std::uint64_t n, std::uint64_t kappa);
/// Order of the simple regret for d = 0: ln^2 n / sqrt(n), constant unknown.
double stosoo_loss_rate(std::uint64_t n);

}  // namespace posse::theory
