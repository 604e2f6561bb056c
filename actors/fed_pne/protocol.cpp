// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/coded_means.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/edge_uploads.hpp"
#include "actors/common/make_from_setup.hpp"
#include "actors/common/mean_parameters.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/client.hpp"
#include "actors/fed_pne/edge.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/server.hpp"
#include "actors/fed_pne/setup.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/smoothness.hpp"

namespace posse {
namespace {

constexpr MessageFormat kPhasePlanFormat{
    PhasePlan::kName, Direction::down, {.bytes = 16}, {.bytes = 8, .values = 2}};
/// The elements are bytes with a bit for each cell of the previous K. The values are added apart.
constexpr MessageFormat kCompactPlanFormat{
    CompactPlan::kName, Direction::down, {.bytes = 8}, {.bytes = 1}};
/// An upload: `LocalMeans` or `EdgeMeans`, or their coded form.
template <class Means>
MessageFormat fed_pne_means_format(const FedPneSetup& setup) {
  return {means_type<Means>(setup.means).name,
          Direction::up,
          {.bytes = 8},
          {.bytes = double{1} * setup.means.bytes_per_mean(), .values = 1}};
}

constexpr MessageFormat kFedPneEdgeSumsFormat{
    EdgeSums::kName, Direction::up, {.bytes = 8}, {.bytes = 16, .values = 1}};

class FedPne final : public StarProtocol<FedPneSetup, FedPneServer, FedPneClient, FedPneEdge> {
 public:
  using StarProtocol::StarProtocol;

  ComparisonFacts comparison_facts() const override {
    return {.widths = federated_widths(setup_.theory.c)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto& phases = outcome.rounds;
    const double depth = phases.empty() || !phases.back().best ? 0 : phases.back().best->depth;
    const std::string formula =
        std::string("min(floor(ln(T M nu1^2 / (k c^2 Lambda)) / (2 ln(1/rho))), ") +
        (setup_.privacy.adds_noise() ? "deepest h with k t'_h <= T, " : "") + "depth limit";
    std::string depth_note = formula + ")";
    if (depth >= setup_.partition.max_depth())
      depth_note += "; the partition's depth limit was reached, then the best cell was pulled";
    std::vector<Measurement> measurements;
    measurements.push_back(rounds_within(
        outcome, ceiling(static_cast<double>(phases_ceiling()), formula + ", T / k)")));
    measurements.push_back({"depth of the last complete phase",
                            "",
                            depth,
                            ceiling(static_cast<double>(depth_ceiling()), depth_note)});
    add_communication(outcome, measurements);
    if (setup_.privacy.adds_noise()) add_privacy(measurements);
    add_clipped(setup_.means, outcome, measurements);
    add_regrets(*setup_.problem, outcome, regret_certificate(outcome), measurements);
    return measurements;
  }

  Forecast forecast() const override {
    const double clients = setup_.clients;
    const double budget = static_cast<double>(setup_.budget);
    const double k = setup_.partition.children_per_cell();
    Forecast forecast;
    forecast.evaluations = clients * budget;
    forecast.rounds = static_cast<double>(phases_ceiling());
    const double receivers = plan_receivers();
    forecast.messages = forecast.rounds * (receivers + clients + edges()) + receivers;
    double level = 1;              // k^h
    double most = 0;               // cells of all complete phases
    double largest = k * clients;  // cells of the cut plan: expanded, or children of kept cells
    const std::uint64_t deepest = depth_ceiling();
    for (std::uint32_t h = 1; h <= deepest; ++h) {
      level *= k;
      // A complete phase pulls every cell t_h >= 1 times within T.
      const double cells = std::min(level, budget / static_cast<double>(setup_.pulls(h)));
      most += cells;
      largest = std::max(largest, k * cells);
    }
    if (setup_.trim_last_plan) largest = std::min(largest, budget + 1);
    most = std::min(most, budget);
    TypeTraffic means(
        fed_pne_means_format<LocalMeans>(setup_), clients * forecast.rounds, clients * most);
    TypeTraffic from_edges = edge_uploads(forecast.rounds, most);
    forecast.bytes = means.bytes + from_edges.bytes;
    // A compact plan refers to the cells of the previous phase, the first one to the root.
    forecast.bytes += setup_.compact_plan
                          ? receivers * ((forecast.rounds + 1) * (8 + 7.0 / 8) + (1 + most) / 8)
                          : receivers * (forecast.rounds * kPhasePlanFormat.bytes(0) + 8 * most +
                                         kPhasePlanFormat.bytes(largest));
    return forecast;
  }

 private:
  /// Each complete phase has its own depth, from 1 to the partition's limit.
  std::uint64_t depth_ceiling() const {
    const auto limit = setup_.partition.max_depth();
    const auto ceiling =
        std::min<std::uint64_t>(theory::fed_pne_depth_ceiling(setup_.theory), limit);
    if (!setup_.privacy.adds_noise()) return ceiling;
    return std::min<std::uint64_t>(
        ceiling, theory::dp_fed_pne_depth_ceiling(setup_.theory, setup_.privacy, limit));
  }
  /// A complete phase pulls at least k cells.
  std::uint64_t phases_ceiling() const {
    return std::min(depth_ceiling(), setup_.budget / setup_.partition.children_per_cell());
  }

  /// Cells in the plan of the cut phase; 0 if there is none. They follow from the row of the last
  /// complete phase.
  double cut_plan_cells(const std::vector<RoundRecord>& phases) const {
    const std::uint64_t steps = phases.empty() ? 0 : phases.back().steps;
    if (steps == setup_.budget) return 0;
    std::uint32_t depth = 0;
    std::uint64_t cells = 1;
    const std::uint64_t k = setup_.partition.children_per_cell();
    if (!phases.empty()) {
      depth = phases.back().best->depth;
      if (depth == setup_.partition.max_depth()) return 1;
      ++depth;
      cells = phases.back().kept_cells * k;
    }
    for (; depth < setup_.partition.max_depth() && setup_.expands(depth, cells); ++depth)
      cells *= k;
    if (setup_.trim_last_plan)
      cells = std::min(cells, (setup_.budget - steps) / setup_.pulls(depth) + 1);
    return static_cast<double>(cells);
  }

  /// Nodes that get a plan: clients and edges.
  double plan_receivers() const { return double{1} * setup_.clients + edges(); }

  /// The edges' messages to the server in `phases` phases with `cells` cells in all.
  TypeTraffic edge_uploads(double phases, double cells) const {
    const double e = edges();
    if (setup_.sums == EdgeSummation::exact) return {kFedPneEdgeSumsFormat, e * phases, e * cells};
    return {
        fed_pne_means_format<EdgeMeans>(setup_), e * phases, e > 0 ? setup_.clients * cells : 0};
  }

  /// All plans, including the cut one.
  TypeTraffic plans_sent(const std::vector<RoundRecord>& phases) const {
    const double receivers = plan_receivers();
    const double cut = cut_plan_cells(phases);
    TypeTraffic sent(setup_.compact_plan ? kCompactPlanFormat : kPhasePlanFormat);
    double before = 1;  // |K^{p-1}|
    double kept = 1;
    const auto add = [&](double cells) {
      if (setup_.compact_plan) {
        sent.add(receivers, receivers * std::ceil(before / 8));
        sent.values += receivers * (kept + 1);
      } else {
        sent.add(receivers, receivers * cells);
      }
    };
    for (const auto& phase : phases) {
      add(static_cast<double>(phase.active_cells));
      before = static_cast<double>(phase.active_cells);
      const bool deepest = phase.best->depth == setup_.partition.max_depth();
      kept = deepest ? 1 : static_cast<double>(phase.kept_cells);
    }
    if (cut > 0) add(cut);
    return sent;
  }

  /// Values and bytes follow from the phases if every client answers every plan. With other server
  /// policies there may be additional uploads.
  void add_communication(const RunOutcome& outcome, std::vector<Measurement>& measurements) const {
    const auto cells = static_cast<double>(outcome.active_cells);
    const double phases = static_cast<double>(outcome.complete_rounds);
    const double clients = setup_.clients;
    const TypeTraffic means(
        fed_pne_means_format<LocalMeans>(setup_), clients * phases, clients * cells);
    const TypeTraffic from_edges = edge_uploads(phases, cells);
    const TypeTraffic plans = plans_sent(outcome.rounds);
    // An edge that stands still for good passes the last plan on to nobody.
    const bool passed_on =
        edges() == 0 || outcome.total(&TypeAccount::in_flight, plans.format.type) == 0;
    const bool exact = all_answered(outcome) && passed_on;
    Traffic{plans, means, from_edges}.measure(
        outcome, edges() > 0 ? hierarchy_notes() : star_notes(), exact, measurements);
    if (edges() == 0) return;
    const auto add = [&](const char* name, const TypeTraffic& sent, std::string_view note) {
      measurements.push_back(identity(name,
                                      "bytes",
                                      payload_bytes(outcome, sent.format.type),
                                      sent.bytes,
                                      std::string(note),
                                      exact));
    };
    const bool coded = !setup_.means.is_exact();
    add("payload clients to edges", means, star_notes().payload_up);
    add("payload edges to server",
        from_edges,
        setup_.sums == EdgeSummation::exact ? "E sum (8 + 16 |K^p|) over complete phases"
        : coded ? "sum (8 E + b M |K^p|) over complete phases, b bytes a mean"
                : "sum (8 E + 8 M |K^p|) over complete phases");
  }
  TrafficNotes star_notes() const {
    const bool compact = setup_.compact_plan;
    return {.messages = "2 M per complete phase + M for a cut one",
            .values_up = "M sum |K^p| over complete phases",
            .values_down = compact ? "M sum (1 + cells kept of K^{p-1}), including the cut plan"
                                   : "2 M sum |K^p|, including the cut plan",
            .payload_up = setup_.means.is_exact()
                              ? "M sum (8 + 8 |K^p|) over complete phases"
                              : "M sum (8 + b |K^p|) over complete phases, b bytes a mean",
            .payload_down = compact ? "M sum (8 + ceil(|K^{p-1}| / 8)), including the cut plan"
                                    : "M sum (16 + 8 |K^p|), including the cut plan"};
  }
  /// Of all downward counts, the share E / (E + M) is the server's.
  TrafficNotes hierarchy_notes() const {
    const bool compact = setup_.compact_plan;
    const bool exact = setup_.sums == EdgeSummation::exact;
    const bool coded = !setup_.means.is_exact();
    return {
        .messages = "2 (E + M) per complete phase + E + M for a cut one",
        .values_up =
            exact ? "(E + M) sum |K^p| over complete phases" : "2 M sum |K^p| over complete phases",
        .values_down = compact ? "(E + M) sum (1 + cells kept of K^{p-1}), including the cut plan"
                               : "2 (E + M) sum |K^p|, including the cut plan",
        .payload_up =
            exact ? (coded ? "sum (8 (E + M) + (16 E + b M) |K^p|) over complete phases, b bytes a "
                             "mean"
                           : "sum (8 (E + M) + (16 E + 8 M) |K^p|) over complete phases")
            : coded ? "sum (8 (E + M) + 2 b M |K^p|) over complete phases, b bytes a mean"
                    : "sum (8 (E + M) + 16 M |K^p|) over complete phases",
        .payload_down = compact ? "(E + M) sum (8 + ceil(|K^{p-1}| / 8)), including the cut plan"
                                : "(E + M) sum (16 + 8 |K^p|), including the cut plan"};
  }

  bool clipping_biases() const {
    return setup_.privacy.adds_noise() && !setup_.problem->noise().within_unit_interval();
  }

  void add_privacy(std::vector<Measurement>& measurements) const {
    const auto& privacy = setup_.privacy;
    const bool gaussian = privacy.mechanism == theory::PrivacyMechanism::gaussian;
    std::string note = fmt::format(
        "as configured: everything that a client sends is {}-private for each single reward; the "
        "noise on a mean of t rewards has standard deviation {:.4g} / t",
        gaussian ? fmt::format("(epsilon, {:.3g})", privacy.delta) : "epsilon",
        theory::privacy_noise_sd(privacy));
    if (clipping_biases())
      note += "; rewards can be outside [0, 1] and are clipped, which biases means near 0 and 1";
    measurements.push_back({"epsilon",
                            "",
                            privacy.epsilon,
                            Bound{privacy.epsilon,
                                  BoundKind::exact,
                                  BoundStrength::always,
                                  false,
                                  std::move(note),
                                  true}});
  }

  Bound regret_certificate(const RunOutcome& outcome) const {
    const auto& p = setup_.theory;
    std::vector<theory::FedPnePhase> phases;
    std::uint64_t steps = 0;
    bool all_arrived = true;
    for (const auto& phase : outcome.rounds) {
      phases.push_back({phase.best->depth, phase.steps - steps});
      steps = phase.steps;
      all_arrived = all_arrived && phase.arrived == phase.expected;
    }
    if (steps < setup_.budget)  // the cut phase; its depth is not used
      phases.push_back({phases.empty() ? 0 : phases.back().depth + 1, setup_.budget - steps});

    const std::uint32_t deepest = outcome.rounds.empty() ? 0 : outcome.rounds.back().best->depth;
    Bound bound{
        theory::fed_pne_certificate(p, phases),
        BoundKind::derived,
        BoundStrength::with_probability,
        false,
        fmt::format("sum over phases of n_p min(1, 12 nu1 rho^h of the previous phase), w.p. 1 - "
                    "{}delta/T^6 under the paper's Assumption 2; ",
                    setup_.privacy.adds_noise() ? "2 " : "") +
            theory::smoothness_verdict(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest)};
    if (const auto d = theory::near_optimality_of(*setup_.problem, setup_.partition, p.nu1, p.rho))
      bound.note += fmt::format(
          "; bound before the run, with d = {}, C = {}: {:.6g}",
          d->dimension,
          d->constant,
          theory::fed_pne_regret_bound(p, d->dimension, d->constant, [this](std::uint32_t h) {
            return theory::dp_fed_pne_tau(setup_.theory, setup_.privacy, h);
          }) / static_cast<double>(p.clients));
    if (!theory::fed_pne_constants_apply(p))
      does_not_apply(
          bound,
          fmt::format(
              "the theory needs c >= 2 and c1 >= (2M)^(1/8), not c = {}, c1 = {}", p.c, p.c1));
    if (setup_.privacy.adds_noise() && !setup_.privacy.theory_radius)
      does_not_apply(
          bound, "the radius allows for the privacy noise by the practical rule, not by a bound");
    if (clipping_biases()) does_not_apply(bound, "rewards can be outside [0, 1] and are clipped");
    require_no_grid(setup_.means, bound);
    require_unit_range(*setup_.problem, bound);
    require_unit_regret(*setup_.problem, outcome, bound);
    if (!all_arrived) does_not_apply(bound, "phases were closed without the means of some clients");
    require_assumption_a(*setup_.problem, setup_.partition, p.nu1, p.rho, deepest, bound);
    return bound;
  }
};

}  // namespace

std::unique_ptr<Protocol> make_fed_pne(FedPneSetup setup) {
  return std::make_unique<FedPne>(std::move(setup));
}

const AlgorithmSpec& fed_pne_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "fed-pne",
      .summary = "federated X-armed bandit: phased elimination of cells, rewards stay local",
      .source =
          "Li, Song, Honorio and Lin, Federated X-armed bandit (AAAI 2024), Algorithms 1 and 2",
      .parameters = fed_pne_parameters(),
      .topology = Topology::star,
      .uses_policy = true,
      .averages = true,
      .state_loss =
          "a client that lost its state takes part again at the next phase; it can't with compact "
          "plans, which refer to earlier ones, or with edges between server and clients",
      .messages = {&kMessageType<PhasePlan>,
                   &kMessageType<LocalMeans>,
                   &kMessageType<CompactPlan>,
                   &kMessageType<EdgeMeans>,
                   &kMessageType<EdgeSums>,
                   &kMessageType<CodedMeans<float>>,
                   &kMessageType<CodedMeans<std::uint16_t>>,
                   &kMessageType<CodedMeans<std::uint8_t>>,
                   &kMessageType<EdgeCodes<float>>,
                   &kMessageType<EdgeCodes<std::uint16_t>>,
                   &kMessageType<EdgeCodes<std::uint8_t>>},
      .make = &make_from_setup<FedPne, make_fed_pne_setup>,
      .validate = [](const Parameters& parameters, const ProtocolContext& context) {
        return validate_fed_pne("fed-pne", parameters, context);
      }};
  return spec;
}

}  // namespace posse
