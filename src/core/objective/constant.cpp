#include "core/objective/constant.hpp"

namespace posse {

double Constant::value(std::span<const double>) const { return value_; }

std::optional<double> Constant::maximum() const { return value_; }

std::vector<std::vector<double>> Constant::maximisers() const {
  return {std::vector<double>(domain_.dimension(), 0.5)};
}

std::optional<double> Constant::upper_bound(std::span<const double>,
                                            std::span<const double>) const {
  return value_;
}

}  // namespace posse
