// SPDX-License-Identifier: Apache-2.0
// The first sentences of a study's report.
#pragma once

#include <cstddef>

#include "program/compare/study_words.hpp"

namespace posse {

/// Why sums over evaluations are not compared; nothing if they are.
Sentences work_headline(const Study& study, const StudyComparison& comparison);
/// Who is best by this measure, by how much, at what cost, and in which settings.
Sentences algorithms_headline(const Study& study,
                              const StudyComparison& comparison,
                              std::size_t measure);
/// Other regrets by which the winner is behind, or one of the two in front if none is clear.
Sentences reversals(const Study& study, const StudyComparison& comparison, std::size_t measure);
/// What the last setting changes against the first, for each algorithm, and where one between them
/// does what it doesn't.
Sentences settings_headline(const Study& study, const StudyComparison& comparison);

}  // namespace posse
