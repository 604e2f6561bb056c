// SPDX-License-Identifier: Apache-2.0
// Schedule and bounds of Fed-PNE.
//
// Source: Li, Song, Honorio and Lin, "Federated X-armed bandit" (AAAI 2024), with the corrections
// fed-pne-1 to fed-pne-3 of PAPERS.md. The certificate and the explicit bound are Posse's own
// (fed-pne-8).
//   M          clients
//   T          horizon: pulls per client
//   f̄          mean of the clients' objectives, with maximum f̄*
//   nu1, rho   smoothness of f̄, nu1 > 0, 0 < rho < 1
//   c, c1      confidence constants
//   delta      confidence
//   k          children per cell
//   h, K       depth, active cells of that depth
// All functions are pure and take valid parameters. Cost: O(1) unless stated otherwise.
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

/// Lambda = ln(c1 T / delta). It is 0 with the defaults and M = T = 1; then b = 0 and tau_h = 1.
double fed_pne_log_term(const FedPneParameters& p);

/// tau_h = ceil(c^2 Lambda nu1^-2 rho^-2h): pulls of a cell of depth h by all clients together. At
/// least 1; saturates at 2^63.
std::uint64_t fed_pne_tau(const FedPneParameters& p, std::uint32_t depth);

/// t_h = ceil(tau_h / M): pulls of a cell by each client (see PAPERS.md, fed-pne-3).
std::uint64_t fed_pne_pulls(const FedPneParameters& p, std::uint32_t depth);

/// The expansion criterion: K is split without sampling while |K| tau_h <= M or h < 1 (see
/// PAPERS.md, fed-pne-1).
bool fed_pne_expands(const FedPneParameters& p, std::uint32_t depth, std::uint64_t cells);

/// Confidence radius b = c sqrt(Lambda / (arrived t_h)). `arrived` is M unless the server policy
/// closed the round early.
double fed_pne_radius(const FedPneParameters& p, std::uint64_t pulls, std::uint64_t arrived);

/// Ceiling on the depth of the deepest complete phase, and so on the number of complete phases,
/// which always holds: floor(1/2 log_{1/rho}(T M nu1^2 / (k c^2 Lambda))). At least 0; 2^63 (no
/// bound) if Lambda = 0. Callers also apply the partition's depth limit and phases <= T / k.
std::uint64_t fed_pne_depth_ceiling(const FedPneParameters& p);

/// Whether the constants satisfy the conditions of the theory: c >= 2 and c1 >= (2M)^{1/8}.
bool fed_pne_constants_apply(const FedPneParameters& p);

/// One phase of a run, input of the certificate.
struct FedPnePhase {
  std::uint32_t depth = 0;
  std::uint64_t pulls_per_client = 0;  // n_p, also for the cut phase
};

/// Certificate of a run (Posse's own): on the paper's high-probability event, and under its
/// Assumption 2 in full, the cumulative regret per client against f̄* is at most
/// sum_p n_p min(1, 12 nu1 rho^{h_{p-1}}), with 1 instead of the minimum for the first phase. Takes
/// the phases in order. Cost: O(phases).
double fed_pne_certificate(const FedPneParameters& p, std::span<const FedPnePhase> phases);

/// Explicit bound before the run (Posse's own), in total over the M clients, minimised over H:
/// sum_{h=1}^{h0} 12 M nu1 rho^{h-1} k^h
/// + sum_{h=1}^{H} 12 nu1 rho^{h-1} tau_h k C (nu1 rho^{h-1})^-d
/// + 12 M T nu1 rho^H + 2 M delta T^-5, where h0 is the largest h with tau_h <= M.
/// d >= 0 and C > 0: near-optimality dimension and constant. Cost: O(H).
double fed_pne_regret_bound(const FedPneParameters& p, double d, double C);
/// fed_pne_regret_bound of a variant with another number of pulls than tau_h.
double fed_pne_regret_bound(const FedPneParameters& p,
                            double d,
                            double C,
                            const std::function<std::uint64_t(std::uint32_t depth)>& tau);

}  // namespace posse::theory
