// SPDX-License-Identifier: Apache-2.0
// Stage 1 as the protocols of PF-PNE and of the systems that search alone in another way print it.
#pragma once

#include <vector>

#include "actors/pf_pne/setup.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// From M, T, nu1, rho, c, c1, delta, max_difference and the partition's parameters.
PfPneSetup make_first_stage_setup(const Parameters& parameters, const ProtocolContext& context);

/// `max_difference`.
ParameterSpec max_difference_parameter();
/// Errors in Lambda and in the partition's parameters. `kind` names the algorithm.
std::vector<std::string> validate_first_stage(std::string_view kind,
                                              const Parameters& parameters,
                                              const ProtocolContext& context);

/// Adds rounds, H0, messages, values and payload. The traffic follows from the levels if every
/// client answers.
void add_first_stage(const PfPneSetup& setup,
                     const RunOutcome& outcome,
                     bool all_answered,
                     std::vector<Measurement>& measurements);
Forecast first_stage_forecast(const PfPneSetup& setup);

}  // namespace posse
