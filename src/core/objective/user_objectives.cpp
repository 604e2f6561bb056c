// SPDX-License-Identifier: Apache-2.0
#include "core/objective/user_objectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "core/objective/expression.hpp"
#include "core/objective/table.hpp"

namespace posse {
namespace {

constexpr std::size_t kMaxDimensions = 1000;

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
       .help =
           "L with |f(x) - f(y)| <= L |x - y|_2, which certifies the maximum that regrets refer "
           "to; auto: the maximum is searched for without a certificate",
       .min = 0,
       .min_open = true});
  return {.kind = "expression",
          .summary = "a user-defined expression on a user-defined box",
          .source = "Posse; muParser",
          .parameters = std::move(parameters),
          .make = [](const Parameters& p) -> std::unique_ptr<Objective> {
            return std::make_unique<Expression>(
                p.text("f"),
                box_of(p),
                p.is_auto("lipschitz") ? std::nullopt : std::optional(p.real("lipschitz")));
          }};
}

std::unique_ptr<Objective> make_table(const Parameters& p) {
  const TableData data = parse_table(p.file("file"));
  const Box points = extent(data);
  Box box;
  for (const auto& [name, from, to] :
       {std::tuple{"low", &points.low, &box.low}, std::tuple{"high", &points.high, &box.high}}) {
    *to = p.is_auto(name) ? *from : p.numbers(name);
    if (to->size() == 1) to->resize(data.dimension, to->front());
    if (to->size() != data.dimension)
      throw InputError(
          fmt::format("{} numbers, but the table has {} dimensions", to->size(), data.dimension),
          name);
  }
  if (p.real("factor") == 0) throw InputError("must not be 0", "factor");
  return std::make_unique<Table>(
      data,
      checked(std::move(box)),
      p.text("interpolation") == "linear" ? Interpolation::linear : Interpolation::nearest,
      p.real("factor"),
      p.real("offset"));
}

ObjectiveSpec table_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "file",
       .type = ParameterType::file,
       .help = "CSV with the columns x1 … xd and value, a point per line",
       .required = true},
      {.name = "interpolation",
       .type = ParameterType::text,
       .default_value = std::string("nearest"),
       .help = "nearest: the value of the nearest point, with coordinates as shares of the box's "
               "width; linear: linear between neighbouring points, in one dimension only",
       .choices = {"nearest", "linear"}}};
  for (auto& spec : box_parameters()) {
    spec.default_value = {};
    spec.help = spec.name == "low" ? "lower ends of the box, a number or one per dimension; auto: "
                                     "the points' smallest coordinates"
                                   : "upper ends; auto: the points' largest coordinates";
    parameters.push_back(std::move(spec));
  }
  for (auto& spec : reward_parameters()) parameters.push_back(std::move(spec));
  return {
      .kind = "table",
      .summary = "values at points from a user's CSV file: measurements, results of a grid search",
      .source = "Posse",
      .parameters = std::move(parameters),
      .make = make_table,
      .noise = "none"};
}

}  // namespace

std::vector<ObjectiveSpec> user_objective_specs() { return {expression_spec(), table_spec()}; }

std::vector<ParameterSpec> reward_parameters() {
  return {{.name = "factor",
           .default_value = 1.0,
           .help = "f = offset + factor * value: factor = -1 turns a loss into a reward"},
          {.name = "offset",
           .default_value = 0.0,
           .help = "1 together with factor = -1 for a loss in [0, 1]"}};
}

std::vector<ParameterSpec> box_parameters() {
  return {{.name = "low",
           .type = ParameterType::numbers,
           .default_value = std::vector<double>{0.0},
           .help = "lower ends of the box, one per dimension: [0, -5]; one number applies to all "
                   "dimensions"},
          {.name = "high",
           .type = ParameterType::numbers,
           .default_value = std::vector<double>{1.0},
           .help = "upper ends; the longer of the two lists determines the dimension"}};
}

Box box_of(const Parameters& parameters) {
  Box box{parameters.numbers("low"), parameters.numbers("high")};
  const std::size_t d = std::max(box.low.size(), box.high.size());
  if (d > kMaxDimensions)
    throw InputError(fmt::format("{} dimensions; at most {} are allowed", d, kMaxDimensions),
                     box.low.size() == d ? "low" : "high");
  if (box.low.size() != d && box.low.size() != 1)
    throw InputError(fmt::format("{} numbers, but high has {}", box.low.size(), d), "low");
  if (box.high.size() != d && box.high.size() != 1)
    throw InputError(fmt::format("{} numbers, but low has {}", box.high.size(), d), "high");
  box.low.resize(d, box.low.front());
  box.high.resize(d, box.high.front());
  return checked(std::move(box));
}

Box checked(Box box) {
  const std::size_t d = box.dimension();
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
