// SPDX-License-Identifier: Apache-2.0
// Parameters that several tree algorithms share, and checks of them.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// nu1 (default 1) and rho (0.5), as in the experiments of the Fed-PNE and PF-PNE papers.
std::vector<ParameterSpec> smoothness_parameters();
/// c (0.1), c1 (1) and delta (auto: 1/M) of Fed-PNE and PF-PNE. `c1_help` says what the theory
/// requires of c1.
std::vector<ParameterSpec> confidence_parameters(std::string_view c1_help);
/// Of that c: the theory needs c >= 2.
Widths federated_widths(double c);

/// Errors of a scenario in the budget if messages hold counts of pulls or steps (see
/// kLargestBudget), and in the partition's parameters. `kind` names the algorithm.
std::vector<std::string> budget_errors(std::string_view kind, const ProtocolContext& context);
std::vector<std::string> partition_errors(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context);

/// Appends `more` to `list`.
template <class T>
void append(std::vector<T>& list, std::vector<T> more) {
  list.insert(
      list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace posse
