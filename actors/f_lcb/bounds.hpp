// What theory says of F-LCB runs on arms whose bounds are valid.
//
// Source: Dorn, Katrutsa, Latypov, Soboleva (paper 004): Theorem 4.
#pragma once

#include <cstdint>
#include <optional>

#include "core/arm/arm.hpp"

namespace posse::theory {

/// Theorem 4: with the stop test at selection, BFI makes at most
/// 1 + sum_i min{k : g_i(k) <= max(f_i* - f* - epsilon/2, epsilon/2)} pulls. Runs every arm's
/// optimizer until its bound is small enough, at most `most` steps each; nothing if that isn't
/// enough, or some f_i* is unknown. epsilon > 0.
std::optional<std::uint64_t> bfi_pulls_ceiling(const ArmSet& arms,
                                               double epsilon,
                                               std::uint64_t most);

}  // namespace posse::theory
