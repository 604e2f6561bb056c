// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "core/objective/factories.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/maximum.hpp"

namespace posse::test_maximum {
namespace {

constexpr std::array kKinds{"sine", "doublesine", "garland", "himmelblau", "rastrigin", "ackley"};
constexpr std::array kBoundaries{Boundary::reflect, Boundary::clip, Boundary::wrap, Boundary::open};

std::shared_ptr<const Objective> make(std::string_view kind) {
  return find_objective(kind)->make(default_parameters(find_objective(kind)->parameters));
}

/// s_{m,j} = spread w_j (frac(m sqrt p_j) - 1/2), p_j the j-th prime, m from 1.
std::vector<double> even_shifts(const Box& box, int clients, double spread) {
  constexpr std::array kPrimes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
  std::vector<double> shifts;
  for (int m = 1; m <= clients; ++m)
    for (std::size_t j = 0; j < box.dimension(); ++j) {
      const double v = m * std::sqrt(static_cast<double>(kPrimes[j]));
      shifts.push_back(spread * box.width(j) * ((v - std::floor(v)) - 0.5));
    }
  return shifts;
}

/// Half of them anywhere, half close to `point` or to a client's peak, at all scales.
std::vector<std::vector<double>> probes(const Clients& clients,
                                        const std::vector<double>& point,
                                        int count,
                                        std::mt19937_64& random) {
  const Box& box = clients.front()->domain();
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<std::vector<double>> points{point};
  for (int i = 0; i < count; ++i) {
    std::vector<double> x(box.dimension());
    const auto near = clients[random() % clients.size()]->candidate_maximisers();
    const auto& origin = i % 4 == 1 && !near.empty() ? near[random() % near.size()] : point;
    const double scale = std::exp2(-52 * uniform());
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] = i % 2 == 0 ? box.low[j] + box.width(j) * uniform()
                        : origin[j] + scale * box.width(j) * (2 * uniform() - 1);
      x[j] = std::clamp(x[j], box.low[j], box.high[j]);
    }
    points.push_back(std::move(x));
  }
  return points;
}

TEST_CASE("the maximum of the mean of 100 shifted clients is that of an independent search",
          "[maximum][long]") {
  struct Reference {
    std::string_view kind;
    double spread, maximum;
  };
  // Grids of 400001 points (1-D), 401 x 401 or more (2-D), 20001 per coordinate (rastrigin), finer
  // ones at all scales around spikes, golden section from the best points (numpy); then 40 digits
  // (mpmath) at the point found, at the exact cusps for garland.
  for (const Reference& r :
       std::initializer_list<Reference>{{"sine", 0.3, 0.590610840601539156678},
                                        {"sine", 0.02, 0.7341900350380765737326},
                                        {"sine", 1.5, 0.5142761096176697704804},
                                        {"doublesine", 0.3, 0.747140890901218385661},
                                        {"doublesine", 0.02, 0.948358787750233468452},
                                        {"doublesine", 1.5, 0.511178749279470588906},
                                        {"garland", 0.3, 0.7906814900856264138464},
                                        {"garland", 0.02, 0.8712578999695694247745},
                                        {"garland", 1.5, 0.6105771823309782514877},
                                        {"himmelblau", 0.3, 0.9623465480601089864001},
                                        {"himmelblau", 0.02, 0.9998051792016528180871},
                                        {"himmelblau", 1.5, 0.8722364775614163049711},
                                        {"ackley", 0.3, 0.653215313354090805108},
                                        {"ackley", 0.02, 0.9892865908250480316604},
                                        {"ackley", 1.5, 0.2896189168357485489496},
                                        {"rastrigin", 0.3, 0.7564126997828648079036},
                                        {"rastrigin", 0.02, 0.9987104335644977086072},
                                        {"rastrigin", 1.5, 0.5008879089440696594506}}) {
    INFO(r.kind << ", spread " << r.spread);
    const auto base = make(r.kind);
    const auto clients =
        given_shifts(base, even_shifts(base->domain(), 100, r.spread), Boundary::reflect);
    const auto maximum = maximise_mean(clients);
    CHECK(maximum.certified);
    CHECK_FALSE(maximum.exact);
    CHECK(std::abs(maximum.value - r.maximum) <= 1e-13);
    CHECK(maximum.upper >= r.maximum - 1e-15);
    CHECK(maximum.upper <= r.maximum * (1 + 2e-12));
  }
}

TEST_CASE("no point exceeds the certified maximum, whatever happens at the border", "[maximum]") {
  std::mt19937_64 random(1);
  for (const std::string_view kind : kKinds) {
    for (const Boundary boundary : kBoundaries) {
      for (const double sigma : {1e-4, 0.05, 0.3}) {
        const std::uint32_t count = 1 + static_cast<std::uint32_t>(random() % 12);
        const auto clients = shifted_clients(make(kind), count, Seed{random()}, sigma, boundary);
        const auto maximum = maximise_mean(clients);
        INFO(kind << ", boundary " << static_cast<int>(boundary) << ", sigma " << sigma << ", "
                  << count << " clients");
        CHECK((maximum.certified || maximum.exact));
        CHECK(maximum.value <= maximum.upper);
        double highest = -1;
        for (const auto& x : probes(clients, maximum.point, 1000, random))
          highest = std::max(highest, mean_value(clients, x));
        CHECK(highest <= maximum.value * (1 + 1e-12));
        CHECK(highest >= maximum.value - 3e-5);  // its point, but for rounding at spikes
      }
    }
  }
}

TEST_CASE("at the spikes of a mean of doublesines no double exceeds the maximum", "[maximum]") {
  // The double next to a spike can be 1e-5 / M too low: here the maximum must not depend on it.
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto clients =
        shifted_clients(make("doublesine"), 100, Seed{seed}, 0.05, Boundary::reflect);
    const auto maximum = maximise_mean(clients);
    CHECK(maximum.certified);
    double highest = 0;
    for (const auto& f : clients)
      for (const auto& spike : f->maximisers()) {
        double x = spike[0] - 8 * std::numeric_limits<double>::epsilon();
        for (int i = 0; i < 32; ++i, x = std::nextafter(x, 2.0))
          highest = std::max(highest, mean_value(clients, std::vector<double>{x}));
      }
    CHECK(highest <= maximum.value);
  }
}

TEST_CASE("clients with equal shifts, scales and mixtures have certified maxima, too",
          "[maximum]") {
  std::mt19937_64 random(2);
  for (const std::string_view kind : kKinds) {
    INFO(kind);
    const auto base = make(kind);
    const std::size_t d = base->domain().dimension();
    // Three objects with one function: the mean's maximum is the function's.
    const auto same = given_shifts(base, std::vector<double>(3 * d, 0.03), Boundary::reflect);
    CHECK(maximise_mean(same).value == Approx(*base->maximum()).epsilon(1e-14));
    CHECK(maximise_mean(same).value <= *base->maximum() * (1 + 1e-15));
    const auto scaled = scaled_clients(base, 20, Seed{5}, 0.3);
    double mean = 0;
    for (const auto& f : scaled) mean += *f->maximum() / 20;
    CHECK(maximise_mean(scaled).certified);
    CHECK(maximise_mean(scaled).value == Approx(mean).epsilon(1e-14));
  }
  const Clients mixture{make("garland"), make("doublesine"), make("sine"), make("garland")};
  const auto maximum = maximise_mean(mixture);
  CHECK(maximum.certified);
  for (const auto& x : probes(mixture, maximum.point, 20000, random))
    REQUIRE(mean_value(mixture, x) <= maximum.value * (1 + 1e-12));
}

}  // namespace
}  // namespace posse::test_maximum
