// SPDX-License-Identifier: Apache-2.0
#include "core/objective/factories.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/objective/ackley.hpp"
#include "core/objective/constant.hpp"
#include "core/objective/data_objectives.hpp"
#include "core/objective/doublesine.hpp"
#include "core/objective/garland.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/heterogeneity_families.hpp"
#include "core/objective/himmelblau.hpp"
#include "core/objective/rastrigin.hpp"
#include "core/objective/scaled.hpp"
#include "core/objective/shifted.hpp"
#include "core/objective/sine.hpp"
#include "core/objective/user_objectives.hpp"

namespace posse {
namespace {

ParameterSpec dimension_parameter(std::int64_t default_value) {
  return {.name = "dimension",
          .type = ParameterType::integer,
          .default_value = default_value,
          .help = "d",
          .min = 1,
          .max = 1000};
}

/// The objective's own parameters and those of the squeeze, which all objectives share.
std::vector<ParameterSpec> with_squeeze(std::vector<ParameterSpec> own) {
  own.push_back({.name = "squeeze_low",
                 .default_value = 0.0,
                 .help = "l of g = l + (u-l) f, for noise that needs room below f = 0",
                 .min = 0,
                 .max = 0.5,
                 .max_open = true});
  own.push_back({.name = "squeeze_high",
                 .default_value = 1.0,
                 .help = "u of g = l + (u-l) f, for noise that needs room above f = 1",
                 .min = 0.5,
                 .max = 1,
                 .min_open = true});
  return own;
}

std::unique_ptr<Objective> squeezed(std::unique_ptr<Objective> f, const Parameters& p) {
  const double low = p.real("squeeze_low");
  const double high = p.real("squeeze_high");
  if (low == 0 && high == 1) return f;
  return std::make_unique<Scaled>(std::move(f), high - low, low);
}

template <class Function>
std::unique_ptr<Objective> make_plain(const Parameters& p) {
  return squeezed(std::make_unique<Function>(), p);
}

std::vector<ObjectiveSpec> build_objectives() {
  std::vector<ObjectiveSpec> all{
      {"sine",
       "(A sin(13x) sin(27x) + 1)/2 on [0, 1]",
       "Chen, Liu, Zhang & Li 2015, section 6",
       with_squeeze({{.name = "amplitude",
                      .default_value = 0.5,
                      .help = "A: 0.5 as in Chen et al. 2015, 1 for the classical form",
                      .min = 0,
                      .max = 1,
                      .min_open = true}}),
       [](const Parameters& p) {
         return squeezed(std::make_unique<Sine>(p.real("amplitude")), p);
       }},
      {"garland",
       "x (1-x) (4 - sqrt|sin 60x|) on [0, 1]",
       "Valko, Carpentier & Munos 2013; Chen et al. 2015, section 6; Li et al. 2024 (Fed-PNE, "
       "PF-PNE)",
       with_squeeze({}),
       make_plain<Garland>},
      {"doublesine",
       "oscillating function on [0, 1] with near-optimality dimension 2.53",
       "Grill, Valko & Munos 2015; Li et al. 2024 (Fed-PNE)",
       with_squeeze({}),
       make_plain<DoubleSine>},
      {"himmelblau",
       "four maxima of equal height on [-5, 5]^2",
       "Li, Song & Honorio 2024 (PF-PNE), section 4 and Figure 1(b)",
       with_squeeze({}),
       make_plain<Himmelblau>},
      {"rastrigin",
       "many local maxima on [-1, 1]^d",
       "Li, Song & Honorio 2024 (PF-PNE); d = 10",
       with_squeeze({dimension_parameter(10)}),
       [](const Parameters& p) {
         return squeezed(
             std::make_unique<Rastrigin>(static_cast<std::size_t>(p.integer("dimension"))), p);
       }},
      {"ackley",
       "a cone with ripples on [-1, 1]^2",
       "Li, Song & Honorio 2024 (PF-PNE), appendix",
       with_squeeze({{.name = "normaliser",
                      .type = ParameterType::text,
                      .default_value = std::string("exact"),
                      .help = "divisor; exact: the range of values, so that f covers [0, 1]; "
                              "pyxab: PyXAB's upper bound 4.98793",
                      .choices = {"exact", "pyxab"}}}),
       [](const Parameters& p) {
         const bool pyxab = p.text("normaliser") == "pyxab";
         return squeezed(std::make_unique<Ackley>(pyxab ? Ackley::kPyxabRange : Ackley::kRange), p);
       }},
      {"constant",
       "the same value everywhere on [0, 1]^d: for tests",
       "Posse",
       with_squeeze({{.name = "value", .default_value = 0.5, .help = "f", .min = 0, .max = 1},
                     dimension_parameter(1)}),
       [](const Parameters& p) {
         return squeezed(std::make_unique<Constant>(
                             p.real("value"), static_cast<std::size_t>(p.integer("dimension"))),
                         p);
       }},
  };
  for (auto& spec : data_objective_specs()) all.push_back(std::move(spec));
  for (auto& spec : user_objective_specs()) all.push_back(std::move(spec));
  return all;
}

std::vector<NoiseSpec> build_noises() {
  return {
      {"none", "rewards are f(x)", "", {}, [](const Parameters&) { return make_no_noise(); }},
      {"uniform",
       "f + U(-a, a); rewards lie in [-a, 1 + a]",
       "PyXAB",
       {{.name = "half_width",
         .default_value = 0.1,
         .help = "a; bounds need a width 2a <= 1",
         .min = 0}},
       [](const Parameters& p) { return make_uniform_noise(p.real("half_width")); }},
      {"symtrunc",
       "f + N(0, sd^2) truncated to +-min(f, 1-f): unbiased, rewards in [0, 1]",
       "Chen, Liu, Zhang & Li 2015, section 6, interpreted so that the mean is f (PAPERS.md, "
       "parallel-9)",
       {{.name = "sd", .default_value = 1.0, .help = "sigma", .min = 0, .min_open = true}},
       [](const Parameters& p) { return make_symtrunc_noise(p.real("sd")); }},
      {"tilttrunc",
       "N(mu, sd^2) truncated to [0, 1], with mu such that the mean is f",
       "Posse",
       {{.name = "sd", .default_value = 1.0, .help = "sigma", .min = 0.01, .max = 10}},
       [](const Parameters& p) { return make_tilttrunc_noise(p.real("sd")); }},
      {"bernoulli",
       "1 with probability f, else 0",
       "",
       {},
       [](const Parameters&) { return make_bernoulli_noise(); }},
      {"beta",
       "Beta(kappa f, kappa (1-f))",
       "",
       {{.name = "kappa",
         .default_value = 10.0,
         .help = "concentration: the variance is f (1-f)/(kappa + 1)",
         .min = 0.01,
         .max = 1e6}},
       [](const Parameters& p) { return make_beta_noise(p.real("kappa")); }},
  };
}

ParameterSpec shift_scale_parameter() {
  return {.name = "scale",
          .default_value = 0.05,
          .help =
              "sigma_s: standard deviation of a shift as a share of the box's width; draws beyond "
              "3 sigma_s are redrawn",
          .min = 0,
          .max = 10};
}

ParameterSpec boundary_parameter() {
  return {
      .name = "boundary",
      .type = ParameterType::text,
      .default_value = std::string("reflect"),
      .help =
          "what happens to shifted points outside the box: reflect, clip (plateaus), wrap (torus), "
          "open (f is evaluated there; values may leave [0, 1])",
      .choices = {"reflect", "clip", "wrap", "open"}};
}

Boundary boundary(const Parameters& p) {
  const std::string& name = p.text("boundary");
  if (name == "clip") return Boundary::clip;
  if (name == "wrap") return Boundary::wrap;
  if (name == "open") return Boundary::open;
  return Boundary::reflect;
}

using Base = std::shared_ptr<const Objective>;

std::vector<HeterogeneitySpec> build_heterogeneities() {
  return {
      {"none",
       "all clients share one objective",
       "Chen, Liu, Zhang & Li 2015",
       {},
       [](const Base& base, const Parameters&, std::uint32_t clients, Seed) {
         return Clients(clients, base);
       }},
      {"shift",
       "each client's objective is shifted by a normal draw of its own",
       "Li et al. 2024 (Fed-PNE, PF-PNE); size and border from Posse (PAPERS.md, fed-pne-12)",
       {shift_scale_parameter(), boundary_parameter()},
       [](const Base& base, const Parameters& p, std::uint32_t clients, Seed seed) {
         return shifted_clients(base, clients, seed, p.real("scale"), boundary(p));
       }},
      {"common-shift",
       "all clients share one shifted objective; each seed gives another shift",
       "Posse, for averages that do not depend on the position of the maximiser in the grid",
       {shift_scale_parameter(), boundary_parameter()},
       [](const Base& base, const Parameters& p, std::uint32_t clients, Seed seed) {
         return commonly_shifted_clients(base, clients, seed, p.real("scale"), boundary(p));
       }},
      {"scale",
       "f_m = a_m f + b_m with a_m in [a_min, 1] and b_m in [0, 1 - a_m]",
       "Posse, for clients whose maximum is below the global one",
       {{.name = "a_min",
         .default_value = 0.5,
         .help = "smallest factor; a_m is uniform on [a_min, 1]",
         .min = 0,
         .max = 1,
         .min_open = true}},
       [](const Base& base, const Parameters& p, std::uint32_t clients, Seed seed) {
         return scaled_clients(base, clients, seed, p.real("a_min"));
       }},
      {"shifts",
       "each client's objective is shifted by a given vector",
       "Posse",
       {{.name = "values",
         .type = ParameterType::text,
         .default_value = std::string(),
         .help = "numbers in client order, d per client, separated by commas",
         .required = true},
        boundary_parameter()},
       [](const Base& base, const Parameters& p, std::uint32_t, Seed) {
         return given_shifts(base, parse_numbers(p.text("values")).value(), boundary(p));
       },
       nullptr,
       [](const Parameters& p, std::uint32_t clients, std::size_t dimension) {
         std::vector<std::string> messages;
         const auto numbers = parse_numbers(p.text("values"));
         if (!numbers) {
           messages.emplace_back("values: not a list of numbers");
         } else if (numbers->size() != clients * dimension) {
           messages.push_back(
               fmt::format("values: {} numbers given, {} clients in {} dimension(s) need {}",
                           numbers->size(),
                           clients,
                           dimension,
                           clients * dimension));
         }
         return messages;
       }},
      {.kind = "mixture",
       .summary = "clients have different functions, assigned in rotation",
       .source = "Posse",
       .parameters =
           {{.name = "functions",
             .type = ParameterType::text,
             .default_value = std::string(),
             .help = "functions besides the objective itself, separated by commas, or by "
                     "semicolons if one contains a comma: kinds without parameters, or "
                     "expressions, all on the objective's box. Of n functions, number 0 being "
                     "the objective, client m has number m mod n",
             .required = true}},
       .make_family = [](Base base, const Parameters& p) -> std::unique_ptr<ObjectiveFamily> {
         return std::make_unique<Mixture>(mixed_functions(std::move(base), p.text("functions")));
       }},
      {.kind = "table",
       .summary = "each client's objective is shifted by a vector from a CSV file",
       .source = "Posse",
       .parameters = {{.name = "file",
                       .type = ParameterType::file,
                       .help = "CSV with the columns seed, client (from 0), s1 … sd. A repetition "
                               "uses the rows whose seed equals the scenario's seed plus the "
                               "repetition's number (from 0)",
                       .required = true},
                      boundary_parameter()},
       .make_family = [](Base base, const Parameters& p) -> std::unique_ptr<ObjectiveFamily> {
         return std::make_unique<ShiftTable>(std::move(base), p.file("file"), boundary(p));
       }},
  };
}

template <class Spec>
const Spec* find_kind(const std::vector<Spec>& specs, std::string_view kind) {
  for (const Spec& spec : specs)
    if (spec.kind == kind) return &spec;
  return nullptr;
}

}  // namespace

const std::vector<ObjectiveSpec>& objective_specs() {
  static const std::vector<ObjectiveSpec> specs = build_objectives();
  return specs;
}

const std::vector<NoiseSpec>& noise_specs() {
  static const std::vector<NoiseSpec> specs = build_noises();
  return specs;
}

const std::vector<HeterogeneitySpec>& heterogeneity_specs() {
  static const std::vector<HeterogeneitySpec> specs = build_heterogeneities();
  return specs;
}

const ObjectiveSpec* find_objective(std::string_view kind) {
  return find_kind(objective_specs(), kind);
}
const NoiseSpec* find_noise(std::string_view kind) { return find_kind(noise_specs(), kind); }
const HeterogeneitySpec* find_heterogeneity(std::string_view kind) {
  return find_kind(heterogeneity_specs(), kind);
}

}  // namespace posse
