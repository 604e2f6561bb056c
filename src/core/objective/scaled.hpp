// SPDX-License-Identifier: Apache-2.0
// g(x) = a f(x) + b: a client with smaller rewards, or a squeeze of all values into [b, a + b] that
// leaves room for noise near f = 0 and f = 1 (regrets and nu1 shrink by the factor a).
//
// The clients of `scale` have 0 < a <= 1 and 0 <= b <= 1 - a. Some maxima f_m* are then below f̄*,
// where PF-PNE's elimination is not safe (see PAPERS.md, pf-pne-4).
#pragma once

#include <memory>
#include <vector>

#include "core/objective/objective.hpp"

namespace posse {

class Scaled final : public Objective {
 public:
  /// factor a > 0, offset b.
  Scaled(std::shared_ptr<const Objective> base, double factor, double offset)
      : base_(std::move(base)), factor_(factor), offset_(offset) {}

  const Box& domain() const override { return base_->domain(); }
  double value(std::span<const double> x) const override { return scaled(base_->value(x)); }
  bool batched() const override { return base_->batched(); }
  void prepare(std::span<const std::vector<double>> points) const override {
    base_->prepare(points);
  }
  ValueRange value_range() const override {
    const ValueRange base = base_->value_range();
    return {scaled(base.low), scaled(base.high)};
  }
  std::optional<double> maximum() const override { return scaled(base_->maximum()); }
  std::vector<std::vector<double>> maximisers() const override { return base_->maximisers(); }
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override {
    if (!base_->upper_model(centre, half_width, model)) return false;
    model.at_centre = scaled(model.at_centre);
    model.value = scaled(model.value);
    for (double& slope : model.gradient) slope *= factor_;
    for (double& curvature : model.curvature) curvature *= factor_;
    return true;
  }
  bool closed_form() const override { return base_->closed_form(); }
  bool separable() const override { return base_->separable(); }
  bool expensive() const override { return base_->expensive(); }
  std::optional<double> conventional_maximum() const override {
    return scaled(base_->conventional_maximum());
  }
  std::vector<std::vector<double>> candidate_maximisers() const override {
    return base_->candidate_maximisers();
  }

 private:
  double scaled(double f) const { return factor_ * f + offset_; }
  std::optional<double> scaled(std::optional<double> f) const {
    return f ? std::optional(scaled(*f)) : std::nullopt;
  }

  std::shared_ptr<const Objective> base_;
  double factor_;
  double offset_;
};

}  // namespace posse
