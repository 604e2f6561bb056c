// SPDX-License-Identifier: Apache-2.0
#include "core/random/duration_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/base/overload.hpp"
#include "core/random/distributions.hpp"

namespace posse {
namespace {

Duration at_least(Duration floor, double seconds) {
  return std::max(std::max(floor, Duration{}), Duration::seconds(seconds));
}

/// Over the period, or up to the last step.
Duration mean_of(const StepTrace<Duration>& trace) {
  const auto& steps = trace.steps();
  const double end = trace.period() ? trace.period()->to_seconds() : steps.back().from.to_seconds();
  if (end <= 0) return steps.back().value;
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double until = i + 1 < steps.size() ? steps[i + 1].from.to_seconds() : end;
    sum += steps[i].value.to_seconds() * (until - steps[i].from.to_seconds());
  }
  return Duration::seconds(sum / end);
}

/// From a draw of Exp(1).
Duration exponential(const ExponentialDuration& d, double drawn) {
  return d.floor + Duration::seconds(drawn * d.mean.to_seconds());
}

/// For each kind of distribution, a function that draws once.
constexpr Overload kDraw{
    [](const ConstantDuration& d) { return [&d](DrawEngine&, Time) { return d.value; }; },
    [](const UniformDuration& d) {
      const auto width = static_cast<double>(d.max.ns - d.min.ns);
      return [&d, width](DrawEngine& draws, Time) {
        return Duration{d.min.ns + static_cast<std::int64_t>(draws.uniform() * width)};
      };
    },
    [](const NormalDuration& d) {
      return [&d, mean = d.mean.to_seconds(), sd = d.sd.to_seconds()](DrawEngine& draws, Time) {
        return at_least(d.floor, mean + sd * draw_normal(draws));
      };
    },
    [](const LognormalDuration& d) {
      return [&d, median = d.median.to_seconds()](DrawEngine& draws, Time) {
        return at_least(d.floor, median * math::exp(d.sigma * draw_normal(draws)));
      };
    },
    [](const ExponentialDuration& d) {
      return [&d](DrawEngine& draws, Time) { return exponential(d, draw_exponential(draws)); };
    },
    [](const ParetoDuration& d) {
      return [&d, scale = d.scale.to_seconds()](DrawEngine& draws, Time) {
        return at_least(d.scale, scale * math::pow(draws.uniform(), -1.0 / d.shape));
      };
    },
    [](const GammaDuration& d) {
      return [&d, scale = d.mean.to_seconds() / d.shape](DrawEngine& draws, Time) {
        return at_least(d.floor, draw_gamma(draws, d.shape) * scale);
      };
    },
    [](const EmpiricalDuration& d) {
      return [&samples = *d.samples](DrawEngine& draws, Time) {
        const auto n = static_cast<double>(samples.size());
        return samples[static_cast<std::size_t>(draws.uniform() * n)];
      };
    },
    [](const TraceDuration& d) { return [&d](DrawEngine&, Time at) { return d.trace->at(at); }; },
};

}  // namespace

Duration sample(const DurationDistribution& distribution, DrawEngine draws, Time at) {
  return std::visit([&](const auto& d) { return kDraw(d)(draws, at); }, distribution);
}

void sample_row(const DurationDistribution& distribution,
                StreamKey stream,
                std::uint64_t first,
                const PhiloxRow& blocks,
                std::array<Duration, kRowSize>& samples) {
  if (const auto* d = std::get_if<ExponentialDuration>(&distribution)) {
    std::array<double, kRowSize> drawn;
    draw_exponential_row(stream, first, blocks, drawn);
    for (std::size_t i = 0; i < kRowSize; ++i) samples[i] = exponential(*d, drawn[i]);
    return;
  }
  std::visit(
      [&](const auto& d) {
        const auto draw = kDraw(d);
        for (std::size_t i = 0; i < kRowSize; ++i) {
          DrawEngine draws(stream, first + i, blocks[i]);
          samples[i] = draw(draws, Time{});
        }
      },
      distribution);
}

Duration smallest(const DurationDistribution& distribution) {
  return std::visit(
      Overload{
          [](const ConstantDuration& d) { return d.value; },
          [](const UniformDuration& d) { return d.min; },
          [](const ParetoDuration& d) { return d.scale; },
          [](const EmpiricalDuration& d) { return *std::ranges::min_element(*d.samples); },
          [](const TraceDuration& d) {
            Duration least = Duration::max();
            for (const auto& step : d.trace->steps()) least = std::min(least, step.value);
            return least;
          },
          [](const auto& d) { return std::max(d.floor, Duration{}); },
      },
      distribution);
}

Duration typical(const DurationDistribution& distribution) {
  return std::visit(
      Overload{
          [](const ConstantDuration& d) { return d.value; },
          [](const UniformDuration& d) { return Duration{d.min.ns / 2 + d.max.ns / 2}; },
          [](const NormalDuration& d) { return std::max(d.mean, d.floor); },
          [](const LognormalDuration& d) {
            return at_least(d.floor, d.median.to_seconds() * math::exp(d.sigma * d.sigma / 2));
          },
          [](const ExponentialDuration& d) { return d.floor + d.mean; },
          [](const ParetoDuration& d) {
            const double scale = d.scale.to_seconds();
            return Duration::seconds(d.shape > 1 ? scale * d.shape / (d.shape - 1)
                                                 : 4 * scale * math::exp2(1 / d.shape));
          },
          [](const GammaDuration& d) { return std::max(d.mean, d.floor); },
          [](const EmpiricalDuration& d) {
            double sum = 0;
            for (const auto sample : *d.samples) sum += sample.to_seconds();
            return Duration::seconds(sum / static_cast<double>(d.samples->size()));
          },
          [](const TraceDuration& d) { return mean_of(*d.trace); },
      },
      distribution);
}

DurationRange likely(const DurationDistribution& distribution) {
  constexpr double kOneIn = 1000, kStandardDeviations = 3.09;
  const auto around = [](Duration floor, const auto& value_at) {
    return DurationRange{at_least(floor, value_at(-kStandardDeviations)),
                         at_least(floor, value_at(kStandardDeviations))};
  };
  return std::visit(
      Overload{
          [](const ConstantDuration& d) {
            return DurationRange{d.value, d.value};
          },
          [](const UniformDuration& d) {
            return DurationRange{d.min, d.max};
          },
          [&](const NormalDuration& d) {
            return around(d.floor,
                          [&](double z) { return d.mean.to_seconds() + z * d.sd.to_seconds(); });
          },
          [&](const LognormalDuration& d) {
            return around(d.floor,
                          [&](double z) { return d.median.to_seconds() * math::exp(d.sigma * z); });
          },
          [](const ExponentialDuration& d) {
            return DurationRange{exponential(d, 1 / kOneIn), exponential(d, math::log(kOneIn))};
          },
          [](const ParetoDuration& d) {
            return DurationRange{
                d.scale, at_least(d.scale, d.scale.to_seconds() * math::pow(kOneIn, 1 / d.shape))};
          },
          [&](const GammaDuration& d) {
            // Wilson and Hilferty (1931): the cube root of a gamma variate is nearly normal.
            const double v = 1 / (9 * d.shape);
            return around(d.floor, [&](double z) {
              const double root = std::max(0.0, 1 - v + z * std::sqrt(v));
              return d.mean.to_seconds() * root * root * root;
            });
          },
          [](const EmpiricalDuration& d) {
            const auto [least, largest] = std::ranges::minmax(*d.samples);
            return DurationRange{least, largest};
          },
          [](const TraceDuration& d) {
            DurationRange range{Duration::max(), Duration{}};
            for (const auto& step : d.trace->steps()) {
              range.least = std::min(range.least, step.value);
              range.largest = std::max(range.largest, step.value);
            }
            return range;
          },
      },
      distribution);
}

std::string_view kind_name(const DurationDistribution& distribution) {
  static constexpr std::string_view kNames[] = {"constant",
                                                "uniform",
                                                "normal",
                                                "lognormal",
                                                "exponential",
                                                "pareto",
                                                "gamma",
                                                "empirical",
                                                "trace"};
  return kNames[distribution.index()];
}

}  // namespace posse
