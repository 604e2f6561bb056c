// SPDX-License-Identifier: Apache-2.0
#include "actors/instances/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/common_measurements.hpp"
#include "actors/common/traffic.hpp"
#include "actors/common/tree_parameters.hpp"
#include "actors/instances/hub.hpp"
#include "actors/instances/instance.hpp"
#include "actors/instances/messages.hpp"
#include "actors/learners/hct_parameters.hpp"
#include "actors/learners/learner_kind.hpp"
#include "actors/learners/tree_learner.hpp"
#include "core/base/math.hpp"
#include "core/learner/gpo.hpp"
#include "core/learner/poo.hpp"
#include "core/learner/poo_schedule.hpp"
#include "core/role/outcome.hpp"
#include "core/theory/smoothness.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {
namespace {

constexpr std::array kBases{TreeKind::hct, TreeKind::vhct, TreeKind::t_hoo, TreeKind::hoo};
constexpr double kMostPooInstances = 65536;

constexpr MessageFormat kStartFormat{Start::kName, Direction::down, {.bytes = 24, .values = 3}};
constexpr MessageFormat kFoundFormat{
    Found::kName, Direction::up, {.bytes = 8, .values = 1}, {.bytes = 8, .values = 1}};

enum class Meta { poo, gpo };

TreeKind base_of(const Parameters& parameters, std::optional<TreeKind> fixed) {
  if (fixed) return *fixed;
  return *std::find_if(kBases.begin(), kBases.end(), [&](TreeKind kind) {
    return to_string(kind) == parameters.text("base");
  });
}

PooSmoothness smoothness_of(const Parameters& parameters, std::uint32_t arity) {
  return {
      .nu_max = parameters.real("nu_max"), .rho_max = parameters.real("rho_max"), .arity = arity};
}

/// The passes, and rho of every instance.
struct Schedule {
  std::vector<InstancePass> passes;
  std::vector<double> rhos;
  std::uint64_t horizon = 1;  // of a learner that needs one
  std::uint64_t rest = 0;
};

Schedule poo_schedule(const PooSmoothness& smoothness, std::uint64_t budget) {
  Schedule schedule{.horizon = budget};
  PooSchedule poo(smoothness, budget);
  while (auto pass = poo.next())
    schedule.passes.push_back(
        {static_cast<std::uint32_t>(pass->first), std::move(pass->evaluations)});
  for (std::uint64_t i = 0; i < poo.instances(); ++i) schedule.rhos.push_back(poo.rho(i));
  return schedule;
}

Schedule gpo_schedule(const PooSmoothness& smoothness, std::uint64_t budget) {
  auto plan = plan_gpo(smoothness, budget);
  std::vector<std::uint64_t> evaluations(plan.instances, 2 * plan.evaluations);
  return {{{0, std::move(evaluations)}},
          std::move(plan.rhos),
          std::max<std::uint64_t>(1, plan.evaluations),
          plan.rest};
}

/// Of the instance with this rho, but for its name.
TreeLearnerOptions instance_options(Meta meta,
                                    const Parameters& parameters,
                                    const ProtocolContext& context,
                                    double rho,
                                    std::uint64_t horizon) {
  const std::uint64_t n = context.problem->budget();
  const auto constants = hct_constants(parameters, n, parameters.real("nu_max"), rho);
  return {.nu = constants.nu,
          .rho = rho,
          .c = constants.c,
          .delta = meta == Meta::poo ? parameters.real_or("delta", 1.0 / static_cast<double>(n))
                                     : constants.delta,
          .range = parameters.real("range"),
          .horizon = horizon,
          .choices = learner_choices(parameters, context.seed, {})};
}

InstancesSetup make_poo_setup(Meta meta,
                              const Parameters& parameters,
                              const ProtocolContext& context,
                              TreeKind base) {
  const Problem& problem = *context.problem;
  InstancesSetup setup{.problem = &problem,
                       .partition = make_partition(parameters, problem.domain(), context.seed),
                       .kind = base,
                       .check = meta == Meta::gpo};
  const bool uses_c = base == TreeKind::hct || base == TreeKind::vhct;
  const auto smoothness = smoothness_of(parameters, setup.partition.children_per_cell());
  auto schedule = meta == Meta::gpo ? gpo_schedule(smoothness, problem.budget())
                                    : poo_schedule(smoothness, problem.budget());
  setup.passes = std::move(schedule.passes);
  setup.rest = schedule.rest;
  setup.totals.resize(schedule.rhos.size());
  for (const auto& pass : setup.passes)
    for (std::size_t i = 0; i < pass.evaluations.size(); ++i)
      setup.totals[pass.first + i] += pass.evaluations[i];
  for (const double rho : schedule.rhos) {
    const auto& options = setup.options.emplace_back(
        instance_options(meta, parameters, context, rho, schedule.horizon));
    const auto constants = hct_constants(parameters, problem.budget(), smoothness.nu_max, rho);
    if (uses_c && hct_widths(constants) == Widths::practical)
      setup.facts.widths = Widths::practical;
    setup.facts.random_recommendation =
        options.choices.recommendation == Recommendation::uniform_play;
  }
  return setup;
}

/// All instances one after the other, in the order of the papers' listings.
class InstancesKind final : public LearnerKind {
 public:
  InstancesKind(Meta meta,
                const Parameters& parameters,
                const ProtocolContext& context,
                std::optional<TreeKind> base)
      : meta_(meta),
        parameters_(parameters),
        context_(context),
        setup_(make_poo_setup(meta, parameters, context, base_of(parameters, base))),
        smoothness_(smoothness_of(parameters, setup_.partition.children_per_cell())) {}

  const PointSet& points() const override { return setup_.partition; }

  std::unique_ptr<Learner> make(std::string_view /*name*/) const override {
    const auto factory = [this](const InstanceRequest& request) {
      auto options = instance_options(meta_, parameters_, context_, request.rho, request.horizon);
      options.choices.name = instance_name(static_cast<std::uint32_t>(request.number));
      return make_tree_learner(setup_.kind, setup_.partition, options);
    };
    const std::uint64_t budget = context_.problem->budget();
    if (meta_ == Meta::poo) return std::make_unique<Poo>(smoothness_, budget, factory);
    return std::make_unique<Gpo>(smoothness_, budget, factory);
  }

  ComparisonFacts comparison_facts() const override { return setup_.facts; }

 private:
  Meta meta_;
  Parameters parameters_;
  ProtocolContext context_;
  InstancesSetup setup_;
  PooSmoothness smoothness_;
};

class Instances final : public Protocol {
 public:
  Instances(Meta meta,
            const Parameters& parameters,
            const ProtocolContext& context,
            std::optional<TreeKind> base)
      : meta_(meta),
        nu_max_(parameters.real("nu_max")),
        rho_max_(parameters.real("rho_max")),
        setup_(make_poo_setup(meta, parameters, context, base_of(parameters, base))) {}

  std::vector<NodeGroup> groups() const override {
    return {{meta_ == Meta::poo ? "poo" : "gpo", 1, false},
            {"instance", static_cast<std::uint32_t>(setup_.totals.size()), true}};
  }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node.value == 0) return std::make_unique<InstancesHub>(setup_);
    return std::make_unique<Instance>(setup_, node.value - 1);
  }

  bool several_evaluators() const override { return true; }
  /// The hub waits for all instances of a pass, and each of these for the hub alone.
  std::string_view why_order_matters(NodeId) const override { return {}; }

  ComparisonFacts comparison_facts() const override { return setup_.facts; }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> measurements;
    const bool finished = outcome.status == RunStatus::finished;
    measurements.push_back(
        identity("evaluations", "", outcome.regret.evaluations, budget(), "n", finished));
    measurements.push_back(identity("rounds",
                                    "",
                                    outcome.complete_rounds,
                                    static_cast<double>(setup_.passes.size()),
                                    "the passes of the schedule",
                                    finished));
    measurements.push_back(
        {"instances", "", static_cast<double>(setup_.totals.size()), std::nullopt});
    traffic().measure(outcome,
                      {.messages = "2 per pass and instance in the pass",
                       .payload_up = "8 + 8 d per pass and instance in the pass",
                       .payload_down = "24 per pass and instance in the pass"},
                      finished,
                      measurements);
    add_regrets(*setup_.problem, outcome, std::nullopt, measurements);
    for (auto& measurement : measurements)
      if (measurement.name == "simple regret") measurement.bound = loss_bound();
    for (const auto name : {kTreeDepth, kTreeCells})
      if (const auto count = outcome.counts.find(name); count != outcome.counts.end())
        measurements.push_back(
            {std::string(name), "", static_cast<double>(count->second), std::nullopt});
    return measurements;
  }

  Forecast forecast() const override {
    return {budget(),
            static_cast<double>(setup_.passes.size()),
            traffic().messages(),
            traffic().bytes()};
  }

 private:
  double budget() const { return static_cast<double>(setup_.problem->budget()); }
  /// A Start and a Found for each instance of each pass.
  Traffic traffic() const {
    double starts = 0;
    for (const auto& pass : setup_.passes) starts += static_cast<double>(pass.evaluations.size());
    const auto dimension = static_cast<double>(setup_.problem->domain().dimension());
    return {{kStartFormat, starts}, {kFoundFormat, starts, starts * dimension}};
  }

  /// POO's rate, if smoothness constants within POO's range are known for the objective.
  std::optional<Bound> loss_bound() const {
    const auto& partition = setup_.partition;
    const auto k = partition.children_per_cell();
    const auto dimension = setup_.problem->domain().dimension();
    const auto kind = setup_.problem->objective_kind();
    const auto valid = theory::valid_smoothness(kind, partition.kind(), k, dimension);
    const auto near = theory::near_optimality(kind, partition.kind(), k, dimension);
    if (meta_ != Meta::poo || setup_.problem->budget() < 2 || !valid || !near ||
        valid->nu1 > nu_max_ || valid->rho > rho_max_)
      return std::nullopt;
    return Bound{theory::poo_loss_rate(setup_.problem->budget(), near->dimension),
                 BoundKind::rate,
                 BoundStrength::order_only,
                 false,
                 fmt::format("order (ln^2(n) / n)^(1/(d+2)) of the expected simple regret with d = "
                             "{} of (nu, rho) = ({:.6g}, {:.6g}), constant unknown",
                             near->dimension,
                             valid->nu1,
                             valid->rho)};
  }

  Meta meta_;
  double nu_max_;
  double rho_max_;
  InstancesSetup setup_;
};

std::vector<ParameterSpec> poo_parameters(Meta meta, std::optional<TreeKind> base) {
  std::vector<ParameterSpec> specs{
      {.name = "nu_max",
       .default_value = 1.0,
       .help = "nu of all instances; at least nu of the objective's smoothness",
       .min = 1e-100,
       .max = 1e100},
      {.name = "rho_max",
       .default_value = 0.9,
       .help = "largest rho of the instances; the closer to 1, the more instances",
       .min = 1e-6,
       .max = 1 - 1e-9}};
  if (!base) {
    ParameterSpec choice{.name = "base",
                         .type = ParameterType::text,
                         .default_value = std::string(to_string(TreeKind::hct)),
                         .help = "learner of the instances"};
    for (const auto kind : kBases) choice.choices.push_back(to_string(kind));
    specs.push_back(std::move(choice));
  }
  auto constants = hct_constant_parameters();
  for (auto& spec : constants)
    if (meta == Meta::poo && spec.name == "delta")
      spec.help =
          "probability that the guarantees of hct and vhct fail; auto: 1/n (gpo, pct and "
          "vpct: 0.01; compare them with one delta)";
  append(specs, std::move(constants));
  specs.push_back(vhct_range_parameter());
  append(specs, learner_choice_parameters());
  append(specs, partition_parameters());
  return specs;
}

/// The fixed base learner, if there is one.
template <TreeKind... fixed>
constexpr std::optional<TreeKind> only() {
  std::optional<TreeKind> one;
  ((one = fixed), ...);
  return one;
}

/// GPO's name over a fixed base learner.
constexpr std::string_view name_over(TreeKind base) {
  return base == TreeKind::hct ? "pct" : "vpct";
}

template <Meta meta, TreeKind... fixed>
std::vector<std::string> validate_poo(const Parameters& parameters,
                                      const ProtocolContext& context) {
  if (context.problem == nullptr) return {};
  constexpr std::string_view name = meta == Meta::poo  ? "poo"
                                    : only<fixed...>() ? name_over(*only<fixed...>())
                                                       : "gpo";
  std::vector<std::string> problems;
  if (context.clients != 1)
    problems.push_back(
        fmt::format("{}: all instances evaluate for one client, given {}; set clients = 1 in its "
                    "[[algorithm]]",
                    name,
                    context.clients));
  auto wrong = partition_errors(name, parameters, context);
  const bool countable = wrong.empty();
  append(problems, std::move(wrong));
  if (!countable) return problems;
  // An upper bound on the number of instances: for POO, twice the N at which it stops doubling.
  const auto partition = make_partition(parameters, context.problem->domain(), context.seed);
  const double depth =
      theory::poo_depth_constant(partition.children_per_cell(), parameters.real("rho_max"));
  const auto n = static_cast<double>(context.problem->budget());
  const double half = n / 2;
  const double most =
      meta == Meta::gpo
          ? static_cast<double>(theory::gpo_instances(context.problem->budget(), depth))
      : n < 3 ? 1
              : std::min(half, depth * math::log(n / math::log(n)));
  if (most > kMostPooInstances)
    problems.push_back(fmt::format(
        "{}: up to {:.6g} instances with rho_max = {}, allowed: at most {}; lower rho_max",
        name,
        most,
        parameters.real("rho_max"),
        kMostPooInstances));
  return problems;
}

template <Meta meta, TreeKind... fixed>
AlgorithmSpec instances(std::string_view kind, std::string_view summary, std::string_view source) {
  return {
      .kind = kind,
      .summary = summary,
      .source = source,
      .parameters = poo_parameters(meta, only<fixed...>()),
      .topology = Topology::star,
      .messages = {&kMessageType<Start>, &kMessageType<Found>},
      .make = [](const Parameters& p, const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        return std::make_unique<Instances>(meta, p, context, only<fixed...>());
      },
      .validate = &validate_poo<meta, fixed...>,
      .make_learner = [](const Parameters& p,
                         const ProtocolContext& context) -> std::shared_ptr<const LearnerKind> {
        return std::make_shared<InstancesKind>(meta, p, context, only<fixed...>());
      }};
}

constexpr std::string_view kGpoSource =
    "Shang, Kaufmann & Valko, General parallel optimization without a metric (ALT 2019)";

}  // namespace

const AlgorithmSpec& poo_algorithm() {
  static const auto spec = instances<Meta::poo>(
      "poo",
      "POO: tree learners with different smoothness side by side, outputs the best mean",
      "Grill, Valko & Munos, Black-box optimization of noisy functions with unknown smoothness "
      "(NIPS 2015)");
  return spec;
}

const AlgorithmSpec& gpo_algorithm() {
  static const auto spec = instances<Meta::gpo>(
      "gpo",
      "GPO: tree learners with different smoothness, then compares their outputs",
      kGpoSource);
  return spec;
}

const AlgorithmSpec& pct_algorithm() {
  static const auto spec =
      instances<Meta::gpo, TreeKind::hct>("pct", "PCT: GPO over HCT", kGpoSource);
  return spec;
}

const AlgorithmSpec& vpct_algorithm() {
  static const auto spec =
      instances<Meta::gpo, TreeKind::vhct>("vpct", "VPCT: GPO over VHCT", kGpoSource);
  return spec;
}

}  // namespace posse
