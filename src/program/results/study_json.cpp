// SPDX-License-Identifier: Apache-2.0
#include "program/results/study_json.hpp"

#include <nlohmann/json.hpp>

namespace posse {
namespace {

Json effect_json(const std::optional<PairedEffect>& effect) {
  if (!effect) return nullptr;
  const auto interval = [](const std::optional<Interval>& i) {
    return i ? Json{number_json(i->low), number_json(i->high)} : Json(nullptr);
  };
  Json json{{"pairs", effect->difference.n},
            {"difference", number_json(effect->difference.mean)},
            {"difference_interval_95", interval(effect->interval)}};
  json["ratio"] = effect->ratio ? number_json(effect->ratio->value) : Json(nullptr);
  json["ratio_interval_95"] = effect->ratio ? interval(effect->ratio->interval) : Json(nullptr);
  json["shown"] = effect->shown;
  return json;
}

}  // namespace

Json study_json(const StudyReport& report) {
  const Study& study = report.study;
  Json json{{"name", study.name},
            {"title", report.title},
            {"conditions", study.conditions},
            {"headline", report.headline},
            {"warnings", report.warnings},
            {"legend", report.legend},
            {"tables", Json::array()},
            {"settings", study.settings},
            {"algorithms", study.algorithms},
            {"correction", "holm"}};
  for (const auto& table : report.tables) json["tables"].push_back(table.lines());
  json["measures"] = Json::array();
  for (const auto& of : report.comparison.measures) {
    const Quantity& quantity = quantity_at(of.quantity);
    Json rows = Json::array();
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const auto& cell = of.cells[s][a];
        if (!cell) continue;
        Json row{{"setting", study.settings[s]},
                 {"algorithm", study.algorithms[a]},
                 {"measured", statistics_json(cell->values)},
                 {"unfinished", study.find(s, a)->unfinished}};
        row["to_first_algorithm"] = effect_json(cell->to_first_algorithm);
        row["to_first_setting"] = effect_json(cell->to_first_setting);
        rows.push_back(std::move(row));
      }
    json["measures"].push_back({{"name", quantity.name},
                                {"unit", quantity.unit},
                                {"comparisons", of.comparisons},
                                {"rows", std::move(rows)}});
  }
  if (report.wanted) {
    const auto needed = repetitions_needed(study, *report.wanted);
    json["repetitions_needed"] = needed ? Json(*needed) : Json(nullptr);
    json["width_reached"] = width_reached(study, *report.wanted);
  }
  return json;
}

}  // namespace posse
