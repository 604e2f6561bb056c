// SPDX-License-Identifier: Apache-2.0
// Schedules and bounds of the optimistic tree searches SOO, DOO, SequOOL and StroquOOL, and of the
// zooming algorithm.
//
// Sources: Munos 2011 (Theorems 1 and 2); Bartlett, Gabillon & Valko 2019; Kleinberg, Slivkins &
// Upfal 2008 and 2019. Symbols: n a number of evaluations or expansions, as stated; k children per
// cell; I_h the cells of depth h with f(x_{h,i}) >= f* - nu rho^h, of which there are at most
// C rho^{-dh}; H_n = 1 + 1/2 + … + 1/n. Each `…_loss_depth` is a depth h for which the loss of the
// output is at most nu rho^h, without noise and given assumption (A). Pure functions.
#pragma once

#include <cstdint>

#include "core/theory/smoothness.hpp"

namespace posse::theory {

/// H_n, to 1e-13: a sum up to n = 1000, then ln n + 0.5772… + 1/(2n) - 1/(12 n^2).
double harmonic(std::uint64_t n);

// --- SOO and DOO ---------------------------------------------------------------------------------

/// SOO's h_max(t) = floor(sqrt t), t = 1 + the number of expansions.
std::uint32_t soo_depth(std::uint64_t t);

/// Theorem 2 of Munos 2011: min(h(n), h_max + 1), h(n) the smallest h with
/// h_max sum_{l<=h} C rho^{-dl} >= n, after n expansions. O(h_max).
std::uint32_t soo_loss_depth(std::uint64_t expansions,
                             std::uint32_t max_depth,
                             const NearOptimality& near,
                             double rho);

/// Theorem 1 of Munos 2011: the smallest h with sum_{l<=h} C rho^{-dl} >= n, at most `deepest`.
std::uint32_t doo_loss_depth(std::uint64_t expansions,
                             std::uint32_t deepest,
                             const NearOptimality& near,
                             double rho);

// --- SequOOL and StroquOOL -----------------------------------------------------------------------

/// SequOOL's h_max = floor(n / H_n) for n >= 1 openings. At least 1.
std::uint64_t sequool_depth(std::uint64_t openings);

/// 1 + sum_{h<=depth} floor(h_max / h): the most cells that SequOOL opens down to this depth.
/// O(depth).
std::uint64_t sequool_openings(std::uint64_t max_depth, std::uint64_t depth);

/// 1 + the largest h <= `deepest` with floor(h_max / h) >= C rho^{-dh}, since then the cell of
/// depth h that holds a maximiser is opened. O(deepest).
std::uint32_t sequool_loss_depth(std::uint64_t max_depth,
                                 std::uint32_t deepest,
                                 const NearOptimality& near,
                                 double rho);

/// StroquOOL's h_max = floor(n / (k (H_n + 1)^2)) for n evaluations, which the schedule then does
/// not exceed; the paper has k = 2. At least 1.
std::uint64_t stroquool_depth(std::uint64_t n, std::uint32_t children_per_cell);

/// The most evaluations that StroquOOL's schedule makes down to `depth` <= h_max, with the
/// cross-validation: k (h_max + sum_{h<=depth} sum_m floor(h_max / (h m))) +
/// (1 + floor(log2 h_max)) h_max. O(depth sqrt h_max).
double stroquool_evaluations(std::uint64_t max_depth,
                             std::uint64_t depth,
                             std::uint32_t children_per_cell);

/// Without noise: 1 + the largest h <= `deepest` with m_h <= floor(h_max / h), where m_0 = 1 and
/// m_h = m_{h-1} + C rho^{-dh} - 1 bounds the rank at which the cell that holds a maximiser is
/// opened (PAPERS.md, stroquool-4). O(deepest).
std::uint32_t stroquool_loss_depth(std::uint64_t max_depth,
                                   std::uint32_t deepest,
                                   const NearOptimality& near,
                                   double rho);

/// Order of StroquOOL's loss under noise: (ln^4 n / n)^{1/(d+2)}, constant unknown.
double stroquool_loss_rate(std::uint64_t n, double d);

// --- Zooming -------------------------------------------------------------------------------------

/// The radius of an arm after `pulls` of n evaluations: sqrt(2 ln n / (T + 1)).
double zooming_radius(std::uint64_t n, std::uint64_t pulls);

/// The least T >= 1 for which the radius is below nu rho^h: an arm with T pulls doesn't cover a
/// cell of depth h. Saturates at 2^63.
std::uint64_t zooming_pulls(std::uint64_t n, double nu, double rho, std::uint32_t depth);

/// Holds always: the depth of the deepest cell, since a cell of depth h is split by an arm with at
/// least zooming_pulls(h) pulls. At most `limit`.
std::uint32_t zooming_depth_bound(std::uint64_t n, double nu, double rho, std::uint32_t limit);

/// Holds always: the number of cells, 1 + k sum_h min(k^h, n / zooming_pulls(h)).
double zooming_cells_bound(
    std::uint64_t n, double nu, double rho, std::uint32_t children_per_cell, std::uint32_t limit);

/// Order of the expected regret: n^{(d+1)/(d+2)} (ln n)^{1/(d+2)}, constant unknown.
double zooming_regret_rate(std::uint64_t n, double d);

}  // namespace posse::theory
