// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/mean_parameters.hpp"
#include "actors/common/mesh_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/parallel/bounds.hpp"
#include "actors/parallel/constants.hpp"
#include "actors/parallel/gathered_exchange.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel/player.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

constexpr std::string_view kGossip = "gossip";

/// Of the message in which unsummed means travel.
MessageFormat vectors_format(const ExchangeSetup& exchange) {
  return {gathered_type(exchange).name,
          Direction::peer,
          {.bytes = exchange.way == AllToAll::mesh ? 8.0 : 12.0},
          {.bytes = double{1} * exchange.means.bytes_per_mean(), .values = 1}};
}
constexpr MessageFormat kGossipMeansFormat{
    GossipMeans::kName, Direction::peer, {.bytes = 12}, {.bytes = 8, .values = 1}};
constexpr MessageFormat kPartialSumsFormat{
    PartialSums::kName, Direction::peer, {.bytes = 12}, {.bytes = 16, .values = 1}};
constexpr MessageFormat kAveragesFormat{
    Averages::kName, Direction::peer, {.bytes = 12}, {.bytes = 8, .values = 1}};

/// The formulas of theory::all_to_all_cost in words, over all levels, for means of b bytes.
TrafficNotes notes_of_coded(AllToAll way) {
  switch (way) {
    case AllToAll::mesh:
      return {.messages = "q m (m-1)",
              .payload = "m (m-1) sum over levels of 8 + b |S_h|, b bytes a mean"};
    case AllToAll::relay:
      return {.messages = "2 q (m-1)",
              .payload = "(m-1) sum over levels of 24 + (b + 8) |S_h|, b bytes a mean"};
    case AllToAll::ring:
      return {.messages = "q m (m-1)",
              .payload = "m (m-1) sum over levels of 12 + b |S_h|, b bytes a mean"};
    case AllToAll::tree:
      return {.messages = "2 q (m-1)",
              .payload =
                  "sum over levels of 24 (m-1) + |S_h| (8 (m-1) + b times the sum of the players' "
                  "depths in the tree), b bytes a mean"};
    case AllToAll::doubling:
      return {.messages = "q m ceil(log2 m)",
              .payload = "sum over levels of 12 m ceil(log2 m) + b m (m-1) |S_h|, b bytes a mean"};
  }
  return {};
}

/// The formulas of an exchange's traffic in words, over all levels; means have 8 bytes unless
/// coded.
TrafficNotes notes_of(const ExchangeSetup& exchange) {
  if (exchange.gossip)
    return {.messages = "q (2 floor(m/2) K + m-1), K steps of gossip per level",
            .payload = "(2 floor(m/2) K + m-1) sum over levels of 12 + 8 |S_h|"};
  if (!exchange.means.is_exact()) return notes_of_coded(exchange.way);
  const bool exact = exchange.sums == theory::SumsBy::exact;
  switch (exchange.way) {
    case AllToAll::mesh:
      return {.messages = "q m (m-1)", .payload = "m (m-1) sum over levels of 8 + 8 |S_h|"};
    case AllToAll::relay:
      return {.messages = "2 q (m-1)", .payload = "2 (m-1) sum over levels of 12 + 8 |S_h|"};
    case AllToAll::ring:
      if (!exact)
        return {.messages = "q m (m-1)", .payload = "m (m-1) sum over levels of 12 + 8 |S_h|"};
      return {.messages = "2 (m-1) sum over levels of min(m, |S_h|)",
              .payload = "(m-1) sum over levels of 24 min(m, |S_h|) + 24 |S_h|"};
    case AllToAll::tree:
      if (!exact)
        return {.messages = "2 q (m-1)",
                .payload =
                    "sum over levels of 24 (m-1) + 8 |S_h| (m-1 + sum of the players' depths "
                    "in the tree)"};
      return {.messages = "2 q (m-1)", .payload = "(m-1) sum over levels of 24 + 24 |S_h|"};
    case AllToAll::doubling:
      if (!exact)
        return {.messages = "q m ceil(log2 m)",
                .payload = "sum over levels of 12 m ceil(log2 m) + 8 m (m-1) |S_h|"};
      return {.messages = "q (p log2 p + 2 (m-p)), p the power of two below",
              .payload =
                  "sum over levels of (p log2 p + m-p) (12 + 16 |S_h|) + (m-p) (12 + 8 "
                  "|S_h|)"};
  }
  return {};
}

ParallelSetup make_parallel_setup(const Parameters& parameters, const ProtocolContext& context) {
  const Problem& problem = *context.problem;
  const auto& leftover = parameters.text("leftover");
  ParallelSetup setup{
      .problem = &problem,
      .partition = make_partition(parameters, problem.domain(), context.seed),
      .players = context.clients,
      .budget = problem.budget(),
      .theory = {},
      .leftover = leftover == "stop"      ? Leftover::stop
                  : leftover == "exploit" ? Leftover::exploit
                                          : Leftover::pull,
      .exchange = {},
  };
  setup.exchange.players = setup.players;
  for (const AllToAll way : kAllToAll)
    if (parameters.text("exchange") == to_string(way)) setup.exchange.way = way;
  if (parameters.text("sums") == "exact") setup.exchange.sums = theory::SumsBy::exact;
  setup.exchange.means = mean_encoding_of(parameters);
  if (parameters.text("exchange") == kGossip) {
    const auto steps = static_cast<std::uint32_t>(parameters.integer("gossip_steps"));
    setup.exchange.gossip.emplace(
        problem.seed(), setup.players, steps > 0 ? steps : theory::gossip_steps(setup.players));
  }
  setup.theory = {
      .players = setup.players,
      .budget = setup.budget,
      .nu1 = parameters.real("nu1"),
      .rho = parameters.real("rho"),
      .delta = parameters.real_or("delta", 1.0 / static_cast<double>(setup.budget)),
      .c_squared = parallel_c_squared(parameters),
      .children_per_cell = setup.partition.children_per_cell(),
  };
  return setup;
}

class Parallel final : public MeshProtocol<ParallelSetup, ParallelPlayer> {
 public:
  using MeshProtocol::MeshProtocol;

  bool waits_for_all() const override { return true; }

  const Partition* partition() const override { return &setup_.partition; }

  ComparisonFacts comparison_facts() const override {
    return {.widths = parallel_widths(setup_.theory)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto& levels = outcome.rounds;
    std::vector<Measurement> measurements;
    std::string rounds_note =
        "1 + min(floor(ln(m n nu1^2 / (2 c^2 L_0)) / (2 ln(1/rho))), (n-1)/k, depth limit), "
        "L_0 = ln(pi^2 / (3 delta))";
    if (theory::parallel_rounds_paper_applies(setup_.theory))
      rounds_note +=
          fmt::format("; Theorem 2 of the paper: 1 + ln(m n nu1^2) / (2 ln(1/rho)) = {:.4g}",
                      theory::parallel_rounds_paper(setup_.theory));
    measurements.push_back(rounds_within(
        outcome, ceiling(static_cast<double>(rounds_ceiling()), std::move(rounds_note))));
    if (auto sure = levels_bound(outcome))
      measurements.push_back(
          {"rounds guaranteed", "", static_cast<double>(levels.size()), std::move(sure)});
    std::vector<std::uint64_t> pulls;
    double values = 0;
    for (const auto& level : levels) {
      pulls.push_back(level.pulls_per_cell);
      values += static_cast<double>(level.active_cells);
    }
    measurements.push_back({"values per player",
                            "",
                            values,
                            Bound{theory::parallel_values_bound(setup_.theory, pulls),
                                  BoundKind::derived,
                                  BoundStrength::always,
                                  false,
                                  "sum over levels of min(k^h, n / T_h)"}});
    add_communication(outcome, measurements);
    add_clipped(setup_.exchange.means, outcome, measurements);
    if (const auto& gossip = setup_.exchange.gossip)
      measurements.push_back({"expected squared error of gossip, over the means' variance",
                              "",
                              theory::gossip_error(setup_.players, gossip->steps()),
                              std::nullopt});
    add_simple_regret(outcome, loss_bound(outcome), measurements);
    measurements.push_back({"cumulative regret", "", outcome.regret.cumulative, std::nullopt});
    return measurements;
  }

  Forecast forecast() const override {
    const double n = static_cast<double>(setup_.budget);
    const std::uint64_t levels = rounds_ceiling();
    std::vector<double> cells;
    double most = 1;  // k^h, at most n: every active cell is pulled at least once
    for (std::uint64_t level = 0; level < levels; ++level) {
      cells.push_back(most);
      most = std::min(most * setup_.partition.children_per_cell(), n);
    }
    const Traffic traffic = traffic_of(cells);
    return {setup_.players * n, static_cast<double>(levels), traffic.messages(), traffic.bytes()};
  }

 private:
  /// Levels 0 … max_depth at most.
  std::uint64_t rounds_ceiling() const {
    return std::min<std::uint64_t>(theory::parallel_rounds_ceiling(setup_.theory),
                                   std::uint64_t{1} + setup_.partition.max_depth());
  }

  std::optional<Bound> levels_bound(const RunOutcome& outcome) const {
    const auto limit = setup_.partition.max_depth();
    const auto sure = theory::parallel_guaranteed_depth(setup_.theory, limit);
    if (outcome.status != RunStatus::finished || !sure.any) return std::nullopt;
    std::string note = "levels that fit into n even if no cell is eliminated";
    if (outcome.complete_rounds > limit)
      note += "; the partition's depth limit was reached, then the best cell was pulled";
    return Bound{
        double{1} + sure.depth, BoundKind::derived, BoundStrength::always, true, std::move(note)};
  }

  /// Of levels with so many active cells.
  Traffic traffic_of(const std::vector<double>& cells) const {
    const auto& exchange = setup_.exchange;
    TypeTraffic vectors(exchange.gossip ? kGossipMeansFormat : vectors_format(exchange));
    TypeTraffic sums(kPartialSumsFormat), averages(kAveragesFormat);
    for (const double n : cells) {
      const auto cost =
          exchange.gossip
              ? theory::gossip_cost(exchange.players, n, exchange.gossip->steps())
              : theory::all_to_all_cost(exchange.way, exchange.sums, exchange.players, n);
      vectors.add(cost.vectors.messages, cost.vectors.numbers);
      sums.add(cost.sums.messages, cost.sums.numbers);
      averages.add(cost.results.messages, cost.results.numbers);
    }
    return {vectors, sums, averages};
  }

  /// The traffic of a finished run follows from the sizes of its levels, on any network.
  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    std::vector<double> cells;
    for (const auto& level : outcome.rounds)
      cells.push_back(static_cast<double>(level.active_cells));
    traffic_of(cells).measure(
        outcome, notes_of(setup_.exchange), outcome.status == RunStatus::finished, measurements);
  }

  Bound loss_bound(const RunOutcome& outcome) const {
    const auto& p = setup_.theory;
    Bound bound{0,
                BoundKind::exact,
                BoundStrength::with_probability,
                false,
                "3 nu1 rho^h at the deepest complete level, w.p. 1 - delta"};
    if (outcome.rounds.empty()) {
      does_not_apply(bound, "no level was completed");
      return bound;
    }
    const auto deepest = static_cast<std::uint32_t>(outcome.complete_rounds) - 1;
    bound.value = theory::parallel_loss_bound(p, deepest);
    bound.note +=
        "; " + theory::smoothness_verdict(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest);
    if (const auto d = theory::near_optimality_of(*setup_.problem, setup_.partition, p.nu1, p.rho);
        d && p.c_squared == theory::kTheoryCSquared)
      bound.note +=
          fmt::format("; rate of Theorem 1 with d = {}, C = {}: {:.4g} (rounding of T_h ignored)",
                      d->dimension,
                      d->constant,
                      theory::parallel_loss_rate(p, d->dimension, d->constant));
    require_parallel_constants(p, bound);
    require_no_grid(setup_.exchange.means, bound);
    if (setup_.exchange.gossip) does_not_apply(bound, "the averages of gossip are inexact");
    require_unit_range(*setup_.problem, bound);
    require_assumption_a(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest, bound);
    return bound;
  }
};

std::vector<ParameterSpec> parallel_parameters() {
  auto specs = smoothness_parameters();
  append(specs, parallel_constant_parameters());
  specs.push_back({.name = "delta",
                   .default_value = std::monostate{},
                   .help = "failure probability of the guarantees; auto: 1/n",
                   .min = 1e-100,
                   .max = 1});
  specs.push_back(
      {.name = "leftover",
       .type = ParameterType::text,
       .default_value = std::string("pull"),
       .help = "use of the budget when the next level does not fit: pull its cells (as in the "
               "paper), stop, or exploit the output",
       .choices = {"pull", "stop", "exploit"}});
  specs.push_back({.name = "exchange",
                   .type = ParameterType::text,
                   .default_value = std::string("mesh"),
                   .help =
                       "how the players' means reach all players: everybody sends to everybody "
                       "(as in the paper), through player 0, along a ring, up and down a binary "
                       "tree, or at distances that double; or gossip: random pairs take their "
                       "mean, several times, then one player decides, which is inexact",
                   .choices = {"mesh", "relay", "ring", "tree", "doubling", kGossip}});
  specs.push_back({.name = "gossip_steps",
                   .type = ParameterType::integer,
                   .default_value = std::int64_t{0},
                   .help =
                       "steps K of gossip per level; 0: as many as keep the expected squared error "
                       "at most 1/16 of the average's own variance, (m-1) r^K <= 1/16 with r = "
                       "(m-2) / (2 (m-1)) for even m, 1/2 for odd m",
                   .min = 0,
                   .max = 1000});
  specs.push_back({.name = "sums",
                   .type = ParameterType::text,
                   .default_value = std::string("gathered"),
                   .help = "means travel unsummed (gathered) and are added in the order of the "
                           "players; or as exact sums of 16 bytes a value, which add up on their "
                           "way. Either way gives the same averages with every exact exchange",
                   .choices = {"gathered", "exact"}});
  append(specs, mean_encoding_parameters());
  append(specs, partition_parameters());
  return specs;
}

std::vector<std::string> validate_parallel(const Parameters& parameters,
                                           const ProtocolContext& context) {
  auto problems = partition_errors("parallel", parameters, context);
  append(problems, mean_encoding_errors("parallel", parameters));
  const bool gossip = parameters.text("exchange") == kGossip;
  if (gossip && (parameters.text("sums") == "exact" || parameters.text("means") != "f64"))
    problems.emplace_back(
        "parallel: exchange = \"gossip\" needs sums = \"gathered\" and means = \"f64\": its means "
        "are averaged and rounded anew in every step");
  else if (parameters.text("sums") == "exact" && parameters.text("means") != "f64")
    problems.push_back(
        fmt::format("parallel: means = \"{}\" needs sums = \"gathered\": exact sums travel in 16 "
                    "bytes, whatever they add",
                    parameters.text("means")));
  if (!gossip && parameters.integer("gossip_steps") != 0)
    problems.push_back(
        fmt::format("parallel: gossip_steps does nothing with exchange = \"{}\"; use \"gossip\"",
                    parameters.text("exchange")));
  return problems;
}

}  // namespace

const AlgorithmSpec& parallel_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "parallel",
      .summary = "parallel X-armed bandit: players share one tree, one broadcast per level",
      .source =
          "Chen, Liu, Zhang and Li, A parallel algorithm for X-armed bandits (2015), Algorithm 1",
      .parameters = parallel_parameters(),
      .topology = Topology::full_mesh,
      .messages = {&kMessageType<LevelMeans>,
                   &kMessageType<GatheredMeans>,
                   &kMessageType<PartialSums>,
                   &kMessageType<Averages>,
                   &kMessageType<GossipMeans>,
                   &kMessageType<CodedMeans<float>>,
                   &kMessageType<CodedMeans<std::uint16_t>>,
                   &kMessageType<CodedMeans<std::uint8_t>>,
                   &kMessageType<GatheredCodes<float>>,
                   &kMessageType<GatheredCodes<std::uint16_t>>,
                   &kMessageType<GatheredCodes<std::uint8_t>>},
      .make = &make_from_setup<Parallel, make_parallel_setup>,
      .validate = &validate_parallel};
  return spec;
}

}  // namespace posse
