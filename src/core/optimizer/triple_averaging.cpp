// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/triple_averaging.hpp"

#include <cmath>

#include "core/base/check.hpp"

namespace posse {

TripleAveraging::TripleAveraging(GradientOracle oracle,
                                 FeasibleSet set,
                                 Vector start,
                                 const TripleAveragingOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      set_(set),
      options_(options),
      start_(point_),
      next_(point_),
      sum_(Vector::Zero(point_.size())),
      gradient_(point_.size()) {
  POSSE_CHECK(options.lipschitz > 0 && options.radius > 0,
              "M = {}, R = {}",
              options.lipschitz,
              options.radius);
}

void TripleAveraging::advance() {
  const double k = static_cast<double>(steps());  // t + 1
  const auto& o = options_;
  const double gamma = o.as_coded ? o.lipschitz : std::sqrt(2.0) * o.lipschitz / o.radius;
  const double now = gamma * std::sqrt(k);
  const double share = std::sqrt(k / (k + 1));  // gamma_t / gamma_{t+1}
  point_ = next_;
  value_ = oracle_.call(point_, gradient_);
  sum_ += gradient_;
  next_ = start_ - sum_ * ((o.as_coded ? k + 1 : 1) / now);
  set_.project(next_);
  next_ = share * next_ + (1 - share) * start_;
  next_ = (k * point_ + next_) / (k + 1);
  bound_ = (o.as_coded ? 2 : std::sqrt(2.0)) * o.lipschitz * o.radius / std::sqrt(k);
}

}  // namespace posse
