// SPDX-License-Identifier: Apache-2.0
// Every base optimizer against a literal reference: the formulas of its source, word for word, on
// lists of long doubles, with sums from the start at every step and no code of the optimizers.
//
// Sources: agd: Su, Boyd & Candès 2016 (convex), Bubeck 2015 (strongly convex); pgd: Bubeck 2015;
// triple averaging: Nesterov & Shikhman 2015; AC-SA: Lan 2020, Propositions 4.5 and 4.6; SSTM:
// Sadiev et al. 2023; all as Dorn et al. 2025 use them. Iterates, values and bounds must agree at
// every step, up to the rounding of doubles.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/optimizer/ac_sa.hpp"
#include "core/optimizer/agd.hpp"
#include "core/optimizer/clipped_sstm.hpp"
#include "core/optimizer/pgd.hpp"
#include "core/optimizer/triple_averaging.hpp"
#include "core/random/distributions.hpp"
#include "tests/support/convex_functions.hpp"

namespace test_optimizer_references {

using namespace posse;

namespace {

using Real = long double;
using List = std::vector<Real>;

List list_of(const Vector& x) { return {x.begin(), x.end()}; }

/// a x + b y.
List sum(Real a, const List& x, Real b, const List& y) {
  List z(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) z[j] = a * x[j] + b * y[j];
  return z;
}

Real norm(const List& x) {
  Real square = 0;
  for (const Real v : x) square += v * v;
  return std::sqrt(square);
}

/// A test function on lists.
struct Reference {
  std::function<Real(const List&)> value;
  std::function<List(const List&)> gradient;
};

/// test::Quadratic.
Reference quadratic(const Vector& lambda) {
  const List l = list_of(lambda);
  return {[l](const List& x) {
            Real f = 0;
            for (std::size_t j = 0; j < x.size(); ++j) f += l[j] * x[j] * x[j] / 2;
            return f;
          },
          [l](List x) {
            for (std::size_t j = 0; j < x.size(); ++j) x[j] *= l[j];
            return x;
          }};
}

/// test::MaxDistance.
Reference max_distance(const Vector& centre, Real q = 0) {
  const List c = list_of(centre);
  return {[c, q](const List& x) {
            const List y = sum(1, x, -1, c);
            Real largest = 0;
            for (const Real v : y) largest = std::max(largest, std::abs(v));
            return largest + q * norm(y) * norm(y);
          },
          [c, q](const List& x) {
            const List y = sum(1, x, -1, c);
            std::size_t first = 0;
            for (std::size_t j = 1; j < y.size(); ++j)
              if (std::abs(y[j]) > std::abs(y[first])) first = j;
            List g = sum(2 * q, y, 0, y);
            g[first] += y[first] > 0 ? 1 : y[first] < 0 ? -1 : 0;
            return g;
          }};
}

using Projection = std::function<List(List)>;

List anywhere(List x) { return x; }

Projection onto_box(Real low, Real high) {
  return [=](List x) {
    for (Real& v : x) v = std::min(std::max(v, low), high);
    return x;
  };
}

/// The nearest point of the box's intersection with a ball: clip((x + lambda c)/(1 + lambda)), with
/// the smallest lambda >= 0 for which it is in the ball.
Projection onto_box_and_ball(Real low, Real high, const List& centre, Real radius) {
  return [=](const List& x) {
    const auto at = [&](Real lambda) {
      return onto_box(low, high)(sum(1 / (1 + lambda), x, lambda / (1 + lambda), centre));
    };
    const auto inside = [&](Real lambda) { return norm(sum(1, at(lambda), -1, centre)) <= radius; };
    if (inside(0)) return at(0);
    Real below = 0, above = norm(sum(1, x, -1, centre)) / radius;
    for (int i = 0; i < 80; ++i) {
      const Real middle = (below + above) / 2;
      (inside(middle) ? above : below) = middle;
    }
    return at(above);
  };
}

/// Subgradients with the noise that gradient_noise.hpp documents.
class NoisyGradient {
 public:
  NoisyGradient(Reference f, GradientNoise noise, Seed seed, std::string_view name)
      : f_(std::move(f)), noise_(noise), key_(stream_key(seed, "oracle", name)) {}

  List operator()(const List& x) {
    List g = f_.gradient(x);
    DrawEngine draws(key_, calls_++);
    if (noise_.kind == GradientNoiseKind::none || noise_.sigma == 0) return g;
    List z(x.size());
    for (Real& v : z) v = draw_normal(draws);
    const Real s = noise_.sigma, alpha = noise_.alpha, theta = noise_.theta;
    if (noise_.kind == GradientNoiseKind::gaussian)
      return sum(1, g, s / std::sqrt(static_cast<Real>(z.size())), z);
    const Real u = draws.uniform();
    const Real length = s * std::pow((theta - alpha) / theta, 1 / alpha) * std::pow(u, -1 / theta);
    return sum(1, g, length / norm(z), z);
  }
  const Reference& f() const { return f_; }

 private:
  Reference f_;
  GradientNoise noise_;
  StreamKey key_;
  std::uint64_t calls_ = 0;
};

NoisyGradient exact(Reference f) { return {std::move(f), {}, Seed{1}, "arm"}; }

/// What a step shows.
struct Shown {
  List point;
  Real value = 0, bound = 0;
};
using Path = std::vector<Shown>;

struct Constants {
  Real l = 0, m = 0, mu = 0, s = 0, r = 1;
};

Path agd(NoisyGradient g, List x, const Constants& c, int steps) {
  Path path;
  List y = x;
  for (Real k = 1; k <= steps; ++k) {
    const List before = x;
    x = sum(1, y, -1 / c.l, g(y));
    const Real root = std::sqrt(c.l / c.mu);  // sqrt kappa
    const Real momentum = c.mu > 0 ? (root - 1) / (root + 1) : (k - 1) / (k + 2);
    y = sum(1 + momentum, x, -momentum, before);
    const Real bound = c.mu > 0 ? (c.l + c.mu) / 2 * c.r * c.r * std::exp(-k / root)
                                : 2 * c.l * c.r * c.r / (k * k + 5 * k + 6);
    path.push_back({x, g.f().value(x), bound});
  }
  return path;
}

/// horizon 0: anytime.
Path pgd(NoisyGradient g,
         const Projection& project,
         List x,
         const Constants& c,
         int horizon,
         int steps) {
  Path path;
  List weighted(x.size());  // sum of weight_s x_s
  Real weights = 0, etas = 0, squares = 0;
  for (Real s = 1; s <= steps; ++s) {
    const Real eta = c.mu > 0      ? 2 / (c.mu * (s + 1))
                     : horizon > 0 ? c.r / (c.m * std::sqrt(static_cast<Real>(horizon)))
                                   : c.r / (c.m * std::sqrt(s));
    const Real weight = c.mu > 0 ? 2 * s : horizon > 0 ? 1 : eta;
    weighted = sum(1, weighted, weight, x);
    weights += weight;
    etas += eta;
    squares += eta * eta;
    const Real bound = c.mu > 0      ? 2 * c.m * c.m / (c.mu * (s + 1))
                       : horizon > 0 ? c.r * c.r / (2 * eta * s) + eta * c.m * c.m / 2
                                     : (c.r * c.r + c.m * c.m * squares) / (2 * etas);
    const List mean = sum(1 / weights, weighted, 0, weighted);
    path.push_back({mean, g.f().value(mean), bound});
    x = project(sum(1, x, -eta, g(x)));
  }
  return path;
}

Path triple_averaging(NoisyGradient g,
                      const Projection& project,
                      const List& x0,
                      const Constants& c,
                      bool coded,
                      int steps) {
  Path path;
  List x = x0, total(x0.size());
  const Real gam = coded ? c.m : std::sqrt(Real{2}) * c.m / c.r;
  for (Real t = 0; t < steps; ++t) {
    const Real k = t + 1;
    const Real bound =
        coded ? 2 * c.m * c.r / std::sqrt(t + 1) : std::sqrt(Real{2}) * c.m * c.r / std::sqrt(k);
    path.push_back({x, g.f().value(x), bound});
    total = sum(1, total, 1, g(x));
    const Real now = gam * std::sqrt(t + 1), next = gam * std::sqrt(t + 2);
    const List plus = project(sum(1, x0, -(coded ? t + 2 : 1) / now, total));
    const List hat = sum(now / next, plus, 1 - now / next, x0);
    x = sum((t + 1) / (t + 2), x, 1 / (t + 2), hat);
  }
  return path;
}

struct AcSaModes {
  Real largest = 0;  // DX2
  Real delta = 0;
  bool coded = false;
};

Path ac_sa(NoisyGradient g,
           const Projection& project,
           List x,
           Constants c,
           const AcSaModes& modes,
           int steps) {
  Path path;
  List u = x;
  if (modes.coded) c.m = 2;
  const Real variance = c.m * c.m + c.s * c.s, root2 = std::sqrt(Real{2});
  const Real v = modes.coded ? c.r : c.r * c.r / 2;
  const Real largest = modes.coded ? c.r : modes.largest;
  Real gam = std::sqrt(2 * root2 / 3 * variance / largest);
  if (modes.coded) gam = std::sqrt((c.m * c.m + c.s * c.s) / c.r);
  if (variance == 0) gam = 0;
  for (Real t = 1; t <= steps; ++t) {
    const Real a = 2 / (t + 1);
    const Real gam_t =
        1 / (c.mu > 0 ? c.mu * (t - 1) / 2 + 2 * c.l / t : 2 * c.l / t + gam * std::sqrt(t));
    const Real q = c.mu > 0 ? a / (a + (1 - a) * (1 + c.mu * gam_t)) : a;
    const List low = sum(1 - q, u, q, x);
    const List ahead = sum(1, sum(1, x, c.mu * gam_t, low), -gam_t, g(low));
    x = project(sum(1 / (1 + c.mu * gam_t), ahead, 0, ahead));
    u = sum(1 - a, u, a, x);
    Real bound = 4 * c.l * v / (t * (t + 1));
    if (c.mu > 0) {
      bound += 4 * variance / (c.mu * (t + 1));
      if (modes.delta > 0)
        bound += (2 * c.s * c.r / std::sqrt(3 * t) + 4 * c.s * c.s / (c.mu * t)) *
                 std::log(1 / modes.delta);
    } else if (variance > 0) {
      bound += 2 * gam * largest / std::sqrt(t) + 4 * root2 * variance / (3 * gam * std::sqrt(t));
    }
    path.push_back({u, g.f().value(u), bound});
  }
  return path;
}

struct Sstm {
  SstmMode mode = SstmMode::practical;
  Real alpha = 2, beta = 0.05L, horizon = 1000, practical_a = 0.2L;
};

/// The sequences of clipped-SSTM from a point; a and the clipping come from outside.
struct SstmSequences {
  Real a, l, clip;  // lambda_k = clip/a_{k+1}
  List y, z;
  Real total = 0, k = 0;  // A_k

  void step(NoisyGradient& g) {
    const Real ahead = (k + 2) / (2 * a * l);  // a_{k+1}
    const Real next = total + ahead;
    const List x = sum(total / next, y, ahead / next, z);
    List slope = g(x);
    const Real lambda = clip / ahead;
    if (norm(slope) > lambda) slope = sum(lambda / norm(slope), slope, 0, slope);
    z = sum(1, z, -ahead, slope);
    y = sum(total / next, y, ahead / next, z);
    total = next;
    ++k;
  }
};

Real sstm_a(const Sstm& o, const Constants& c, Real horizon, Real log_term, Real radius) {
  if (o.mode == SstmMode::theory)
    return std::max(48600 * log_term * log_term,
                    1800 * c.s * (horizon + 1) * std::pow(horizon, 1 / o.alpha) *
                        std::pow(log_term, (o.alpha - 1) / o.alpha) / (c.l * radius));
  return std::max(
      Real{1},
      o.practical_a * c.s * (horizon + 1) * std::pow(horizon, 1 / o.alpha) / (c.l * radius));
}

Path clipped_sstm(NoisyGradient g, const List& x, const Constants& c, const Sstm& o, int steps) {
  Path path;
  const Real l = std::log(4 * o.horizon / o.beta);
  const Real a = sstm_a(o, c, o.horizon, l, c.r);
  SstmSequences run{a, c.l, o.mode == SstmMode::theory ? c.r / (30 * l) : c.r, x, x};
  for (Real k = 1; k <= steps; ++k) {
    run.step(g);
    const Real bound =
        o.mode == SstmMode::shorthand
            ? std::max(c.l * c.r * c.r / (k * k), c.s * c.r / std::pow(k, 1 - 1 / o.alpha)) *
                  std::log(1 / o.beta)
            : 6 * a * c.l * c.r * c.r / (k * (k + 3));
    path.push_back({run.y, g.f().value(run.y), bound});
  }
  return path;
}

/// Stages of R-clipped-SSTM: their lengths K_t, and the path with the best value and bound so far.
struct RestartedPath {
  std::vector<Real> lengths;
  Path path;
};

RestartedPath restarted_sstm(NoisyGradient g,
                             List y,
                             const Constants& c,
                             const Sstm& o,
                             Real accuracy,
                             Real practical_k,
                             int steps) {
  RestartedPath all;
  const Real count =
      std::max(Real{1}, std::ceil(std::log2(c.mu * c.r * c.r / (2 * accuracy))));  // N
  const Real power = o.alpha / (o.alpha - 1);
  Shown best{y, INFINITY, INFINITY};
  for (Real t = 1; all.path.size() < static_cast<std::size_t>(steps); ++t) {
    const Real before = c.r * std::pow(Real{2}, -(t - 1) / 2);  // R_{t-1}
    const Real after = c.r * std::pow(Real{2}, -t / 2);         // R_t
    const Real eps = c.mu * before * before / 4;
    const Real root = std::sqrt(c.l * before * before / eps);
    Real length = std::ceil(practical_k * std::max(root, std::pow(c.s * before / eps, power)));
    if (o.mode == SstmMode::theory) {
      length =
          1080 * root *
          std::log(2160 * std::sqrt(c.l * before * before) * count / (std::sqrt(eps) * o.beta));
      if (c.s > 0)
        length =
            std::max(length,
                     2 * std::pow(10800 * c.s * before / eps, power) *
                         std::log(4 * count / o.beta * std::pow(5400 * c.s * before / eps, power)));
      length = std::ceil(length);
    }
    length = std::max(Real{1}, length);
    all.lengths.push_back(length);
    const Real l = std::log(4 * length * count / o.beta);
    const Real a = sstm_a(o, c, length, l, o.mode == SstmMode::theory ? after : before);
    SstmSequences run{a, c.l, o.mode == SstmMode::theory ? after / (30 * l) : before, y, y};
    for (Real k = 1; k <= length && all.path.size() < static_cast<std::size_t>(steps); ++k) {
      run.step(g);
      const Real value = g.f().value(run.y);
      if (value < best.value) {
        best.value = value;
        best.point = run.y;
      }
      best.bound = std::min(best.bound, 6 * a * c.l * before * before / (k * (k + 3)));
      all.path.push_back(best);
    }
    y = run.y;
  }
  return all;
}

/// The largest deviations of a run of the optimizer from the path: points and values relative to
/// the largest entries of the path, bounds relative to themselves.
struct Deviation {
  double point = 0, value = 0, bound = 0;
};

Deviation deviation(Optimizer& optimizer, const Path& path) {
  Deviation largest;
  Real size = 1e-300L, top = 1e-300L;
  for (const auto& shown : path) {
    size = std::max(size, norm(shown.point));
    top = std::max(top, std::abs(shown.value));
  }
  for (const auto& shown : path) {
    optimizer.step();
    const auto worsen = [](double& worst, Real by) {
      if (!(by <= worst)) worst = static_cast<double>(by);  // NaN stays
    };
    worsen(largest.point, norm(sum(1, list_of(optimizer.point()), -1, shown.point)) / size);
    worsen(largest.value, std::abs(optimizer.value() - shown.value) / top);
    worsen(largest.bound, std::abs(optimizer.bound() - shown.bound) / shown.bound);
  }
  return largest;
}

#define CHECK_FOLLOWS(optimizer, path)                  \
  do {                                                  \
    const Deviation found = deviation(optimizer, path); \
    CAPTURE(found.point, found.value, found.bound);     \
    CHECK(found.point <= 1e-10);                        \
    CHECK(found.value <= 1e-10);                        \
    CHECK(found.bound <= 1e-12);                        \
  } while (false)

/// Random numbers for a trial.
class Draws {
 public:
  explicit Draws(std::uint64_t trial) : engine_(stream_key(Seed{trial}, "test", "reference"), 0) {}
  double uniform(double low, double high) { return low + (high - low) * engine_.uniform(); }
  Vector box(Eigen::Index d, double low, double high) {
    Vector x(d);
    for (auto& v : x) v = uniform(low, high);
    return x;
  }
  Eigen::Index dimension() { return 1 + static_cast<Eigen::Index>(engine_() % 7); }

 private:
  DrawEngine engine_;
};

GradientOracle oracle(const ConvexFunction& f, GradientNoise noise = {}) {
  return {f, noise, Seed{1}, "arm"};
}

constexpr int kSteps = 60;
constexpr std::uint64_t kTrials = 20;

}  // namespace

TEST_CASE("AGD makes the steps of its source, and has its bounds, in both forms") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.05, 4), start = draws.box(d, -5, 5);
    const double l = lambda.maxCoeff() * draws.uniform(1, 1.5), mu = lambda.minCoeff();
    const double r = draws.uniform(1, 20);
    const test::Quadratic f(lambda);
    Agd convex(oracle(f), start, {l, 0, r});
    Agd strong(oracle(f), start, {l, mu, r});
    CHECK_FOLLOWS(convex, agd(exact(quadratic(lambda)), list_of(start), {l, 0, 0, 0, r}, kSteps));
    CHECK_FOLLOWS(strong, agd(exact(quadratic(lambda)), list_of(start), {l, 0, mu, 0, r}, kSteps));
  }
}

TEST_CASE("projected subgradient descent makes the steps of its source in all three forms") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const double low = draws.uniform(-2, -0.5), high = draws.uniform(0.5, 2);
    const Vector centre = draws.box(d, low, high), start = draws.box(d, low, high);
    const double m = draws.uniform(0.5, 3), r = draws.uniform(0.5, 4), q = draws.uniform(0.1, 1);
    const auto box = FeasibleSet::box(d, low, high);
    const test::MaxDistance f(centre), strong(centre, q);
    const auto on_box = onto_box(low, high);
    Pgd anytime(oracle(f), box, start, {m, 0, r, 0});
    Pgd horizon(oracle(f), box, start, {m, 0, r, 45});
    Pgd quadratic(oracle(strong), box, start, {m, 2 * q, r, 0});
    Pgd free(oracle(f), FeasibleSet::space(d), start, {m, 0, r, 0});
    const auto g = exact(max_distance(centre));
    const List x = list_of(start);
    CHECK_FOLLOWS(anytime, pgd(g, on_box, x, {0, m, 0, 0, r}, 0, kSteps));
    CHECK_FOLLOWS(horizon, pgd(g, on_box, x, {0, m, 0, 0, r}, 45, kSteps));
    CHECK_FOLLOWS(quadratic,
                  pgd(exact(max_distance(centre, q)), on_box, x, {0, m, 2 * q, 0, r}, 0, kSteps));
    CHECK_FOLLOWS(free, pgd(g, anywhere, x, {0, m, 0, 0, r}, 0, kSteps));
  }
}

TEST_CASE("triple averaging makes the steps of its source, and those of the authors' code") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const double low = draws.uniform(-2, -0.5), high = draws.uniform(0.5, 2);
    const Vector centre = draws.box(d, low, high);
    const double m = draws.uniform(0.5, 3), r = draws.uniform(0.5, 4);
    const test::MaxDistance f(centre);
    for (const bool coded : {false, true})
      for (const bool boxed : {true, false}) {
        const auto set = boxed ? FeasibleSet::box(d, low, high) : FeasibleSet::space(d);
        // The coded form starts at 0; for the other one any start will do.
        const Vector start = coded ? Vector::Zero(d) : draws.box(d, low, high);
        TripleAveraging optimizer(oracle(f), set, start, {m, r, coded});
        CHECK_FOLLOWS(optimizer,
                      triple_averaging(exact(max_distance(centre)),
                                       boxed ? onto_box(low, high) : anywhere,
                                       list_of(start),
                                       {0, m, 0, 0, r},
                                       coded,
                                       kSteps));
      }
  }
}

TEST_CASE("AC-SA for convex functions: exact gradients, noise, kinks, and both at once") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.05, 3), centre = draws.box(d, -2, 2);
    const Vector start = draws.box(d, -2, 2);
    const List x = list_of(start);
    const double l = lambda.maxCoeff(), m = draws.uniform(0.5, 3), s = draws.uniform(0.5, 3);
    const test::Quadratic smooth(lambda);
    const test::MaxDistance kinks(centre);
    const GradientNoise noise{GradientNoiseKind::gaussian, s};
    const auto box = FeasibleSet::box(d, -2, 2);
    Real farthest = 0;  // max |x - x0|^2/2 over the box
    for (const Real v : x) farthest += std::pow(2 + std::abs(v), Real{2}) / 2;
    // A radius at which the ball cuts the box, and one at which the box is inside the ball.
    for (const double r : {draws.uniform(0.3, 1.5), 5.0 * std::sqrt(static_cast<double>(d))}) {
      const Real largest = std::min(static_cast<Real>(r) * r / 2, farthest);
      const auto near = onto_box_and_ball(-2, 2, x, r);
      const auto ball = onto_box_and_ball(-INFINITY, INFINITY, x, r);
      AcSa plain(oracle(smooth), box, start, {l, 0, 0, 0, r});
      CHECK_FOLLOWS(
          plain, ac_sa(exact(quadratic(lambda)), onto_box(-2, 2), x, {l, 0, 0, 0, r}, {}, kSteps));
      AcSa free(oracle(smooth), FeasibleSet::space(d), start, {l, 0, 0, 0, r});
      CHECK_FOLLOWS(free,
                    ac_sa(exact(quadratic(lambda)), anywhere, x, {l, 0, 0, 0, r}, {}, kSteps));
      AcSa noisy(oracle(smooth, noise), box, start, {l, 0, 0, s, r});
      const NoisyGradient g(quadratic(lambda), noise, Seed{1}, "arm");
      CHECK_FOLLOWS(noisy, ac_sa(g, near, x, {l, 0, 0, s, r}, {largest}, kSteps));
      AcSa noisy_free(oracle(smooth, noise), FeasibleSet::space(d), start, {l, 0, 0, s, r});
      CHECK_FOLLOWS(noisy_free,
                    ac_sa(g, ball, x, {l, 0, 0, s, r}, {static_cast<Real>(r) * r / 2}, kSteps));
      AcSa kinked(oracle(kinks), box, start, {0, m, 0, 0, r});
      CHECK_FOLLOWS(
          kinked, ac_sa(exact(max_distance(centre)), near, x, {0, m, 0, 0, r}, {largest}, kSteps));
      AcSa both(oracle(kinks, noise), box, start, {l, m, 0, s, r});
      CHECK_FOLLOWS(both,
                    ac_sa({max_distance(centre), noise, Seed{1}, "arm"},
                          near,
                          x,
                          {l, m, 0, s, r},
                          {largest},
                          kSteps));
    }
  }
}

TEST_CASE("AC-SA for strongly convex functions: in expectation and with a failure probability") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.3, 3), start = draws.box(d, -2, 2);
    const List x = list_of(start);
    const double l = lambda.maxCoeff(), mu = lambda.minCoeff(), m = draws.uniform(0.1, 1);
    const double s = draws.uniform(0.5, 3), r = draws.uniform(0.5, 3);
    const test::Quadratic f(lambda);
    const GradientNoise noise{GradientNoiseKind::gaussian, s};
    // The ball around the start has no part in the strongly convex form.
    for (const bool boxed : {true, false}) {
      const auto set = boxed ? FeasibleSet::box(d, -2, 2) : FeasibleSet::space(d);
      const auto project = boxed ? onto_box(-2, 2) : anywhere;
      AcSa plain(oracle(f), set, start, {l, 0, mu, 0, r});
      CHECK_FOLLOWS(plain,
                    ac_sa(exact(quadratic(lambda)), project, x, {l, 0, mu, 0, r}, {}, kSteps));
      const NoisyGradient g(quadratic(lambda), noise, Seed{1}, "arm");
      AcSa mean(oracle(f, noise), set, start, {l, m, mu, s, r});
      CHECK_FOLLOWS(mean, ac_sa(g, project, x, {l, m, mu, s, r}, {}, kSteps));
      AcSa sure(oracle(f, noise), set, start, {l, 0, mu, s, r, 0.01});
      CHECK_FOLLOWS(sure, ac_sa(g, project, x, {l, 0, mu, s, r}, {0, 0.01L}, kSteps));
    }
  }
}

TEST_CASE("AC-SA as the authors coded it: R for V and DX2, M = 2, the box without a ball") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.05, 3), start = draws.box(d, -2, 2);
    const double l = lambda.maxCoeff(), s = draws.uniform(0.5, 3), r = draws.uniform(0.3, 1.5);
    const test::Quadratic f(lambda);
    const GradientNoise noise{GradientNoiseKind::gaussian, s};
    AcSa optimizer(oracle(f, noise), FeasibleSet::box(d, -2, 2), start, {l, 0, 0, s, r, 0, true});
    CHECK_FOLLOWS(optimizer,
                  ac_sa({quadratic(lambda), noise, Seed{1}, "arm"},
                        onto_box(-2, 2),
                        list_of(start),
                        {l, 0, 0, s, r},
                        {0, 0, true},
                        kSteps));
  }
}

TEST_CASE("clipped-SSTM makes the steps of its source, with clipping, in all three modes") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.05, 3), start = draws.box(d, -4, 4);
    const double l = lambda.maxCoeff(), s = draws.uniform(0.5, 3), alpha = draws.uniform(1.2, 2);
    // With the theory's constants only a start far outside R is clipped.
    const double r = start.norm() * (trial % 2 == 0 ? draws.uniform(0.3, 1.5) : 1e-5);
    const test::Quadratic f(lambda);
    for (const auto mode : {SstmMode::theory, SstmMode::practical, SstmMode::shorthand})
      for (const auto kind : {GradientNoiseKind::heavy_tail, GradientNoiseKind::none}) {
        const double size = kind == GradientNoiseKind::none ? 0 : s;
        const GradientNoise noise{kind, size, alpha, alpha + 0.2};
        const double beta = draws.uniform(0.01, 0.2), ca = draws.uniform(0.02, 0.3);
        ClippedSstm optimizer(oracle(f, noise), start, {mode, l, r, size, alpha, beta, kSteps, ca});
        CHECK_FOLLOWS(optimizer,
                      clipped_sstm({quadratic(lambda), noise, Seed{1}, "arm"},
                                   list_of(start),
                                   {l, 0, 0, size, r},
                                   {mode, alpha, beta, kSteps, ca},
                                   kSteps));
      }
  }
}

TEST_CASE("restarted SSTM: lengths of its stages, steps, best values and the least bound") {
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Draws draws(trial);
    const auto d = draws.dimension();
    const Vector lambda = draws.box(d, 0.3, 2), start = draws.box(d, -4, 4);
    const double l = lambda.maxCoeff(), mu = lambda.minCoeff();
    const double s = trial % 4 == 0 ? 0 : draws.uniform(0.2, 1), alpha = draws.uniform(1.5, 2);
    const double r = start.norm(), ck = draws.uniform(0.5, 3), eps = draws.uniform(0.001, 0.1);
    const double beta = draws.uniform(0.01, 0.2), ca = draws.uniform(0.02, 0.3);
    const test::Quadratic f(lambda);
    const GradientNoise noise{
        s > 0 ? GradientNoiseKind::heavy_tail : GradientNoiseKind::none, s, alpha, alpha + 0.2};
    RestartedSstm optimizer(
        oracle(f, noise), start, {{SstmMode::practical, l, r, s, alpha, beta, 1, ca}, mu, eps, ck});
    const auto reference = restarted_sstm({quadratic(lambda), noise, Seed{1}, "arm"},
                                          list_of(start),
                                          {l, 0, mu, s, r},
                                          {SstmMode::practical, alpha, beta, 1, ca},
                                          eps,
                                          ck,
                                          150);
    CHECK_FOLLOWS(optimizer, reference.path);
    CHECK(optimizer.stage() == reference.lengths.size());
  }
}

TEST_CASE("restarted SSTM with the constants of the theory: two stages, to the exact step") {
  const Vector lambda = Vector::Constant(1, 1.0), start = Vector::Constant(1, 2.0);
  const test::Quadratic f(lambda);
  for (const double eps : {0.5, 0.01}) {  // N = 2 and 8
    const Sstm o{SstmMode::theory, 2, 0.05};
    RestartedSstm optimizer(
        oracle(f), start, {{SstmMode::theory, 1, 2, 0, 2, 0.05, 1, 0.2}, 1, eps, 0.1});
    const auto reference = restarted_sstm(
        exact(quadratic(lambda)), list_of(start), {1, 0, 1, 0, 2}, o, eps, 0.1L, 60000);
    REQUIRE(reference.lengths.size() >= 2);
    // 2160 ln(4320 · 2/0.05) = 26049.36 and 2160 ln(4320 · 8/0.05) = 29043.76, rounded up.
    CHECK(reference.lengths[0] == (eps == 0.5 ? 26050 : 29044));
    for (Real k = 0; k < reference.lengths[0]; ++k) optimizer.step();
    CHECK(optimizer.stage() == 1);
    CHECK(optimizer.bound() ==
          Approx(static_cast<double>(reference.path[optimizer.steps() - 1].bound)).epsilon(1e-12));
    optimizer.step();
    CHECK(optimizer.stage() == 2);
    while (optimizer.steps() < reference.path.size()) optimizer.step();
    CHECK(optimizer.stage() == reference.lengths.size());
    CHECK(optimizer.value() ==
          Approx(static_cast<double>(reference.path.back().value)).epsilon(1e-9));
    CHECK(optimizer.bound() ==
          Approx(static_cast<double>(reference.path.back().bound)).epsilon(1e-12));
  }
  // From far outside R, gradients are clipped in both stages.
  const Vector outside = Vector::Constant(1, 1e6);
  RestartedSstm clipped(
      oracle(f), outside, {{SstmMode::theory, 1, 2, 0, 2, 0.05, 1, 0.2}, 1, 0.5, 0.1});
  CHECK_FOLLOWS(clipped,
                restarted_sstm(exact(quadratic(lambda)),
                               list_of(outside),
                               {1, 0, 1, 0, 2},
                               {SstmMode::theory, 2, 0.05L},
                               0.5,
                               0.1L,
                               26200)
                    .path);
  // With noise the first stage of the theory is longer than any run: only its first steps.
  const Vector wide = Vector::LinSpaced(3, 0.5, 2), far = Vector::LinSpaced(3, -1, 3);
  const test::Quadratic g(wide);
  const GradientNoise noise{GradientNoiseKind::heavy_tail, 0.7, 1.6, 1.9};
  RestartedSstm optimizer(
      oracle(g, noise), far, {{SstmMode::theory, 2, 3.5, 0.7, 1.6, 0.1, 1, 0.2}, 0.5, 0.01, 0.1});
  CHECK_FOLLOWS(optimizer,
                restarted_sstm({quadratic(wide), noise, Seed{1}, "arm"},
                               list_of(far),
                               {2, 0, 0.5, 0.7L, 3.5},
                               {SstmMode::theory, 1.6L, 0.1L},
                               0.01L,
                               0.1L,
                               100)
                    .path);
}

}  // namespace test_optimizer_references
