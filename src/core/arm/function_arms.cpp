// SPDX-License-Identifier: Apache-2.0
#include "core/arm/function_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/arm/base_optimizers.hpp"
#include "core/arm/word_list.hpp"
#include "core/base/shown_text.hpp"
#include "core/function/empirical_risk.hpp"
#include "core/function/risk_minimum.hpp"
#include "core/optimizer/noise_parameters.hpp"

namespace posse {
namespace {

/// One arm without seed and horizon.
struct FunctionArm {
  std::string optimizer;
  BaseProblem problem;
  std::optional<double> minimum;
  double largest = 1;  // a bound on f, for delta
};

class FunctionArms final : public ArmFamily {
 public:
  FunctionArms(std::vector<FunctionArm> arms, std::optional<double> delta, bool radius_given)
      : arms_(std::move(arms)), delta_(delta), radius_given_(radius_given) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(arms_.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    double largest = 1;
    for (const auto& arm : arms_) largest = std::max(largest, arm.largest);
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (const auto& arm : arms_) {
      auto problem = std::make_shared<BaseProblem>(arm.problem);
      problem->seed = repetition.seed;
      problem->horizon = budget;
      problem->delta = delta_.value_or(clean_event_delta(size(), budget, largest));
      set->arms.push_back(make_arm(arm.optimizer, problem, arm.minimum));
      // A radius given by the user is not verified.
      if (radius_given_) set->arms.back().certificate = Certificate::guess;
    }
    return set;
  }

 private:
  std::vector<FunctionArm> arms_;
  std::optional<double> delta_;
  bool radius_given_;
};

/// Entry i of a list that has one entry for all arms or one per arm.
template <class T>
const T& entry(const std::vector<T>& list, std::size_t i) {
  return list[list.size() == 1 ? 0 : i];
}

struct Lists {
  std::vector<std::string> functions, optimizers;
  std::vector<double> l1, l2, huber;
  std::size_t arms = 1;
};

Lists lists_of(const Parameters& p) {
  Lists lists{word_list(p.text("functions"), "functions"),
              word_list(p.text("optimizers"), "optimizers"),
              p.numbers("l1"),
              p.numbers("l2"),
              p.numbers("huber"),
              1};
  lists.arms = std::max({lists.functions.size(),
                         lists.optimizers.size(),
                         lists.l1.size(),
                         lists.l2.size(),
                         lists.huber.size()});
  const auto check = [&](std::size_t size, std::string name) {
    if (size != 1 && size != lists.arms)
      throw InputError(
          fmt::format("{} entries for {} arms; allowed: one, or one per arm", size, lists.arms),
          std::move(name));
  };
  check(lists.functions.size(), "functions");
  check(lists.optimizers.size(), "optimizers");
  check(lists.l1.size(), "l1");
  check(lists.l2.size(), "l2");
  check(lists.huber.size(), "huber");
  return lists;
}

Loss loss_named(const std::string& name) {
  if (name == "least-squares") return Loss::squares;
  if (name == "logistic") return Loss::logistic;
  if (name == "huber") return Loss::huber;
  if (name == "absolute") return Loss::absolute;
  throw InputError(fmt::format("'{}' is not a function; allowed: least-squares, logistic, huber, "
                               "absolute",
                               shortened(name)),
                   "functions");
}

RiskOptions risk_options(const Lists& lists, std::size_t i) {
  RiskOptions options{loss_named(entry(lists.functions, i)),
                      entry(lists.l1, i),
                      entry(lists.l2, i),
                      entry(lists.huber, i)};
  const auto refuse = [](double given, const char* name, const char* allowed) {
    throw InputError(
        fmt::format("{}: the function would not be convex; allowed: {}", given, allowed), name);
  };
  if (!(options.l1 >= 0)) refuse(options.l1, "l1", ">= 0");
  if (!(options.l2 >= 0)) refuse(options.l2, "l2", ">= 0");
  if (!(options.huber > 0)) refuse(options.huber, "huber", "above 0");
  return options;
}

FeasibleSet set_of(const Parameters& p, Eigen::Index d) {
  const std::string& kind = p.text("set");
  if (kind == "space") return FeasibleSet::space(d);
  if (kind == "box") {
    const double low = p.real("low"), high = p.real("high");
    if (!(low < high) || !std::isfinite(high - low))
      throw InputError(
          fmt::format("the box [{}, {}] is empty or unbounded: low must be below high", low, high),
          "low");
    return FeasibleSet::box(d, low, high);
  }
  const double size = p.real("size");
  if (!(size > 0)) throw InputError(fmt::format("{}: the set is empty", size), "size");
  return kind == "simplex" ? FeasibleSet::simplex(d, size) : FeasibleSet::l1_ball(d, size);
}

Vector start_of(const Parameters& p, const FeasibleSet& set) {
  if (p.is_auto("start")) return set.centre();
  const auto& given = p.numbers("start");
  const auto d = set.dimension();
  if (given.size() != 1 && static_cast<Eigen::Index>(given.size()) != d)
    throw InputError(
        fmt::format(
            "{} numbers for {} coordinates; allowed: one, or one per coordinate", given.size(), d),
        "start");
  Vector start(d);
  for (Eigen::Index j = 0; j < d; ++j) start[j] = entry(given, static_cast<std::size_t>(j));
  return start;
}

/// Data for a logistic loss: targets 0 and 1, or -1 and 1, as -1 and 1.
std::shared_ptr<const RegressionData> with_signs(const RegressionData& data) {
  auto signs = std::make_shared<RegressionData>(data);
  const bool from_0 = (data.targets.array() == 0).any();
  for (auto& y : signs->targets) {
    if (y == 0 && from_0) {
      y = -1;
    } else if (y != 1 && (from_0 || y != -1)) {
      throw InputError(fmt::format("a target is {}; a logistic function needs targets 0 and 1, or "
                                   "-1 and 1",
                                   y),
                       "file");
    }
  }
  return signs;
}

/// Reads the data and adds a column of ones if requested.
RegressionData read_data(const Parameters& p) {
  try {
    auto data = parse_regression_data(p.file("file"),
                                      p.is_auto("target") ? std::string_view() : p.text("target"));
    if (p.boolean("intercept")) {
      data.rows.conservativeResize(Eigen::NoChange, data.rows.cols() + 1);
      data.rows.col(data.rows.cols() - 1).setOnes();
    }
    return data;
  } catch (const InputError& error) {
    throw InputError(error.what(), "file");
  }
}

double radius_of(const Parameters& p,
                 const BaseProblem& problem,
                 const std::optional<RiskMinimum>& least) {
  const std::string& kind = p.text("radius");
  const double farthest = std::sqrt(2 * problem.set.largest_half_square(problem.start));
  if (kind == "given") {
    if (p.is_auto("given_radius"))
      throw InputError("is missing; radius = \"given\" needs it", "given_radius");
    return p.real("given_radius");
  }
  if (kind == "known" && least)
    return std::max((problem.start - least->point).norm(), 1e-9 * (1 + problem.start.norm()));
  if (!std::isfinite(farthest))
    throw InputError(
        kind == "known"
            ? "the minimiser is not known and the set has no diameter: set radius = \"given\" and "
              "given_radius, use a bounded set or l2 > 0, or scale the columns alike"
            : "the set 'space' has no diameter",
        "radius");
  return std::max(farthest, 1e-9 * (1 + problem.start.norm()));  // a set may be a single point
}

/// As check_base_optimizer, but for the parameter `optimizers`.
void check_optimizer(std::string_view optimizer, const BaseProblem& problem) {
  try {
    check_base_optimizer(optimizer, problem);
  } catch (const InputError& error) {
    throw InputError(error.what(),
                     error.parameter() == "optimizer" ? "optimizers" : error.parameter());
  }
}

std::shared_ptr<const ArmFamily> make_functions(const Parameters& p) {
  const Lists lists = lists_of(p);
  const auto data = std::make_shared<const RegressionData>(read_data(p));
  const Spectrum spectrum = spectrum_of(*data);
  std::shared_ptr<const RegressionData> signs;
  std::vector<FunctionArm> arms;
  for (std::size_t i = 0; i < lists.arms; ++i) {
    const RiskOptions options = risk_options(lists, i);
    if (options.loss == Loss::logistic && !signs) signs = with_signs(*data);
    FunctionArm arm;
    arm.optimizer = entry(lists.optimizers, i);
    auto& problem = arm.problem;
    const std::string name = entry(lists.functions, i) + "-" + arm.optimizer;
    problem.name = name;
    for (int again = 2;
         std::any_of(arms.begin(),
                     arms.end(),
                     [&](const FunctionArm& other) { return other.problem.name == problem.name; });
         ++again)
      problem.name = fmt::format("{}.{}", name, again);
    problem.set = set_of(p, data->rows.cols());
    const auto risk = std::make_shared<const EmpiricalRisk>(
        options.loss == Loss::logistic ? signs : data, spectrum, options, problem.set);
    problem.function = risk;
    problem.start = start_of(p, problem.set);
    problem.noise = parse_gradient_noise(p);
    problem.accuracy = p.real("accuracy");
    check_optimizer(arm.optimizer, problem);
    const auto least = minimise_risk(*risk, problem.set);
    // The certified lower bound, so that no value is below the minimum.
    if (least) arm.minimum = least->value - least->gap;
    problem.radius = radius_of(p, problem, least);
    arm.largest = risk->value(problem.start);
    if (problem.set.bounded()) arm.largest += *risk->lipschitz() * problem.set.diameter();
    arms.push_back(std::move(arm));
  }
  return std::make_shared<FunctionArms>(
      std::move(arms),
      p.is_auto("delta") ? std::nullopt : std::optional(p.real("delta")),
      p.text("radius") == "given");
}

ParameterSpec list_of(std::string_view name, double value, std::string_view help, bool open) {
  return {.name = name,
          .type = ParameterType::numbers,
          .default_value = std::vector<double>{value},
          .help = help,
          .min = 0,
          .min_open = open};
}

}  // namespace

ArmFamilySpec function_arms_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "file",
       .type = ParameterType::file,
       .default_value = std::monostate{},
       .help = "CSV of finite numbers with a header: features and the target",
       .required = true},
      {.name = "target",
       .type = ParameterType::text,
       .default_value = std::monostate{},
       .help = "the target's column; auto: the last one"},
      {.name = "intercept",
       .type = ParameterType::boolean,
       .default_value = false,
       .help = "add a feature that is 1 in every row"},
      {.name = "functions",
       .type = ParameterType::text,
       .default_value = std::string("least-squares"),
       .help = "separated by commas: least-squares, logistic, huber, absolute; one for all arms or "
               "one per arm"},
      {.name = "optimizers",
       .type = ParameterType::text,
       .default_value = std::string("agd, ac-sa"),
       .help = "separated by commas, one for all arms or one per arm: agd, agd-strong, pgd, "
               "pgd-horizon, pgd-strong, triple-averaging, ac-sa, ac-sa-strong, "
               "clipped-sstm-practical, …"},
      list_of("l1", 0, "weight of |x|_1, one for all arms or one per arm", false),
      list_of("l2", 0, "weight of |x|^2/2, one for all arms or one per arm", false),
      list_of("huber", 1, "c of huber, one for all arms or one per arm", true),
      {.name = "set",
       .type = ParameterType::text,
       .default_value = std::string("space"),
       .help = "the feasible set",
       .choices = {"space", "box", "l1-ball", "simplex"}},
      {.name = "low", .default_value = -1.0, .help = "lower bound of every coordinate of a box"},
      {.name = "high", .default_value = 1.0, .help = "upper bound of every coordinate of a box"},
      {.name = "size",
       .default_value = 1.0,
       .help = "radius of an l1-ball, sum of a simplex",
       .min = 0,
       .min_open = true},
      {.name = "start",
       .type = ParameterType::numbers,
       .default_value = std::monostate{},
       .help = "start of the optimizers, one number for all coordinates or one per coordinate; "
               "auto: the set's centre"},
      {.name = "radius",
       .type = ParameterType::text,
       .default_value = std::string("known"),
       .help = "R in g; known: the distance to the minimiser found (as diameter if there is none); "
               "diameter: the largest distance from the start to a point of the set; given: "
               "given_radius",
       .choices = {"known", "diameter", "given"}},
      {.name = "given_radius",
       .default_value = std::monostate{},
       .help = "R, if radius = given",
       .min = 0,
       .min_open = true}};
  for (auto& spec : gradient_noise_parameters("none", 1.0)) parameters.push_back(std::move(spec));
  parameters.push_back({.name = "delta",
                        .default_value = std::monostate{},
                        .help = "failure probability of an arm's bounds; auto: 1/(K T^2 A)",
                        .min = 0,
                        .max = 1,
                        .min_open = true,
                        .max_open = true});
  parameters.push_back({.name = "accuracy",
                        .default_value = 1e-3,
                        .help = "eps of r-clipped-sstm",
                        .min = 0,
                        .min_open = true});
  return {.kind = "functions",
          .summary =
              "regression and classification losses on the user's data: which optimizer, which "
              "model",
          .source = "Posse; optimizers of Dorn, Katrutsa, Latypov & Soboleva 2025",
          .parameters = std::move(parameters),
          .make = make_functions};
}

}  // namespace posse
