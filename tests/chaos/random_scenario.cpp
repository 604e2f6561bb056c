// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/random_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "program/fates/random_environment.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/chaos/random_problem.hpp"

namespace posse {
namespace {

using namespace chaos;
using namespace fates;

/// One client evaluates for all instances of these.
bool has_one_client(const AlgorithmSpec& spec) {
  return std::any_of(
      spec.messages.begin(), spec.messages.end(), [](const auto* m) { return m->name == "Found"; });
}

}  // namespace

std::string random_scenario(std::uint64_t seed) {
  Draws draws(seed, "scenario");
  const AlgorithmSpec& spec = *draws.element_of(algorithms());
  // One client without faults: in a star, no more than one event is under way for most of the run.
  const bool one_by_one = draws.chance(0.06);
  const std::uint64_t clients = has_one_client(spec) || one_by_one ? 1 : draws.whole(1, 8);
  const std::uint64_t arms = draws.whole(kFewestArms, kMostArms);

  Table algorithm = draw_algorithm(draws, spec, arms);
  const bool has_edges = algorithm.contains("edges");
  if (has_edges && std::get<std::int64_t>(algorithm["edges"].data) > std::int64_t(clients))
    algorithm["edges"] = whole_value(clients);
  Table root{{"name", text_value(fmt::format("chaos-{}", seed))},
             {"seed", whole_value(seed)},
             {"algorithm", array_value({table_value(algorithm)})}};
  const bool again = draws.chance(0.05);
  if (again) root["repeat"] = whole_value(2);
  double budget = 20;
  if (spec.needs_arms) {
    budget = std::floor(draws.scale(30, 150));
    root["arm"] = array_value({table_value(draw_arms(draws, spec, arms))});
    root["budget"] = table_value({{"pulls", whole_value(static_cast<std::uint64_t>(budget))}});
  } else {
    root["population"] = table_value({{"clients", whole_value(clients)}});
  }
  if (spec.needs_problem) {
    const bool a_round_each = spec.uses_policy || spec.kind == "fn-ucb";
    budget = std::floor(a_round_each ? draws.scale(8, 120) : draws.scale(10, 400));
    if (spec.kind == "fn-ucb") budget = std::floor(draws.scale(4, 20));
    root["objective"] = table_value(draw_objective(draws, clients));
    root["budget"] =
        table_value({{"evaluations_per_client", whole_value(static_cast<std::uint64_t>(budget))}});
  }

  auto around = surroundings_of(root);
  if (!around) return toml_text(table_value(root));
  around->scale_ms = draws.scale(0.3, 60);
  around->duration_ms = around->scale_ms * draws.scale(4, 80);
  const auto compact = algorithm.find("compact_plan");
  const auto sums = algorithm.find("sums");
  const bool waits_for_all =
      has_edges || (compact != algorithm.end() && std::get<bool>(compact->second.data)) ||
      (sums != algorithm.end() && std::get<std::string>(sums->second.data) == "exact");
  draw_environment(draws,
                   seed,
                   *around,
                   {.one_by_one = one_by_one,
                    .draws_policy = spec.uses_policy && !waits_for_all,
                    .algorithm = std::string(spec.kind),
                    .repeats = again,
                    .events = 60'000},
                   root);
  return toml_text(table_value(root));
}

}  // namespace posse
