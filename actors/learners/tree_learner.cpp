// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/tree_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "core/theory/assumption_a.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

constexpr std::array kTieBreaks{TieBreak::lower, TieBreak::last, TieBreak::random};
constexpr std::array kRecommendations{Recommendation::uniform_play,
                                      Recommendation::most_pulled,
                                      Recommendation::deepest_most_pulled,
                                      Recommendation::last};

template <class Choices>
std::vector<std::string_view> names_of(const Choices& choices) {
  std::vector<std::string_view> names;
  names.reserve(choices.size());
  for (const auto choice : choices) names.push_back(to_string(choice));
  return names;
}

template <class Choices>
auto chosen(const Choices& choices, std::string_view name) {
  return *std::find_if(
      choices.begin(), choices.end(), [&](auto choice) { return to_string(choice) == name; });
}

}  // namespace

TreeLearnerKind::TreeLearnerKind(const Parameters& parameters, const ProtocolContext& context)
    : problem_(context.problem),
      partition_(make_partition(parameters, context.problem->domain(), context.seed)) {}

Bound TreeLearnerKind::depth_ceiling(double depth, std::string note) const {
  return ceiling(std::min<double>(depth, partition_.max_depth()),
                 fmt::format("min({}, depth limit {})", note, partition_.max_depth()));
}

Bound TreeLearnerKind::given_smoothness(const RunOutcome& outcome,
                                        double value,
                                        std::string note,
                                        double nu,
                                        double rho,
                                        std::string why_not) const {
  const auto depth = outcome.counts.find(kTreeDepth);
  return given_smoothness_to(
      depth == outcome.counts.end() ? 0 : static_cast<std::uint32_t>(depth->second),
      value,
      std::move(note),
      nu,
      rho,
      std::move(why_not));
}

Bound TreeLearnerKind::given_smoothness_to(std::uint32_t deepest,
                                           double value,
                                           std::string note,
                                           double nu,
                                           double rho,
                                           std::string why_not) const {
  const auto fails = [&why_not](std::string reason) {
    why_not += (why_not.empty() ? "" : ", ") + std::move(reason);
  };
  const double width = problem_->noise().range_width();
  if (width > 1)
    fails(fmt::format("the range of the noise is {} wide, and Hoeffding's inequality needs 1",
                      width));
  if (partition_.point_kind() == PointKind::uniform)
    fails(
        "points are drawn at every pull, and the smoothness assumption is about one point per "
        "cell");
  else if (theory::assumption_a_fails_at(*problem_, partition_, nu, rho, deepest))
    fails("the smoothness assumption fails");
  note += "; " + theory::smoothness_verdict(*problem_, partition_, nu, rho, deepest);
  if (!why_not.empty()) note += "; does not apply: " + why_not;
  return {value,
          why_not.empty() ? BoundKind::derived : BoundKind::does_not_apply,
          BoundStrength::with_probability,
          false,
          std::move(note)};
}

ParameterSpec recommendation_parameter() {
  return {.name = "recommendation",
          .type = ParameterType::text,
          .default_value = std::string(to_string(Recommendation::uniform_play)),
          .help =
              "output of the learner: a uniformly drawn play, whose expected loss is at most "
              "E[R_n] / n; the cell pulled most often; the most often pulled of the "
              "deepest cells; or the last play (as in PyXAB)",
          .choices = names_of(kRecommendations)};
}

LearnerChoices recommendation_choice(const Parameters& parameters, Seed seed) {
  return {.recommendation = chosen(kRecommendations, parameters.text("recommendation")),
          .seed = seed};
}

std::vector<ParameterSpec> learner_choice_parameters() {
  return {
      {.name = "ties",
       .type = ParameterType::text,
       .default_value = std::string(to_string(TieBreak::lower)),
       .help = "which of several children with equal B to take: lower, the lowest index; last, the "
               "highest (as in PyXAB); random",
       .choices = names_of(kTieBreaks)},
      recommendation_parameter()};
}

LearnerChoices learner_choices(const Parameters& parameters, Seed seed, std::string_view name) {
  return {chosen(kTieBreaks, parameters.text("ties")),
          chosen(kRecommendations, parameters.text("recommendation")),
          seed,
          std::string(name)};
}

ComparisonFacts comparison_facts_of(Widths widths, const LearnerChoices& choices) {
  return {widths, choices.recommendation == Recommendation::uniform_play};
}

}  // namespace posse
