// SPDX-License-Identifier: Apache-2.0
#include "core/objective/data_objectives.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/objective/landmine.hpp"
#include "core/objective/vaccine.hpp"

namespace posse {
namespace {

ObjectiveSpec landmine_spec() {
  return {
      .kind = "landmine",
      .summary =
          "tuning of a support vector machine (C, gamma) on a field of the landmine data; f is "
          "the AUC on the field's test half",
      .source =
          "Li, Song, Honorio & Lin 2024 (Fed-PNE); Li, Song & Honorio 2024 (PF-PNE); setting of "
          "Dai et al. 2020; data of Liu, Liao & Carin 2007",
      .parameters =
          {{.name = "file",
            .type = ParameterType::file,
            .default_value = {},
            .help = "path of the data, which are not part of Posse: a CSV with the header "
                    "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9; split is train or test, "
                    "row counts from 0 in each half of a field, label is 1 for a mine and 0 for "
                    "clutter. "
                    "Convert it from PyXAB/landmine/landmine_formated_data.pkl of "
                    "github.com/WilliamLwj/PyXAB (29 fields, 14820 rows)",
            .required = true},
           {.name = "scale",
            .type = ParameterType::text,
            .default_value = std::string("linear"),
            .help = "linear: points are (C, gamma) in [1e-4, 10] x [1e-2, 10] as in PyXAB; log: "
                    "(log10 C, log10 gamma)",
            .choices = {"linear", "log"}},
           {.name = "maximum",
            .type = ParameterType::text,
            .default_value = std::string("best-known"),
            .help =
                "maximum that regrets refer to; best-known: the best of a grid, even in log C and "
                "log gamma, and of a search around its best point; one: 1, as in PyXAB",
            .choices = {"best-known", "one"}},
           {.name = "grid",
            .type = ParameterType::integer,
            .default_value = std::int64_t{9},
            .help = "points per side of that grid: 9 takes 0.15 s per field, 17 0.4 s, 65 6 s; "
                    "repetitions share the results",
            .min = 2,
            .max = 1000}},
      .make_family = [](const Parameters& p) -> std::unique_ptr<ObjectiveFamily> {
        LandmineOptions options;
        if (p.text("scale") == "log") options.scale = LandmineScale::log;
        if (p.text("maximum") == "one") options.maximum = LandmineMaximum::one;
        options.grid = static_cast<std::uint32_t>(p.integer("grid"));
        try {
          return std::make_unique<LandmineFamily>(parse_landmine(p.file("file")), options);
        } catch (const InputError& error) {
          throw InputError(error.what(), "file");
        }
      },
      .noise = "none",
      .foreign_mathematics = "libsvm"};
}

/// A parameter of a client. If it is not given, its value is drawn.
ParameterSpec drawn_parameter(
    std::string_view name, std::string_view help, double min, double max, bool open = false) {
  return {.name = name,
          .default_value = std::monostate{},
          .help = help,
          .min = min,
          .max = max,
          .min_open = open,
          .max_open = open};
}

std::vector<std::string_view> region_choices() {
  std::vector<std::string_view> names{"mixed", "countries"};
  for (const auto& region : age_shares()) names.push_back(region.name);
  return names;
}

ObjectiveSpec doses_spec() {
  return {
      .kind = "doses",
      .summary =
          "fractional doses of a vaccine, in [0.05, 1] of the standard dose; f is the share of "
          "infections averted in a region",
      .source =
          "experiment of Li, Song, Honorio & Lin 2024; Posse's model, after Więcek et al. 2022 and "
          "Khoury et al. 2021",
      .parameters =
          {{.name = "region",
            .type = ParameterType::text,
            .default_value = std::string("mixed"),
            .help =
                "age structure of the clients' regions; mixed: each client draws an income group; "
                "countries: each draws a country; or a region's name",
            .choices = region_choices()},
           drawn_parameter(
               "r",
               "R, infections caused by one case at the start; auto: U(1.2, 2.5) per client",
               0,
               10),
           drawn_parameter(
               "delta",
               "supply of standard doses per head and day; auto: log-uniform on [0.001, 0.005]",
               0,
               1,
               true),
           drawn_parameter("delta_max",
                           "largest share of people vaccinated per day; auto: U(0.005, 0.02)",
                           0,
                           1,
                           true),
           drawn_parameter(
               "e1", "E_1, efficacy of the standard dose; auto: 0.95 or 0.7", 0, 1, true),
           drawn_parameter("beta", "antibody levels grow as dose^beta; auto: U(0.6, 1.4)", 0, 10),
           {.name = "i0",
            .default_value = 1e-3,
            .help = "share of the non-immune people who are infected at the start",
            .min = 1e-12,
            .max = 1,
            .max_open = true},
           {.name = "curve",
            .type = ParameterType::text,
            .default_value = std::string("logistic"),
            .help = "efficacy as a function of the antibody level: a logistic fit, or the curve of "
                    "Khoury et al. 2021",
            .choices = {"logistic", "khoury"}},
           {.name = "outcome",
            .type = ParameterType::text,
            .default_value = std::string("infections"),
            .help = "outcome that vaccination averts; deaths use the fatality ratios of "
                    "high-income countries",
            .choices = {"infections", "deaths"}}},
      .make_family = [](const Parameters& p) -> std::unique_ptr<ObjectiveFamily> {
        const auto given = [&](std::string_view name) {
          return p.is_auto(name) ? std::nullopt : std::optional(p.real(name));
        };
        VaccineSetting setting;
        setting.region = p.text("region");
        setting.r = given("r");
        setting.delta = given("delta");
        setting.delta_max = given("delta_max");
        setting.e1 = given("e1");
        setting.beta = given("beta");
        setting.i0 = p.real("i0");
        if (p.text("curve") == "khoury") setting.curve = EfficacyCurve::khoury;
        if (p.text("outcome") == "deaths") setting.outcome = VaccineOutcome::deaths;
        return std::make_unique<VaccineFamily>(std::move(setting));
      },
      .noise = "none"};
}

}  // namespace

std::vector<ObjectiveSpec> data_objective_specs() { return {landmine_spec(), doses_spec()}; }

}  // namespace posse
