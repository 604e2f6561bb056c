#include "core/objective/himmelblau.hpp"

#include <algorithm>

namespace posse {

double Himmelblau::value(std::span<const double> x) const {
  const double first = x[0] * x[0] + x[1] - 11;
  const double second = x[0] + x[1] * x[1] - 7;
  return 1 - (first * first + second * second) / 890;
}

std::optional<double> Himmelblau::maximum() const { return 1.0; }

std::vector<std::vector<double>> Himmelblau::maximisers() const {
  return {{3, 2},
          {-2.805118086952744853, 3.131312518250572966},
          {-3.779310253377746892, -3.283185991286169412},
          {3.584428340330491745, -1.848126526964403554}};
}

std::optional<double> Himmelblau::upper_bound(std::span<const double> centre,
                                              std::span<const double> half_width) const {
  return std::min(1.0, value(centre) + 1.04 * std::max(half_width[0], half_width[1]));
}

}  // namespace posse
