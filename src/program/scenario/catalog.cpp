// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <utility>

#include "actors/blin/protocol.hpp"
#include "actors/echo/protocol.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/blind_search.hpp"
#include "actors/learners/doo.hpp"
#include "actors/learners/gp_ts.hpp"
#include "actors/learners/hct.hpp"
#include "actors/learners/hoo.hpp"
#include "actors/learners/sequool.hpp"
#include "actors/learners/soo.hpp"
#include "actors/learners/stosoo.hpp"
#include "actors/learners/stroquool.hpp"
#include "actors/learners/vroom.hpp"
#include "actors/learners/zooming.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/parallel_adaptive/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/random_exchange/protocol.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "core/arm/base_optimizers.hpp"
#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "program/base/quantities.hpp"
#include "program/scenario/external_objective.hpp"
#include "program/scenario/latency_files.hpp"

namespace posse {
namespace {

using Algorithms = std::vector<const AlgorithmSpec*>;

// The order is the order of `posse list`.
Algorithms own_algorithms() {
  // One per line.
  // clang-format off
  return {
      &echo_algorithm(),
      &parallel_algorithm(),
      &parallel_adaptive_algorithm(),
      &fed_pne_algorithm(),
      &fed_pne_variance_algorithm(),
      &dp_fed_pne_algorithm(),
      &pf_pne_algorithm(),
      &pf_pne_reuse_algorithm(),
      &fed1_ucb_algorithm(),
      &fed2_ucb_algorithm(),
      &fn_ucb_algorithm(),
      &blin_algorithm(),
      &hct_central_algorithm(),
      &hct_local_algorithm(),
      &hct_batched_algorithm(),
      &vhct_batched_algorithm(),
      &pf_pne_hct_algorithm(),
      &pf_pne_vhct_algorithm(),
      &hct_algorithm(),
      &vhct_algorithm(),
      &hoo_algorithm(),
      &t_hoo_algorithm(),
      &stosoo_algorithm(),
      &soo_algorithm(),
      &doo_algorithm(),
      &sequool_algorithm(),
      &stroquool_algorithm(),
      &zooming_algorithm(),
      &vroom_algorithm(),
      &poo_algorithm(),
      &gpo_algorithm(),
      &pct_algorithm(),
      &vpct_algorithm(),
      &gp_ts_algorithm(),
      &uniform_grid_algorithm(),
      &random_algorithm(),
      &random_exchange_algorithm(),
      &f_lcb_algorithm(),
      &uniform_allocation_algorithm(),
      &epsilon_greedy_algorithm(),
      &successive_halving_algorithm(),
      &hyperband_algorithm(),
      &asha_algorithm(),
      &sgd_ucb_smom_algorithm(),
      &sgd_ucb_smom_f_algorithm(),
      &rucb_median_algorithm(),
  };
  // clang-format on
}

/// What algorithms() returned and returns. A list never changes, for those who read it while
/// another one is made; the last one is the latest.
struct AlgorithmLists {
  std::mutex mutex;
  std::list<Algorithms> all{own_algorithms()};
  std::atomic<const Algorithms*> latest{&all.back()};
};
AlgorithmLists& algorithm_lists() {
  static AlgorithmLists lists;
  return lists;
}

ParameterSpec duration(std::string_view name, std::string_view help, bool positive = false) {
  return {.name = name,
          .type = ParameterType::duration,
          .default_value = {},
          .help = help,
          .unit = "s",
          .min = 0,
          .min_open = positive,
          .required = true};
}
ParameterSpec either(std::string_view name, std::string_view help) {
  auto spec = duration(name, help, true);
  spec.required = false;
  return spec;
}
ParameterSpec floor_parameter(std::string_view help) {
  auto spec = duration("floor", help);
  spec.default_value = Duration{};
  spec.required = false;
  return spec;
}
ParameterSpec number(std::string_view name, std::string_view help) {
  return {.name = name,
          .type = ParameterType::real,
          .default_value = {},
          .help = help,
          .min = 0,
          .min_open = true,
          .required = true};
}
ParameterSpec file(std::string_view help) {
  return {.name = "file",
          .type = ParameterType::file,
          .default_value = {},
          .help = help,
          .required = true};
}
ParameterSpec chance(std::string_view name, std::string_view help, ParameterValue value) {
  const bool required = std::holds_alternative<std::monostate>(value);
  return {.name = name,
          .type = ParameterType::real,
          .default_value = std::move(value),
          .help = help,
          .min = 0,
          .max = 1,
          .required = required};
}

ParameterSpec period_parameter() {
  return {.name = "period",
          .type = ParameterType::duration,
          .default_value = {},
          .help = "the trace repeats after this time; auto: its last value holds for ever",
          .unit = "s",
          .min = 0,
          .min_open = true};
}
std::optional<Duration> period_of(const Parameters& p) {
  return p.is_auto("period") ? std::nullopt : std::optional(p.duration("period"));
}

BurstLoss make_burst_loss(const Parameters& p) {
  BurstLoss loss{.mean_bad = p.duration("mean_bad"),
                 .loss_good = p.real("loss_good"),
                 .loss_bad = p.real("loss_bad"),
                 .per_pair = p.text("of") == "pair"};
  if (p.is_auto("average")) {
    loss.mean_good = p.duration("mean_good");
  } else {  // so that the bad share times loss_bad and the good share times loss_good add up to it
    const double good_per_bad =
        (loss.loss_bad - p.real("average")) / (p.real("average") - loss.loss_good);
    loss.mean_good = Duration::seconds(loss.mean_bad.to_seconds() * good_per_bad);
  }
  return loss;
}

std::optional<ParameterConflict> find_conflict_in_bursts(const Parameters& p) {
  if (p.is_auto("mean_good") == p.is_auto("average"))
    return ParameterConflict{
        "", "needs either average or mean_good", "average = 0.01, or mean_good = \"7.5 s\""};
  if (!p.is_auto("average") &&
      !(p.real("loss_good") < p.real("average") && p.real("average") < p.real("loss_bad")))
    return ParameterConflict{
        "average",
        "is not between loss_good and loss_bad",
        fmt::format("more than {} and less than {}", p.real("loss_good"), p.real("loss_bad"))};
  if (make_burst_loss(p).mean_good.ns < 1)
    return ParameterConflict{
        "average", "leaves less than 1 ns between two bursts", "a longer mean_bad"};
  return std::nullopt;
}

constexpr std::string_view kCut = "smaller values are raised to it";

template <class Specs>
auto find(const Specs& specs, std::string_view kind) -> decltype(&specs.front()) {
  const auto it =
      std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.kind == kind; });
  return it == specs.end() ? nullptr : &*it;
}

std::vector<ObjectiveSpec>& all_objectives() {
  static std::vector<ObjectiveSpec> all = [] {
    auto specs = objective_specs();
    specs.push_back(external_objective_spec());
    return specs;
  }();
  return all;
}

/// Throws InputError if a kind or a message of `spec` has the name of another one.
void check_names(const AlgorithmSpec& spec, const AlgorithmSpec* instead_of) {
  for (const auto* other : algorithms()) {
    if (other == instead_of) continue;
    if (other->kind == spec.kind)
      throw InputError(fmt::format("there is already an algorithm named '{}'", spec.kind));
    for (const auto* known : other->messages)
      for (const auto* message : spec.messages)
        if (message != known && message->name == known->name)
          throw InputError(fmt::format("'{}' has a message named '{}', as '{}' has: rename it",
                                       spec.kind,
                                       known->name,
                                       other->kind));
  }
}

}  // namespace

const std::vector<const AlgorithmSpec*>& algorithms() { return *algorithm_lists().latest.load(); }

bool is_from_outside(const AlgorithmSpec& spec) {
  const Algorithms& own = algorithm_lists().all.front();
  return std::find(own.begin(), own.end(), &spec) == own.end();
}

void add_algorithm(const AlgorithmSpec& spec, const AlgorithmSpec* instead_of) {
  if (spec.kind.empty() || spec.make == nullptr)
    throw InputError("an algorithm needs a kind, and a function that makes its protocol");
  auto& lists = algorithm_lists();
  const std::lock_guard lock(lists.mutex);
  check_names(spec, instead_of);
  std::vector<std::size_t> measures;
  for (const auto& measure : spec.measures) measures.push_back(own_quantity(measure));
  for (const auto measure : measures) define_quantity(measure);
  Algorithms all = algorithms();
  if (const auto it = std::find(all.begin(), all.end(), instead_of); it != all.end())
    *it = &spec;
  else
    all.push_back(&spec);
  lists.latest = &lists.all.emplace_back(std::move(all));
}

const std::vector<DurationSpec>& duration_specs() {
  using P = const Parameters&;
  using D = DurationDistribution;
  static const std::vector<DurationSpec> all = {
      {"constant",
       "always the same",
       {duration("value", "the duration")},
       [](P p) -> D { return ConstantDuration{p.duration("value")}; }},
      {"uniform",
       "uniform on [min, max]",
       {duration("min", "smallest"), duration("max", "largest, at least min")},
       [](P p) -> D {
         return UniformDuration{p.duration("min"), p.duration("max")};
       },
       [](P p) -> std::optional<ParameterConflict> {
         if (p.duration("max") >= p.duration("min")) return std::nullopt;
         return ParameterConflict{"max", "is below min"};
       }},
      {"normal",
       "normal, cut at a floor",
       {duration("mean", "mean before the cut"),
        duration("sd", "standard deviation"),
        floor_parameter(kCut)},
       [](P p) -> D {
         return NormalDuration{p.duration("mean"), p.duration("sd"), p.duration("floor")};
       }},
      {"lognormal",
       "median · exp(sigma Z)",
       {either("median", "median; or give the mean"),
        either("mean", "mean before the cut; or give the median"),
        number("sigma", "standard deviation of the logarithm"),
        floor_parameter(kCut)},
       [](P p) -> D {
         const double sigma = p.real("sigma");
         const Duration median = p.is_auto("mean")
                                     ? p.duration("median")
                                     : Duration::seconds(p.duration("mean").to_seconds() *
                                                         math::exp(-sigma * sigma / 2));
         return LognormalDuration{median, sigma, p.duration("floor")};
       },
       [](P p) -> std::optional<ParameterConflict> {
         if (p.is_auto("median") != p.is_auto("mean")) return std::nullopt;
         return ParameterConflict{
             "", "needs either median or mean", "median = \"50 ms\", or mean = \"50 ms\""};
       }},
      {"exponential",
       "floor + an exponential of this mean",
       {duration("mean", "mean of the part above the floor", true),
        floor_parameter("added to every draw")},
       [](P p) -> D {
         return ExponentialDuration{p.duration("mean"), p.duration("floor")};
       }},
      {"pareto",
       "P(X > x) = (scale/x)^shape for x >= scale",
       {duration("scale", "smallest value", true),
        number("shape", "tail index; the mean is infinite if it is 1 or less")},
       [](P p) -> D {
         return ParetoDuration{p.duration("scale"), p.real("shape")};
       }},
      {"gamma",
       "gamma with this mean and shape, cut at a floor",
       {duration("mean", "mean before the cut", true),
        number("shape", "1 is exponential"),
        floor_parameter(kCut)},
       [](P p) -> D {
         return GammaDuration{p.duration("mean"), p.real("shape"), p.duration("floor")};
       }},
      {"empirical",
       "samples from a CSV file, each equally likely",
       {file("CSV with one column, headed latency_ms or duration_ms (or _s, _us, _ns)")},
       [](P p) -> D {
         return EmpiricalDuration{
             std::make_shared<const std::vector<Duration>>(parse_latency_samples(p.file("file")))};
       }},
      {"matrix",
       "latencies per pair of nodes from a CSV file",
       {file("CSV with the columns from, to and latency_ms (or _s, _us, _ns), one way; or with "
             "moment (from 0) before them: transmission n of all links is in the same moment, "
             "drawn for n"),
        {.name = "otherwise",
         .type = ParameterType::duration,
         .default_value = {},
         .help = "latency of unlisted pairs; auto: every pair must be listed",
         .unit = "s",
         .min = 0}},
       // For unlisted pairs; unused if all are listed.
       [](P p) -> D {
         return ConstantDuration{p.is_auto("otherwise") ? Duration{} : p.duration("otherwise")};
       }},
      {"trace",
       "follows a CSV file over virtual time, in steps; latencies only",
       {file("CSV with the columns virtual_s, from 0, and latency_ms (or _s, _us, _ns)"),
        period_parameter()},
       [](P p) -> D {
         return TraceDuration{std::make_shared<const StepTrace<Duration>>(
             parse_latency_trace(p.file("file"), period_of(p)))};
       }},
  };
  return all;
}

const std::vector<ParameterSpec>& factor_trace_parameters() {
  static const std::vector<ParameterSpec> all = {
      file("CSV with the columns virtual_s, from 0, and factor, above 0"), period_parameter()};
  return all;
}
const std::vector<ParameterSpec>& rate_trace_parameters() {
  static const std::vector<ParameterSpec> all = {
      file("CSV with the columns virtual_s, from 0, and bits_per_second"), period_parameter()};
  return all;
}

std::shared_ptr<const LatencyFactor> make_latency_factor(const Parameters& p) {
  return std::make_shared<const LatencyFactor>(
      LatencyFactor{parse_factor_trace(p.file("file"), period_of(p)), p.input("file")});
}
std::shared_ptr<const RateTrace> make_rate_trace(const Parameters& p) {
  return std::make_shared<const RateTrace>(parse_rate_trace(p.file("file"), period_of(p)),
                                           p.input("file"));
}

const std::vector<LossSpec>& loss_specs() {
  using P = const Parameters&;
  static const std::vector<LossSpec> all = {
      {"none", "nothing is lost", {}, [](P) -> LossModel { return NoLoss{}; }},
      {"bernoulli",
       "every transmission is lost with probability p",
       {chance("p", "probability of loss", {})},
       [](P p) -> LossModel { return BernoulliLoss{p.real("p")}; }},
      {"bursts",
       "a link is good or bad for exponential times, whether or not anything is sent",
       {duration("mean_bad", "mean length of a burst, at least 1 ns", true),
        either("mean_good", "mean time between bursts, at least 1 ns; or give the average"),
        {.name = "average",
         .type = ParameterType::real,
         .default_value = {},
         .help = "rate of loss over time, between loss_good and loss_bad; or give mean_good",
         .min = 0,
         .max = 1,
         .min_open = true,
         .max_open = true},
        chance("loss_good", "probability of loss in the good state", 0.0),
        chance("loss_bad", "probability of loss in the bad state", 1.0),
        {.name = "of",
         .type = ParameterType::text,
         .default_value = std::string("pair"),
         .help = "pair: both directions of two nodes are bad at the same time; link: each has its "
                 "own bursts",
         .choices = {"pair", "link"}}},
       [](P p) -> LossModel { return make_burst_loss(p); },
       find_conflict_in_bursts},
      {"gilbert-elliott",
       "bursts for packet counts: two states per link, one step per transmission",
       {chance("p", "probability of going from the good to the bad state", {}),
        chance("r", "probability of going from the bad to the good state", {}),
        chance("loss_good", "probability of loss in the good state", 0.0),
        chance("loss_bad", "probability of loss in the bad state", 1.0)},
       [](P p) -> LossModel {
         return GilbertElliottLoss{
             p.real("p"), p.real("r"), p.real("loss_good"), p.real("loss_bad")};
       }},
      {"by-type",
       "a probability per message type: p = { LocalMeans = 0.1 }; others are never lost",
       {},
       nullptr},
  };
  return all;
}

const std::vector<ObjectiveSpec>& objectives() { return all_objectives(); }

void add_objective(ObjectiveSpec spec) {
  POSSE_CHECK(find_objective_spec(spec.kind) == nullptr, "there is an objective {}", spec.kind);
  all_objectives().push_back(std::move(spec));
}

const AlgorithmSpec* find_algorithm(std::string_view kind) {
  for (const auto* spec : algorithms())
    if (spec->kind == kind) return spec;
  return nullptr;
}
std::vector<std::string_view> message_types(std::span<const AlgorithmSpec* const> algorithms) {
  std::vector<std::string_view> names;
  for (const auto* spec : algorithms)
    if (spec != nullptr)
      for (const auto* type : spec->messages)
        if (std::find(names.begin(), names.end(), type->name) == names.end())
          names.push_back(type->name);
  return names;
}
const ObjectiveSpec* find_objective_spec(std::string_view kind) { return find(objectives(), kind); }
const DurationSpec* find_duration_spec(std::string_view kind) {
  return find(duration_specs(), kind);
}
const LossSpec* find_loss_spec(std::string_view kind) { return find(loss_specs(), kind); }

std::vector<CatalogEntry> catalog() {
  std::vector<CatalogEntry> all;
  for (const auto* a : algorithms())
    all.push_back({"algorithms", std::string(a->kind), a->summary, a->source, &a->parameters, a});
  const auto add = [&](std::string_view category, const auto& specs) {
    for (const auto& s : specs)
      all.push_back({category, std::string(s.kind), s.summary, s.source, &s.parameters, nullptr});
  };
  add("objectives", objectives());
  add("arms", arm_family_specs());
  for (const auto& o : base_optimizers())
    all.push_back(
        {"optimizers",
         std::string(o.name),
         o.summary,
         "Dorn, Katrutsa, Latypov, Soboleva, section 4 and Appendix B, and the works cited there",
         nullptr,
         nullptr});
  add("noises", noise_specs());
  add("heterogeneity", heterogeneity_specs());
  for (const auto& s : duration_specs())
    all.push_back({"latencies", std::string(s.kind), s.summary, "", &s.parameters, nullptr});
  for (const auto& s : loss_specs())
    all.push_back({"losses", std::string(s.kind), s.summary, "", &s.parameters, nullptr});
  return all;
}

}  // namespace posse
