// SPDX-License-Identifier: Apache-2.0
#include "core/arm/base_optimizers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/optimizer/ac_sa.hpp"
#include "core/optimizer/agd.hpp"
#include "core/optimizer/clipped_sstm.hpp"
#include "core/optimizer/pgd.hpp"
#include "core/optimizer/triple_averaging.hpp"

namespace posse {
namespace {

[[noreturn]] void refuse(std::string_view optimizer, std::string_view why) {
  throw InputError(fmt::format("'{}' {}", optimizer, why), "optimizer");
}

void refuse_unless_positive(std::string_view optimizer, std::string_view what, double constant) {
  if (!(constant > 0) || !std::isfinite(constant))
    refuse(optimizer,
           fmt::format("needs a positive, finite {}; this function's is {}", what, constant));
}

double lipschitz_of(const BaseProblem& p) {
  return p.lipschitz ? *p.lipschitz : p.function->lipschitz().value_or(0);
}

SstmMode mode_of(std::string_view optimizer) {
  if (optimizer.ends_with("theory")) return SstmMode::theory;
  if (optimizer.ends_with("shorthand")) return SstmMode::shorthand;
  return SstmMode::practical;
}

/// Default of c_a: 0.05 up to alpha = 1.5, 0.2 at alpha = 2, linear between.
double practical_a(double alpha) { return 0.05 + 0.3 * std::max(alpha - 1.5, 0.0); }

ClippedSstmOptions sstm_options(std::string_view optimizer, const BaseProblem& p) {
  ClippedSstmOptions options;
  options.mode = mode_of(optimizer);
  options.smoothness = *p.function->smoothness();
  options.radius = p.radius;
  options.noise = p.noise.kind == GradientNoiseKind::none ? 0 : p.noise.sigma;
  options.alpha = p.noise.alpha;
  if (p.delta > 0) options.beta = p.delta;
  options.horizon = p.horizon;
  options.practical_a = p.practical_a.value_or(practical_a(options.alpha));
  return options;
}

AcSaOptions ac_sa_options(std::string_view optimizer, const BaseProblem& p) {
  AcSaOptions options;
  const auto smooth = p.function->smoothness();
  options.smoothness = smooth.value_or(0);
  // Two subgradients of an M-Lipschitz function differ by up to 2 M.
  options.lipschitz = smooth ? 0 : 2 * lipschitz_of(p);
  options.noise = p.noise.kind == GradientNoiseKind::none ? 0 : p.noise.sigma;
  options.radius = p.radius;
  options.as_coded = optimizer == "ac-sa-coded";
  if (optimizer == "ac-sa-strong") {
    options.strong_convexity = p.function->strong_convexity();
    options.delta = p.delta / 2;  // its bound fails with probability 2 delta
  }
  return options;
}

/// Forms that are not bounds, and bounds in expectation, are guesses for a single run.
Certificate certificate_of(std::string_view optimizer, const BaseProblem& p) {
  for (const auto* form : {"-coded", "-practical", "-shorthand"})
    if (optimizer.ends_with(form)) return Certificate::guess;
  if (p.lipschitz) return Certificate::guess;  // the authors' constants, not the function's
  const bool noisy = p.noise.kind != GradientNoiseKind::none && p.noise.sigma > 0;
  if (!noisy) return Certificate::valid;
  if (p.delta == 0 || optimizer == "ac-sa") return Certificate::guess;
  // The tail bound of ac-sa-strong is for sub-Gaussian noise on a bounded set.
  if (optimizer == "ac-sa-strong" &&
      (p.noise.kind != GradientNoiseKind::gaussian || !p.set.bounded()))
    return Certificate::guess;
  return Certificate::likely;
}

}  // namespace

const std::vector<BaseOptimizerSpec>& base_optimizers() {
  static const std::vector<BaseOptimizerSpec> all{
      {.name = "agd",
       .summary = "accelerated gradient descent; g = 2 L R^2/(k^2 + 5k + 6)",
       .smooth = true,
       .everywhere = true,
       .exact = true},
      {.name = "agd-strong",
       .summary = "accelerated gradient descent for mu > 0; g = (L + mu)/2 R^2 exp(-k sqrt(mu/L))",
       .smooth = true,
       .strong = true,
       .everywhere = true,
       .exact = true},
      {.name = "pgd",
       .summary = "projected subgradients, steps R/(M sqrt s), weighted mean; g about M R/sqrt k",
       .lipschitz = true,
       .exact = true},
      {.name = "pgd-horizon",
       .summary = "projected subgradients with the step for a known T",
       .lipschitz = true,
       .exact = true},
      {.name = "pgd-strong",
       .summary = "projected subgradients for mu > 0; g = 2 M^2/(mu (k+1))",
       .lipschitz = true,
       .strong = true,
       .exact = true},
      {.name = "triple-averaging",
       .summary = "subgradient method with triple averaging; g = sqrt2 M R/sqrt k",
       .lipschitz = true,
       .exact = true},
      {.name = "triple-averaging-coded",
       .summary = "the same as in the code of Dorn et al. 2025; its g is not a valid bound",
       .lipschitz = true,
       .exact = true},
      {.name = "ac-sa",
       .summary = "accelerated stochastic approximation; with noise, a bound in expectation"},
      {.name = "ac-sa-coded",
       .summary = "the same with the constants of the code of Dorn et al. 2025; its g is not a "
                  "valid bound",
       .smooth = true},
      {.name = "ac-sa-strong",
       .summary = "accelerated stochastic approximation for mu > 0",
       .smooth = true,
       .strong = true},
      {.name = "clipped-sstm-theory",
       .summary = "clipped-SSTM for heavy-tailed noise; valid constants, which are very large",
       .smooth = true,
       .everywhere = true},
      {.name = "clipped-sstm-practical",
       .summary = "clipped-SSTM with constants tuned by experiment; no bound",
       .smooth = true,
       .everywhere = true},
      {.name = "clipped-sstm-shorthand",
       .summary = "the same with the simplified g of Dorn et al. 2025; no bound",
       .smooth = true,
       .everywhere = true},
      {.name = "r-clipped-sstm-theory",
       .summary = "restarted clipped-SSTM for mu > 0; valid constants, which are very large",
       .smooth = true,
       .strong = true,
       .everywhere = true},
      {.name = "r-clipped-sstm-practical",
       .summary = "restarted clipped-SSTM with constants tuned by experiment; no bound",
       .smooth = true,
       .strong = true,
       .everywhere = true},
      {.name = "r-clipped-sstm-shorthand",
       .summary = "the same with the simplified g of Dorn et al. 2025; no bound",
       .smooth = true,
       .strong = true,
       .everywhere = true},
  };
  return all;
}

void check_base_optimizer(std::string_view optimizer, const BaseProblem& p) {
  const auto& all = base_optimizers();
  const auto needs = std::find_if(
      all.begin(), all.end(), [&](const auto& spec) { return spec.name == optimizer; });
  if (needs == all.end()) {
    std::string names;
    for (const auto& spec : all) names += (names.empty() ? "" : ", ") + std::string(spec.name);
    refuse(optimizer, "is not a base optimizer; allowed: " + names);
  }
  const ConvexFunction& f = *p.function;
  const auto smooth = f.smoothness();
  if (needs->smooth && !smooth)
    refuse(optimizer, "needs a smooth function; this one is nonsmooth (use pgd or ac-sa)");
  if (needs->smooth) refuse_unless_positive(optimizer, "smoothness constant L", *smooth);
  const auto lipschitz = p.lipschitz ? p.lipschitz : f.lipschitz();
  if (needs->lipschitz && !lipschitz)
    refuse(optimizer,
           "needs a function with bounded subgradients (a Lipschitz constant M); this one has none "
           "on this set: use a bounded set");
  if (needs->lipschitz) refuse_unless_positive(optimizer, "Lipschitz constant M", *lipschitz);
  if (needs->strong && !(f.strong_convexity() > 0))
    refuse(optimizer, "needs a strongly convex function; this one has mu = 0");
  if (needs->everywhere && p.set.bounded())
    refuse(optimizer, "works only without constraints, on the set 'space'");
  const bool noisy = p.noise.kind != GradientNoiseKind::none && p.noise.sigma > 0;
  if (needs->exact && noisy) refuse(optimizer, "needs exact gradients; these have noise");
  if (optimizer.starts_with("ac-sa")) {
    if (!smooth && !lipschitz)
      refuse(optimizer, "needs a smooth function or a Lipschitz constant M; this one has neither");
    if (smooth) refuse_unless_positive(optimizer, "smoothness constant L", *smooth);
    if (noisy && p.noise.kind == GradientNoiseKind::heavy_tail && p.noise.alpha < 2)
      refuse(optimizer,
             fmt::format("needs noise of finite variance; this has alpha = {} (use "
                         "clipped-sstm-...)",
                         p.noise.alpha));
  }
  if (!p.set.contains(p.start, 1e-9))
    throw InputError("the start lies outside the feasible set", "start");
}

std::unique_ptr<Optimizer> make_base_optimizer(std::string_view optimizer,
                                               const BaseProblem& p,
                                               std::uint32_t instance) {
  const ConvexFunction& f = *p.function;
  GradientOracle oracle(
      f, p.noise, p.seed, instance == 0 ? p.name : fmt::format("{}/copy-{}", p.name, instance));
  const double mu = f.strong_convexity();
  if (optimizer == "agd" || optimizer == "agd-strong")
    return std::make_unique<Agd>(
        std::move(oracle),
        p.start,
        AgdOptions{*f.smoothness(), optimizer == "agd" ? 0 : mu, p.radius});
  if (optimizer.starts_with("pgd"))
    return std::make_unique<Pgd>(std::move(oracle),
                                 p.set,
                                 p.start,
                                 PgdOptions{lipschitz_of(p),
                                            optimizer == "pgd-strong" ? mu : 0,
                                            p.radius,
                                            optimizer == "pgd-horizon" ? p.horizon : 0});
  if (optimizer.starts_with("triple-averaging"))
    return std::make_unique<TripleAveraging>(
        std::move(oracle),
        p.set,
        p.start,
        TripleAveragingOptions{lipschitz_of(p), p.radius, optimizer.ends_with("coded")});
  if (optimizer.starts_with("ac-sa"))
    return std::make_unique<AcSa>(std::move(oracle), p.set, p.start, ac_sa_options(optimizer, p));
  const ClippedSstmOptions run = sstm_options(optimizer, p);
  if (optimizer.starts_with("clipped-sstm"))
    return std::make_unique<ClippedSstm>(std::move(oracle), p.start, run);
  POSSE_CHECK(optimizer.starts_with("r-clipped-sstm"), "no base optimizer {}", optimizer);
  return std::make_unique<RestartedSstm>(
      std::move(oracle),
      p.start,
      RestartedSstmOptions{run, mu, p.accuracy, p.practical_k.value_or(0.1)});
}

double clean_event_delta(std::uint32_t arms, std::uint64_t budget, double largest) {
  const auto t = static_cast<double>(budget);
  return std::min(0.5, 1 / (arms * t * t * std::max(largest, 1.0)));
}

Arm make_arm(std::string_view optimizer,
             const std::shared_ptr<const BaseProblem>& problem,
             std::optional<double> minimum) {
  check_base_optimizer(optimizer, *problem);
  return {problem->name,
          minimum,
          [optimizer = std::string(optimizer), problem](std::uint32_t instance) {
            return make_base_optimizer(optimizer, *problem, instance);
          },
          certificate_of(optimizer, *problem)};
}

}  // namespace posse
