// SPDX-License-Identifier: Apache-2.0
// The papers, and the rows of figures.hpp that have files of their own.
#pragma once

#include <string_view>
#include <vector>

#include "program/reproduce/figures.hpp"

namespace posse {

inline constexpr std::string_view kParallelPaper =
    "Chen, Liu, Zhang, Li, \"A parallel algorithm for X-armed bandits\"";
inline constexpr std::string_view kFederatedPaper =
    "Li, Song, Honorio, Lin, \"Federated X-armed bandit\" (AAAI 2024)";
inline constexpr std::string_view kPooPaper =
    "Shang, Kaufmann, Valko, \"Adaptive black-box optimization got easier: HCT only needs local "
    "smoothness\"";
inline constexpr std::string_view kPersonalizedPaper =
    "Li, Song, Honorio, \"Personalized federated X-armed bandit\" (AISTATS 2024)";
inline constexpr std::string_view kFunctionalPaper =
    "Dorn, Katrutsa, Latypov, Soboleva, \"Functional multi-armed bandit and the best function "
    "identification problems\"";

/// Functional bandits.
std::vector<PaperFigure> functional_figures();
/// How rounds and simple regrets grow, over several budgets.
std::vector<PaperFigure> growth_figures();

}  // namespace posse
