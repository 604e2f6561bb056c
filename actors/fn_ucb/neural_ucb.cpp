// SPDX-License-Identifier: Apache-2.0
#include "actors/fn_ucb/neural_ucb.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kLinearOnly = 3;  // steps with alpha = 0

double root(double form) { return std::sqrt(std::max(0.0, form)); }

}  // namespace

double FnUcbOptions::alpha(std::uint64_t step) const {
  if (step < kLinearOnly) return 0;
  if (step - kLinearOnly >= ramp) return 1;
  return static_cast<double>(step - kLinearOnly) / static_cast<double>(ramp);
}

GrowingInverse::GrowingInverse(std::size_t size, double lambda)
    : lambda_(lambda), matrix_(size, lambda), inverse_(size, 1 / lambda) {}

void GrowingInverse::restart(std::span<const double> gram) {
  matrix_.assign(gram);
  matrix_.add_to_diagonal(lambda_);
  inverse_ = matrix_;
  inverse_.invert();
  since_ = 0;
}

double GrowingInverse::grow(std::span<const double> x, std::span<double> product) {
  matrix_.add_outer(x);
  const double form = inverse_.update_inverse(x, product);
  if (++since_ == inverse_.size()) {
    inverse_ = matrix_;
    inverse_.invert();
    since_ = 0;
  }
  return form;
}

NeuralUcb::NeuralUcb(const ReluFeatures& features, const FnUcbOptions& options)
    : features_(&features),
      options_(options),
      rewards_(features.arms()),
      theta_(features.theta().begin(), features.theta().end()),
      gram_(features.size(), 0),
      responses_(features.size()),
      own_(features.size(), options.lambda),
      diagonal_(features.size(), options.lambda),
      synced_diagonal_(diagonal_),
      synced_responses_(features.size()),
      synced_gram_(features.size() * features.size()),
      synced_net_(theta_),
      synced_inverse_(SymmetricMatrix(features.size(), 1 / options.lambda).numbers()),
      shared_(features.size(), options.lambda),
      means_(features.arms()),
      forms_(features.arms()),
      net_values_(features.arms()),
      net_forms_(features.arms()),
      scores_(features.arms()),
      on_arms_(features.arms()),
      product_(features.size()) {}

void NeuralUcb::refresh_linear() {
  if (linear_stale_) {
    std::vector<double> gram(synced_gram_);
    for (std::size_t i = 0; i < gram.size(); ++i) gram[i] += gram_.numbers()[i];
    shared_.restart(gram);
    features_->quadratic_forms(shared_.inverse().numbers(), forms_, work_);
  } else {
    for (const auto arm : pending_) {
      const double form = shared_.grow(features_->gradient(arm), product_);
      if (shared_.was_refreshed()) {
        features_->quadratic_forms(shared_.inverse().numbers(), forms_, work_);
        continue;
      }
      multiply_rows(features_->gradients(), product_, on_arms_);
      for (std::size_t k = 0; k < forms_.size(); ++k)
        forms_[k] -= on_arms_[k] * on_arms_[k] / (1 + form);
    }
  }
  linear_stale_ = false;
  pending_.clear();

  std::vector<double> responses(synced_responses_);
  for (std::size_t j = 0; j < responses.size(); ++j) responses[j] += responses_[j];
  shared_.inverse().multiply(responses, product_);
  multiply_rows(features_->gradients(), product_, means_);
}

void NeuralUcb::refresh_net() {
  if (!net_stale_) return;
  features_->values(synced_net_, net_values_);
  features_->quadratic_forms(synced_inverse_, net_forms_, work_);
  net_stale_ = false;
}

std::uint32_t NeuralUcb::choose() {
  const double alpha = options_.alpha(step_);
  if (needs_shared_inverse()) refresh_linear();
  if (alpha > 0) refresh_net();
  const double scale = std::sqrt(options_.lambda);
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    double score = 0;
    if (alpha > 0) score += alpha * (net_values_[k] + options_.nu2 * scale * root(net_forms_[k]));
    if (alpha < 1) score += (1 - alpha) * (means_[k] + options_.nu * scale * root(forms_[k]));
    scores_[k] = score;
  }
  const auto best = std::max_element(scores_.begin(), scores_.end());  // the first of equals
  arm_ = static_cast<std::uint32_t>(best - scores_.begin()) + 1;
  return arm_;
}

bool NeuralUcb::tell(double reward) {
  const auto g = features_->gradient(arm_);
  rewards_[arm_ - 1].count += 1;
  rewards_[arm_ - 1].sum += reward;
  gram_.add_outer(g);
  own_.grow(g, product_);
  for (std::size_t j = 0; j < g.size(); ++j) {
    responses_[j] += reward * g[j];
    diagonal_[j] += g[j] * g[j];
  }
  // det(V + g g^T) = det V (1 + g^T V^-1 g).
  if (options_.exact_det) log_det_growth_ += math::log1p(std::max(0.0, forms_[arm_ - 1]));
  // V̄^-1 is not updated once alpha has reached 1.
  if (needs_shared_inverse() && !linear_stale_) pending_.push_back(arm_);
  return static_cast<double>(step_ - last_sync_) * log_growth() > options_.sync_threshold;
}

double NeuralUcb::log_growth() const {
  if (options_.exact_det) return log_det_growth_;
  double sum = 0;
  for (std::size_t j = 0; j < diagonal_.size(); ++j)
    sum += math::log(diagonal_[j] / synced_diagonal_[j]);
  return sum;
}

AgentUpdate NeuralUcb::update() {
  if (step_ < options_.train_until)
    features_->train(theta_,
                     rewards_,
                     {.steps = options_.train_steps,
                      .rate = options_.rate,
                      .decay = options_.lambda / static_cast<double>(step_ + 1)});
  return {{gram_.numbers(), responses_, theta_, own_.inverse().numbers()}};
}

void NeuralUcb::synchronise(const SyncedModel& model) {
  const std::size_t p = features_->size();
  POSSE_CHECK(model.gram.size() == p * p && model.inverse.size() == p * p);
  POSSE_CHECK(model.responses.size() == p && model.net.size() == p);
  synced_gram_ = model.gram;
  synced_responses_ = model.responses;
  synced_net_ = model.net;
  synced_inverse_ = model.inverse;
  gram_.set_zero();
  std::fill(responses_.begin(), responses_.end(), 0.0);
  for (std::size_t j = 0; j < p; ++j)
    synced_diagonal_[j] = diagonal_[j] = options_.lambda + synced_gram_[j * p + j];
  log_det_growth_ = 0;
  linear_stale_ = true;
  net_stale_ = true;
  last_sync_ = step_;
  ++step_;
}

}  // namespace posse
