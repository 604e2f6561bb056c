#include "program/run/run_view.hpp"

#include <fmt/format.h>

namespace posse {

std::string run_id(const Scenario& scenario, std::size_t algorithm, std::uint32_t repetition) {
  return fmt::format("{}/{}/{}", scenario.name, scenario.algorithms[algorithm].label, repetition);
}

}  // namespace posse
