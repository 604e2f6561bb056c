// SPDX-License-Identifier: Apache-2.0
#include "core/objective/vaccine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

constexpr std::array kAgeShares = {
    AgeShares{"high-income",
              {0.1097, 0.1127, 0.1261, 0.1373, 0.1368, 0.1334, 0.1139, 0.0801, 0.0500}},
    AgeShares{"upper-middle-income",
              {0.1373, 0.1316, 0.1396, 0.1586, 0.1419, 0.1333, 0.0935, 0.0451, 0.0191}},
    AgeShares{"lower-middle-income",
              {0.1982, 0.1877, 0.1704, 0.1492, 0.1165, 0.0870, 0.0564, 0.0256, 0.0091}},
    AgeShares{"low-income",
              {0.2899, 0.2315, 0.1728, 0.1201, 0.0806, 0.0532, 0.0320, 0.0155, 0.0043}},
    AgeShares{"usa", {0.1200, 0.1279, 0.1393, 0.1349, 0.1219, 0.1272, 0.1163, 0.0728, 0.0397}},
    AgeShares{"india", {0.1702, 0.1828, 0.1738, 0.1563, 0.1229, 0.0928, 0.0632, 0.0284, 0.0096}},
    AgeShares{"brazil", {0.1368, 0.1466, 0.1604, 0.1622, 0.1386, 0.1149, 0.0795, 0.0414, 0.0196}},
    AgeShares{"south-africa",
              {0.1953, 0.1755, 0.1710, 0.1712, 0.1188, 0.0828, 0.0534, 0.0249, 0.0071}},
    AgeShares{"germany", {0.0941, 0.0947, 0.1119, 0.1298, 0.1223, 0.1610, 0.1270, 0.0892, 0.0701}},
    AgeShares{"japan", {0.0805, 0.0891, 0.0960, 0.1143, 0.1461, 0.1308, 0.1255, 0.1280, 0.0898}},
    AgeShares{"nigeria", {0.3098, 0.2314, 0.1609, 0.1182, 0.0827, 0.0519, 0.0304, 0.0127, 0.0020}},
    AgeShares{"indonesia",
              {0.1753, 0.1693, 0.1593, 0.1505, 0.1384, 0.1066, 0.0641, 0.0277, 0.0088}},
    AgeShares{"egypt", {0.2446, 0.1797, 0.1613, 0.1485, 0.1070, 0.0767, 0.0501, 0.0247, 0.0075}},
    AgeShares{"uk", {0.1185, 0.1126, 0.1261, 0.1369, 0.1267, 0.1351, 0.1073, 0.0859, 0.0508}},
};

constexpr AgeGroups kFatality = {
    0.00002, 0.00006, 0.0003, 0.0008, 0.0015, 0.0060, 0.022, 0.051, 0.093};

constexpr double kDaysPerStage = 5;  // mean time exposed, and infectious
constexpr double kFirstDay = 10;
constexpr std::size_t kYoungestVaccinated = 2;  // 20-29
constexpr double kUptake = 0.8;
constexpr double kStep = 0.25;
constexpr int kSteps = 1440;
constexpr double kLargestRate = 7.5;  // per day, of the remaining people; 1.875 / kStep

double logistic(double z) { return 1 / (1 + math::exp(-z)); }

AgeGroups normalised(AgeGroups ages) {
  const double sum = std::accumulate(ages.begin(), ages.end(), 0.0);
  for (double& share : ages) share /= sum;
  return ages;
}

/// When and how fast each group is vaccinated.
struct Campaign {
  AgeGroups first{}, last{}, speed{};  // days [first, last), share of the group a day
  double efficacy = 0;
};

Campaign plan_campaign(const VaccineClient& client, std::optional<double> dose) {
  Campaign campaign;
  if (!dose) return campaign;
  campaign.efficacy = efficacy_of_dose(client, *dose);
  const AgeGroups ages = normalised(client.ages);
  const double speed = std::min(client.delta / *dose, client.delta_max);
  double day = kFirstDay;
  for (std::size_t a = kAgeGroups; a-- > kYoungestVaccinated;) {
    campaign.first[a] = day;
    day += kUptake * ages[a] / speed;
    campaign.last[a] = day;
    campaign.speed[a] = speed / ages[a];
  }
  return campaign;
}

void rates(const Campaign& campaign, double q, double day, const Epidemic& y, Epidemic& dy) {
  constexpr double kRate = 1 / kDaysPerStage;
  for (std::size_t a = 0; a < kAgeGroups; ++a) {
    double contacts = 0;
    for (std::size_t b = 0; b < kAgeGroups; ++b) contacts += kContacts[a][b] * y.i[b];
    const double lambda = q * contacts;
    const bool served = campaign.first[a] <= day && day < campaign.last[a];
    const double left = y.s[a] + y.r[a];
    const bool limited = campaign.speed[a] > kLargestRate * left;
    const double v = !served ? 0 : limited ? kLargestRate : campaign.speed[a] / left;
    const double falls_ill = kRate * y.e[a];
    const double recovers = kRate * y.i[a];
    dy.s[a] = -lambda * y.s[a] - v * y.s[a];
    dy.e[a] = lambda * (y.s[a] + y.n[a]) - falls_ill;
    dy.i[a] = falls_ill - recovers;
    dy.r[a] = recovers - v * y.r[a];
    dy.v[a] = v * (campaign.efficacy * y.s[a] + y.r[a]);
    dy.n[a] = v * (1 - campaign.efficacy) * y.s[a] - lambda * y.n[a];
    dy.a[a] = falls_ill;
  }
}

/// y + step dy.
Epidemic moved(const Epidemic& y, double step, const Epidemic& dy) {
  Epidemic z;
  for (std::size_t a = 0; a < kAgeGroups; ++a) {
    z.s[a] = y.s[a] + step * dy.s[a];
    z.e[a] = y.e[a] + step * dy.e[a];
    z.i[a] = y.i[a] + step * dy.i[a];
    z.r[a] = y.r[a] + step * dy.r[a];
    z.v[a] = y.v[a] + step * dy.v[a];
    z.n[a] = y.n[a] + step * dy.n[a];
    z.a[a] = y.a[a] + step * dy.a[a];
  }
  return z;
}

Epidemic start_of(const VaccineClient& client) {
  Epidemic y;
  for (std::size_t a = 0; a < kAgeGroups; ++a) {
    const double open = 1 - kImmuneShares[a];
    y.r[a] = kImmuneShares[a];
    y.s[a] = open * (1 - client.i0);
    y.e[a] = y.i[a] = open * client.i0 / 2;
  }
  return y;
}

}  // namespace

std::span<const AgeShares> age_shares() { return kAgeShares; }

const AgeShares* find_age_shares(std::string_view name) {
  for (const AgeShares& region : kAgeShares)
    if (region.name == name) return &region;
  return nullptr;
}

double efficacy_of_level(double n, EfficacyCurve curve) {
  const double level = math::log10(n);
  if (curve == EfficacyCurve::logistic) return logistic(2.33154 * (level + 0.69336));
  // The trapezoidal rule is exact to rounding here: the integrand is analytic and vanishes at both
  // ends with all its derivatives.
  constexpr double kEnd = 8.5;
  constexpr int kIntervals = 68;
  constexpr double kSd = 0.465;
  const double middle = math::log10(0.202);
  double sum = 0;
  double weights = 0;
  for (int i = 0; i <= kIntervals; ++i) {
    const double z = kEnd * (2.0 * i / kIntervals - 1);
    const double weight = math::exp(-z * z / 2);
    sum += weight * logistic(3.097 * (level + kSd * z - middle));
    weights += weight;
  }
  return sum / weights;
}

double level_of_efficacy(double e1, EfficacyCurve curve) {
  POSSE_CHECK(e1 > 0 && e1 < 1, "efficacy {}", e1);
  if (curve == EfficacyCurve::logistic)
    return math::pow(10, math::log(e1 / (1 - e1)) / 2.33154 - 0.69336);
  double low = -12;
  double high = 12;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (efficacy_of_level(math::pow(10, middle), curve) < e1 ? low : high) = middle;
  }
  return math::pow(10, (low + high) / 2);
}

double efficacy_of_dose(const VaccineClient& client, double dose) {
  return efficacy_of_level(
      level_of_efficacy(client.e1, client.curve) * math::pow(dose, client.beta), client.curve);
}

Epidemic simulate_epidemic(const VaccineClient& client,
                           std::optional<double> dose,
                           const EpidemicWatcher& watch) {
  const Campaign campaign = plan_campaign(client, dose);
  const double q = client.r / (kDaysPerStage * kContactEigenvalue);
  Epidemic y = start_of(client);
  Epidemic k1, k2, k3, k4;
  if (watch) watch(0, y);
  for (int step = 0; step < kSteps; ++step) {
    const double day = step * kStep;
    rates(campaign, q, day, y, k1);
    rates(campaign, q, day + kStep / 2, moved(y, kStep / 2, k1), k2);
    rates(campaign, q, day + kStep / 2, moved(y, kStep / 2, k2), k3);
    rates(campaign, q, day + kStep, moved(y, kStep, k3), k4);
    k1 = moved(moved(k1, 2, k2), 2, k3);
    y = moved(y, kStep / 6, moved(k1, 1, k4));
    if (watch) watch(day + kStep, y);
  }
  return y;
}

double epidemic_outcome(const VaccineClient& client, const Epidemic& end) {
  const AgeGroups ages = normalised(client.ages);
  double sum = 0;
  for (std::size_t a = 0; a < kAgeGroups; ++a) {
    const double weight = client.outcome == VaccineOutcome::deaths ? kFatality[a] : 1;
    sum += ages[a] * weight * end.a[a];
  }
  return sum;
}

VaccineDoses::VaccineDoses(const VaccineClient& client)
    : client_(client),
      without_vaccine_(epidemic_outcome(client, simulate_epidemic(client, std::nullopt))) {}

double VaccineDoses::kink() const {
  return std::clamp(client_.delta / client_.delta_max, kMinDose, 1.0);
}

double VaccineDoses::value(std::span<const double> x) const {
  return values_.get(x, [&] {
    const double with = epidemic_outcome(client_, simulate_epidemic(client_, x[0]));
    return 1 - with / without_vaccine_;
  });
}

std::vector<std::vector<double>> VaccineDoses::candidate_maximisers() const {
  constexpr int kGrid = 20;
  constexpr int kAboveKink = 3;
  std::vector<std::vector<double>> points;
  for (int i = 0; i <= kGrid; ++i) points.push_back({kMinDose + i * (1 - kMinDose) / kGrid});
  for (int i = 0; i <= kAboveKink; ++i) points.push_back({std::min(1.0, kink() * (1 + 0.1 * i))});
  return points;
}

VaccineClient draw_vaccine_client(const VaccineSetting& setting, std::uint32_t client, Seed seed) {
  UniformStream stream(stream_key(seed, "vaccine", fmt::format("client-{}", client)));
  const auto between = [&](std::uint64_t draw, double low, double high) {
    return low + (high - low) * stream.at(draw);
  };
  VaccineClient drawn;
  drawn.i0 = setting.i0;
  drawn.curve = setting.curve;
  drawn.outcome = setting.outcome;
  drawn.r = setting.r.value_or(between(0, 1.2, 2.5));
  drawn.delta = setting.delta.value_or(0.001 * math::pow(5, stream.at(1)));
  drawn.delta_max = setting.delta_max.value_or(between(2, 0.005, 0.02));
  drawn.e1 = setting.e1.value_or(stream.at(3) < 0.5 ? 0.95 : 0.70);
  drawn.beta = setting.beta.value_or(between(4, 0.6, 1.4));

  const auto pick = [&](std::span<const AgeShares> from) {
    const auto i = static_cast<std::size_t>(stream.at(5) * static_cast<double>(from.size()));
    return &from[std::min(i, from.size() - 1)];
  };
  const auto all = age_shares();
  const AgeShares* region = setting.region == "mixed"       ? pick(all.first(kIncomeGroups))
                            : setting.region == "countries" ? pick(all.subspan(kIncomeGroups))
                                                            : find_age_shares(setting.region);
  POSSE_CHECK(region != nullptr, "no region {}", setting.region);
  drawn.ages = region->shares;
  return drawn;
}

std::shared_ptr<const Objective> VaccineFamily::objective(std::uint32_t client, Seed seed) const {
  constexpr std::size_t kKept = 1000;
  const std::lock_guard lock(mutex_);
  const auto it = kept_.find({seed, client});
  if (it != kept_.end()) return it->second;
  auto made = std::make_shared<const VaccineDoses>(draw_vaccine_client(setting_, client, seed));
  if (kept_.size() < kKept) kept_.emplace(std::pair{seed, client}, made);
  return made;
}

std::vector<std::shared_ptr<const Objective>> VaccineFamily::clients(
    std::uint32_t clients, const Repetition& repetition) const {
  std::vector<std::shared_ptr<const Objective>> locals;
  locals.reserve(clients);
  for (std::uint32_t m = 0; m < clients; ++m) locals.push_back(objective(m, repetition.seed));
  return locals;
}

}  // namespace posse
