#include "core/role/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/role/outcome.hpp"
#include "core/role/parallel_player.hpp"
#include "core/theory/assumption_a.hpp"
#include "core/theory/parallel.hpp"

namespace posse {
namespace {

std::uint64_t level_bytes(std::uint64_t cells) { return 8 + 8 * cells; }

ParallelSetup make_setup(const Parameters& parameters, const ProtocolContext& context) {
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
  };
  setup.theory = {
      .players = setup.players,
      .budget = setup.budget,
      .nu1 = parameters.real("nu1"),
      .rho = parameters.real("rho"),
      .delta = parameters.real_or("delta", 1.0 / static_cast<double>(setup.budget)),
      .children_per_cell = setup.partition.children_per_cell(),
  };
  return setup;
}

class Parallel final : public Protocol {
 public:
  Parallel(const Parameters& parameters, const ProtocolContext& context)
      : setup_(make_setup(parameters, context)) {}

  std::vector<NodeGroup> groups() const override { return {{"player", setup_.players, true}}; }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<ParallelPlayer>(setup_, node);
  }

  std::vector<Figure> figures(const RunOutcome& outcome) const override {
    const auto& levels = outcome.rounds;
    std::vector<Figure> figures;
    figures.push_back({"rounds",
                       "",
                       static_cast<double>(levels.size()),
                       Bound{static_cast<double>(theory::parallel_rounds_ceiling(setup_.theory)),
                             BoundKind::exact,
                             BoundStrength::always,
                             false,
                             "1 + floor(ln(2 m n nu1^2 / L) / (2 ln(1/rho))), "
                             "L = ln(pi^2 / (3 delta))"}});
    figures.push_back(
        {"completed levels", "", static_cast<double>(levels.size()), levels_bound(outcome)});

    std::vector<std::uint64_t> pulls;
    double values = 0;
    std::uint64_t bytes_per_link = 0;
    for (const auto& level : levels) {
      pulls.push_back(level.pulls_per_cell);
      values += static_cast<double>(level.active_cells);
      bytes_per_link += level_bytes(level.active_cells);
    }
    figures.push_back({"values per player",
                       "",
                       values,
                       Bound{theory::parallel_values_bound(setup_.theory, pulls),
                             BoundKind::derived,
                             BoundStrength::always,
                             false,
                             "sum over levels of min(k^h, n / T_h)"}});
    figures.push_back(payload(outcome, bytes_per_link));
    figures.push_back({"loss", "", outcome.regret.simple_global.value_or(0), loss_bound(outcome)});
    figures.push_back(
        {"cumulative regret per player", "", outcome.regret.cumulative_global, std::nullopt});
    return figures;
  }

  Forecast forecast() const override {
    const double m = setup_.players;
    const double n = static_cast<double>(setup_.budget);
    const double messages_per_level = m * (m - 1);
    Forecast forecast;
    forecast.evaluations = m * n;
    forecast.rounds = static_cast<double>(theory::parallel_rounds_ceiling(setup_.theory));
    forecast.messages = forecast.rounds * messages_per_level;
    double cells = 1;  // k^h, at most n: every active cell is pulled at least once
    for (double level = 0; level < forecast.rounds; ++level) {
      forecast.bytes += messages_per_level * (8 + 8 * cells);
      cells = std::min(cells * setup_.partition.children_per_cell(), n);
    }
    return forecast;
  }

 private:
  std::optional<Bound> levels_bound(const RunOutcome& outcome) const {
    const auto limit = setup_.partition.max_depth();
    const auto sure = theory::parallel_guaranteed_depth(setup_.theory, limit);
    if (outcome.status != RunStatus::finished || !sure.any) return std::nullopt;
    std::string note = "levels that fit into n even if no cell is eliminated";
    if (outcome.rounds.size() > limit)
      note += "; the partition's depth limit was reached, the best cell was pulled from there on";
    return Bound{
        double{1} + sure.depth, BoundKind::derived, BoundStrength::always, true, std::move(note)};
  }

  /// What was broadcast follows from the levels' sizes, on any network, once all are complete.
  Figure payload(const RunOutcome& outcome, std::uint64_t bytes_per_link) const {
    const auto sent = outcome.total(&TypeAccount::sent, LevelMeans::kName);
    const auto bytes =
        outcome.total(&TypeAccount::bytes, LevelMeans::kName) - outcome.header_bytes * sent;
    Figure figure{"payload", "bytes", static_cast<double>(bytes), std::nullopt};
    if (outcome.status == RunStatus::finished)
      figure.bound =
          Bound{static_cast<double>(bytes_per_link) * setup_.players * (setup_.players - 1),
                BoundKind::exact,
                BoundStrength::always,
                false,
                "m (m-1) sum over levels of 8 + 8 |S_h|; always equal"};
    return figure;
  }

  Bound loss_bound(const RunOutcome& outcome) const {
    Bound bound{0,
                BoundKind::exact,
                BoundStrength::with_probability,
                false,
                "3 nu1 rho^h at the deepest complete level, w.p. 1 - delta"};
    const auto does_not_apply = [&bound](std::string why) {
      bound.kind = BoundKind::does_not_apply;
      bound.note = std::move(why);
      return bound;
    };
    if (outcome.rounds.empty()) return does_not_apply("no level was completed");
    const auto deepest = static_cast<std::uint32_t>(outcome.rounds.size()) - 1;
    bound.value = theory::parallel_loss_bound(setup_.theory, deepest);
    const double width = setup_.problem->noise().range_width();
    if (width > 1)
      return does_not_apply(fmt::format("the noise's range is {} wide, Hoeffding needs 1", width));
    const auto broken = theory::assumption_a_fails_at(
        *setup_.problem, setup_.partition, setup_.theory.nu1, setup_.theory.rho, deepest);
    if (broken)
      return does_not_apply(
          fmt::format("assumption (A) fails at depth {}: nu1 = {}, rho = {} are not valid here",
                      *broken,
                      setup_.theory.nu1,
                      setup_.theory.rho));
    return bound;
  }

  ParallelSetup setup_;
};

std::vector<ParameterSpec> parameters() {
  std::vector<ParameterSpec> specs{
      {.name = "nu1",
       .default_value = 1.0,
       .help = "smoothness: the best cell of depth h is nu1 rho^h-optimal at its point",
       .min = 0,
       .min_open = true},
      {.name = "rho",
       .default_value = 0.5,
       .help = "smoothness: how fast cells get better with depth",
       .min = 0,
       .max = 1,
       .min_open = true,
       .max_open = true},
      {.name = "delta",
       .default_value = std::monostate{},
       .help = "probability that the guarantees fail; auto: 1/n",
       .min = 0,
       .max = 1,
       .min_open = true},
      {.name = "leftover",
       .type = ParameterType::text,
       .default_value = std::string("pull"),
       .help = "budget of an unfinished level: pull its cells (the paper), stop, or exploit the "
               "output",
       .choices = {"pull", "stop", "exploit"}},
  };
  for (auto& spec : partition_parameters()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace

const AlgorithmSpec& parallel_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "parallel",
      .summary = "parallel X-armed bandit: players share one tree, one broadcast per level",
      .source = "Chen, Liu, Zhang, Li, A parallel algorithm for X-armed bandits, Algorithm 1",
      .parameters = parameters(),
      .topology = Topology::full_mesh,
      .needs_problem = true,
      .uses_policy = false,
      .messages = {&kMessageType<LevelMeans>},
      .make = [](const Parameters& parameters, const ProtocolContext& context)
          -> std::unique_ptr<Protocol> { return std::make_unique<Parallel>(parameters, context); },
      .validate = nullptr};
  return spec;
}

}  // namespace posse
