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
    if (const Value* algorithms = reader.find("algorithm"))
      exclusion.algorithms = as_list(*algorithms);
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

Exclusions::Exclusions(const SweepSection& sweep, const Value& root, Diagnostics& diagnostics) {
  const Table* table = root.table();
  const auto list = table == nullptr ? Table::const_iterator{} : table->find("algorithm");
  const Array* entries = table == nullptr || list == table->end() ? nullptr : list->second.array();
  std::vector<std::vector<std::string>> names;  // of each algorithm
  std::vector<std::string> all;
  if (entries != nullptr)
    for (const auto& entry : *entries) {
      auto& own = names.emplace_back();
      for (const auto* key : {"label", "kind"})
        if (const auto name = text_at(entry, key); !name.empty()) own.push_back(name);
      if (!own.empty()) all.push_back(own.front());
    }
  algorithms_ = names.size();
  for (const auto& exclusion : sweep.exclusions) {
    std::set<std::uint32_t> positions;
    for (const auto& wanted : exclusion.algorithms) {
      const auto* name = std::get_if<std::string>(&wanted.data);
      bool found = false;
      for (std::uint32_t a = 0; name != nullptr && a < names.size(); ++a)
        if (std::ranges::find(names[a], *name) != names[a].end()) {
          positions.insert(a);
          found = true;
        }
      if (!found)
        diagnostics.add({wanted.location,
                         std::string(kName) + ".algorithm",
                         "is not an algorithm of this scenario",
                         describe(wanted),
                         fmt::format("{}", fmt::join(all, ", ")),
                         name == nullptr ? "" : nearest_name(*name, all)});
    }
    if (exclusion.algorithms.empty())
      for (std::uint32_t a = 0; a < names.size(); ++a) positions.insert(a);
    rules_.push_back({{positions.begin(), positions.end()},
                      exclusion,
                      Constraint(std::string(kName) + ".where",
                                 exclusion.expression,
                                 exclusion.expression_location,
                                 sweep.axes,
                                 root,
                                 diagnostics)});
  }
}

std::vector<std::uint32_t> Exclusions::left_out(const std::vector<std::uint32_t>& values,
                                                const std::function<Value()>& tree,
                                                Diagnostics& diagnostics) {
  std::set<std::uint32_t> all;
  for (auto& [algorithms, exclusion, expression] : rules_) {
    const bool holds = std::ranges::all_of(exclusion.values, [&](const auto& wanted) {
      return wanted.second.contains(values[wanted.first]);
    });
    if (holds && (exclusion.expression.empty() || expression.holds(tree(), diagnostics)))
      all.insert(algorithms.begin(), algorithms.end());
  }
  return {all.begin(), all.end()};
}

}  // namespace posse
