// SPDX-License-Identifier: Apache-2.0
// What is unfair or uncertain about a study's numbers.
#pragma once

#include "program/compare/study_words.hpp"

namespace posse {

/// What the numbers of the finished runs don't say by themselves: a sentence for each kind of
/// warning and algorithm.
Sentences warnings_of_runs(const Study& study);

/// These, and what to keep in mind when reading the tables.
Sentences study_warnings(const Study& study, const StudyComparison& comparison);

}  // namespace posse
