// SPDX-License-Identifier: Apache-2.0
#include "program/compare/main_effects.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace posse {

MainEffect main_effect(const Study& study,
                       const std::vector<std::string>& dimension,
                       std::size_t algorithm,
                       std::size_t quantity) {
  std::vector<std::string> order;  // of the values, as in the study
  std::map<SettingKeys, std::map<std::string, RunValues>> contexts;
  for (std::size_t s = 0; s < study.keys.size(); ++s) {
    const auto* cell = study.find(s, algorithm);
    const auto value = study.keys[s].find(dimension.front());
    if (cell == nullptr || value == study.keys[s].end()) continue;
    auto values = cell->values(quantity);
    if (values.empty()) continue;
    if (std::ranges::find(order, value->second) == order.end()) order.push_back(value->second);
    auto others = study.keys[s];
    for (const auto& key : dimension) others.erase(key);
    contexts[others][value->second] = std::move(values);
  }
  MainEffect effect;
  effect.left_out = std::erase_if(
      contexts, [&](const auto& context) { return context.second.size() < order.size(); });
  effect.contexts = contexts.size();
  if (contexts.empty()) return effect;
  for (const auto& value : order) {
    std::map<std::uint32_t, std::pair<double, std::size_t>> sums;  // by repetition
    for (const auto& [others, by_value] : contexts)
      for (const auto& [repetition, x] : by_value.at(value)) {
        auto& [sum, count] = sums[repetition];
        sum += x;
        ++count;
      }
    std::vector<double> means;
    for (const auto& [repetition, sum] : sums)
      if (sum.second == contexts.size())
        means.push_back(sum.first / static_cast<double>(sum.second));
    if (means.empty()) return {{}, 0, effect.contexts + effect.left_out};
    effect.levels.push_back({value, statistics(means)});
  }
  return effect;
}

}  // namespace posse
