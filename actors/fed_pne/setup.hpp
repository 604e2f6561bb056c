// What the nodes of a Fed-PNE run share, and how it follows from the parameters. DP-Fed-PNE and the
// variants of Fed-PNE use parts of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/private_bounds.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// What all nodes of a run share.
struct FedPneSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;            // M
  std::uint64_t budget;             // T
  theory::FedPneParameters theory;  // nu1, rho, c, c1, delta; M and T again
  theory::Privacy privacy;          // none unless DP-Fed-PNE sets it
  bool trim_last_plan;
  bool compact_plan;  // which trims as well: its size doesn't depend on it
  Policy policy;

  /// What the server sends at the start of a phase.
  const MessageType& plan_type() const {
    return compact_plan ? kMessageType<CompactPlan> : kMessageType<PhasePlan>;
  }
  /// t_h.
  std::uint64_t pulls(std::uint32_t depth) const {
    return theory::dp_fed_pne_pulls(theory, privacy, depth);
  }
  /// Whether so many cells of this depth are split without being sampled.
  bool expands(std::uint32_t depth, std::uint64_t cells) const {
    return theory::dp_fed_pne_expands(theory, privacy, depth, cells);
  }
  /// b.
  double radius(std::uint64_t pulls, std::uint64_t arrived) const {
    return theory::dp_fed_pne_radius(theory, privacy, pulls, arrived);
  }
};

/// The parameters that Fed-PNE and its variants share.
std::vector<ParameterSpec> fed_pne_parameters();
/// Of nu1, rho, c, c1 and delta; children_per_cell is left at its default.
theory::FedPneParameters fed_pne_theory_parameters(const Parameters& parameters,
                                                   const ProtocolContext& context);
/// What is wrong with the budget, since pull counts travel in 4 bytes, and with the partition's
/// parameters, in the name of the algorithm `kind`.
std::vector<std::string> validate_plans(std::string_view kind,
                                        const Parameters& parameters,
                                        const ProtocolContext& context);
/// The same, and what is wrong with Lambda.
std::vector<std::string> validate_phases(std::string_view kind,
                                         const Parameters& parameters,
                                         const ProtocolContext& context);
/// The same with all of `fed_pne_parameters`.
std::vector<std::string> validate_fed_pne(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context);
FedPneSetup make_fed_pne_setup(const Parameters& parameters, const ProtocolContext& context);

}  // namespace posse
