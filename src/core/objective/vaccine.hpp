// SPDX-License-Identifier: Apache-2.0
// The best dose of a vaccine in short supply: f(x) = 1 - A(x) / A(none), the share of infections
// (or deaths) averted by doses of x standard doses, x in [0.05, 1].
//
// Source: Li, Song, Honorio & Lin 2024 (Fed-PNE) optimise the "final infectious rate of different
// countries" after Więcek et al. 2022, without model, countries or parameters. This is a documented
// model of that family; its details are Posse's (see PAPERS.md, fed-pne-13). Smaller doses reach
// more people sooner but protect each of them less.
//   efficacy   a dose's antibody level is n(x) = n_1 x^beta relative to a convalescent's, its
//              efficacy E(n) = 1 / (1 + exp(-2.33154 (log10 n + 0.69336))), n_1 such that
//              E(n_1) = E_1. The fit follows the published curve of Khoury et al. 2021 within
//              0.0064; `khoury` takes that curve's own mixture of logistic and normal instead.
//   speed      min(delta/x, delta_max) of the population a day
//   ages       9 groups (0-9, …, 70-79, 80+); from day 10 the oldest first, then the next younger
//              down to 20, each until 80 % are done: group a at speed/p_a a day
//   epidemic   per group, in fractions of the group, infection at rate lambda_a = q sum_b C_ab I_b,
//              q = R / (5 EV), EV = 9.715108201 the largest eigenvalue of (1 - pi_a) C_ab:
//                S' = -lambda S - v S/(S+R)         E' = lambda (S+N) - E/5     I' = E/5 - I/5
//                R' = I/5 - v R/(S+R)               V' = v (e S + R)/(S+R)      A' = E/5
//                N' = v (1-e) S/(S+R) - lambda N
//              S susceptible, E exposed, I infectious, R recovered, V protected by the vaccine, N
//              vaccinated without effect, A infections so far. At the start R = pi = (0.5, 0.5, 0.2
//              x 7), S = (1-pi)(1-i0), E = I = (1-pi) i0/2. Classical Runge-Kutta, 360 days in
//              steps of a quarter; that step is part of the definition. S+E+I+R+V+N stays 1.
//              v/(S+R) is cut at 7.5 per day: without the cut, a small group (Nigeria's 80+) would
//              be served within a fraction of a step, and more people would be vaccinated than
//              there are. With the cut all compartments stay positive for R <= 10.
//   outcome    A = sum_a p_a A_a(360); deaths weigh A_a with the infection fatality ratio
//
// Units: days; shares and rates per day are of the region's population. Values are in [0, 1].
//
// The maximum for a strong vaccine (E_1 = 0.95) is at or near the kink x = delta/delta_max: below
// it, smaller doses no longer speed up the campaign. For a weak one (0.7) it may be at four times
// that dose. There is no formula; the maximum is the best of the candidates and of a search (best
// known).
//
// Streams, for clients: `vaccine/client-m`, draw 0 R, 1 delta, 2 delta_max, 3 E_1, 4 beta, 5
// region. A given parameter does not change the draws of the others.
//
// Cost: about 0.5 ms per new point of a client; values are cached.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/objective/family.hpp"
#include "core/objective/memo.hpp"
#include "core/objective/objective.hpp"

namespace posse {

inline constexpr std::size_t kAgeGroups = 9;
using AgeGroups = std::array<double, kAgeGroups>;  // one number per group, the youngest first

/// Age shares of 2020. The first four are income groups, the others countries.
struct AgeShares {
  std::string_view name;  // "high-income", "brazil"
  AgeGroups shares;       // as published; sums to about 1
};
inline constexpr std::size_t kIncomeGroups = 4;
std::span<const AgeShares> age_shares();
/// Null if there is no such region.
const AgeShares* find_age_shares(std::string_view name);

/// C_ab, contacts a day of someone in group a with group b (POLYMOD).
inline constexpr std::array<AgeGroups, kAgeGroups> kContacts = {{
    {5.1357, 1.2279, 1.0762, 2.1616, 1.3178, 0.7767, 0.5267, 0.2439, 0.0549},
    {0.9663, 10.4208, 1.4767, 1.4918, 2.1283, 0.8244, 0.3362, 0.2093, 0.0609},
    {0.7127, 1.4287, 4.9145, 2.3751, 1.8894, 1.4732, 0.4698, 0.2109, 0.1106},
    {1.5730, 1.1485, 2.0847, 3.9117, 2.6920, 1.5104, 0.8331, 0.2834, 0.1006},
    {0.8433, 1.8907, 1.8764, 2.6744, 3.4592, 1.7826, 0.7042, 0.4272, 0.1932},
    {0.6874, 1.1430, 1.8226, 2.0510, 2.3248, 2.5920, 1.0089, 0.4091, 0.2993},
    {0.5069, 0.5055, 0.9945, 1.6694, 1.4738, 1.4711, 1.7039, 0.6088, 0.2438},
    {0.2902, 0.5223, 0.5179, 0.8750, 1.2366, 0.9062, 1.4018, 1.3304, 0.2232},
    {0.3415, 0.3171, 0.3171, 0.4390, 0.8049, 0.8293, 0.7561, 0.7805, 0.2927},
}};
/// pi_a, immune at the start.
inline constexpr AgeGroups kImmuneShares = {0.5, 0.5, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
/// EV, the largest eigenvalue of (1 - pi_a) C_ab.
inline constexpr double kContactEigenvalue = 9.7151082012295458;

enum class EfficacyCurve { logistic, khoury };
enum class VaccineOutcome { infections, deaths };

/// One client's region, epidemic and vaccine.
struct VaccineClient {
  AgeGroups ages{};         // p_a; any positive multiple
  double r = 2;             // R, infections by one case when the epidemic starts
  double i0 = 1e-3;         // infected share of those not immune at the start
  double delta = 0.0025;    // standard doses per head and day
  double delta_max = 0.01;  // people that can be vaccinated per head and day
  double e1 = 0.95;         // E_1, efficacy of the standard dose
  double beta = 1;          // antibody level grows as x^beta
  EfficacyCurve curve = EfficacyCurve::logistic;
  VaccineOutcome outcome = VaccineOutcome::infections;
};

/// E(n): efficacy at antibody level n > 0.
double efficacy_of_level(double n, EfficacyCurve curve);
/// n_1: the level at which the efficacy is e1 in (0, 1).
double level_of_efficacy(double e1, EfficacyCurve curve);
/// E(n_1 x^beta).
double efficacy_of_dose(const VaccineClient& client, double dose);

/// The compartments, in fractions of each age group.
struct Epidemic {
  AgeGroups s{}, e{}, i{}, r{}, v{}, n{}, a{};
};
/// Called with the day and the state at the start and after every step.
using EpidemicWatcher = std::function<void(double day, const Epidemic& state)>;

/// The state after 360 days of vaccination with doses of `dose` standard doses; nothing: none.
Epidemic simulate_epidemic(const VaccineClient& client,
                           std::optional<double> dose,
                           const EpidemicWatcher& watch = {});
/// A: infections (or deaths) as a share of the population.
double epidemic_outcome(const VaccineClient& client, const Epidemic& end);

class VaccineDoses final : public Objective {
 public:
  static constexpr double kMinDose = 0.05;

  explicit VaccineDoses(const VaccineClient& client);

  const VaccineClient& client() const { return client_; }
  /// A(none).
  double without_vaccine() const { return without_vaccine_; }
  /// delta/delta_max, clipped to the domain.
  double kink() const;

  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "doses"; }
  double value(std::span<const double> x) const override;
  bool expensive() const override { return true; }
  /// 1: no infections.
  bool upper_model(std::span<const double> centre,
                   std::span<const double>,
                   UpperModel& model) const override {
    model.at_centre = value(centre);
    model.set_constant(1);
    model.peak.clear();
    return true;
  }
  /// An even grid, the kink and doses a little above it.
  std::vector<std::vector<double>> candidate_maximisers() const override;

 private:
  VaccineClient client_;
  double without_vaccine_;
  Box domain_ = Box::cube(1, kMinDose, 1);
  mutable Memo values_;
};

/// Settings of all clients. Empty ones are drawn per client: region uniformly among the income
/// groups (`mixed`) or the countries (`countries`), R ~ U(1.2, 2.5), delta log-uniform on
/// [0.001, 0.005], delta_max ~ U(0.005, 0.02), E_1 0.95 or 0.7, beta ~ U(0.6, 1.4).
struct VaccineSetting {
  std::string region = "mixed";  // mixed, countries, or a name of age_shares()
  std::optional<double> r, delta, delta_max, e1, beta;
  double i0 = 1e-3;
  EfficacyCurve curve = EfficacyCurve::logistic;
  VaccineOutcome outcome = VaccineOutcome::infections;
};
VaccineClient draw_vaccine_client(const VaccineSetting& setting, std::uint32_t client, Seed seed);

/// Assigns a region to every client. The first thousand objectives are kept, so that runs with the
/// same seed share cached values.
class VaccineFamily final : public ObjectiveFamily {
 public:
  explicit VaccineFamily(VaccineSetting setting) : setting_(std::move(setting)) {}

  const Box& domain() const override { return domain_; }
  std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const override;

 private:
  std::shared_ptr<const Objective> objective(std::uint32_t client, Seed seed) const;

  VaccineSetting setting_;
  Box domain_ = Box::cube(1, VaccineDoses::kMinDose, 1);
  mutable std::mutex mutex_;
  mutable std::map<std::pair<Seed, std::uint32_t>, std::shared_ptr<const Objective>> kept_;
};

}  // namespace posse
