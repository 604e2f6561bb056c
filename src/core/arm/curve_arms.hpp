// SPDX-License-Identifier: Apache-2.0
// Recorded learning curves as arms: a pull reads the arm's next loss from a table.
//
// Source: Dorn et al. 2025, section 5.4 and Appendix C: g(k) = factor · f(x_1)/sqrt k, a heuristic.
// f(x_1) is the arm's loss after its first pull (per-arm, as in the paper) or the largest such loss
// of all arms (common; see PAPERS.md, f-lcb-21), less `limit`, a loss that can't be beaten (0).
// Values to be maximized are losses with the other sign; without a limit they have no g.
// CSV: a row per pull with the columns arm (a name) and loss. The optional column `run`
// distinguishes independent records. The optional column `k` must grow by 1 from row to row of an
// arm. Other columns are ignored. Arms have the order of the file's first run; all runs have the
// same arms. A curve has an end, but an allocation such as F-LCB may pull one arm T - K + 1 times.
// past_end:
//   refuse  rejects a budget with which pulls can run past the end of a curve
//   hold    repeats the last loss, while g continues to fall; for replays of a search that made no
//           more pulls than were recorded
// f_i* is the smallest recorded loss. No randomness. Cost: O(1) per pull.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/arm/arm_family.hpp"

namespace posse {

struct LearningCurves {
  std::vector<std::string> arms;
  struct Run {
    std::string name;                         // "" without a column run
    std::vector<std::vector<double>> losses;  // by arm, not empty
  };
  std::vector<Run> runs;  // in the file's order
};

/// `loss` names the column of values; empty: loss, or val_loss. Values to be maximized become
/// losses by changing their sign. Throws InputError, also if the name is that of something to be
/// maximized and nothing is said of it.
LearningCurves parse_learning_curves(std::string_view text,
                                     std::string_view loss,
                                     std::optional<bool> maximize = std::nullopt);

/// g(k) = scale/sqrt k: scale = factor · f(x_1).
double heuristic_bound(double scale, std::uint64_t k);

/// The parameters factor and scale of that g.
std::vector<ParameterSpec> heuristic_parameters();

ArmFamilySpec curve_arms_spec();

}  // namespace posse
