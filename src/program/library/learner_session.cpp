// SPDX-License-Identifier: Apache-2.0
#include "program/library/learner_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "actors/common/cell_rewards.hpp"
#include "actors/learners/learner_kind.hpp"
#include "actors/learners/local_learner.hpp"
#include "actors/learners/single_learner.hpp"
#include "core/base/shown_text.hpp"
#include "core/domain/partition.hpp"
#include "program/library/scenario_mistakes.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// What a learner may know of an objective: where it is defined.
class UnknownObjective final : public Objective {
 public:
  explicit UnknownObjective(Box domain) : domain_(std::move(domain)) {}
  const Box& domain() const override { return domain_; }
  double value(std::span<const double>) const override { return 0; }
  bool expensive() const override { return true; }
  std::optional<double> conventional_maximum() const override { return 1; }

 private:
  Box domain_;
};

void check_domain(const Box& domain) {
  if (domain.low.empty() || domain.low.size() != domain.high.size())
    throw ScenarioMistakes("the domain needs a lower and an upper bound for each dimension\n");
  for (std::size_t j = 0; j < domain.dimension(); ++j)
    if (!std::isfinite(domain.low[j]) || !std::isfinite(domain.high[j]) ||
        !std::isfinite(domain.width(j)) || !(domain.low[j] < domain.high[j]))
      throw ScenarioMistakes(fmt::format(
          "the domain's bounds of dimension {} are {} and {}, allowed: finite, the lower "
          "one first\n",
          j,
          domain.low[j],
          domain.high[j]));
}

const AlgorithmSpec& learner_spec(std::string_view kind) {
  const AlgorithmSpec* spec = find_algorithm(kind);
  if (spec != nullptr && spec->make_learner != nullptr) return *spec;
  const auto kinds = learner_kinds();
  throw ScenarioMistakes(
      fmt::format("'{}' is not a learner{}\n", shortened(kind), allowed_names(kind, kinds)));
}

}  // namespace

LearnerSession::LearnerSession(std::string_view kind,
                               const Value& parameters,
                               Box domain,
                               std::uint64_t budget,
                               std::uint64_t seed,
                               BeyondBudget beyond)
    : beyond_(beyond) {
  const AlgorithmSpec& spec = learner_spec(kind);
  check_domain(domain);
  if (budget < 1) throw ScenarioMistakes("the budget is 0, allowed: at least 1\n");
  // Of a client's own: without the hosts' parameter.
  auto specs = spec.parameters;
  std::erase_if(specs, [](const ParameterSpec& s) { return s.name == kPlacement; });
  Diagnostics diagnostics;
  TableReader reader(parameters, "parameters", diagnostics);
  auto given = reader.parameters(specs);
  given.set(kPlacement, std::string(to_string(Placement::local)));
  reader.finish();
  throw_mistakes(diagnostics);

  const Seed run_seed = repetition_seed(seed, 0);
  problem_ = std::make_shared<Problem>(
      std::vector<std::shared_ptr<const Objective>>{
          std::make_shared<UnknownObjective>(std::move(domain))},
      make_no_noise(),
      budget,
      run_seed);
  const ProtocolContext context{.seed = run_seed, .problem = problem_.get()};
  std::string mistakes;
  if (spec.validate != nullptr)
    for (const auto& mistake : spec.validate(given, context)) mistakes += mistake + "\n";
  if (!mistakes.empty()) throw ScenarioMistakes(mistakes);

  kind_ = spec.make_learner(given, context);
  const auto name = local_learner_name(0, 0);
  own_points_ = kind_->own_points(name);
  points_ = own_points_ ? own_points_.get() : &kind_->points();
  learner_ = kind_->make(name);
  draws_.emplace(stream_key(run_seed, "point", name));
}

LearnerSession::~LearnerSession() = default;
LearnerSession::LearnerSession(const LearnerSession&) = default;
LearnerSession::LearnerSession(LearnerSession&&) noexcept = default;
LearnerSession& LearnerSession::operator=(LearnerSession&&) noexcept = default;

std::size_t LearnerSession::dimension() const { return problem_->domain().dimension(); }
std::uint64_t LearnerSession::budget() const { return problem_->budget(); }

std::span<const double> LearnerSession::ask() {
  if (std::exchange(asked_, true)) return point_;
  if (beyond_ == BeyondBudget::recommendation && evaluations_ >= budget()) {
    cell_ = recommended_cell();
    point_ = points_->point(cell_);
    last_.reset();
    return point_;
  }
  const Cell cell = cell_ = learner_->next();
  if (const auto box = points_->drawn_from(cell)) {
    point_ = uniform_point(*box, *draws_, evaluations_);
    last_.reset();
  } else if (last_ != cell) {
    point_ = points_->point(cell);
    last_ = cell;
  }
  return point_;
}

void LearnerSession::tell(double reward) {
  if (!asked_) throw std::invalid_argument("there is no point to tell the reward of: ask first");
  if (!std::isfinite(reward))
    throw std::invalid_argument(fmt::format("the reward {} is not finite", reward));
  if (beyond_ == BeyondBudget::search || evaluations_ < budget()) learner_->tell(reward);
  asked_ = false;
  ++evaluations_;
}

std::vector<double> LearnerSession::recommend() const {
  return points_->point(learner_->recommend());
}

std::optional<Box> LearnerSession::bounds(Cell cell) const {
  const auto* partition = dynamic_cast<const Partition*>(points_);
  return partition == nullptr ? std::nullopt : std::optional(partition->bounds(cell));
}

std::vector<std::string> learner_kinds() {
  std::vector<std::string> kinds;
  for (const AlgorithmSpec* spec : algorithms())
    if (spec->make_learner != nullptr) kinds.emplace_back(spec->kind);
  return kinds;
}

}  // namespace posse
