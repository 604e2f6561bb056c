// SPDX-License-Identifier: Apache-2.0
#include "actors/blin/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "actors/blin/bounds.hpp"
#include "actors/blin/client.hpp"
#include "actors/blin/messages.hpp"
#include "actors/blin/server.hpp"
#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr std::uint32_t kSlopePoints = 65;

constexpr MessageFormat kBatchFormat{
    Batch::kName, Direction::down, {.bytes = 8}, {.bytes = 8, .values = 1}};
constexpr MessageFormat kBatchMeansFormat{
    BatchMeans::kName, Direction::up, {.bytes = 8}, {.bytes = 8, .values = 1}};

/// The partition's parameters, with every edge halved at each split.
Parameters halving(const Parameters& parameters) {
  auto all = default_parameters(partition_parameters());
  all.set("partition", std::string(to_string(PartitionKind::dimwise)));
  all.set("point", parameters.text("point"));
  return all;
}

BlinSetup make_blin_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  return {
      .problem = &problem,
      .partition = make_partition(halving(parameters), problem.domain(), context.seed),
      .clients = context.clients,
      .budget = problem.budget(),
      .theory = {.horizon = problem.budget(),
                 .dimension = problem.domain().dimension(),
                 .lipschitz = parameters.real("lipschitz"),
                 .sharing = parameters.boolean("share_pulls") ? context.clients : 1},
      .policy = context.policy,
  };
}

class Blin final : public StarProtocol<BlinSetup, BlinServer, BlinClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override { return {.widths = Widths::theory}; }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    measurements.push_back(rounds_within(
        outcome,
        ceiling(batches_ceiling(),
                "as many batches of the 2^d children of one cube as fit into T, about "
                "1 + log_4(T L^2 / (16 ln T 2^d))")));
    add_communication(outcome, measurements);
    add_regrets(*setup_.problem, outcome, regret_certificate(outcome), measurements);
    return measurements;
  }

  Forecast forecast() const override {
    // Every cube of a complete batch is pulled at least once. The last batch has at most one cube
    // more than there are evaluations left.
    const auto budget = static_cast<double>(setup_.budget);
    const double batches = batches_ceiling();
    const Traffic most = batches > 0 ? traffic(batches, budget, budget + 1) : traffic(0, 0, 1);
    return {setup_.clients * budget, batches, most.messages(), most.bytes()};
  }

 private:
  double batches_ceiling() const {
    return std::min(theory::blin_batches_ceiling(setup_.theory), setup_.partition.max_depth() + 1);
  }

  /// Cubes of the incomplete batch at the end of the run; 0 if there was none.
  double last_batch_cubes(const std::vector<RoundRecord>& batches) const {
    if (batches.empty()) return 1;
    const auto& last = batches.back();
    if (last.steps == setup_.budget) return 0;
    if (last.best->depth == setup_.partition.max_depth())
      return static_cast<double>(last.kept_cells);
    return static_cast<double>(std::min(last.kept_cells * setup_.partition.children_per_cell(),
                                        setup_.budget - last.steps + 1));
  }

  /// `cubes`: of the complete batches. `last`: of an incomplete one, 0 if there is none.
  Traffic traffic(double batches, double cubes, double last) const {
    const double clients = setup_.clients;
    const double plans = batches + (last > 0 ? 1 : 0);
    return {{kBatchMeansFormat, clients * batches, clients * cubes},
            {kBatchFormat, clients * plans, clients * (cubes + last)}};
  }

  /// The counts follow from the batches if every client answers each of them.
  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const auto cubes = static_cast<double>(outcome.active_cells);
    traffic(static_cast<double>(outcome.complete_rounds), cubes, last_batch_cubes(outcome.rounds))
        .measure(outcome,
                 {.messages = "2 M per complete batch, M for an incomplete one",
                  .values_up = "M times the cubes of the complete batches",
                  .values_down = "M times the cubes of all batches, including an incomplete one",
                  .payload_up = "M times the sum of 8 + 8 n over complete batches",
                  .payload_down =
                      "M times the sum of 8 + 8 n over all batches, including an incomplete one"},
                 all_answered(outcome),
                 measurements);
  }

  Bound regret_certificate(const RunOutcome& outcome) const {
    std::vector<theory::BlinBatch> batches;
    std::uint64_t steps = 0;
    bool all_arrived = true;
    for (const auto& batch : outcome.rounds) {
      batches.push_back({batch.round.value, batch.steps - steps});
      steps = batch.steps;
      all_arrived = all_arrived && batch.arrived == batch.expected;
    }
    batches.push_back({static_cast<std::uint32_t>(batches.size()) + 1, setup_.budget - steps});

    std::string why;
    const auto fails = [&why](std::string reason) { why += ", but " + std::move(reason); };
    const double width = setup_.problem->noise().range_width();
    if (width > 1)
      fails(fmt::format("the range of the noise is {} wide, and Hoeffding's inequality needs 1",
                        width));
    if (!all_arrived) fails("some rounds were closed without all clients' means");
    const double slope = theory::steepest_slope(*setup_.problem, kSlopePoints);
    if (slope > setup_.theory.lipschitz)
      fails(fmt::format("it is not: its slope reaches {:.3g}", slope));
    Bound bound{
        theory::blin_certificate(setup_.theory, batches),
        why.empty() ? BoundKind::derived : BoundKind::does_not_apply,
        BoundStrength::with_probability,
        false,
        fmt::format("sum over batches of pulls min(1, 8 L r of the batch before), w.p. 1 - 2 "
                    "T^-31 if the mean objective is L-Lipschitz with L = {:.3g} on the unit "
                    "cube (checked at {} points an axis){}",
                    setup_.theory.lipschitz,
                    kSlopePoints,
                    why)};
    require_unit_regret(*setup_.problem, outcome, bound);
    return bound;
  }
};

std::vector<ParameterSpec> blin_parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "lipschitz",
       .default_value = 1.0,
       .help = "L, Lipschitz constant of the mean objective in the maximum norm, with the domain "
               "scaled to [0, 1]^d",
       .min = 1e-6,
       .max = 1e6},
      {.name = "share_pulls",
       .type = ParameterType::boolean,
       .default_value = false,
       .help = "true: the clients share the pulls of a cube, ceil(n_m / M) each; false: n_m each"},
  };
  for (auto& spec : partition_parameters())
    if (spec.name == "point") specs.push_back(std::move(spec));
  return specs;
}

std::vector<std::string> validate_blin(const Parameters& parameters,
                                       const ProtocolContext& context) {
  auto problems = budget_errors("blin", context);
  append(problems, partition_errors("blin", halving(parameters), context));
  return problems;
}

}  // namespace

const AlgorithmSpec& blin_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "blin",
      .summary =
          "batched Lipschitz bandit: eliminates cubes and halves the survivors, batch by batch",
      .source =
          "Feng, Huang & Wang, Lipschitz bandits with batched feedback (NeurIPS 2022), D-BLiN",
      .parameters = blin_parameters(),
      .topology = Topology::star,
      .uses_policy = true,
      .averages = true,
      .state_loss = "a client that lost its state takes part again with the next batch",
      .messages = {&kMessageType<Batch>, &kMessageType<BatchMeans>},
      .make = &make_from_setup<Blin, make_blin_setup>,
      .validate = &validate_blin};
  return spec;
}

}  // namespace posse
