// SPDX-License-Identifier: Apache-2.0
// Settings of a Fed-PNE run and how they follow from the parameters. DP-Fed-PNE, fed-pne-variance
// and pf-pne-reuse use parts of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "actors/common/edge_uploads.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/private_bounds.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/objective/problem.hpp"
#include "core/role/hierarchy.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Settings that all nodes of a run share.
struct FedPneSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;            // M
  std::uint64_t budget;             // T
  theory::FedPneParameters theory;  // M, T, nu1, rho, c, c1, delta
  theory::Privacy privacy;          // no noise in Fed-PNE, set by DP-Fed-PNE
  bool trim_last_plan;
  bool compact_plan;  // implies trim_last_plan, which does not change a compact plan
  Policy policy;
  MeanEncoding means;   // of uploads
  Hierarchy hierarchy;  // of M clients
  EdgeSummation sums;

  /// A compact plan refers to the plans before it, and edges count their clients' pulls.
  bool can_lose_state() const { return !compact_plan && hierarchy.edges == 0; }
  /// The message that starts a phase.
  const MessageType& plan_type() const {
    return compact_plan ? kMessageType<CompactPlan> : kMessageType<PhasePlan>;
  }
  /// The message in which a client sends means.
  const MessageType& upload_type() const { return means_type<LocalMeans>(means); }
  /// The message in which the server gets means.
  const MessageType& upload_to_server() const {
    if (hierarchy.edges == 0) return upload_type();
    return sums == EdgeSummation::exact ? kMessageType<EdgeSums> : means_type<EdgeMeans>(means);
  }
  /// t_h: pulls of each cell by each client.
  std::uint64_t pulls(std::uint32_t depth) const {
    return theory::dp_fed_pne_pulls(theory, privacy, depth);
  }
  /// The expansion criterion: whether K, `cells` cells of this depth, is split without sampling.
  bool expands(std::uint32_t depth, std::uint64_t cells) const {
    return theory::dp_fed_pne_expands(theory, privacy, depth, cells);
  }
  /// b: confidence radius of the means.
  double radius(std::uint64_t pulls, std::uint64_t arrived) const {
    return theory::dp_fed_pne_radius(theory, privacy, pulls, arrived);
  }
};

/// The parameters that Fed-PNE and DP-Fed-PNE share.
std::vector<ParameterSpec> fed_pne_parameters();
/// Theory parameters from M, T, nu1, rho, c, c1 and delta; children_per_cell keeps its default.
theory::FedPneParameters fed_pne_theory_parameters(const Parameters& parameters,
                                                   const ProtocolContext& context);
/// An error if Lambda is negative. `kind` names the algorithm in the messages.
std::vector<std::string> lambda_errors(std::string_view kind,
                                       const Parameters& parameters,
                                       const ProtocolContext& context);
/// Errors in the budget and in the partition's parameters.
std::vector<std::string> validate_plans(std::string_view kind,
                                        const Parameters& parameters,
                                        const ProtocolContext& context);
/// The errors of validate_plans and of lambda_errors.
std::vector<std::string> validate_phases(std::string_view kind,
                                         const Parameters& parameters,
                                         const ProtocolContext& context);
/// Errors in `edges` and `sums`.
std::vector<std::string> edge_errors(std::string_view kind,
                                     const Parameters& parameters,
                                     const ProtocolContext& context);
/// The errors of validate_phases, and errors in the parameters that only Fed-PNE and DP-Fed-PNE
/// have.
std::vector<std::string> validate_fed_pne(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context);
FedPneSetup make_fed_pne_setup(const Parameters& parameters, const ProtocolContext& context);

}  // namespace posse
