// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel_adaptive/protocol.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/mesh_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/parallel/constants.hpp"
#include "actors/parallel_adaptive/messages.hpp"
#include "actors/parallel_adaptive/player.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/assumption_a.hpp"

namespace posse {
namespace {

constexpr std::int64_t kMostInstances = 1000;
constexpr MessageFormat kSharedMeansFormat{
    SharedMeans::kName, Direction::peer, {.bytes = 8}, {.bytes = 8, .values = 1}};

ParallelAdaptiveSetup make_parallel_adaptive_setup(const Parameters& parameters,
                                                   const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  ParallelAdaptiveSetup setup{
      .problem = &problem,
      .partition = make_partition(parameters, problem.domain(), context.seed),
      .players = context.clients,
      .budget = problem.budget(),
      .theory = {},
      .instances = {},
  };
  const std::uint32_t k = setup.partition.children_per_cell();
  setup.theory = {.players = setup.players,
                  .budget = setup.budget,
                  .nu_max = parameters.real("nu_max"),
                  .rho_max = parameters.real("rho_max"),
                  .explore = parameters.real("explore"),
                  .children_per_cell = k};
  const auto instances =
      parameters.is_auto("grid")
          ? std::min<std::uint64_t>(theory::adaptive_instances(setup.theory), kMostInstances)
          : static_cast<std::uint64_t>(parameters.integer("grid"));
  for (const double rho : theory::adaptive_grid(setup.theory, instances))
    setup.instances.push_back(
        {.players = setup.players,
         .budget = theory::adaptive_exploration(setup.theory, instances),
         .nu1 = setup.theory.nu_max,
         .rho = rho,
         .delta = parameters.real_or("delta", 1.0 / static_cast<double>(setup.budget)),
         .c_squared = parallel_c_squared(parameters),
         .children_per_cell = k});
  return setup;
}

class ParallelAdaptive final : public MeshProtocol<ParallelAdaptiveSetup, ParallelAdaptivePlayer> {
 public:
  using MeshProtocol::MeshProtocol;

  /// A player waits for the means of all others, and puts aside what belongs to the next round.
  std::string_view why_order_matters(NodeId) const override { return {}; }

  ComparisonFacts comparison_facts() const override {
    return {.widths = parallel_widths(setup_.instances.front())};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto values = static_cast<double>(outcome.active_cells);
    std::vector<Measurement> measurements;
    measurements.push_back(
        {"instances", "", static_cast<double>(setup_.instances.size()), std::nullopt});
    measurements.push_back(rounds_within(
        outcome,
        ceiling(rounds_ceiling(),
                "min(sum of the levels of all instances, allowances times the most levels "
                "of one instance, n) + 1 for the final choice")));
    measurements.push_back({"values per player",
                            "",
                            values,
                            ceiling(static_cast<double>(setup_.budget),
                                    "n: each value is the mean of at least one evaluation")});
    traffic(static_cast<double>(outcome.complete_rounds), values)
        .measure(outcome,
                 {.messages = "q m (m-1)", .payload = "m (m-1) sum over rounds of 8 + 8 n"},
                 outcome.status == RunStatus::finished,
                 measurements);
    add_simple_regret(outcome, loss_bound(), measurements);
    measurements.push_back({"cumulative regret", "", outcome.regret.cumulative, std::nullopt});
    return measurements;
  }

  Forecast forecast() const override {
    const double n = static_cast<double>(setup_.budget);
    const Traffic most = traffic(rounds_ceiling(), n);
    return {setup_.players * n, rounds_ceiling(), most.messages(), most.bytes()};
  }

 private:
  /// `values`: of one player in all rounds.
  Traffic traffic(double rounds, double values) const {
    return {{kSharedMeansFormat, links() * rounds, links() * values}};
  }

  std::uint64_t levels_ceiling(const theory::ParallelParameters& instance) const {
    if (instance.budget == 0) return 0;
    return std::min<std::uint64_t>(theory::parallel_rounds_ceiling(instance),
                                   std::uint64_t{1} + setup_.partition.max_depth());
  }

  double rounds_ceiling() const {
    double sum = 0;
    double most = 0;
    for (const auto& instance : setup_.instances) {
      const auto levels = static_cast<double>(levels_ceiling(instance));
      sum += levels;
      most = std::max(most, levels);
    }
    const auto allowances =
        static_cast<double>(theory::adaptive_allowances(setup_.theory, setup_.instances.size()));
    return std::min({sum, allowances * most, static_cast<double>(setup_.budget)}) +
           (setup_.instances.size() > 1 ? 1 : 0);
  }

  /// The guarantee before the run: the best instance that satisfies (A), at the depth that it
  /// reaches with its own share of n_e.
  Bound loss_bound() const {
    const std::uint64_t instances = setup_.instances.size();
    const std::uint64_t exploration = theory::adaptive_exploration(setup_.theory, instances);
    const std::uint64_t share =
        std::min(exploration, theory::adaptive_allowance(setup_.theory, instances));
    Bound bound{
        std::numeric_limits<double>::infinity(),
        BoundKind::derived,
        BoundStrength::with_probability,
        false,
        "3 nu_max rho_i^h at the depth h that instance i reaches with its own share of n, "
        "plus the error of the final choice, for the best i that has valid constants, w.p. 1 - "
        "2 delta"};
    for (const auto& instance : setup_.instances) {
      if (share == 0) break;
      auto alone = instance;
      alone.budget = share;
      const auto sure = theory::parallel_guaranteed_depth(alone, setup_.partition.max_depth());
      if (!sure.any) continue;
      const double loss = theory::parallel_loss_bound(instance, sure.depth);
      // (A) has to hold at every depth that the instance may reach.
      const auto deepest = static_cast<std::uint32_t>(levels_ceiling(instance) - 1);
      if (loss >= bound.value ||
          theory::assumption_a_fails_at(
              *setup_.problem, setup_.partition, instance.nu1, instance.rho, deepest))
        continue;
      bound.value = loss;
    }
    const std::uint64_t fresh = (setup_.budget - exploration) / instances;
    if (instances > 1 && fresh == 0)
      does_not_apply(bound, "too few evaluations for the choice");
    else
      bound.value += theory::adaptive_choice_error(
          setup_.theory, instances, setup_.instances.front().delta, fresh);
    if (bound.value == std::numeric_limits<double>::infinity())
      does_not_apply(bound,
                     "no instance has valid constants and is guaranteed to complete a level");
    require_parallel_constants(setup_.instances.front(), bound);
    require_unit_range(*setup_.problem, bound);
    require_fixed_points(setup_.partition, bound);
    return bound;
  }
};

std::vector<ParameterSpec> parallel_adaptive_parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "nu_max",
       .default_value = 1.0,
       .help = "smoothness constant nu1 of every instance",
       .min = 1e-100,
       .max = 1e100},
      {.name = "rho_max",
       .default_value = 0.9,
       .help = "instance i = 1 … N has rho_i = rho_max^(2N / (2i+1))",
       .min = 1e-6,
       .max = 1 - 1e-9},
      {.name = "grid",
       .type = ParameterType::integer,
       .default_value = std::monostate{},
       .help = "number of instances N; auto: GPO's formula for m n evaluations",
       .min = 1,
       .max = static_cast<double>(kMostInstances)},
      {.name = "explore",
       .default_value = 0.5,
       .help = "share of the budget for exploration; the rest serves the choice among the outputs",
       .min = 0,
       .max = 1,
       .min_open = true},
      {.name = "delta",
       .default_value = std::monostate{},
       .help = "failure probability of the guarantees of an instance; auto: 1/n",
       .min = 1e-100,
       .max = 1},
  };
  append(specs, parallel_constant_parameters());
  append(specs, partition_parameters());
  return specs;
}

}  // namespace

const AlgorithmSpec& parallel_adaptive_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "parallel-adaptive",
      .summary =
          "parallel X-armed bandit with unknown smoothness: a grid of searches shares "
          "evaluations and rounds (experimental)",
      .source =
          "Posse's own: the grid of POO (Grill, Valko and Munos 2015) over the algorithm of Chen, "
          "Liu, Zhang and Li (2015)",
      .parameters = parallel_adaptive_parameters(),
      .topology = Topology::full_mesh,
      .messages = {&kMessageType<SharedMeans>},
      .make = &make_from_setup<ParallelAdaptive, make_parallel_adaptive_setup>,
      .validate = [](const Parameters& parameters, const ProtocolContext& context) {
        return partition_errors("parallel-adaptive", parameters, context);
      }};
  return spec;
}

}  // namespace posse
