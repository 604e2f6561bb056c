// SPDX-License-Identifier: Apache-2.0
// Theory of F-LCB on arms whose bounds are valid.
//
// Source: Dorn, Katrutsa, Latypov & Soboleva, "Functional multi-armed bandit and the best function
// identification problems" (2025), Theorem 4. Departures: see PAPERS.md, f-lcb-4 and f-lcb-5.
#pragma once

#include <cstdint>
#include <optional>

#include "core/arm/arm.hpp"

namespace posse::theory {

/// Theorem 4: with the stopping test at selection, best function identification makes at most
/// 1 + sum_i min{k : g_i(k) <= max(f_i* - f* - epsilon/2, epsilon/2)} pulls. epsilon > 0. Runs
/// every arm's optimizer until its bound is small enough, for at most `most` steps. Returns nothing
/// if `most` steps are too few or some f_i* is unknown.
std::optional<std::uint64_t> bfi_pulls_ceiling(const ArmSet& arms,
                                               double epsilon,
                                               std::uint64_t most);

}  // namespace posse::theory
