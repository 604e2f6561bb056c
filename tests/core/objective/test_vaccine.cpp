// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "core/objective/factories.hpp"
#include "core/objective/maximum.hpp"
#include "core/objective/vaccine.hpp"

namespace posse::test_vaccine {
namespace {

VaccineClient checked_client(std::string_view region) {
  VaccineClient client;  // R = 2, i0 = 1e-3, delta = 0.0025, delta_max = 0.01, E_1 = 0.95, beta = 1
  client.ages = find_age_shares(region)->shares;
  return client;
}

double at(const VaccineDoses& f, double x) { return f.value(std::vector<double>{x}); }

TEST_CASE("vaccine: the documented values are reproduced to their printed digits", "[vaccine]") {
  const VaccineDoses high(checked_client("high-income"));
  CHECK(std::abs(high.without_vaccine() - 0.541933) < 0.5e-6);
  CHECK(std::abs(at(high, 0.1) - 0.6090) < 0.5e-4);
  CHECK(std::abs(at(high, 0.25) - 0.7112) < 0.5e-4);
  CHECK(std::abs(at(high, 0.5) - 0.3892) < 0.5e-4);
  CHECK(std::abs(at(high, 1) - 0.1712) < 0.5e-4);
  const VaccineDoses low(checked_client("low-income"));
  CHECK(std::abs(low.without_vaccine() - 0.502417) < 0.5e-6);
  CHECK(std::abs(at(low, 0.1) - 0.6379) < 0.5e-4);
  CHECK(std::abs(at(low, 0.25) - 0.7673) < 0.5e-4);
  CHECK(std::abs(at(low, 0.5) - 0.6864) < 0.5e-4);
  CHECK(std::abs(at(low, 1) - 0.4122) < 0.5e-4);
}

TEST_CASE("vaccine: the contact matrix's eigenvalue equals that of a power iteration",
          "[vaccine]") {
  AgeGroups x;
  x.fill(1);
  double eigenvalue = 0;
  for (int step = 0; step < 200; ++step) {
    AgeGroups y{};
    for (std::size_t a = 0; a < kAgeGroups; ++a)
      for (std::size_t b = 0; b < kAgeGroups; ++b)
        y[a] += (1 - kImmuneShares[a]) * kContacts[a][b] * x[b];
    eigenvalue = *std::max_element(y.begin(), y.end());
    for (std::size_t a = 0; a < kAgeGroups; ++a) x[a] = y[a] / eigenvalue;
  }
  CHECK(std::abs(eigenvalue - 9.715108201) < 1e-9);
  CHECK(kContactEigenvalue == Approx(eigenvalue).epsilon(1e-14));
}

TEST_CASE("vaccine: compartments stay positive and sum to one", "[vaccine]") {
  double worst = 0;
  double least = 1;
  const auto watch = [&](double, const Epidemic& y) {
    for (std::size_t a = 0; a < kAgeGroups; ++a) {
      worst = std::max(worst, std::abs(y.s[a] + y.e[a] + y.i[a] + y.r[a] + y.v[a] + y.n[a] - 1));
      least = std::min({least, y.s[a], y.e[a], y.i[a], y.r[a], y.v[a], y.n[a], y.a[a]});
    }
  };
  for (const auto& region : age_shares())
    for (const double delta_max : {0.005, 0.02})
      for (const double r : {1.2, 2.5, 10.0})
        for (const double dose : {0.05, 0.3, 1.0}) {
          VaccineClient client = checked_client(region.name);
          client.delta_max = delta_max;
          client.r = r;
          simulate_epidemic(client, dose, watch);
        }
  CHECK(worst < 1e-12);
  CHECK(least >= 0);
}

TEST_CASE("vaccine: without vaccination the infections solve the final-size equations",
          "[vaccine]") {
  VaccineClient client = checked_client("high-income");
  client.r = 2.5;
  client.i0 = 1e-2;  // so that the epidemic is over after 360 days
  const Epidemic end = simulate_epidemic(client, std::nullopt);
  // S_end = S_0 exp(-q sum_b C_ab 5 (A_b + I_b(0))), since everyone infectious stays so for 5 days
  // on average; A = S_0 - S_end + E_0.
  const double q = client.r / (5 * kContactEigenvalue);
  AgeGroups infected{};
  for (int step = 0; step < 3000; ++step) {
    AgeGroups next;
    for (std::size_t a = 0; a < kAgeGroups; ++a) {
      const double open = 1 - kImmuneShares[a];
      double force = 0;
      for (std::size_t b = 0; b < kAgeGroups; ++b)
        force += q * kContacts[a][b] * 5 * (infected[b] + (1 - kImmuneShares[b]) * client.i0 / 2);
      next[a] = open * (1 - client.i0) * (1 - std::exp(-force)) + open * client.i0 / 2;
    }
    infected = next;
  }
  for (std::size_t a = 0; a < kAgeGroups; ++a) CHECK(end.a[a] == Approx(infected[a]).epsilon(1e-4));
}

TEST_CASE("vaccine: the campaign reaches four fifths of every group from 20 on, the oldest first",
          "[vaccine]") {
  VaccineClient client = checked_client("high-income");
  client.r = 0;  // a campaign without an epidemic
  client.delta_max = 0.005;
  std::array<double, kAgeGroups> first{};
  const Epidemic end = simulate_epidemic(client, 0.5, [&](double day, const Epidemic& y) {
    for (std::size_t a = 0; a < kAgeGroups; ++a)
      if (first[a] == 0 && y.v[a] + y.n[a] > 0) first[a] = day;
  });
  for (const std::size_t a : {0, 1}) CHECK(end.v[a] + end.n[a] == 0);
  // A step is a quarter of a day: a group may get two thirds of a step's doses more or less.
  for (std::size_t a = 2; a < kAgeGroups; ++a)
    CHECK(end.v[a] + end.n[a] == Approx(0.8).margin(2.0 / 3 * 0.25 * 0.005 / client.ages[a]));
  CHECK(first[8] == 10);  // the step that ends on day 10 sees its beginning
  for (std::size_t a = 3; a < kAgeGroups; ++a) CHECK(first[a] < first[a - 1]);
  // Group 80+, 5 % of the people, takes 0.8 0.05 / 0.005 = 8 days.
  CHECK(first[7] == Approx(18).margin(0.25));
}

TEST_CASE("vaccine: efficacy follows the antibody level", "[vaccine]") {
  VaccineClient client = checked_client("high-income");
  // Published for E_1 = 95 % and levels 0.8, 0.4, 0.2 of the standard dose's, in whole per cent.
  const std::array published{std::pair{0.8, 0.94}, std::pair{0.4, 0.87}, std::pair{0.2, 0.76}};
  for (const auto& [ratio, efficacy] : published) {
    client.curve = EfficacyCurve::khoury;
    CHECK(std::abs(efficacy_of_dose(client, ratio) - efficacy) < 0.005 + 0.0022);
    client.curve = EfficacyCurve::logistic;
    CHECK(std::abs(efficacy_of_dose(client, ratio) - efficacy) < 0.0285);
  }
  double worst = 0;
  for (const auto curve : {EfficacyCurve::logistic, EfficacyCurve::khoury}) {
    client.curve = curve;
    for (const double e1 : {0.7, 0.95}) {
      client.e1 = e1;
      CHECK(efficacy_of_dose(client, 1) == Approx(e1).epsilon(1e-12));
      client.beta = 2;
      const double squared = efficacy_of_dose(client, 0.5);
      client.beta = 1;
      CHECK(squared == Approx(efficacy_of_dose(client, 0.25)).epsilon(1e-12));
    }
  }
  for (int i = -200; i <= 200; ++i) {
    const double n = std::pow(10, i / 100.0);
    worst = std::max(worst,
                     std::abs(efficacy_of_level(n, EfficacyCurve::logistic) -
                              efficacy_of_level(n, EfficacyCurve::khoury)));
  }
  // The fit is within 0.0064 of the published curve, that within 0.0022 of the mixture.
  CHECK(worst < 0.0064 + 0.0022);
  // The mixture by Simpson's rule on a fine grid.
  for (const double n : {0.05, 0.202, 1.0, 3.0}) {
    double sum = 0;
    constexpr int kIntervals = 4000;
    for (int i = 0; i <= kIntervals; ++i) {
      const double z = -9 + 18.0 * i / kIntervals;
      const double weight = i == 0 || i == kIntervals ? 1 : (i % 2 ? 4 : 2);
      sum += weight * std::exp(-z * z / 2) /
             (1 + std::exp(-3.097 * (std::log10(n) + 0.465 * z - std::log10(0.202))));
    }
    const double integral = sum * 18 / (3 * kIntervals) / std::sqrt(2 * std::acos(-1.0));
    CHECK(efficacy_of_level(n, EfficacyCurve::khoury) == Approx(integral).epsilon(1e-10));
  }
}

TEST_CASE("vaccine: the outcome `deaths` weights groups by fatality", "[vaccine]") {
  VaccineClient client = checked_client("high-income");
  const Epidemic end = simulate_epidemic(client, 1);
  const double infections = epidemic_outcome(client, end);
  client.outcome = VaccineOutcome::deaths;
  const double deaths = epidemic_outcome(client, end);
  CHECK(deaths < 0.093 * infections);
  CHECK(deaths > 0.00002 * infections);
  // The old are first: standard doses avert a larger share of deaths than of infections.
  CHECK(at(VaccineDoses(client), 1) > at(VaccineDoses(checked_client("high-income")), 1));
}

TEST_CASE("vaccine: the best known dose equals that of a dense search", "[vaccine][long]") {
  VaccineSetting setting;
  for (const std::uint32_t m : {0, 1, 2}) {
    const auto f = std::make_shared<VaccineDoses>(draw_vaccine_client(setting, m, Seed{4}));
    const std::vector<std::shared_ptr<const Objective>> alone{f};
    const auto maximum = maximise_mean(alone);
    const auto candidates = f->candidate_maximisers();
    CHECK(std::find(candidates.begin(), candidates.end(), std::vector{f->kink()}) !=
          candidates.end());
    CHECK(f->domain().contains(std::vector{f->kink()}));
    double best = 0;
    for (int i = 0; i <= 400; ++i) best = std::max(best, at(*f, 0.05 + 0.95 * i / 400));
    INFO("client " << m << ", kink " << f->kink() << ", maximum at " << maximum.point[0]);
    CHECK(maximum.value >= best - 2e-4);
    CHECK(maximum.value == at(*f, maximum.point[0]));
    CHECK(maximum.upper == 1);
  }
}

TEST_CASE("vaccine: values lie in the unit interval for all drawn clients", "[vaccine]") {
  VaccineSetting setting;
  setting.region = "countries";
  for (std::uint32_t m = 0; m < 60; ++m) {
    VaccineSetting own = setting;
    if (m % 2) own.outcome = VaccineOutcome::deaths;
    const VaccineDoses f(draw_vaccine_client(own, m, Seed{2}));
    for (const double x : {0.05, f.kink(), 1.0}) CHECK((at(f, x) > 0 && at(f, x) < 1));
  }
}

TEST_CASE("vaccine: each client is drawn from a stream of its own", "[vaccine]") {
  const VaccineSetting setting;
  std::set<AgeGroups> regions;
  int strong = 0;
  double r = 0, delta = 0, delta_max = 0, beta = 0;
  constexpr std::uint32_t kClients = 4000;
  for (std::uint32_t m = 0; m < kClients; ++m) {
    const VaccineClient c = draw_vaccine_client(setting, m, Seed{1});
    regions.insert(c.ages);
    CHECK((c.r >= 1.2 && c.r <= 2.5));
    CHECK((c.delta >= 0.001 && c.delta <= 0.005));
    CHECK((c.delta_max >= 0.005 && c.delta_max <= 0.02));
    CHECK((c.beta >= 0.6 && c.beta <= 1.4));
    CHECK((c.e1 == 0.95 || c.e1 == 0.7));
    strong += c.e1 == 0.95;
    r += c.r / kClients;
    delta += std::log(c.delta) / kClients;
    delta_max += c.delta_max / kClients;
    beta += c.beta / kClients;
  }
  CHECK(regions.size() == kIncomeGroups);
  // 5 sds of the mean of 4000 uniform draws: 0.0228 of the range.
  CHECK(r == Approx(1.85).margin(0.0228 * 1.3));
  CHECK(delta == Approx(std::log(0.005 * 0.001) / 2).margin(0.0228 * std::log(5)));
  CHECK(delta_max == Approx(0.0125).margin(0.0228 * 0.015));
  CHECK(beta == Approx(1).margin(0.0228 * 0.8));
  CHECK(strong / 4000.0 == Approx(0.5).margin(5 * 0.5 / std::sqrt(4000)));

  // What is given leaves the other draws alone.
  VaccineSetting given;
  given.r = 3;
  given.region = "japan";
  const VaccineClient c = draw_vaccine_client(given, 5, Seed{1});
  const VaccineClient drawn = draw_vaccine_client(setting, 5, Seed{1});
  CHECK(c.r == 3);
  CHECK(c.ages == find_age_shares("japan")->shares);
  CHECK((c.delta == drawn.delta && c.delta_max == drawn.delta_max && c.e1 == drawn.e1 &&
         c.beta == drawn.beta));
  CHECK(draw_vaccine_client(setting, 5, Seed{2}).delta != drawn.delta);
  for (const auto& region : age_shares()) {
    double sum = 0;
    for (const double share : region.shares) sum += share;
    CHECK(sum == Approx(1).margin(5e-4));
  }
}

TEST_CASE("vaccine: runs of one seed share the clients and their computed values", "[vaccine]") {
  const VaccineFamily family{VaccineSetting{}};
  const auto few = family.clients(3, {Seed{1}});
  const auto more = family.clients(6, {Seed{1}});
  for (std::size_t m = 0; m < 3; ++m) CHECK(few[m] == more[m]);
  CHECK(family.clients(3, {Seed{2}}) != few);
  std::vector<double> values(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { values[t] = few[0]->value(std::vector<double>{0.4}); });
  for (auto& thread : threads) thread.join();
  const VaccineDoses fresh(draw_vaccine_client(VaccineSetting{}, 0, Seed{1}));
  for (const double value : values) CHECK(value == at(fresh, 0.4));
}

TEST_CASE("vaccine: what a scenario gives is what the clients have", "[vaccine]") {
  const auto& doses = *find_objective("doses");
  const auto value = [&](std::string_view name, double given) {
    auto parameters = default_parameters(doses.parameters);
    parameters.set(name, given);
    return doses.make_family(parameters)->clients(1, {Seed{1}})[0]->value(std::vector{0.4});
  };
  const auto expected = [](void (*give)(VaccineSetting&)) {
    VaccineSetting setting;
    give(setting);
    return at(VaccineDoses(draw_vaccine_client(setting, 0, Seed{1})), 0.4);
  };
  const std::set<double> all{expected([](VaccineSetting&) {}),
                             expected([](VaccineSetting& s) { s.r = 1.7; }),
                             expected([](VaccineSetting& s) { s.delta = 0.0021; }),
                             expected([](VaccineSetting& s) { s.delta_max = 0.0063; }),
                             expected([](VaccineSetting& s) { s.e1 = 0.8; }),
                             expected([](VaccineSetting& s) { s.beta = 0.9; }),
                             expected([](VaccineSetting& s) { s.i0 = 0.002; })};
  CHECK(all.size() == 7);
  const std::set<double> given{doses.make_family(default_parameters(doses.parameters))
                                   ->clients(1, {Seed{1}})[0]
                                   ->value(std::vector{0.4}),
                               value("r", 1.7),
                               value("delta", 0.0021),
                               value("delta_max", 0.0063),
                               value("e1", 0.8),
                               value("beta", 0.9),
                               value("i0", 0.002)};
  CHECK(given == all);
}

}  // namespace
}  // namespace posse::test_vaccine
