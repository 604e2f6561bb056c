// SPDX-License-Identifier: Apache-2.0
#include "actors/hct_batched/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/local_means.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/hct_batched/client.hpp"
#include "actors/hct_batched/messages.hpp"
#include "actors/hct_batched/server.hpp"
#include "actors/hct_batched/setup.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMostBatches = 10'000'000;
constexpr MessageFormat kPullPlanFormat{
    PullPlan::kName, Direction::down, {.bytes = 8}, {.bytes = 16, .values = 2}};
constexpr MessageFormat kPulledMeansFormat{
    LocalMeans::kName, Direction::up, {.bytes = 8}, {.bytes = 8, .values = 1}};
constexpr MessageFormat kPulledMomentsFormat{
    LocalMoments::kName, Direction::up, {.bytes = 12}, {.bytes = 16, .values = 2}};

BatchSizes batch_sizes(const Parameters& parameters, const ProtocolContext& context) {
  return {.budget = context.problem->budget(),
          .least = static_cast<std::uint64_t>(parameters.integer("batch")),
          .growth = parameters.real("growth")};
}

template <bool variance>
HctBatchedSetup make_hct_batched_setup(const Parameters& parameters,
                                       const ProtocolContext& context) {
  return {.problem = context.problem,
          .kind = std::make_shared<const HctKind>(variance, parameters, context),
          .variance = variance,
          .clients = context.clients,
          .sizes = batch_sizes(parameters, context),
          .policy = context.policy};
}

class HctBatched final : public StarProtocol<HctBatchedSetup, HctBatchedServer, HctBatchedClient> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override { return setup_.kind->comparison_facts(); }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    measurements.push_back(identity("rounds",
                                    "",
                                    outcome.complete_rounds,
                                    rounds(),
                                    "batches of max(b0, floor((g - 1) t)) until T",
                                    outcome.status == RunStatus::finished));
    const auto cells = static_cast<double>(outcome.active_cells);
    traffic(cells).measure(
        outcome,
        {.messages = "2 M per batch",
         .values_up = setup_.variance ? "2 M sum n: a mean and a variance per cell of a batch"
                                      : "M sum n: a mean per cell of a batch",
         .values_down = "2 M sum n: a cell and a count each",
         .payload_up = setup_.variance ? "M sum (12 + 16 n)" : "M sum (8 + 8 n)",
         .payload_down = "M sum (8 + 16 n)"},
        all_answered(outcome),
        measurements);
    add_regrets(*setup_.problem, outcome, std::nullopt, measurements);
    add_tree_size(*setup_.kind, outcome, measurements);
    return measurements;
  }

  Forecast forecast() const override {
    // A batch has no more cells than evaluations.
    const auto budget = static_cast<double>(setup_.sizes.budget);
    const Traffic most = traffic(budget);
    return {setup_.clients * budget, rounds(), most.messages(), most.bytes()};
  }

 private:
  double rounds() const { return static_cast<double>(setup_.sizes.count(kMostBatches)); }

  /// `cells`: of all batches.
  Traffic traffic(double cells) const {
    const double each = setup_.clients * rounds();
    return {{kPullPlanFormat, each, setup_.clients * cells},
            {setup_.variance ? kPulledMomentsFormat : kPulledMeansFormat,
             each,
             setup_.clients * cells}};
  }
};

template <bool variance>
constexpr std::string_view kBatchedName = variance ? "vhct-batched" : "hct-batched";

template <bool variance>
std::vector<std::string> validate_hct_batched(const Parameters& parameters,
                                              const ProtocolContext& context) {
  auto problems = budget_errors(kBatchedName<variance>, context);
  append(problems, partition_errors(kBatchedName<variance>, parameters, context));
  if (context.problem != nullptr &&
      batch_sizes(parameters, context).count(kMostBatches) > kMostBatches)
    problems.push_back(fmt::format("{}: at most {} batches, make batch or growth larger",
                                   kBatchedName<variance>,
                                   kMostBatches));
  return problems;
}

template <bool variance>
AlgorithmSpec hct_batched_spec(std::string_view summary, std::string_view source) {
  std::vector<ParameterSpec> specs{
      {.name = "batch",
       .type = ParameterType::integer,
       .default_value = std::int64_t{1},
       .help = "b0, the least number of evaluations per client in a batch",
       .min = 1,
       .max = 1e9},
      {.name = "growth",
       .default_value = 2.0,
       .help = "g: a batch after t evaluations per client has (g - 1) t, but at least `batch`",
       .min = 1,
       .max = 1e9}};
  append(specs, HctKind::parameters(variance));
  return {.kind = kBatchedName<variance>,
          .summary = summary,
          .source = source,
          .parameters = std::move(specs),
          .topology = Topology::star,
          .uses_policy = true,
          .averages = true,
          .state_loss = "a client that lost its state takes part again with the next batch",
          .messages = {&kMessageType<PullPlan>,
                       variance ? &kMessageType<LocalMoments> : &kMessageType<LocalMeans>},
          .make = &make_from_setup<HctBatched, make_hct_batched_setup<variance>>,
          .validate = &validate_hct_batched<variance>};
}

}  // namespace

const AlgorithmSpec& hct_batched_algorithm() {
  static const auto spec = hct_batched_spec<false>(
      "HCT at the server in doubling batches: O(log T) rounds (experimental)",
      "Posse's own: HCT (Azar, Lazaric & Brunskill 2014) with batches that assume the known means "
      "(Desautels, Krause & Burdick 2014) and grow (Perchet et al. 2016, Gao et al. 2019)");
  return spec;
}

const AlgorithmSpec& vhct_batched_algorithm() {
  static const auto spec = hct_batched_spec<true>(
      "VHCT at the server in doubling batches: O(log T) rounds (experimental)",
      "Posse's own: VHCT (Li, Wang, Cheng & Song 2023) in the batches of hct-batched");
  return spec;
}

}  // namespace posse
