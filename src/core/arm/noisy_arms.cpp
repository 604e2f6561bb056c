// SPDX-License-Identifier: Apache-2.0
#include "core/arm/noisy_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/arm/base_optimizers.hpp"
#include "core/arm/smooth_arms.hpp"
#include "core/optimizer/noise_parameters.hpp"

namespace posse {
namespace {

struct NoisyOptions {
  Eigen::Index dimension = 20;
  double p = 1;
  std::vector<double> minima;
  double half = 7;  // h
  double strong_convexity = 0;
  std::string optimizer;
  GradientNoise noise;
  bool known_radius = true;
  std::optional<double> delta, practical_a;
  double accuracy = 1e-3, practical_k = 0.1;
};

class NoisyArms final : public ArmFamily {
 public:
  explicit NoisyArms(NoisyOptions options) : options_(std::move(options)) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(options_.minima.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    std::vector<std::shared_ptr<BaseProblem>> problems;
    double largest = 0;  // A
    for (std::uint32_t i = 0; i < size(); ++i) {
      auto [problem, top] = make_problem(repetition, i);
      problem->horizon = budget;
      largest = std::max(largest, top);
      problems.push_back(std::move(problem));
    }
    const double delta = options_.delta.value_or(clean_event_delta(size(), budget, largest));
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (std::uint32_t i = 0; i < size(); ++i) {
      problems[i]->delta = delta;
      set->arms.push_back(make_arm(options_.optimizer, problems[i], options_.minima[i]));
    }
    return set;
  }

 private:
  std::pair<std::shared_ptr<BaseProblem>, double> make_problem(const Repetition& repetition,
                                                               std::uint32_t i) const {
    const auto& o = options_;
    auto problem = std::make_shared<BaseProblem>();
    problem->name = fmt::format("f{}", i + 1);
    auto draw = draw_smooth(repetition, problem->name, o.dimension, o.p);
    const auto box = FeasibleSet::box(o.dimension, -o.half, o.half);
    box.project(draw.minimiser);
    const auto function = std::make_shared<SmoothCone>(
        o.minima[i], draw.diagonal, draw.minimiser, o.strong_convexity);
    problem->function = function;
    problem->start = draw.minimiser.array() + start_offset(*function);
    box.project(problem->start);
    const bool everywhere = o.optimizer.find("sstm") != std::string::npos;
    problem->set = everywhere ? FeasibleSet::space(o.dimension) : box;
    problem->radius = o.known_radius
                          ? std::max((problem->start - draw.minimiser).norm(), 1e-9 * o.half)
                          : box.diameter();
    problem->noise = o.noise;
    problem->seed = repetition.seed;
    problem->accuracy = o.accuracy;
    problem->practical_a = o.practical_a;
    problem->practical_k = o.practical_k;
    return {problem, largest_over_box(*function, o.half)};
  }

  NoisyOptions options_;
};

std::shared_ptr<const ArmFamily> make_noisy(const Parameters& p) {
  NoisyOptions o;
  o.dimension = static_cast<Eigen::Index>(p.integer("dimension"));
  o.p = p.real("p");
  o.minima = p.numbers("minima");
  if (o.minima.empty()) throw InputError("at least one arm is needed", "minima");
  for (const double minimum : o.minima)
    if (minimum >= 2)
      throw InputError(
          fmt::format(
              "{}: the start rule needs f* below 2, since it brings f to between 8 - 4 f* and "
              "10 - 4 f*",
              minimum),
          "minima");
  o.half = p.real("box");
  o.strong_convexity = p.real("mu");
  o.optimizer = p.text("optimizer");
  o.noise = parse_gradient_noise(p);
  o.known_radius = p.text("radius") == "known";
  if (!p.is_auto("delta")) o.delta = p.real("delta");
  if (!p.is_auto("practical_a")) o.practical_a = p.real("practical_a");
  o.practical_k = p.real("practical_k");
  o.accuracy = p.real("accuracy");
  const auto family = std::make_shared<NoisyArms>(std::move(o));
  family->arms({Seed{0}, 0}, 1);  // checks the optimizer, independently of the draws
  return family;
}

}  // namespace

double start_offset(const SmoothCone& function) {
  const double least = *function.minimum();
  const Vector centre = *function.minimiser();
  double kappa = 1;
  const auto value = [&] { return function.value(Vector(centre.array() + kappa)); };
  while (value() > 10 - 4 * least) kappa /= 1.1;
  while (value() < 8 - 4 * least) kappa *= 1.2;
  return kappa;
}

double largest_over_box(const SmoothCone& function, double half) {
  // f grows with the distance from x* in every coordinate, so the farthest corner is largest.
  const Vector centre = *function.minimiser();
  const Vector corner = (centre.array() > 0).select(Vector::Constant(centre.size(), -half), half);
  return function.value(corner);
}

ArmFamilySpec noisy_arms_spec() {
  auto parameters = smooth_parameters(1.0);
  const std::vector<ParameterSpec> own{
      {.name = "optimizer",
       .type = ParameterType::text,
       .default_value = std::string("ac-sa"),
       .help =
           "ac-sa: Lan's valid form; ac-sa-coded: the code of Dorn et al.; clipped-sstm: without "
           "the box; -strong and r-: mu > 0 only",
       .choices = {"ac-sa",
                   "ac-sa-coded",
                   "ac-sa-strong",
                   "clipped-sstm-theory",
                   "clipped-sstm-practical",
                   "clipped-sstm-shorthand",
                   "r-clipped-sstm-theory",
                   "r-clipped-sstm-practical",
                   "r-clipped-sstm-shorthand"}},
      {.name = "box", .default_value = 7.0, .help = "h of [-h, h]^d", .min = 1e-6, .max = 1e6},
      {.name = "mu",
       .default_value = 0.0,
       .help = "add mu |x - x*|^2/2 to every function",
       .min = 0,
       .max = 1e6},
      {.name = "radius",
       .type = ParameterType::text,
       .default_value = std::string("known"),
       .help = "R in g, and of the ball to which ac-sa keeps; known: |x0 - x*|; diameter: the "
               "box's diameter",
       .choices = {"known", "diameter"}},
      {.name = "delta",
       .default_value = std::monostate{},
       .help =
           "failure probability of an arm's bounds; auto: 1/(K T^2 A), A the largest value over "
           "the box",
       .min = 0,
       .max = 1,
       .min_open = true,
       .max_open = true},
      {.name = "practical_a",
       .default_value = std::monostate{},
       .help = "c_a of clipped-sstm-practical; auto: 0.2 at alpha = 2, 0.05 up to alpha = 1.5, "
               "linear between",
       .min = 0,
       .min_open = true},
      {.name = "practical_k",
       .default_value = 0.1,
       .help = "c_K of r-clipped-sstm-practical, the length of stages",
       .min = 0,
       .min_open = true},
      {.name = "accuracy",
       .default_value = 1e-3,
       .help = "eps of r-clipped-sstm, which fixes the number of stages in its bound",
       .min = 0,
       .min_open = true}};
  parameters.insert(parameters.end(), own.begin(), own.end());
  for (auto& spec : gradient_noise_parameters("gaussian", 2.0))
    parameters.push_back(std::move(spec));
  return {.kind = "noisy",
          .summary = "smooth convex functions with noisy gradients",
          .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, section 5.3",
          .parameters = std::move(parameters),
          .make = make_noisy};
}

}  // namespace posse
