// SPDX-License-Identifier: Apache-2.0
#include "program/page/explored.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "program/base/quantities.hpp"
#include "program/base/statistics.hpp"
#include "program/base/text.hpp"
#include "program/compare/main_effects.hpp"
#include "program/plot/divided.hpp"
#include "program/plot/setting_axis.hpp"

namespace posse {
namespace {

constexpr int kDigits = 7;

/// In few letters: pages of thousands of settings have hundreds of thousands of numbers.
Json short_number(double value) { return rounded(value, kDigits); }

/// Those that have several values, and no other that has the same ones.
std::vector<std::size_t> shown_measures(const Study& study) {
  std::vector<std::size_t> shown;
  for (const auto q : study.quantities()) {
    std::set<double> different;
    bool like_global = quantity_at(q).name.starts_with("local_");
    for (const auto& [at, cell] : study.cells)
      for (const auto& [repetition, finals] : cell.finished) {
        if (finals[q] && different.size() < 2) different.insert(*finals[q]);
        const auto global = quantity_named(quantity_at(q).name.substr(like_global ? 6 : 0));
        like_global = like_global && global && finals[*global] == finals[q];
      }
    if (different.size() > 1 && !like_global) shown.push_back(q);
  }
  return shown;
}

Json key_json(const Study& study, const std::string& key) {
  const auto axis = setting_axis(study, key);
  Json json{{"key", key},
            {"label", axis.spec.label},
            {"unit", axis.spec.unit},
            {"log", axis.spec.scale == Scale::log},
            {"at", Json::array()}};
  if (!axis.spec.categories.empty()) json["categories"] = axis.spec.categories;
  for (const auto& at : axis.at) json["at"].push_back(at ? Json(*at) : Json(nullptr));
  return json;
}

}  // namespace

Json explored_json(const Study& study) {
  const auto measures = shown_measures(study);
  std::vector<std::string> keys;
  for (auto& key : divisors(study, ""))
    if (key != kAlgorithms) keys.push_back(std::move(key));
  Json json{{"algorithms", study.algorithms},
            {"settings", study.settings},
            {"keys", Json::array()},
            {"measures", Json::array()},
            {"effects", Json::array()}};
  for (const auto& key : keys) json["keys"].push_back(key_json(study, key));
  for (const auto q : measures)
    json["measures"].push_back({{"name", quantity_at(q).name},
                                {"label", quantity_at(q).label},
                                {"unit", quantity_at(q).unit}});
  auto& cells = json["cells"];
  for (const auto* column : {"setting", "algorithm", "finished", "unfinished", "mean", "half"})
    cells[column] = Json::array();
  for (const auto& [at, cell] : study.cells) {
    cells["setting"].push_back(at.first);
    cells["algorithm"].push_back(at.second);
    cells["finished"].push_back(cell.finished.size());
    cells["unfinished"].push_back(cell.unfinished);
    auto means = Json::array(), halves = Json::array();
    for (const auto q : measures) {
      const auto values = cell.values(q);
      if (values.empty()) {
        means.push_back(nullptr);
        halves.push_back(nullptr);
        continue;
      }
      const auto s = statistics_of(values);
      means.push_back(short_number(s.mean));
      halves.push_back(s.n < 2 ? Json(nullptr) : short_number(half_width(s, Band::interval)));
    }
    cells["mean"].push_back(std::move(means));
    cells["half"].push_back(std::move(halves));
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    auto dimension = keys_in_step(study.keys, keys[k]);
    dimension.insert(dimension.begin(), keys[k]);
    const auto axis = setting_axis(study, keys[k]);
    std::map<std::string, double> place;  // of a value
    for (std::size_t s = 0; s < study.keys.size(); ++s)
      if (const auto value = study.keys[s].find(keys[k]);
          value != study.keys[s].end() && axis.at[s])
        place[value->second] = *axis.at[s];
    for (std::size_t m = 0; m < measures.size(); ++m) {
      const auto effects = main_effects(study, dimension, measures[m]);
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const auto& effect = effects.of[a];
        Json one{{"key", k},
                 {"algorithm", a},
                 {"measure", m},
                 {"in_common", effects.in_common},
                 {"contexts", effect.contexts},
                 {"left_out", effect.left_out},
                 {"at", Json::array()},
                 {"mean", Json::array()},
                 {"half", Json::array()}};
        std::vector<std::pair<double, const EffectLevel*>> levels;
        for (const auto& level : effect.levels) levels.emplace_back(place[level.value], &level);
        std::ranges::sort(levels);
        for (const auto& [at, level] : levels) {
          one["at"].push_back(at);
          one["mean"].push_back(short_number(level->mean.mean));
          one["half"].push_back(level->mean.n < 2
                                    ? Json(nullptr)
                                    : short_number(half_width(level->mean, Band::interval)));
        }
        json["effects"].push_back(std::move(one));
      }
    }
  }
  return json;
}

Json runs_json(const Study& study, std::size_t setting, std::size_t algorithm) {
  auto runs = Json::array();
  const auto* cell = study.find(setting, algorithm);
  if (cell == nullptr) return runs;
  for (const bool finished : {true, false})
    for (const auto& [number, place] : finished ? cell->places : cell->unfinished_places)
      runs.push_back({{"repetition", place.repetition}, {"finished", finished}});
  return runs;
}

}  // namespace posse
