// SPDX-License-Identifier: Apache-2.0
#include "core/arm/reward_arms.hpp"

#include <fmt/format.h>

#include <numbers>

#include "core/base/math.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

enum class RewardNoise { cauchy, student_t, normal };

struct RewardOptions {
  std::vector<double> means;
  RewardNoise noise = RewardNoise::cauchy;
  double scale = 1;
  double degrees = 2;  // student_t only
};

double draw(const RewardOptions& options, StreamKey key, std::uint64_t pull) {
  DrawEngine draws(key, pull);
  switch (options.noise) {
    case RewardNoise::cauchy:
      return math::tan(std::numbers::pi * (draws.uniform() - 0.5));
    case RewardNoise::student_t:
      return draw_student_t(draws, options.degrees);
    case RewardNoise::normal:
      return draw_normal(draws);
  }
  return 0;
}

class RewardArms final : public ArmFamily {
 public:
  explicit RewardArms(RewardOptions options)
      : options_(std::make_shared<const RewardOptions>(std::move(options))) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(options_->means.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (const double mean : options_->means) {
      Arm arm;
      arm.name = fmt::format("mu{}", set->size() + 1);
      arm.minimum = 0 - mean;  // 0, not -0
      const StreamKey key = stream_key(repetition.seed, "reward", arm.name);
      arm.reward = [options = options_, key, mean](std::uint64_t pull) {
        return mean + options->scale * draw(*options, key, pull);
      };
      set->arms.push_back(std::move(arm));
    }
    return set;
  }

 private:
  std::shared_ptr<const RewardOptions> options_;
};

std::shared_ptr<const ArmFamily> make_rewards(const Parameters& p) {
  RewardOptions options;
  options.means = p.numbers("means");
  if (options.means.empty()) throw InputError("at least one arm is needed", "means");
  const auto& noise = p.text("noise");
  options.noise = noise == "normal"      ? RewardNoise::normal
                  : noise == "student-t" ? RewardNoise::student_t
                                         : RewardNoise::cauchy;
  options.scale = p.real("scale");
  options.degrees = p.real("degrees");
  return std::make_shared<RewardArms>(std::move(options));
}

}  // namespace

ArmFamilySpec reward_arms_spec() {
  return {
      .kind = "rewards",
      .summary = "random rewards with light or heavy tails",
      .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, Appendix D",
      .parameters =
          {{.name = "means",
            .type = ParameterType::numbers,
            .default_value = std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
            .help = "mu_i, the arms' means or centres; the length of the list is K"},
           {.name = "noise",
            .type = ParameterType::text,
            .default_value = std::string("cauchy"),
            .help =
                "distribution around mu_i; the Cauchy distribution has neither mean nor variance",
            .choices = {"cauchy", "student-t", "normal"}},
           {.name = "scale",
            .default_value = 1.0,
            .help = "factor on the standard noise",
            .min = 0},
           {.name = "degrees",
            .default_value = 2.0,
            .help = "degrees of freedom of student-t; moments of lower order exist",
            .min = 0.5,
            .max = 1e6}},
      .make = make_rewards};
}

}  // namespace posse
