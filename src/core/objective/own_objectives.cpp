#include "core/objective/own_objectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/objective/expression.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostDimensions = 1000;

ObjectiveSpec expression_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "f",
       .type = ParameterType::text,
       .default_value = std::string(),
       .help = "an expression in x1 … xd, pi, e, to be maximised: "
               "\"0.5*(sin(13*x1)*sin(27*x1)/2 + 1)\"; + - * / ^, comparisons, && ||, c ? a : b, "
               "min max abs sqrt exp ln sin cos tan … (log is natural)",
       .required = true}};
  for (auto& spec : box_parameters()) parameters.push_back(std::move(spec));
  parameters.push_back(
      {.name = "lipschitz",
       .help = "L with |f(x) - f(y)| <= L |x - y|: certifies the maximum that regrets are measured "
               "against; auto: the maximum is searched, with no certificate",
       .min = 0,
       .min_open = true});
  return {.kind = "expression",
          .summary = "a formula of your own on a box of your own",
          .source = "Posse; muParser",
          .parameters = std::move(parameters),
          .make = [](const Parameters& p) -> std::unique_ptr<Objective> {
            return std::make_unique<Expression>(
                p.text("f"),
                box_of(p),
                p.is_auto("lipschitz") ? std::nullopt : std::optional(p.real("lipschitz")));
          }};
}

}  // namespace

std::vector<ObjectiveSpec> own_objective_specs() { return {expression_spec()}; }

std::vector<ParameterSpec> box_parameters() {
  return {{.name = "low",
           .type = ParameterType::numbers,
           .default_value = std::vector<double>{0.0},
           .help = "lower ends of the box, one per dimension: [0, -5]; one number stands for all"},
          {.name = "high",
           .type = ParameterType::numbers,
           .default_value = std::vector<double>{1.0},
           .help = "upper ends; the longer of the two lists says how many dimensions there are"}};
}

Box box_of(const Parameters& parameters) {
  Box box{parameters.numbers("low"), parameters.numbers("high")};
  const std::size_t d = std::max(box.low.size(), box.high.size());
  if (d > kMostDimensions)
    throw InputError(fmt::format("{} dimensions; up to {} are allowed", d, kMostDimensions),
                     box.low.size() == d ? "low" : "high");
  if (box.low.size() != d && box.low.size() != 1)
    throw InputError(fmt::format("{} numbers, but high has {}", box.low.size(), d), "low");
  if (box.high.size() != d && box.high.size() != 1)
    throw InputError(fmt::format("{} numbers, but low has {}", box.high.size(), d), "high");
  box.low.resize(d, box.low.front());
  box.high.resize(d, box.high.front());
  for (std::size_t j = 0; j < d; ++j) {
    if (!(box.low[j] < box.high[j]))
      throw InputError(fmt::format("{} is not below high = {}{}",
                                   box.low[j],
                                   box.high[j],
                                   d == 1 ? "" : fmt::format(" in dimension {}", j + 1)),
                       "low");
    if (!std::isfinite(box.width(j))) throw InputError("the box is too wide", "high");
  }
  return box;
}

}  // namespace posse
