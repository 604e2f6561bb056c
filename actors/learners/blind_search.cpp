// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/blind_search.hpp"

#include <memory>

#include "actors/learners/single_learner.hpp"
#include "core/learner/random_learner.hpp"
#include "core/learner/uniform_grid.hpp"

namespace posse {
namespace {

class UniformGridKind final : public LearnerKind {
 public:
  static constexpr std::string_view kName = "uniform-grid";

  UniformGridKind(const Parameters&, const ProtocolContext& context)
      : dimension_(context.problem->domain().dimension()),
        side_(uniform_grid_side(context.problem->budget(), dimension_)),
        points_(context.problem->domain(), side_) {}

  const PointSet& points() const override { return points_; }
  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<UniformGrid>(side_, dimension_);
  }

  static std::vector<ParameterSpec> parameters() { return {}; }
  static std::vector<std::string> validate(const Parameters&, const ProtocolContext&) { return {}; }

 private:
  std::size_t dimension_;
  std::uint64_t side_;
  GridPoints points_;
};

class RandomKind final : public LearnerKind {
 public:
  static constexpr std::string_view kName = "random";

  RandomKind(const Parameters& parameters, const ProtocolContext& context)
      : problem_(context.problem),
        points_(points_of("learner")),
        options_{problem_->budget(),
                 parameters.is_auto("reevaluate") ? problem_->noise().range_width() > 0
                                                  : parameters.boolean("reevaluate")} {}

  const PointSet& points() const override { return points_; }
  std::unique_ptr<const PointSet> own_points(std::string_view name) const override {
    return std::make_unique<RandomPoints>(points_of(name));
  }
  std::unique_ptr<Learner> make(std::string_view) const override {
    return std::make_unique<RandomLearner>(options_);
  }

  static std::vector<ParameterSpec> parameters() {
    return {{.name = "reevaluate",
             .type = ParameterType::boolean,
             .default_value = std::monostate{},
             .help =
                 "use the last ceil(sqrt n) evaluations to evaluate the best points again; auto: "
                 "true if rewards are noisy"}};
  }
  static std::vector<std::string> validate(const Parameters&, const ProtocolContext&) { return {}; }

 private:
  RandomPoints points_of(std::string_view name) const {
    return RandomPoints(problem_->domain(), stream_key(problem_->seed(), "explore", name));
  }

  const Problem* problem_;
  RandomPoints points_;
  RandomLearnerOptions options_;
};

constexpr std::string_view kOwn = "Posse's own baseline";

}  // namespace

const AlgorithmSpec& uniform_grid_algorithm() {
  static const auto spec = single_learner<UniformGridKind>(
      {"uniform-grid", "round robin over the cells of a grid, outputs the best mean", kOwn});
  return spec;
}

const AlgorithmSpec& random_algorithm() {
  static const auto spec = single_learner<RandomKind>(
      {"random", "uniform random points, evaluates the best ones again", kOwn});
  return spec;
}

}  // namespace posse
