// SPDX-License-Identifier: Apache-2.0
// f(x) = an expression written by the user, on a box given by the user.
//
// Names: x1 … xd (also x if d = 1), pi, e. Operators: + - * / ^ (binds tighter than a sign:
// -x1^2 = -(x1^2)), < <= > >= == !=, && ||, c ? a : b. Functions: abs sqrt exp ln log (natural)
// log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh min max sum avg sign
// rint. muParser parses and evaluates the expression. x1 = 3 (an assignment) and a, b (two results)
// are rejected.
//
// Maximum: found by search. With a Lipschitz constant L, |f(x) - f(y)| <= L |x - y|_2, branch and
// bound certifies it; without L the result has no certificate. Values may leave [0, 1]; the
// scenario is then rejected if its noise needs values in [0, 1].
// Checks at construction, on up to 5000 points (sample_points.hpp): values are finite and
// consistent with L. A non-finite value found later throws, too.
// Cost: about 35 ns, and 3 to 20 ns per operation. Memory: a compiled copy for each thread that
// evaluates at the same time, at most 64, since a parser has a stack of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/objective/objective.hpp"

namespace posse {

class Expression final : public Objective {
 public:
  /// domain: low < high in every dimension. lipschitz > 0. Throws InputError for the parameter `f`
  /// or `lipschitz`; the message gives the position of the error and what is allowed, or the point
  /// with a value that is not finite.
  Expression(std::string_view text, Box domain, std::optional<double> lipschitz = std::nullopt);
  ~Expression() override;

  const Box& domain() const override { return domain_; }
  /// Throws InputError if the value is not finite.
  double value(std::span<const double> x) const override;
  ValueRange value_range() const override { return range_; }
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override;

 private:
  class Copy;
  class Copies;

  void check_samples();

  Box domain_;
  std::optional<double> lipschitz_;
  ValueRange range_;
  std::unique_ptr<Copies> copies_;
};

}  // namespace posse
