// What theory says of Fed-PNE, before and after a run.
//
// Source: Li, Song, Honorio, Lin, "Federated X-armed bandit" (P1), with the corrections E7-E9b.
// Symbols: M clients, T horizon per client, nu1 > 0 and 0 < rho < 1 the smoothness of f̄, c and c1
// the confidence constants, delta the confidence, k children per cell.
// Pure functions; cost O(1) unless said otherwise. All take valid parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace posse::theory {

struct FedPneParameters {
  std::uint64_t clients = 1;            // M >= 1
  std::uint64_t horizon = 1;            // T >= 1, pulls per client
  double nu1 = 1;                       // > 0
  double rho = 0.5;                     // in (0, 1)
  double c = 0.1;                       // > 0; the theory needs c >= 2
  double c1 = 1;                        // > 0; the theory needs c1 >= (2M)^{1/8}
  double delta = 1;                     // in (0, 1]
  std::uint32_t children_per_cell = 2;  // k >= 2
};

/// Lambda = ln(c1 T / delta); 0 (M = T = 1 by default) is allowed: b = 0, tau = 1.
double fed_pne_log_term(const FedPneParameters& p);

/// tau_h = ceil(c^2 Lambda nu1^-2 rho^-2h): looks of all clients together at a cell of depth h.
/// At least 1; saturates at 2^63.
std::uint64_t fed_pne_tau(const FedPneParameters& p, std::uint32_t depth);

/// t_h = ceil(tau_h / M): each client's pulls of a cell (E9b).
std::uint64_t fed_pne_pulls(const FedPneParameters& p, std::uint32_t depth);

/// The expansion criterion (E7): go deeper without sampling while |K| tau_h <= M or h < 1.
bool fed_pne_expands(const FedPneParameters& p, std::uint32_t depth, std::uint64_t cells);

/// b = c sqrt(Lambda / (arrived t_h)); `arrived` = M unless a policy closed the round early.
double fed_pne_radius(const FedPneParameters& p, std::uint64_t pulls, std::uint64_t arrived);

/// Always: the depth of the deepest complete phase, and so the number of complete phases, is at
/// most floor(1/2 log_{1/rho}(T M nu1^2 / (k c^2 Lambda))). At least 0; 2^63 (no bound) if Lambda =
/// 0. Callers know more: a partition's depth limit, and phases <= T / k.
std::uint64_t fed_pne_depth_ceiling(const FedPneParameters& p);

/// True where the constants are the theory's: c >= 2 and c1 >= (2M)^{1/8}.
bool fed_pne_constants_apply(const FedPneParameters& p);

/// One phase of a run, as the certificate needs it.
struct FedPnePhase {
  std::uint32_t depth = 0;
  std::uint64_t pulls_per_client = 0;  // n_p, the cut phase included
};

/// The run's own certificate (ours; on E, with the full Assumption 2): per-client cumulative
/// regret against f̄* <= sum_p n_p min(1, 12 nu1 rho^{h_{p-1}}), factor 1 for the first phase.
/// Phases in order; O(phases).
double fed_pne_certificate(const FedPneParameters& p, std::span<const FedPnePhase> phases);

/// The explicit a-priori form (ours), total over the M clients, minimised over H:
/// sum_{h=1}^{h0} 12 M nu1 rho^{h-1} k^h + sum_{h=1}^{H} 12 nu1 rho^{h-1} tau_h k C (nu1
/// rho^{h-1})^-d
/// + 12 M T nu1 rho^H + 2 M delta T^-5, h0 the largest h with tau_h <= M.
/// d >= 0 and C > 0: near-optimality dimension and constant. O(H).
double fed_pne_regret_bound(const FedPneParameters& p, double d, double C);
/// The same for a variant with other looks than tau_h.
double fed_pne_regret_bound(const FedPneParameters& p,
                            double d,
                            double C,
                            const std::function<std::uint64_t(std::uint32_t depth)>& tau);

}  // namespace posse::theory
