// Reward noise (x-armed.md 8.4): one uniform draw per pull, by inverse CDF.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/random/stream.hpp"

namespace posse {

class Noise {
 public:
  virtual ~Noise() = default;
  /// The sum of `count` rewards with mean f (0 <= f <= 1), from draws first, first+1, … of
  /// `stream`, added one by one in that order. Work that depends on f alone is done once.
  virtual double sum_of_rewards(double f,
                                UniformStream& stream,
                                std::uint64_t first,
                                std::uint64_t count) const = 0;
  /// max reward - min reward over everything the model can produce: Hoeffding's width.
  virtual double range_width() const = 0;
  /// True if every reward lies in [0, 1].
  virtual bool within_unit_interval() const = 0;
};

}  // namespace posse
