#include "actors/common/tree_parameters.hpp"

#include <iterator>
#include <utility>

namespace posse {

std::vector<ParameterSpec> smoothness_parameters() {
  return {
      {.name = "nu1",
       .default_value = 1.0,
       .help = "smoothness: the best cell of depth h is nu1 rho^h-optimal at its point",
       .min = 1e-100,
       .max = 1e100},
      {.name = "rho",
       .default_value = 0.5,
       .help = "smoothness: how fast cells get better with depth",
       .min = 1e-6,
       .max = 1 - 1e-9},
  };
}

std::vector<ParameterSpec> confidence_parameters(std::string_view c1_help) {
  return {
      {.name = "c",
       .default_value = 0.1,
       .help = "confidence width; 0.1 as the papers ran it, their theory needs c >= 2",
       .min = 1e-100,
       .max = 1e100},
      {.name = "c1", .default_value = 1.0, .help = c1_help, .min = 1e-100, .max = 1e100},
      {.name = "delta",
       .default_value = std::monostate{},
       .help = "confidence; auto: 1/M (Theorem 1)",
       .min = 1e-100,
       .max = 1},
  };
}

void append(std::vector<ParameterSpec>& specs, std::vector<ParameterSpec> more) {
  specs.insert(
      specs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace posse
