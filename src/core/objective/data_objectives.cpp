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
          "tuning a support vector machine (C, gamma) on a field of the landmine data; f is "
          "the AUC on its test half",
      .source = "P1, P3 (after Dai et al. 2020); data: Liu, Liao, Carin, NIPS 2007",
      .parameters =
          {{.name = "file",
            .type = ParameterType::file,
            .default_value = {},
            .help = "the data, which Posse doesn't ship: a CSV headed "
                    "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9 with split train or test, "
                    "row from 0 within each half of a field, label 1 for a mine, else 0; to be "
                    "converted from PyXAB/landmine/landmine_formated_data.pkl of "
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
            .help = "what regrets are measured against: best-known, of a grid even in log C and "
                    "log gamma and a search around its best point; one, as PyXAB does",
            .choices = {"best-known", "one"}},
           {.name = "grid",
            .type = ParameterType::integer,
            .default_value = std::int64_t{9},
            .help = "points per side of that grid: 9 costs 0.15 s per field, 17 0.4 s, 65 6 s; "
                    "repetitions share it",
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

/// A parameter of a client that is drawn unless it is given.
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
          "fractional vaccine doses in [0.05, 1] of the standard one; f is the share of "
          "infections averted in a region",
      .source = "after P1; model ours, after Więcek et al. 2022 and Khoury et al. 2021",
      .parameters =
          {{.name = "region",
            .type = ParameterType::text,
            .default_value = std::string("mixed"),
            .help = "ages of the clients' regions; mixed: an income group each, drawn; countries: "
                    "a country each, drawn",
            .choices = region_choices()},
           drawn_parameter(
               "r", "R, infections by one case at the start; auto: U(1.2, 2.5) per client", 0, 10),
           drawn_parameter("delta",
                           "standard doses per head and day; auto: log-uniform on [0.001, 0.005]",
                           0,
                           1,
                           true),
           drawn_parameter("delta_max",
                           "people that can be vaccinated per head and day; auto: U(0.005, 0.02)",
                           0,
                           1,
                           true),
           drawn_parameter(
               "e1", "E_1, efficacy of the standard dose; auto: 0.95 or 0.7", 0, 1, true),
           drawn_parameter("beta", "antibody levels grow as dose^beta; auto: U(0.6, 1.4)", 0, 10),
           {.name = "i0",
            .default_value = 1e-3,
            .help = "infected share of those who aren't immune at the start",
            .min = 0,
            .max = 1,
            .min_open = true,
            .max_open = true},
           {.name = "curve",
            .type = ParameterType::text,
            .default_value = std::string("logistic"),
            .help = "efficacy by antibody level: a logistic fit, or the curve of Khoury et al.",
            .choices = {"logistic", "khoury"}},
           {.name = "outcome",
            .type = ParameterType::text,
            .default_value = std::string("infections"),
            .help = "what is averted; deaths by the fatality ratios of high-income countries",
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
