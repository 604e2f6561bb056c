// SPDX-License-Identifier: Apache-2.0
#include "actors/common/tree_parameters.hpp"

#include <fmt/format.h>

#include "actors/common/star.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse {

std::vector<ParameterSpec> smoothness_parameters() {
  return {
      {.name = "nu1",
       .default_value = 1.0,
       .help = "smoothness: the point of the best cell at depth h is nu1 rho^h-optimal",
       .min = 1e-100,
       .max = 1e100},
      {.name = "rho",
       .default_value = 0.5,
       .help = "smoothness: factor by which that gap shrinks per depth",
       .min = 1e-6,
       .max = 1 - 1e-9},
  };
}

std::vector<ParameterSpec> confidence_parameters(std::string_view c1_help) {
  return {
      {.name = "c",
       .default_value = 0.1,
       .help = "confidence width; 0.1 as in the papers' experiments, their theory needs c >= 2",
       .min = 1e-100,
       .max = 1e100},
      {.name = "c1", .default_value = 1.0, .help = c1_help, .min = 1e-100, .max = 1e100},
      {.name = "delta",
       .default_value = std::monostate{},
       .help = "probability that the confidence bounds fail; auto: 1/M (Theorem 1)",
       .min = 1e-100,
       .max = 1},
  };
}

Widths federated_widths(double c) { return c >= 2 ? Widths::theory : Widths::practical; }

std::vector<std::string> budget_errors(std::string_view kind, const ProtocolContext& context) {
  if (context.problem == nullptr || context.problem->budget() <= kLargestBudget) return {};
  return {fmt::format(
      "{}: at most {} evaluations per client (counts in messages have 4 bytes), given {}",
      kind,
      kLargestBudget,
      context.problem->budget())};
}

std::vector<std::string> partition_errors(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context) {
  if (context.problem == nullptr) return {};
  auto errors = validate_partition(parameters, context.problem->domain());
  for (auto& error : errors) error = fmt::format("{}: {}", kind, error);
  return errors;
}

}  // namespace posse
