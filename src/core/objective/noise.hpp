// Reward noise: one uniform draw per pull, turned into a reward by inverse CDF.
//
// Every model keeps E[reward | x] = f(x). Bounded models take f in [0, 1]; an f outside (rounding,
// or a client whose boundary is `open`) is moved to the nearest end first.
//   none           f
//   uniform:a      f + U(-a, a); may leave [0, 1] by a (PyXAB's noise)
//   symtrunc:sd    f + N(0, sd^2) conditioned on |.| <= min(f, 1-f): our reading of P0's "truncated
//                  N(0,1)". Cutting N(f,1) to [0,1] would bias the mean (E5)
//   tilttrunc:sd   N(mu, sd^2) conditioned on [0, 1], mu solved so that the mean is f
//   bernoulli      1 with probability f
//   beta:kappa     Beta(kappa f, kappa (1-f))
// Streams: none of its own; reads the client's reward stream at the pulls' indices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/random/stream.hpp"

namespace posse {

class Noise {
 public:
  virtual ~Noise() = default;
  /// The sum of `count` rewards with mean f, from draws first, first+1, … of `stream`, added one by
  /// one in that order. Work that depends on f alone is done once.
  virtual double sum_of_rewards(double f,
                                UniformStream& stream,
                                std::uint64_t first,
                                std::uint64_t count) const = 0;
  /// The rewards themselves, out[i] from draw first + i, for those who do more than add them.
  virtual void rewards(double f,
                       UniformStream& stream,
                       std::uint64_t first,
                       std::span<double> out) const {
    for (double& reward : out) reward = sum_of_rewards(f, stream, first++, 1);
  }
  /// max reward - min reward at one point over everything the model can produce: Hoeffding's
  /// width.
  virtual double range_width() const = 0;
  /// True if every reward lies in [0, 1].
  virtual bool within_unit_interval() const = 0;
  /// True if there are no such rewards for means outside [0, 1].
  virtual bool needs_unit_interval() const { return false; }
};

std::unique_ptr<Noise> make_no_noise();
/// half_width a >= 0.
std::unique_ptr<Noise> make_uniform_noise(double half_width);
/// sd > 0.
std::unique_ptr<Noise> make_symtrunc_noise(double sd);
/// 0.01 <= sd <= 10: far outside, the equation for mu loses its digits.
std::unique_ptr<Noise> make_tilttrunc_noise(double sd);
std::unique_ptr<Noise> make_bernoulli_noise();
/// kappa > 0.
std::unique_ptr<Noise> make_beta_noise(double kappa);

}  // namespace posse
