// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/rung_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

// Powers that are whole numbers may be a little off.
std::uint64_t rounded_up(double x) { return static_cast<std::uint64_t>(std::ceil(x - 1e-9)); }
std::uint64_t rounded_down(double x) { return static_cast<std::uint64_t>(std::floor(x + 1e-9)); }

double real(std::uint64_t x) { return static_cast<double>(x); }

/// As a real number, since plans that no budget allows may be larger than 2^64.
double pulls_of(const Bracket& bracket) {
  double pulls = 0;
  std::uint64_t before = 0;
  for (const auto& rung : bracket) {
    pulls += real(rung.arms) * real(rung.pulls - before);
    before = rung.pulls;
  }
  return pulls;
}

/// floor(log_eta ratio).
int whole_log(double ratio, double eta) {
  return static_cast<int>(rounded_down(math::log(ratio) / math::log(eta)));
}

/// Instances with which bracket s of smax + 1 begins.
std::uint64_t bracket_size(int smax, int s, double eta) {
  return rounded_up((smax + 1.0) / (s + 1.0) * math::pow(eta, s));
}

/// Hyperband's brackets. `added`: a rung gives that many pulls more, rather than in all.
std::vector<Bracket> hyperband_brackets(int smax, std::uint64_t longest, double eta, bool added) {
  std::vector<Bracket> brackets;
  for (int s = smax; s >= 0; --s) {
    const std::uint64_t size = bracket_size(smax, s, eta);
    Bracket bracket;
    for (int i = 0; i <= s; ++i) {
      const std::uint64_t pulls = rounded_up(real(longest) * math::pow(eta, i - s));
      const std::uint64_t before = added && i > 0 ? bracket.back().pulls : 0;
      const std::uint64_t reach =
          i == 0 ? size
                 : std::min(bracket.back().arms,
                            rounded_down(real(size) * math::pow(eta, 1 - i) / eta));
      if (reach == 0) break;
      bracket.push_back({reach, before + pulls});
    }
    brackets.push_back(std::move(bracket));
  }
  return brackets;
}

RungPlan one_round(double eta, std::uint64_t least, std::uint64_t longest) {
  RungPlan plan;
  plan.brackets =
      hyperband_brackets(whole_log(real(longest) / real(least), eta), longest, eta, false);
  plan.of_instances = true;
  return plan;
}

}  // namespace

std::uint64_t RungPlan::pulls() const {
  double all = 0;
  for (const auto& bracket : brackets) all += real(rounds) * pulls_of(bracket);
  constexpr double kExact = 9e15;  // below it they are whole numbers
  return std::min(limit, static_cast<std::uint64_t>(std::min(all, kExact)));
}

std::uint64_t RungPlan::longest() const {
  std::uint64_t longest = 0;
  for (const auto& bracket : brackets) longest = std::max(longest, bracket.back().pulls);
  return longest;
}

std::string RungPlan::text() const {
  std::string text;
  for (const auto& bracket : brackets) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < bracket.size(); ++i)
      text += fmt::format("{}{} at {}", i == 0 ? "" : ", ", bracket[i].arms, bracket[i].pulls);
  }
  return rounds == 1 ? text : fmt::format("{} rounds of: {}", rounds, text);
}

RungPlan halving_of_budget(std::uint64_t arms, std::uint64_t budget) {
  POSSE_CHECK(arms > 0 && budget > 0, "{} arms, {} pulls", arms, budget);
  const std::uint64_t rungs = std::max<std::uint64_t>(1, rounded_up(math::log2(real(arms))));
  RungPlan plan;
  plan.limit = budget;
  Bracket bracket;
  std::uint64_t pulls = 0;
  for (std::uint64_t active = arms; active > 1; active /= 2) {
    pulls += std::max<std::uint64_t>(1, budget / rungs / active);
    bracket.push_back({active, pulls});
  }
  const auto made = static_cast<std::uint64_t>(pulls_of(bracket));
  if (made < budget) bracket.push_back({1, pulls + (budget - made)});
  plan.brackets = {std::move(bracket)};
  return plan;
}

RungPlan halving_to(std::uint64_t arms, double eta, std::uint64_t least, std::uint64_t longest) {
  POSSE_CHECK(eta > 1 && least >= 1 && least <= longest, "{} {} {}", eta, least, longest);
  RungPlan plan;
  Bracket bracket;
  std::uint64_t active = arms;
  for (int j = 0;; ++j) {
    const std::uint64_t pulls = std::min(longest, rounded_up(real(least) * math::pow(eta, j)));
    bracket.push_back({active, pulls});
    if (pulls == longest) break;
    active = std::max<std::uint64_t>(1, rounded_down(real(active) / eta));
  }
  plan.brackets = {std::move(bracket)};
  return plan;
}

RungPlan hyperband_to(double eta,
                      std::uint64_t least,
                      std::uint64_t longest,
                      std::uint64_t budget) {
  POSSE_CHECK(eta > 1 && least >= 1 && least <= longest, "{} {} {}", eta, least, longest);
  RungPlan plan = one_round(eta, least, longest);
  plan.rounds = std::max<std::uint64_t>(1, budget / plan.pulls());
  return plan;
}

std::uint64_t hyperband_shortest(double eta, std::uint64_t least) {
  return rounded_up(real(least) * eta);
}

std::optional<std::uint64_t> hyperband_longest(double eta,
                                               std::uint64_t least,
                                               std::uint64_t budget) {
  const std::uint64_t shortest = hyperband_shortest(eta, least);
  const auto fits = [&](std::uint64_t longest) {
    return one_round(eta, least, longest).pulls() <= budget;
  };
  // Where the number of brackets stays the same, a longer run costs more. A round takes at least
  // two of the longest runs.
  if (budget / 2 < shortest) return std::nullopt;
  const auto first_of = [&](int smax) { return rounded_up(real(least) * math::pow(eta, smax)); };
  for (int smax = whole_log(real(budget / 2) / real(least), eta); smax >= 1; --smax) {
    std::uint64_t low = std::max(shortest, first_of(smax));
    std::uint64_t high = std::min(budget / 2, first_of(smax + 1) - 1);
    if (low > high || !fits(low)) continue;
    while (low < high) {
      const std::uint64_t middle = high - (high - low) / 2;
      if (fits(middle))
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
  return std::nullopt;
}

RungPlan hyperband_of_2025(double eta, std::uint64_t budget) {
  POSSE_CHECK(eta > 1, "eta = {}", eta);
  // R with R ln^2(eta R) = T ln^2 eta, rounded up; at least 1.
  const double target = real(budget) * math::log(eta) * math::log(eta);
  const auto excess = [&](double r) { return r * math::pow(math::log(eta * r), 2) - target; };
  double low = 1, high = real(budget);  // excess increases from 1 on
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (excess(middle) < 0 ? low : high) = middle;
  }
  const std::uint64_t longest = std::max<std::uint64_t>(1, rounded_up(high));
  RungPlan plan;
  plan.brackets = hyperband_brackets(whole_log(real(longest), eta), longest, eta, true);
  plan.of_instances = true;
  plan.by_last_value = true;
  return plan;
}

}  // namespace posse
