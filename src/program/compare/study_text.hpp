// A compared study as text: the verdict in a sentence, then tables.
#pragma once

#include <optional>
#include <string>

#include "program/compare/study_comparison.hpp"

namespace posse {

/// The measure that decides: cumulative regret if there is one, else the value of the answer, else
/// virtual time. A position in kQuantities.
std::size_t main_measure(const StudyComparison& comparison);

/// Who wins, by how much, at what cost; and what the settings change. Sentences, one a line.
std::string headline(const Study& study, const StudyComparison& comparison, std::size_t measure);

/// Headline and tables; `wanted`: how many more repetitions this width needs.
std::string study_text(const Study& study,
                       const StudyComparison& comparison,
                       std::size_t measure,
                       const std::optional<WantedWidth>& wanted);
std::string study_json(const Study& study,
                       const StudyComparison& comparison,
                       std::size_t measure,
                       const std::optional<WantedWidth>& wanted);

}  // namespace posse
