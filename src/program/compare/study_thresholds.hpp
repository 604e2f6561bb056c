// SPDX-License-Identifier: Apache-2.0
// Thresholds over a study: in every setting, for every algorithm that they are for.
#pragma once

#include <vector>

#include "program/study/study.hpp"
#include "program/summary/threshold_verdicts.hpp"

namespace posse {

/// `algorithm` of a verdict also names the setting, where there are several. Thresholds against a
/// bound are left undecided: a study has no bounds.
std::vector<ThresholdVerdict> judge_study(const std::vector<Threshold>& thresholds,
                                          const Study& study);

}  // namespace posse
