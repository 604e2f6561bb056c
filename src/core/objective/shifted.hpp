// SPDX-License-Identifier: Apache-2.0
// A client's shifted version of a base objective: f_m(x) = f(R(x - s)).
//
// Source: "randomly perturbed versions" (Li et al. 2024, Fed-PNE); "random shifts, zero-mean
// normal, applied to every dimension" (Li, Song & Honorio 2024, PF-PNE). The papers do not say what
// happens at the border (see PAPERS.md, fed-pne-12). R is one of
//   reflect  (default) reflection at the faces: keeps f's range and is 1-Lipschitz, so every
//            modulus of continuity holds; max f_m = max f if some maximiser + s lies in the box
//   clip     the nearest point of the box: plateaus at the border
//   wrap     a torus: discontinuous at the border for sine and himmelblau
//   open     the identity: f is evaluated outside its box, values may leave [0, 1]
// Cost: one evaluation of f and O(d).
#pragma once

#include <memory>
#include <vector>

#include "core/objective/objective.hpp"

namespace posse {

enum class Boundary { reflect, clip, wrap, open };

class Shifted final : public Objective {
 public:
  /// shift: s, one number per dimension.
  Shifted(std::shared_ptr<const Objective> base, std::vector<double> shift, Boundary boundary);

  const std::vector<double>& shift() const { return shift_; }

  const Box& domain() const override { return base_->domain(); }
  std::string_view kind() const override { return base_->kind(); }
  double value(std::span<const double> x) const override;
  bool batched() const override { return base_->batched(); }
  void prepare(std::span<const std::vector<double>> points) const override;
  ValueRange value_range() const override { return base_->value_range(); }
  /// The base's maximum if one of its maximisers is still attained; else nothing, and nothing for
  /// `open` (f's values outside its box are unknown).
  std::optional<double> maximum() const override;
  std::vector<std::vector<double>> maximisers() const override;
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;
  bool closed_form() const override { return base_->closed_form(); }
  bool separable() const override { return base_->separable(); }
  bool expensive() const override { return base_->expensive(); }
  std::optional<double> conventional_maximum() const override {
    return base_->conventional_maximum();
  }
  std::vector<std::vector<double>> candidate_maximisers() const override;

 private:
  /// An interval with y in it on which R is smooth in coordinate j: R' = direction (1, -1, or 0).
  struct Segment {
    double low;
    double high;
    double direction;
  };
  Segment segment(std::size_t j, double y) const;
  /// upper_model of a box that is cut in two at x_j = cut: constant.
  bool parts_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   std::size_t j,
                   double cut,
                   UpperModel& model) const;
  /// R(x_j - s_j).
  double mapped(std::size_t j, double x) const;
  /// Points of the box that R(. - s) maps to `target`: all of them for d <= 2, else one.
  std::vector<std::vector<double>> preimages(std::span<const double> target) const;

  std::shared_ptr<const Objective> base_;
  std::vector<double> shift_;
  Boundary boundary_;
};

}  // namespace posse
