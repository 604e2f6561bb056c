// SPDX-License-Identifier: Apache-2.0
// Reward noise: one uniform draw per pull is transformed into a reward by the inverse CDF.
//
// Every model has E[reward | x] = f(x). Bounded models need f in [0, 1]; a value outside (by
// rounding, or of a client with the boundary `open`) is first moved to the nearest end.
//   none           f
//   uniform:a      f + U(-a, a); may leave [0, 1] by a (PyXAB's noise)
//   symtrunc:sd    f + N(0, sd^2) conditioned on |.| <= min(f, 1-f): an interpretation of the
//                  truncated N(0, 1) of Chen et al. 2015, section 6. Truncating N(f, 1) to [0, 1]
//                  would bias the mean (see PAPERS.md, parallel-9)
//   tilttrunc:sd   N(mu, sd^2) conditioned on [0, 1], mu solved so that the mean is f
//   bernoulli      1 with probability f
//   beta:kappa     Beta(kappa f, kappa (1-f))
// Streams: the client's reward stream, at the indices of the pulls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/random/stream.hpp"

namespace posse {

class Noise {
 public:
  virtual ~Noise() = default;
  /// The sum of `count` rewards with mean f, from draws first, first+1, … of `stream`, added in
  /// that order. Work that depends on f alone is done once.
  virtual double sum_of_rewards(double f,
                                UniformStream& stream,
                                std::uint64_t first,
                                std::uint64_t count) const = 0;
  /// The single rewards: out[i] from draw first + i.
  virtual void rewards(double f,
                       UniformStream& stream,
                       std::uint64_t first,
                       std::span<double> out) const {
    for (double& reward : out) reward = sum_of_rewards(f, stream, first++, 1);
  }
  /// The largest width, max reward - min reward, of the rewards at one point: the range in
  /// Hoeffding's inequality.
  virtual double range_width() const = 0;
  /// True if every reward lies in [0, 1].
  virtual bool within_unit_interval() const = 0;
  /// The standard deviation that the model states, if it states one, and cuts where there is no
  /// room for it; and that of the rewards with mean f.
  virtual std::optional<double> stated_sd() const { return std::nullopt; }
  virtual double sd_at(double) const { return 0; }
  /// True if the model is undefined for means outside [0, 1].
  virtual bool needs_unit_interval() const { return false; }
};

std::unique_ptr<Noise> make_no_noise();
/// half_width a >= 0.
std::unique_ptr<Noise> make_uniform_noise(double half_width);
/// sd > 0.
std::unique_ptr<Noise> make_symtrunc_noise(double sd);
/// 0.01 <= sd <= 10: far outside, the equation for mu is ill-conditioned.
std::unique_ptr<Noise> make_tilttrunc_noise(double sd);
std::unique_ptr<Noise> make_bernoulli_noise();
/// kappa > 0.
std::unique_ptr<Noise> make_beta_noise(double kappa);

}  // namespace posse
