// f(x) = an expression that the user wrote, on a box that the user gave.
//
// Names: x1 … xd (also x if d = 1), pi, e. Operators: + - * / ^ (binds tighter than a sign:
// -x1^2 = -(x1^2)), < <= > >= == !=, && ||, c ? a : b. Functions: abs sqrt exp ln log (natural)
// log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh min max sum avg sign
// rint. Parsed and evaluated by muParser; x1 = 3 (an assignment) and a, b (two results) are
// refused.
//
// Maximum: searched. With a Lipschitz constant L, |f(x) - f(y)| <= L |x - y|_2, branch and bound
// certifies it; without one nobody knows how far it is from the true one. Values may leave [0, 1];
// noise that can't be drawn then is refused by what reads the scenario.
// Checks when made, on up to 5000 points (sample_points.hpp): values are finite; L isn't
// contradicted. A value that isn't finite later throws too.
// Cost: about 35 ns, and 3 to 20 ns per operation. Memory: 64 compiled copies at most, one per
// thread that evaluates at the same time: a parser has a stack of its own, and values are asked for
// by many threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/objective/objective.hpp"

namespace posse {

class Expression final : public Objective {
 public:
  /// domain: low < high in every dimension. lipschitz > 0. Throws InputError, for the parameter `f`
  /// or `lipschitz`, that says where the text is wrong and what is allowed, or where a value isn't
  /// finite.
  Expression(std::string_view text, Box domain, std::optional<double> lipschitz = std::nullopt);
  ~Expression() override;

  const Box& domain() const override { return domain_; }
  /// Throws InputError if it isn't finite.
  double value(std::span<const double> x) const override;
  ValueRange value_range() const override { return range_; }
  std::optional<double> upper_bound(std::span<const double> centre,
                                    std::span<const double> half_width) const override;

 private:
  class Copy;
  class Copies;

  void look_around();

  Box domain_;
  std::optional<double> lipschitz_;
  ValueRange range_;
  std::unique_ptr<Copies> copies_;
};

}  // namespace posse
