// SPDX-License-Identifier: Apache-2.0
// Distributions of durations (link latencies, evaluation times), drawn by Boost.Random.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/step_trace.hpp"
#include "core/base/time.hpp"
#include "core/random/philox_row.hpp"
#include "core/random/stream.hpp"

namespace posse {

struct ConstantDuration {
  Duration value;
};
/// Uniform on [min, max].
struct UniformDuration {
  Duration min, max;
};
/// N(mean, sd²); values below the floor become the floor.
struct NormalDuration {
  Duration mean, sd, floor;
};
/// median · exp(sigma Z); values below the floor become the floor.
struct LognormalDuration {
  Duration median;
  double sigma = 1;
  Duration floor;
};
/// floor + Exp(mean).
struct ExponentialDuration {
  Duration mean, floor;
};
/// P(X > x) = (scale/x)^shape for x >= scale.
struct ParetoDuration {
  Duration scale;
  double shape = 2;
};
/// Gamma with this mean and shape; values below the floor become the floor.
struct GammaDuration {
  Duration mean;
  double shape = 1;
  Duration floor;
};
/// One of the samples, all equally likely.
struct EmpiricalDuration {
  std::shared_ptr<const std::vector<Duration>> samples;  // not empty, none negative
};

/// Follows a trace over virtual time; nothing is drawn.
struct TraceDuration {
  std::shared_ptr<const StepTrace<Duration>> trace;  // not negative
};

using DurationDistribution = std::variant<ConstantDuration,
                                          UniformDuration,
                                          NormalDuration,
                                          LognormalDuration,
                                          ExponentialDuration,
                                          ParetoDuration,
                                          GammaDuration,
                                          EmpiricalDuration,
                                          TraceDuration>;

/// One draw; at least `smallest`, which is not negative. Only traces depend on `at`.
Duration sample(const DurationDistribution& distribution, DrawEngine draws, Time at = {});
/// The draws `first`, `first` + 1, … of a stream, given their first blocks. The distribution
/// follows no trace.
void sample_row(const DurationDistribution& distribution,
                StreamKey stream,
                std::uint64_t first,
                const PhiloxRow& blocks,
                std::array<Duration, kRowSize>& samples);

/// The smallest value that can be drawn; the kernel's lookahead follows from it.
Duration smallest(const DurationDistribution& distribution);

/// The mean where it is finite; for Pareto with shape <= 1, four times the median. For a trace, the
/// mean over its period, or up to its last step.
Duration typical(const DurationDistribution& distribution);

/// A range in which most draws lie: all of them where there is a largest one, else about 99.8 %.
struct DurationRange {
  Duration least, largest;
  bool operator==(const DurationRange&) const = default;
};
DurationRange likely(const DurationDistribution& distribution);

std::string_view kind_name(const DurationDistribution& distribution);

}  // namespace posse
