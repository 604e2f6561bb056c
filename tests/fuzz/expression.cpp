// SPDX-License-Identifier: Apache-2.0
// Objectives that are expressions: parsed, checked and evaluated. The first byte gives the box.
#include "core/objective/expression.hpp"

#include <cmath>

#include "core/base/parameters.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {

void fuzz_expression(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input.front());
  const std::size_t dimension = 1 + choice % 3;
  const double low = choice & 4 ? -2 : 0, high = choice & 8 ? 1 : 3;
  const Box box{std::vector<double>(dimension, low), std::vector<double>(dimension, high)};
  const auto lipschitz = choice & 16 ? std::optional(1e3) : std::nullopt;
  try {
    const Expression f(input.substr(1), box, lipschitz);
    const ValueRange range = f.value_range();
    require(std::isfinite(range.low) && range.low <= range.high, "the range is finite");
    for (const double share : {0.0, 0.3, 0.5, 1.0}) {
      const std::vector<double> x(dimension, low + share * (high - low));
      const double value = f.value(x);
      require(std::isfinite(value), "values are finite");
      require(f.value(x) == value, "a point has one value");
    }
  } catch (const InputError& error) {
    require(*error.what() != '\0', "an error has a text");
    require(error.parameter() == "f" || error.parameter() == "lipschitz",
            "an error names its parameter");
  }
}

}  // namespace posse::fuzz
