// SPDX-License-Identifier: Apache-2.0
// A random problem: an algorithm of the catalogue, with a small objective or arms.
#pragma once

#include <cstdint>

#include "core/role/protocol.hpp"
#include "program/fates/draws.hpp"
#include "program/scenario/value.hpp"

namespace posse::chaos {

Table draw_algorithm(Draws& draws, const AlgorithmSpec& spec, std::uint64_t arms);
/// Objectives whose maxima are found soon, each with differences between clients for which that
/// stays so.
Table draw_objective(Draws& draws, std::uint64_t clients);
inline constexpr std::uint64_t kFewestArms = 2, kMostArms = 5;
Table draw_arms(Draws& draws, const AlgorithmSpec& spec, std::uint64_t count);

}  // namespace posse::chaos
