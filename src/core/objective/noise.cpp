#include "core/objective/noise.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "core/objective/truncated_normal.hpp"

namespace posse {
namespace {

double to_unit(double f) { return std::clamp(f, 0.0, 1.0); }

/// The sum of reward(u) over the draws, one by one.
template <class Reward>
double sum(UniformStream& stream, std::uint64_t first, std::uint64_t count, Reward reward) {
  double total = 0;
  stream.for_each(first, count, [&](double u) { total += reward(u); });
  return total;
}

double repeated(double reward, std::uint64_t count) {
  double total = 0;
  for (std::uint64_t i = 0; i < count; ++i) total += reward;
  return total;
}

class NoNoise final : public Noise {
 public:
  double sum_of_rewards(double f,
                        UniformStream&,
                        std::uint64_t,
                        std::uint64_t count) const override {
    return repeated(f, count);
  }
  double range_width() const override { return 0; }
  bool within_unit_interval() const override { return true; }
};

class UniformNoise final : public Noise {
 public:
  explicit UniformNoise(double half_width) : half_width_(half_width) {}
  double sum_of_rewards(double f,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    const double width = 2 * half_width_;
    return sum(stream, first, count, [=](double u) { return f + width * (u - 0.5); });
  }
  double range_width() const override { return 2 * half_width_; }
  bool within_unit_interval() const override { return half_width_ == 0; }

 private:
  double half_width_;
};

class SymtruncNoise final : public Noise {
 public:
  explicit SymtruncNoise(double sd) : sd_(sd) {}
  double sum_of_rewards(double mean,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    const double f = to_unit(mean);
    const double room = std::min(f, 1 - f);
    if (room <= 0) return repeated(f, count);
    const double scale = sd_ * std::numbers::sqrt2;
    // By symmetry the inverse CDF is scale * erf_inv((2u - 1) * P(|N| <= room)).
    const double mass = std::erf(room / scale);
    return sum(stream, first, count, [=](double u) {
      const double z = scale * boost::math::erf_inv((2 * u - 1) * mass);
      return f + std::clamp(z, -room, room);
    });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }

 private:
  double sd_;
};

class TilttruncNoise final : public Noise {
 public:
  explicit TilttruncNoise(double sd) : sd_(sd) {}
  double sum_of_rewards(double mean,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    const double f = to_unit(mean);
    if (f <= 0 || f >= 1) return repeated(f, count);
    // 1 - reward has the mirrored law: only means up to 1/2 need solving.
    const bool mirrored = f > 0.5;
    const TruncatedNormal law = TruncatedNormal::with_mean(mirrored ? 1 - f : f, sd_);
    return sum(stream, first, count, [&](double u) {
      return mirrored ? 1 - law.quantile(1 - u) : law.quantile(u);
    });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }

 private:
  double sd_;
};

class BernoulliNoise final : public Noise {
 public:
  double sum_of_rewards(double mean,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    const double zero = 1 - to_unit(mean);  // the inverse CDF jumps here
    return sum(stream, first, count, [=](double u) { return u < zero ? 0.0 : 1.0; });
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
  bool needs_unit_interval() const override { return true; }
};

class BetaNoise final : public Noise {
 public:
  explicit BetaNoise(double kappa) : kappa_(kappa) {}
  double sum_of_rewards(double mean,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    const double f = to_unit(mean);
    const double a = kappa_ * f;
    const double b = kappa_ * (1 - f);
    // Below this the law is a coin to double precision, and ibeta_inv overflows.
    constexpr double kDegenerate = 1e-6;
    if (a < kDegenerate || b < kDegenerate)
      return sum(stream, first, count, [=](double u) { return u < 1 - f ? 0.0 : 1.0; });
    return sum(stream, first, count, [=](double u) { return boost::math::ibeta_inv(a, b, u); });
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
