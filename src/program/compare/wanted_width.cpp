// SPDX-License-Identifier: Apache-2.0
#include "program/compare/wanted_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/base/csv.hpp"
#include "program/base/units.hpp"
#include "program/compare/comparison.hpp"

namespace posse {
namespace {

/// The standard deviation of what a width is stated for, and the mean that a share refers to.
struct Spread {
  std::size_t n = 0;
  double sd = 0, reference = 0;
};

std::vector<Spread> spreads(const Study& study, std::size_t quantity) {
  std::vector<Spread> all;
  const auto add_difference = [&](const StudyCell* b, const StudyCell* a) {
    if (b == nullptr || a == nullptr) return;
    const Pairs pairs = pairs_of(b->values(quantity), a->values(quantity));
    if (const auto effect = paired_effect(pairs))
      all.push_back({effect->difference.n, effect->difference.sd, statistics(pairs.a).mean});
  };
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 1; a < study.algorithms.size(); ++a)
      add_difference(study.find(s, a), study.find(s, 0));
  if (study.algorithms.size() == 1)
    for (std::size_t s = 1; s < study.settings.size(); ++s)
      add_difference(study.find(s, 0), study.find(0, 0));
  if (study.algorithms.size() == 1 && study.settings.size() == 1) {
    const Statistics values = statistics_of(study.find(0, 0)->values(quantity));
    if (values.n > 0) all.push_back({values.n, values.sd, values.mean});
  }
  return all;
}

/// Repetitions after which an interval is as narrow as wanted. Two values that happen to be close
/// say nothing of the spread: unless all are equal it takes kFewestForSpread.
std::optional<std::size_t> repetitions_of(const Spread& spread, const WantedWidth& wanted) {
  constexpr std::size_t kFewestForSpread = 5;
  if (spread.n < 2) return std::nullopt;
  if (spread.sd == 0) return 2;
  const double width = wanted.relative ? wanted.width * std::abs(spread.reference) : wanted.width;
  const auto repetitions = repetitions_for(spread.sd, width, kLevel);
  return repetitions ? std::optional(std::max(*repetitions, kFewestForSpread)) : std::nullopt;
}

}  // namespace

WantedWidth parse_width(const std::string& text) {
  const auto equals = text.find('=');
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument(
        fmt::format("{}: {}; allowed: MEASURE=0.01 or MEASURE=5%, where MEASURE is one of {}",
                    text,
                    problem,
                    fmt::join(measure_names(), ", ")));
  };
  if (equals == std::string::npos) refuse("has no '='");
  const auto value = text.substr(equals + 1);
  WantedWidth wanted;
  const auto measure = find_measure(text.substr(0, equals));
  if (!measure) refuse(fmt::format("there is no measure '{}'", text.substr(0, equals)));
  wanted.quantity = *measure;
  if (const auto share = parse_share(value).value) {
    wanted.width = *share;
    wanted.relative = true;
  } else if (const auto number = parse_number<double>(value);
             number && *number > 0 && std::isfinite(*number)) {
    wanted.width = *number;
  } else {
    refuse(fmt::format("'{}' is neither a number above 0 nor a share", value));
  }
  return wanted;
}

WantedWidth comparable_width(const Study& study, WantedWidth wanted) {
  const auto quantity = comparable_measure(study, wanted.quantity);
  if (quantity == wanted.quantity) return wanted;
  double most = 0;
  for (const auto& [at, cell] : study.cells) most = std::max(most, evaluations_of(cell));
  if (!wanted.relative) wanted.width /= most;
  wanted.quantity = quantity;
  return wanted;
}

std::optional<std::size_t> repetitions_needed(const Study& study, const WantedWidth& given) {
  const auto wanted = comparable_width(study, given);
  const auto all = spreads(study, wanted.quantity);
  std::size_t needed = 2;
  for (const auto& spread : all) {
    const auto repetitions = repetitions_of(spread, wanted);
    if (!repetitions) return std::nullopt;
    needed = std::max(needed, *repetitions);
  }
  return all.empty() ? std::nullopt : std::optional(needed);
}

bool width_reached(const Study& study, const WantedWidth& given) {
  const auto wanted = comparable_width(study, given);
  const auto all = spreads(study, wanted.quantity);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const Spread& spread) {
    const auto repetitions = repetitions_of(spread, wanted);
    return repetitions && *repetitions <= spread.n;
  });
}

std::optional<std::uint32_t> next_repetitions(const Study& study,
                                              const WantedWidth& wanted,
                                              std::uint32_t now) {
  if (width_reached(study, wanted)) return std::nullopt;
  const std::uint64_t doubled = 2 * std::uint64_t{now};
  const std::uint64_t needed = repetitions_needed(study, wanted).value_or(doubled);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(needed, now + 1, doubled));
}

}  // namespace posse
