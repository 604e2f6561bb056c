// SPDX-License-Identifier: Apache-2.0
#include "core/objective/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/base/parameters.hpp"
#include "core/objective/sample_points.hpp"

namespace posse {
namespace {

constexpr std::size_t kLongestExpression = 4000;  // characters; muParser takes 5000

[[noreturn]] void refuse(const std::string& problem) { throw InputError(problem, "f"); }

std::string variables_text(std::size_t dimension) {
  if (dimension == 1) return "x1 (or x)";
  return dimension == 2 ? "x1, x2" : fmt::format("x1 … x{}", dimension);
}

/// muParser accepts assignments; one would overwrite the stored point.
void refuse_assignment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool comparison = i > 0 && (text[i - 1] == '<' || text[i - 1] == '>' ||
                                      text[i - 1] == '!' || text[i - 1] == '=');
    if (comparison) continue;
    if (i + 1 < text.size() && text[i + 1] == '=') continue;
    refuse(fmt::format(
        "at character {}: '=' is an assignment, which is not allowed; use '==' to compare", i + 1));
  }
}

/// Replaces ^ inside muParser, whose own ^ calls the C library's pow.
constexpr char kPower = '#';

double power(double x, double y) {
  // Small integer powers are products.
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  if (y == 4) return (x * x) * (x * x);
  return math::pow(x, y);
}

/// Replacements for muParser's functions, which call the C library: these give the same bits on
/// every processor. The functions that are kept (sqrt, sign, rint, abs, min, max, sum, avg) are
/// exact or plain arithmetic.
void use_portable_functions(mu::Parser& parser) {
  using Function = double (*)(double);
  constexpr std::pair<const char*, Function> kFunctions[] = {{"sin", math::sin},
                                                             {"cos", math::cos},
                                                             {"tan", math::tan},
                                                             {"asin", math::asin},
                                                             {"acos", math::acos},
                                                             {"atan", math::atan},
                                                             {"sinh", math::sinh},
                                                             {"cosh", math::cosh},
                                                             {"tanh", math::tanh},
                                                             {"asinh", math::asinh},
                                                             {"acosh", math::acosh},
                                                             {"atanh", math::atanh},
                                                             {"log2", math::log2},
                                                             {"log10", math::log10},
                                                             {"log", math::log},
                                                             {"ln", math::log},
                                                             {"exp", math::exp}};
  for (const auto& [name, function] : kFunctions) parser.DefineFun(name, function);
  parser.DefineFun("atan2", math::atan2);
  parser.DefineOprt(std::string(1, kPower), power, mu::prPOW, mu::oaRIGHT);
}

}  // namespace

/// One compiled copy, for one thread at a time.
class Expression::Copy {
 public:
  Copy(const std::string& text, std::size_t dimension) : x_(dimension) {
    try {
      parser_.ClearConst();
      parser_.DefineConst("pi", std::numbers::pi);
      parser_.DefineConst("e", std::numbers::e);
      for (std::size_t j = 0; j < dimension; ++j)
        parser_.DefineVar(fmt::format("x{}", j + 1), &x_[j]);
      if (dimension == 1) parser_.DefineVar("x", x_.data());
      use_portable_functions(parser_);
      std::string inner = text;
      std::replace(inner.begin(), inner.end(), '^', kPower);
      parser_.SetExpr(inner);
      parser_.Eval();
    } catch (const mu::Parser::exception_type& error) {
      refuse(explained(error, text));
    }
    if (parser_.GetNumResults() != 1)
      refuse(fmt::format("has {} results, separated by ','; it must have one",
                         parser_.GetNumResults()));
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  double value(std::span<const double> x) {
    std::copy(x.begin(), x.end(), x_.begin());
    return parser_.Eval();
  }

 private:
  std::string explained(const mu::Parser::exception_type& error, const std::string& text) const {
    std::string message = error.GetMsg();
    std::replace(message.begin(), message.end(), kPower, '^');
    if (const auto at = message.find(" found at position"); at != std::string::npos)
      message.resize(at);
    if (const auto at = message.find(" at expression position"); at != std::string::npos)
      message.resize(at);
    if (const auto at = message.find(" at position"); at != std::string::npos) message.resize(at);
    const int position = error.GetPos();
    std::string where;
    if (position >= 0 && error.GetCode() != mu::ecEMPTY_EXPRESSION)
      where =
          fmt::format("at character {}: ",
                      std::min<std::size_t>(static_cast<std::size_t>(position), text.size()) + 1);
    if (!message.empty() && message.back() == '.') message.pop_back();
    if (!message.empty() && message.front() >= 'A' && message.front() <= 'Z')
      message.front() = static_cast<char>(message.front() - 'A' + 'a');
    const bool unknown = error.GetCode() == mu::ecUNASSIGNABLE_TOKEN;
    return where + message + (unknown ? "; allowed: " + allowed() : "");
  }

  std::string allowed() const {
    std::string functions;
    for (const auto& [name, function] : parser_.GetFunDef()) functions += " " + name;
    return fmt::format(
        "{}, pi, e, numbers, + - * / ^ ( ) < <= > >= == != && || ? : and the functions{}",
        variables_text(x_.size()),
        functions);
  }

  std::vector<double> x_;
  mu::Parser parser_;
};

/// Compiled copies, made on demand, each used by one thread at a time.
class Expression::Copies {
 public:
  Copies(std::string text, std::size_t dimension) : text_(std::move(text)), dimension_(dimension) {
    copies_[0] = std::make_unique<Copy>(text_, dimension_);
  }

  double value(std::span<const double> x) {
    const Lease lease(*this);
    auto& copy = copies_[lease.index];
    if (!copy) copy = std::make_unique<Copy>(text_, dimension_);
    return copy->value(x);
  }

 private:
  struct Lease {
    explicit Lease(Copies& copies) : all(copies) {
      std::uint64_t free = all.free_.load(std::memory_order_relaxed);
      for (;;) {
        while (free == 0)
          free = all.free_.load(std::memory_order_relaxed);  // all 64 copies are in use
        index = static_cast<std::size_t>(std::countr_zero(free));
        if (all.free_.compare_exchange_weak(
                free, free & ~(std::uint64_t{1} << index), std::memory_order_acquire))
          return;
      }
    }
    ~Lease() { all.free_.fetch_or(std::uint64_t{1} << index, std::memory_order_release); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Copies& all;
    std::size_t index = 0;
  };

  std::string text_;
  std::size_t dimension_;
  std::atomic<std::uint64_t> free_{~std::uint64_t{0}};
  std::array<std::unique_ptr<Copy>, 64> copies_;
};

Expression::Expression(std::string_view text, Box domain, std::optional<double> lipschitz)
    : domain_(std::move(domain)), lipschitz_(lipschitz) {
  if (text.size() > kLongestExpression)
    refuse(
        fmt::format("has {} characters; at most {} are allowed", text.size(), kLongestExpression));
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const auto c = static_cast<unsigned char>(text[i]);
        c >= 0x7f || (c < 0x20 && c != '\t' && c != '\n'))
      refuse(fmt::format("at character {}: only plain ASCII characters are allowed", i + 1));
    else if (c == kPower)
      refuse(fmt::format("at character {}: '{}' is not an operator", i + 1, kPower));
  refuse_assignment(text);
  copies_ = std::make_unique<Copies>(std::string(text), domain_.dimension());
  check_samples();
}

Expression::~Expression() = default;

double Expression::value(std::span<const double> x) const {
  const double f = copies_->value(x);
  if (!std::isfinite(f))
    throw InputError(
        fmt::format("the expression is {} at ({}); values must be finite", f, fmt::join(x, ", ")),
        "f");
  return f;
}

bool Expression::upper_model(std::span<const double> centre,
                             std::span<const double> half_width,
                             UpperModel& model) const {
  if (!lipschitz_) return false;
  double squares = 0;
  for (const double r : half_width) squares += r * r;
  model.at_centre = value(centre);
  model.set_constant(model.at_centre + *lipschitz_ * std::sqrt(squares));
  model.peak.clear();
  return true;
}

void Expression::check_samples() {
  std::vector<double> before;
  double f_before = 0;
  bool first = true;
  for (const auto& x : sample_points(domain_)) {
    const double f = value(x);
    if (first) range_ = {f, f};
    range_ = {std::min(range_.low, f), std::max(range_.high, f)};
    if (lipschitz_ && !first) {
      double squares = 0;
      for (std::size_t j = 0; j < x.size(); ++j) squares += (x[j] - before[j]) * (x[j] - before[j]);
      // Allow for rounding errors of f and of the distance.
      const double most = *lipschitz_ * std::sqrt(squares) * (1 + 1e-9) +
                          1e-12 * std::max(std::abs(f), std::abs(f_before));
      if (std::abs(f - f_before) > most)
        throw InputError(fmt::format("is too small: f changes from {} at ({}) to {} at ({})",
                                     f_before,
                                     fmt::join(before, ", "),
                                     f,
                                     fmt::join(x, ", ")),
                         "lipschitz");
    }
    before = x;
    f_before = f;
    first = false;
  }
}

}  // namespace posse
