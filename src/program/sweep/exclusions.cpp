// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/exclusions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "program/base/text.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/sweep/amount.hpp"

namespace posse {
namespace {

constexpr auto kName = "sweep.exclude";

/// A value or a list of values as a list.
std::vector<Value> as_list(const Value& value) {
  const Array* array = value.array();
  return array != nullptr ? *array : std::vector{value};
}

class ExclusionReader {
 public:
  ExclusionReader(const std::vector<SweepAxis>& axes, Diagnostics& diagnostics)
      : axes_(axes), diagnostics_(diagnostics) {
    for (const auto& axis : axes) keys_.push_back(axis.key);
  }

  SweepExclusion read(const Value& table, std::size_t number) {
    SweepExclusion exclusion;
    exclusion.location = table.location;
    TableReader reader(table, fmt::format("{}.{}", kName, number), diagnostics_);
    if (const Value* algorithms = reader.find("algorithm")) {
      exclusion.algorithms = as_list(*algorithms);
      if (exclusion.algorithms.empty())
        reader.error(
            "algorithm", "names none", "a label or a kind, or no `algorithm`: all of them");
    }
    if (const Value* where = reader.find("where"); where == nullptr)
      reader.error("", "has no `where`", "\"clients > 100\", or { \"population.clients\" = 1000 }");
    else if (const auto* expression = std::get_if<std::string>(&where->data)) {
      exclusion.expression = *expression;
      exclusion.expression_location = where->location;
    } else if (const Table* keys = where->table(); keys != nullptr && !keys->empty()) {
      for (const auto& [key, value] : *keys) read_values(key, value, exclusion);
    } else {
      reader.error("where",
                   "is neither an expression nor a table of keys",
                   "\"clients > 100\", or { \"population.clients\" = 1000 }");
    }
    reader.finish();
    return exclusion;
  }

 private:
  void read_values(const std::string& key, const Value& value, SweepExclusion& exclusion) {
    const auto axis = find_axis(key, value);
    if (!axis) return;
    auto& chosen = exclusion.values.emplace_back(*axis, std::set<std::size_t>{}).second;
    if (as_list(value).empty())
      diagnostics_.add({value.location,
                        fmt::format("{}.where.{}", kName, key),
                        "has no values",
                        "",
                        "a value, or a list of values",
                        ""});
    for (const auto& wanted : as_list(value)) {
      std::vector<std::string> texts;
      bool found = false;
      for (std::size_t i = 0; i < axes_[*axis].values.size(); ++i) {
        texts.push_back(axes_[*axis].text(i));
        if (!same_text(texts.back(), value_text(wanted))) continue;
        chosen.insert(i);
        found = true;
      }
      if (!found)
        diagnostics_.add({wanted.location,
                          fmt::format("{}.where.{}", kName, key),
                          "is not one of the sweep's values",
                          describe(wanted),
                          fmt::format("{}", fmt::join(texts, ", ")),
                          nearest_name(value_text(wanted), texts)});
    }
  }

  std::optional<std::size_t> find_axis(const std::string& key, const Value& value) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].key == key) return i;
      if (axes_[i].key.ends_with("." + key)) ends.push_back(i);
    }
    if (ends.size() == 1) return ends.front();
    diagnostics_.add({value.location,
                      fmt::format("{}.where.{}", kName, key),
                      ends.empty() ? "is a key that doesn't vary" : "is the end of several keys",
                      "",
                      fmt::format("{}", fmt::join(keys_, ", ")),
                      nearest_name(key, keys_)});
    return std::nullopt;
  }

  const std::vector<SweepAxis>& axes_;
  Diagnostics& diagnostics_;
  std::vector<std::string> keys_;
};

/// The text of a table's key, or "".
std::string text_at(const Value& table, const char* key) {
  const Table* keys = table.table();
  if (keys == nullptr) return "";
  const auto it = keys->find(key);
  const auto* text = it == keys->end() ? nullptr : std::get_if<std::string>(&it->second.data);
  return text == nullptr ? "" : *text;
}

}  // namespace

namespace {

/// Label and kind of each algorithm.
std::vector<std::vector<std::string>> names_in(const Value& root) {
  std::vector<std::vector<std::string>> names;
  const Table* table = root.table();
  if (table == nullptr) return names;
  const auto list = table->find("algorithm");
  const Array* entries = list == table->end() ? nullptr : list->second.array();
  if (entries == nullptr) return names;
  for (const auto& entry : *entries) {
    auto& own = names.emplace_back();
    for (const auto* key : {"label", "kind"})
      if (auto name = text_at(entry, key); !name.empty()) own.push_back(std::move(name));
  }
  return names;
}

bool is_named(const std::vector<std::string>& names, const Value& wanted) {
  const auto* name = std::get_if<std::string>(&wanted.data);
  return name != nullptr && std::ranges::find(names, *name) != names.end();
}

}  // namespace

std::vector<SweepExclusion> read_exclusions(const Value& list,
                                            const std::vector<SweepAxis>& axes,
                                            Diagnostics& diagnostics) {
  std::vector<SweepExclusion> all;
  const Array* array = list.array();
  const auto is_table = [](const Value& value) { return value.table() != nullptr; };
  if (array == nullptr || !std::ranges::all_of(*array, is_table)) {
    diagnostics.add({list.location,
                     kName,
                     "is not a list of tables",
                     "",
                     "[[sweep.exclude]] with `algorithm` and `where`",
                     ""});
    return all;
  }
  ExclusionReader reader(axes, diagnostics);
  for (std::size_t i = 0; i < array->size(); ++i) all.push_back(reader.read((*array)[i], i));
  return all;
}

Exclusions::Exclusions(const SweepSection& sweep, const Value& root, Diagnostics& diagnostics)
    : kinds_vary_(std::ranges::any_of(sweep.axes, [](const SweepAxis& axis) {
        for (std::size_t i = 0; i < axis.values.size(); ++i)
          for (const auto& [path, value] : axis.assignments(i))
            if (path.starts_with("algorithm") && path.ends_with(".kind")) return true;
        return false;
      })) {
  const auto names = names_in(root);
  algorithms_ = names.size();
  for (const auto& exclusion : sweep.exclusions) {
    Rule& rule = rules_.emplace_back(Rule{positions_of(exclusion, names),
                                          exclusion,
                                          Constraint(std::string(kName) + ".where",
                                                     exclusion.expression,
                                                     exclusion.expression_location,
                                                     sweep.axes,
                                                     root,
                                                     diagnostics)});
    rule.named.resize(exclusion.algorithms.size());
    note_names(rule, names);
    if (!kinds_vary_) report_unknown(rule, names, diagnostics);
  }
}

std::vector<std::uint32_t> Exclusions::positions_of(const SweepExclusion& exclusion,
                                                    const Names& names) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t a = 0; a < names.size(); ++a)
    if (exclusion.algorithms.empty() ||
        std::ranges::any_of(exclusion.algorithms,
                            [&](const Value& wanted) { return is_named(names[a], wanted); }))
      positions.push_back(a);
  return positions;
}

void Exclusions::note_names(Rule& rule, const Names& names) {
  for (std::size_t i = 0; i < rule.named.size(); ++i)
    rule.named[i] = rule.named[i] || std::ranges::any_of(names, [&](const auto& own) {
                      return is_named(own, rule.exclusion.algorithms[i]);
                    });
}

void Exclusions::report_unknown(const Rule& rule, const Names& names, Diagnostics& diagnostics) {
  std::vector<std::string> all;
  for (const auto& own : names)
    if (!own.empty()) all.push_back(own.front());
  for (std::size_t i = 0; i < rule.named.size(); ++i) {
    if (rule.named[i]) continue;
    const Value& wanted = rule.exclusion.algorithms[i];
    const auto* name = std::get_if<std::string>(&wanted.data);
    diagnostics.add({wanted.location,
                     std::string(kName) + ".algorithm",
                     "is not an algorithm of this scenario",
                     describe(wanted),
                     fmt::format("{}", fmt::join(all, ", ")),
                     name == nullptr ? "" : nearest_name(*name, all)});
  }
}

std::vector<std::uint32_t> Exclusions::left_out(const std::vector<std::uint32_t>& values,
                                                const std::function<Value()>& tree,
                                                Diagnostics& diagnostics) {
  std::set<std::uint32_t> all;
  Names names;
  if (kinds_vary_) names = last_names_ = names_in(tree());
  for (auto& rule : rules_) {
    if (kinds_vary_) note_names(rule, names);
    const bool chosen = std::ranges::all_of(rule.exclusion.values, [&](const auto& wanted) {
      return wanted.second.contains(values[wanted.first]);
    });
    if (!chosen ||
        (!rule.exclusion.expression.empty() && !rule.expression.holds(tree(), diagnostics)))
      continue;
    const auto own = kinds_vary_ ? positions_of(rule.exclusion, names) : rule.algorithms;
    rule.excludes = rule.excludes || !own.empty();
    all.insert(own.begin(), own.end());
  }
  return {all.begin(), all.end()};
}

std::vector<std::size_t> Exclusions::without_effect(Diagnostics& diagnostics) const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (kinds_vary_) report_unknown(rules_[i], last_names_, diagnostics);
    if (!rules_[i].excludes) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace posse
