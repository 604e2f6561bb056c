// SPDX-License-Identifier: Apache-2.0
#include "core/objective/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/base/check.hpp"
#include "core/base/interruption.hpp"

namespace posse {

struct Problem::Maxima {
  std::once_flag locals_once;
  std::vector<CertifiedMaximum> locals;  // one if homogeneous
  std::once_flag mean_once;
  CertifiedMaximum mean;
};

Problem::Problem(std::vector<std::shared_ptr<const Objective>> locals,
                 std::unique_ptr<Noise> noise,
                 std::uint64_t budget,
                 Seed seed)
    : locals_(std::move(locals)),
      noise_(std::move(noise)),
      budget_(budget),
      seed_(seed),
      maxima_(std::make_unique<Maxima>()) {
  POSSE_CHECK(!locals_.empty(), "a problem has at least one client");
  POSSE_CHECK(noise_ != nullptr);
  POSSE_CHECK(budget_ >= 1, "budget {}", budget_);
  homogeneous_ = std::all_of(
      locals_.begin(), locals_.end(), [&](const auto& f) { return f == locals_.front(); });
  expensive_ =
      std::any_of(locals_.begin(), locals_.end(), [](const auto& f) { return f->expensive(); });
}

Problem::~Problem() = default;
Problem::Problem(Problem&&) noexcept = default;
Problem& Problem::operator=(Problem&&) noexcept = default;

double Problem::local(std::size_t client, std::span<const double> x) const {
  if (expensive_)
    check_interruption();
  else
    check_interruption_at_times();
  return locals_[client]->value(x);
}

void Problem::prepare(std::size_t client, std::span<const std::vector<double>> points) const {
  check_interruption();
  locals_[client]->prepare(points);
}

ValueRange Problem::value_range() const {
  ValueRange range = locals_.front()->value_range();
  if (homogeneous_) return range;
  for (const auto& local : locals_) {
    const ValueRange own = local->value_range();
    range = {std::min(range.low, own.low), std::max(range.high, own.high)};
  }
  return range;
}

double Problem::mean(std::span<const double> x) const {
  // A sum of M equal numbers divided by M could differ in the last bit.
  return homogeneous_ ? local(0, x) : mean_value(locals_, x);
}

const CertifiedMaximum& Problem::local_maximum(std::size_t client) const {
  std::call_once(maxima_->locals_once, [this] {
    const std::size_t different = homogeneous_ ? 1 : locals_.size();
    std::vector<CertifiedMaximum> locals;
    locals.reserve(different);
    // The clients share the limit, but each gets at least 50 000 evaluations.
    MaximumSearch search;
    search.evaluations = std::max<std::uint64_t>(50'000, search.evaluations / different);
    for (std::size_t m = 0; m < different; ++m)
      locals.push_back(maximise_mean(std::span(&locals_[m], 1), search));
    maxima_->locals = std::move(locals);
  });
  return maxima_->locals[homogeneous_ ? 0 : client];
}

std::vector<std::vector<double>> Problem::local_maximisers(std::size_t client) const {
  const auto& maximum = local_maximum(client);
  if (maximum.exact) return locals_[client]->maximisers();
  if (maximum.point.empty()) return {};
  return {maximum.point};
}

const CertifiedMaximum& Problem::mean_maximum() const {
  if (homogeneous_) return local_maximum(0);
  std::call_once(maxima_->mean_once, [this] { maxima_->mean = maximise_mean(locals_); });
  return maxima_->mean;
}

std::string evaluator_name(std::size_t client, std::string_view name) {
  return fmt::format("client-{}{}{}", client, name.empty() ? "" : "/", name);
}

RewardSource::RewardSource(const Problem& problem, std::size_t client, std::string_view name)
    : problem_(&problem),
      client_(client),
      stream_(stream_key(problem.seed(), "reward", evaluator_name(client, name))) {}

double RewardSource::pull(std::span<const double> x, std::uint64_t count) {
  value_ = problem_->local(client_, x);
  const double sum = problem_->noise().sum_of_rewards(value_, stream_, pulls_, count);
  pulls_ += count;
  return sum;
}

void RewardSource::draw(std::span<const double> x, std::span<double> rewards) {
  value_ = problem_->local(client_, x);
  problem_->noise().rewards(value_, stream_, pulls_, rewards);
  pulls_ += rewards.size();
}

}  // namespace posse
