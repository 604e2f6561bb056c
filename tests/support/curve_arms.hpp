// SPDX-License-Identifier: Apache-2.0
// Arms whose values and bounds come from formulas in k, for tests of allocations and their actors.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

#include "core/arm/arm.hpp"
#include "core/base/math.hpp"
#include "core/optimizer/optimizer.hpp"
#include "core/random/stream.hpp"

namespace posse::test {

class CurveOptimizer final : public Optimizer {
 public:
  /// k -> (value, bound).
  using Formula = std::function<std::pair<double, double>(double)>;
  explicit CurveOptimizer(Formula formula) : Optimizer(Vector()), formula_(std::move(formula)) {}

 private:
  void advance() override { std::tie(value_, bound_) = formula_(static_cast<double>(steps())); }
  Formula formula_;
};

inline Arm curve_arm(double minimum, CurveOptimizer::Formula formula) {
  return {"curve", minimum, [formula](std::uint32_t) {
            return std::make_unique<CurveOptimizer>(formula);
          }};
}

/// Three to eight arms whose bounds are valid: value = f* + share · g(k), share in [0, 1].
inline ArmSet random_arms(std::uint64_t trial, std::uint64_t budget) {
  DrawEngine draws(stream_key(Seed{trial}, "test", "arms"), 0);
  ArmSet set;
  set.budget = budget;
  const auto count = 3 + draws() % 6;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double minimum = 3 * draws.uniform();
    const double scale = 0.2 + 4 * draws.uniform();
    const double power = 0.5 + 1.5 * draws.uniform();
    const StreamKey noise = stream_key(Seed{trial}, "test-noise", i);
    set.arms.push_back(curve_arm(minimum, [=](double k) {
      UniformStream stream(noise);
      const double g = scale / math::pow(k, power);
      return std::pair{minimum + stream.at(static_cast<std::uint64_t>(k)) * g, g};
    }));
  }
  return set;
}

}  // namespace posse::test
