// SPDX-License-Identifier: Apache-2.0
#include "core/objective/heterogeneity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/objective/scaled.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

std::vector<double> draw_shift(const Box& box, StreamKey key, double scale) {
  std::vector<double> shift(box.dimension());
  for (std::size_t j = 0; j < shift.size(); ++j) {
    DrawEngine engine(key, j);
    double z = 0;
    do {
      z = std::numbers::sqrt2 * math::erf_inv(2 * engine.uniform() - 1);
    } while (std::abs(z) > 3);
    shift[j] = scale * box.width(j) * z;
  }
  return shift;
}

StreamKey client_key(Seed seed, std::string_view purpose, std::uint32_t client) {
  return stream_key(seed, purpose, fmt::format("client-{}", client));
}

}  // namespace

Clients shifted_clients(const std::shared_ptr<const Objective>& base,
                        std::uint32_t clients,
                        Seed seed,
                        double scale,
                        Boundary boundary) {
  Clients result;
  result.reserve(clients);
  for (std::uint32_t m = 0; m < clients; ++m) {
    result.push_back(std::make_shared<Shifted>(
        base, draw_shift(base->domain(), client_key(seed, "shift", m), scale), boundary));
  }
  return result;
}

Clients commonly_shifted_clients(const std::shared_ptr<const Objective>& base,
                                 std::uint32_t clients,
                                 Seed seed,
                                 double scale,
                                 Boundary boundary) {
  const auto shift = draw_shift(base->domain(), stream_key(seed, "shift", "all"), scale);
  return Clients(clients, std::make_shared<Shifted>(base, shift, boundary));
}

Clients scaled_clients(const std::shared_ptr<const Objective>& base,
                       std::uint32_t clients,
                       Seed seed,
                       double a_min) {
  Clients result;
  result.reserve(clients);
  for (std::uint32_t m = 0; m < clients; ++m) {
    DrawEngine engine(client_key(seed, "scale", m), 0);
    const double a = a_min + (1 - a_min) * engine.uniform();
    const double b = (1 - a) * engine.uniform();
    result.push_back(std::make_shared<Scaled>(base, a, b));
  }
  return result;
}

Clients given_shifts(const std::shared_ptr<const Objective>& base,
                     const std::vector<double>& shifts,
                     Boundary boundary) {
  const std::size_t d = base->domain().dimension();
  POSSE_CHECK(!shifts.empty() && shifts.size() % d == 0, "{} shifts", shifts.size());
  Clients result;
  for (auto at = shifts.begin(); at != shifts.end(); at += static_cast<std::ptrdiff_t>(d)) {
    result.push_back(std::make_shared<Shifted>(
        base, std::vector<double>(at, at + static_cast<std::ptrdiff_t>(d)), boundary));
  }
  return result;
}

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  constexpr std::string_view kSeparators = ",; \t\n";
  std::vector<double> numbers;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) return numbers;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kSeparators));
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(number))
      return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(word.size());
  }
}

}  // namespace posse
