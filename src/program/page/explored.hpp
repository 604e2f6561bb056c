// SPDX-License-Identifier: Apache-2.0
// A study as the page explores it: every setting's means, by keys and measures.
#pragma once

#include "program/base/json.hpp"
#include "program/compare/study.hpp"

namespace posse {

/// algorithms, settings: names. keys: [{key, label, unit, log, categories, at}], `at` a number or
/// the position of a category by setting, null where there is none; keys that change together are
/// one. measures: [{name, label, unit}], those with values that differ. cells:
/// {setting, algorithm, finished, unfinished, mean, half}: lists over the cells; of `mean` and
/// `half`, half of the mean's 95 % interval, lists over the measures. effects: [{key, algorithm,
/// measure, in_common, contexts, left_out, at, mean, half}], as main_effects(); positions in the
/// lists above.
Json explored_json(const Study& study);

/// The runs of a cell that have a folder: [{repetition, finished}].
Json runs_json(const Study& study, std::size_t setting, std::size_t algorithm);

}  // namespace posse
