// SPDX-License-Identifier: Apache-2.0
#include "program/compare/main_effects.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace posse {
namespace {

/// An algorithm's values by the settings of the other keys, and by those of the key.
using Contexts = std::map<SettingKeys, std::map<std::string, RunValues>>;

struct ByContext {
  std::vector<std::string> order;  // of the key's values, as in the study
  Contexts contexts;
  std::size_t all = 0;

  /// Keeps the contexts with all values.
  void keep_whole() {
    all = contexts.size();
    std::erase_if(contexts,
                  [&](const auto& context) { return context.second.size() < order.size(); });
  }
};

ByContext by_context(const Study& study,
                     const std::vector<std::string>& dimension,
                     std::size_t algorithm,
                     std::size_t quantity) {
  ByContext result;
  for (std::size_t s = 0; s < study.keys.size(); ++s) {
    const auto* cell = study.find(s, algorithm);
    const auto value = study.keys[s].find(dimension.front());
    if (cell == nullptr || value == study.keys[s].end()) continue;
    auto values = cell->values(quantity);
    if (values.empty()) continue;
    if (std::ranges::find(result.order, value->second) == result.order.end())
      result.order.push_back(value->second);
    auto others = study.keys[s];
    for (const auto& key : dimension) others.erase(key);
    result.contexts[others][value->second] = std::move(values);
  }
  result.keep_whole();
  return result;
}

MainEffect effect_in(const ByContext& given) {
  MainEffect effect;
  effect.contexts = given.contexts.size();
  effect.left_out = given.all - given.contexts.size();
  if (given.contexts.empty()) return effect;
  for (const auto& value : given.order) {
    std::map<std::uint32_t, std::pair<double, std::size_t>> sums;  // by repetition
    for (const auto& [others, by_value] : given.contexts)
      for (const auto& [repetition, x] : by_value.at(value)) {
        auto& [sum, count] = sums[repetition];
        sum += x;
        ++count;
      }
    std::vector<double> means;
    for (const auto& [repetition, sum] : sums)
      if (sum.second == given.contexts.size())
        means.push_back(sum.first / static_cast<double>(sum.second));
    if (means.empty()) return {{}, 0, given.all};
    effect.levels.push_back({value, statistics(means)});
  }
  return effect;
}

}  // namespace

MainEffects main_effects(const Study& study,
                         const std::vector<std::string>& dimension,
                         std::size_t quantity) {
  std::vector<ByContext> given;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    given.push_back(by_context(study, dimension, a, quantity));
  // What all algorithms have that have more than one value.
  std::set<SettingKeys> common;
  bool first = true;
  for (const auto& own : given) {
    if (own.order.size() < 2) continue;
    std::set<SettingKeys> keys;
    for (const auto& [context, values] : own.contexts)
      if (first || common.contains(context)) keys.insert(context);
    common = std::move(keys);
    first = false;
  }
  MainEffects effects;
  effects.in_common = !common.empty();
  for (auto& own : given) {
    if (effects.in_common)
      std::erase_if(own.contexts,
                    [&](const auto& context) { return !common.contains(context.first); });
    effects.of.push_back(effect_in(own));
  }
  return effects;
}

}  // namespace posse
