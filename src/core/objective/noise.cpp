// SPDX-License-Identifier: Apache-2.0
#include "core/objective/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/interruption.hpp"
#include "core/base/math.hpp"
#include "core/objective/truncated_normal.hpp"

namespace posse {
namespace {

double to_unit(double f) { return std::clamp(f, 0.0, 1.0); }

/// Base of the models. A model yields single rewards by `each(f, stream, first, count, use)`; sums
/// and lists of rewards are derived from it at the same cost.
template <class Model>
class NoiseModel : public Noise {
 public:
  double sum_of_rewards(double f,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const final {
    constexpr std::uint64_t kBetweenChecks = 1 << 16;
    double total = 0;
    for (std::uint64_t done = 0; done < count; done += kBetweenChecks) {
      if (done > 0) check_interruption_after(kBetweenChecks);
      const auto part = std::min(kBetweenChecks, count - done);
      model().each(f, stream, first + done, part, [&total](double reward) { total += reward; });
    }
    return total;
  }
  void rewards(double f,
               UniformStream& stream,
               std::uint64_t first,
               std::span<double> out) const final {
    double* next = out.data();
    model().each(f, stream, first, out.size(), [&next](double reward) { *next++ = reward; });
  }

 private:
  const Model& model() const { return static_cast<const Model&>(*this); }
};

/// The standard deviation of a law of mean f, by its quantiles: less than 1 % too small for laws on
/// an interval.
template <class Quantile>
double sd_of_law(double f, Quantile quantile) {
  constexpr int kPoints = 256;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double off = quantile((i + 0.5) / kPoints) - f;
    sum += off * off;
  }
  return std::sqrt(sum / kPoints);
}

template <class Use>
void repeat(double reward, std::uint64_t count, Use use) {
  for (std::uint64_t i = 0; i < count; ++i) use(reward);
}

class NoNoise final : public NoiseModel<NoNoise> {
 public:
  template <class Use>
  void each(double f, UniformStream&, std::uint64_t, std::uint64_t count, Use use) const {
    repeat(f, count, use);
  }
  double range_width() const override { return 0; }
  bool within_unit_interval() const override { return true; }
};

class UniformNoise final : public NoiseModel<UniformNoise> {
 public:
  explicit UniformNoise(double half_width) : half_width_(half_width) {}
  template <class Use>
  void each(
      double f, UniformStream& stream, std::uint64_t first, std::uint64_t count, Use use) const {
    const double width = 2 * half_width_;
    stream.for_each(first, count, [&](double u) { use(f + width * (u - 0.5)); });
  }
  double range_width() const override { return 2 * half_width_; }
  bool within_unit_interval() const override { return half_width_ == 0; }

 private:
  double half_width_;
};

class SymtruncNoise final : public NoiseModel<SymtruncNoise> {
 public:
  explicit SymtruncNoise(double sd) : sd_(sd) {}
  template <class Use>
  void each(
      double mean, UniformStream& stream, std::uint64_t first, std::uint64_t count, Use use) const {
    const Law law(to_unit(mean), sd_);
    if (law.room <= 0) return repeat(law.f, count, use);
    stream.for_each(first, count, [&](double u) { use(law.quantile(u)); });
  }
  std::optional<double> stated_sd() const override { return sd_; }
  double sd_at(double mean) const override {
    const Law law(to_unit(mean), sd_);
    if (law.room <= 0) return 0;
    return sd_of_law(law.f, [&](double u) { return law.quantile(u); });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }

 private:
  struct Law {
    Law(double mean, double sd)
        : f(mean),
          room(std::min(f, 1 - f)),
          scale(sd * std::numbers::sqrt2),
          mass(room > 0 ? math::erf(room / scale) : 0) {}
    double f, room, scale, mass;
    /// By symmetry the inverse CDF is scale * erf_inv((2u - 1) * P(|N| <= room)).
    double quantile(double u) const {
      return f + std::clamp(scale * math::erf_inv((2 * u - 1) * mass), -room, room);
    }
  };

  double sd_;
};

class TilttruncNoise final : public NoiseModel<TilttruncNoise> {
 public:
  explicit TilttruncNoise(double sd) : sd_(sd) {}
  template <class Use>
  void each(
      double mean, UniformStream& stream, std::uint64_t first, std::uint64_t count, Use use) const {
    const double f = to_unit(mean);
    if (f <= 0 || f >= 1) return repeat(f, count, use);
    const Law law(f, sd_);
    stream.for_each(first, count, [&](double u) { use(law.quantile(u)); });
  }
  std::optional<double> stated_sd() const override { return sd_; }
  double sd_at(double mean) const override {
    const double f = to_unit(mean);
    if (f <= 0 || f >= 1) return 0;
    const Law law(f, sd_);
    return sd_of_law(f, [&](double u) { return law.quantile(u); });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }

 private:
  /// 1 - reward has the mirrored law, so mu is solved for means up to 1/2 only.
  struct Law {
    Law(double f, double sd)
        : mirrored(f > 0.5), normal(TruncatedNormal::with_mean(mirrored ? 1 - f : f, sd)) {}
    bool mirrored;
    TruncatedNormal normal;
    double quantile(double u) const {
      return mirrored ? 1 - normal.quantile(1 - u) : normal.quantile(u);
    }
  };

  double sd_;
};

class BernoulliNoise final : public NoiseModel<BernoulliNoise> {
 public:
  template <class Use>
  void each(
      double mean, UniformStream& stream, std::uint64_t first, std::uint64_t count, Use use) const {
    const double zero = 1 - to_unit(mean);  // the inverse CDF jumps here
    stream.for_each(first, count, [&](double u) { use(u < zero ? 0.0 : 1.0); });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }
};

class BetaNoise final : public NoiseModel<BetaNoise> {
 public:
  explicit BetaNoise(double kappa) : kappa_(kappa) {}
  template <class Use>
  void each(
      double mean, UniformStream& stream, std::uint64_t first, std::uint64_t count, Use use) const {
    const double f = to_unit(mean);
    const double a = kappa_ * f;
    const double b = kappa_ * (1 - f);
    // Below this the law is Bernoulli to double precision, and its quantile overflows.
    constexpr double kDegenerate = 1e-6;
    if (a < kDegenerate || b < kDegenerate)
      stream.for_each(first, count, [&](double u) { use(u < 1 - f ? 0.0 : 1.0); });
    else
      stream.for_each(first, count, [&](double u) { use(math::beta_quantile(a, b, u)); });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }

 private:
  double kappa_;
};

}  // namespace

std::unique_ptr<Noise> make_no_noise() { return std::make_unique<NoNoise>(); }
std::unique_ptr<Noise> make_uniform_noise(double half_width) {
  return std::make_unique<UniformNoise>(half_width);
}
std::unique_ptr<Noise> make_symtrunc_noise(double sd) {
  return std::make_unique<SymtruncNoise>(sd);
}
std::unique_ptr<Noise> make_tilttrunc_noise(double sd) {
  return std::make_unique<TilttruncNoise>(sd);
}
std::unique_ptr<Noise> make_bernoulli_noise() { return std::make_unique<BernoulliNoise>(); }
std::unique_ptr<Noise> make_beta_noise(double kappa) { return std::make_unique<BetaNoise>(kappa); }

}  // namespace posse
