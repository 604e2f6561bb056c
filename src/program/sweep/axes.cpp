// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/base/math.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/text.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/scenario/value.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/exclusions.hpp"

namespace posse {
namespace {

constexpr auto kAxisForms =
    "a list of values, or { from = 1, to = 100, steps = 3, scale = \"log\" }";

bool is_range(const Value& value) {
  const Table* table = value.table();
  return table != nullptr && (table->contains("from") || table->contains("to"));
}

/// Whether a key, or a part of it, has values already.
bool has_leaf(const Value& section, std::string_view path) {
  const Value* value = &section;
  while (!path.empty()) {
    const Table* table = value->table();
    if (table == nullptr || is_range(*value)) return true;
    const auto dot = path.find('.');
    const auto it = table->find(path.substr(0, dot));
    if (it == table->end()) return false;
    value = &it->second;
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return true;
}

class SweepReader {
 public:
  explicit SweepReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  SweepSection read(const Value& section) {
    sweep_.location = section.location;
    const Table* table = section.table();
    if (table == nullptr) {
      add(section.location, "sweep", "is not a table", "[sweep] with keys and their values");
      return std::move(sweep_);
    }
    read_axes(*table, "");
    // A table forgets the order of its keys; their lines have it. Inline ones share a line.
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.line < b.line;
    });
    for (auto& found : found_) sweep_.axes.push_back(std::move(found.axis));
    if (sweep_.axes.empty() && diagnostics_.empty())
      add(section.location, "sweep", "varies nothing", "\"population.clients\" = [1, 4, 16]");
    if (const auto it = table->find("exclude"); it != table->end())
      sweep_.exclusions = read_exclusions(it->second, sweep_.axes, diagnostics_);
    std::vector<bool> grouped(sweep_.axes.size(), false);
    if (const auto it = table->find("lock_step"); it != table->end())
      read_lock_step(it->second, grouped);
    for (std::size_t i = 0; i < grouped.size(); ++i)
      if (!grouped[i]) sweep_.groups.push_back({i});
    std::sort(sweep_.groups.begin(), sweep_.groups.end());
    for (const auto& group : sweep_.groups) reject_repeated(group);
    return std::move(sweep_);
  }

 private:
  struct Found {
    std::uint32_t line = 0;
    SweepAxis axis;
  };

  void add(const SourceLocation& location,
           std::string key,
           std::string problem,
           std::string allowed,
           std::string given = "") {
    diagnostics_.add(
        {location, std::move(key), std::move(problem), std::move(given), std::move(allowed), ""});
  }

  /// Keys without quotes, such as population.clients, are tables in tables.
  void read_axes(const Table& table, const std::string& prefix) {
    for (const auto& [name, value] : table) {
      if (prefix.empty() && name == "constraint") {
        read_constraint(value);
        continue;
      }
      if (prefix.empty() && (name == "lock_step" || name == "exclude")) continue;
      if (prefix.empty() && name == "named") {
        read_named(value);
        continue;
      }
      const std::string key = prefix + name;
      if (is_range(value)) {
        found_.push_back({value.location.line, {key, range(value, key), {}}});
      } else if (const Table* deeper = value.table()) {
        read_axes(*deeper, key + ".");
      } else {
        found_.push_back({value.location.line, {key, list(value, key), {}}});
      }
    }
  }

  static constexpr auto kNamedForms =
      "[sweep.named.link] with lan = { \"network.latency\" = \"1 ms\" } and more such lines";

  /// The dimensions with names, each a table of names and what they stand for.
  void read_named(const Value& value) {
    const Table* dimensions = value.table();
    if (dimensions == nullptr)
      return add(value.location, "sweep.named", "is not a table", kNamedForms, describe(value));
    for (const auto& [dimension, list] : *dimensions) {
      const std::string path = "sweep.named." + dimension;
      const bool word = std::all_of(dimension.begin(), dimension.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
      });
      if (dimension.empty() || !word) {
        add(list.location, path, "is not a plain word", "letters, digits, '-', '_'");
        continue;
      }
      if (dimension == "measure") {  // --columns measure
        add(list.location, path, "is what plots call what they show", "another name");
        continue;
      }
      const Table* names = list.table();
      if (names == nullptr || names->empty()) {
        add(list.location, path, "is not a table of names", kNamedForms, describe(list));
        continue;
      }
      read_names(dimension, *names);
    }
  }

  void read_names(const std::string& dimension, const Table& names) {
    struct Named {
      std::uint32_t line = 0;
      std::string name;
      Value keys;
    };
    std::vector<Named> in_order;
    for (const auto& [name, keys] : names) {
      const std::string path = fmt::format("sweep.named.{}.{}", dimension, name);
      Table assignments;
      if (keys.table() != nullptr) add_assignments(*keys.table(), "", assignments);
      if (name.empty() || !is_printable_line(name) || name.find_first_of("=,") != name.npos)
        add(keys.location, path, "is not a printable name", "words without '=' and ','");
      else if (name == "none" || amount_of_text(name))
        add(keys.location, path, "is a number or a quantity", "words: names are not computed with");
      else if (assignments.empty())
        add(keys.location, path, "sets no key", kNamedForms, describe(keys));
      else
        in_order.push_back({keys.location.line, name, {keys.location, std::move(assignments)}});
    }
    std::ranges::stable_sort(in_order, {}, &Named::line);
    SweepAxis axis{dimension, {}, {}};
    for (auto& [line, name, keys] : in_order) {
      axis.names.push_back(name);
      axis.values.push_back(std::move(keys));
    }
    if (axis.values.empty()) return;
    const auto line = in_order.front().line;
    found_.push_back({line, std::move(axis)});
  }

  /// Paths with their values. Tables with a kind, and lists, are values.
  static void add_assignments(const Table& table, const std::string& prefix, Table& assignments) {
    for (const auto& [name, value] : table) {
      const Table* deeper = value.table();
      if (deeper != nullptr && !deeper->contains("kind"))
        add_assignments(*deeper, prefix + name + ".", assignments);
      else
        assignments.insert_or_assign(prefix + name, value);
    }
  }

  void read_constraint(const Value& value) {
    const auto* text = std::get_if<std::string>(&value.data);
    if (text == nullptr)
      return add(value.location,
                 "sweep.constraint",
                 "is not a string",
                 "\"clients * 2 <= 128\"",
                 describe(value));
    sweep_.constraint = *text;
    sweep_.constraint_location = value.location;
  }

  std::vector<Value> list(const Value& value, const std::string& key) {
    const Array* array = value.array();
    if (array == nullptr || array->empty()) {
      add(value.location,
          "sweep." + key,
          array == nullptr ? "is neither a list nor a range" : "has no values",
          kAxisForms,
          array == nullptr ? describe(value) : "");
      return array == nullptr && value.table() == nullptr ? std::vector{value}
                                                          : std::vector<Value>{};
    }
    if (array->size() > kMostAxisValues) {
      add(value.location,
          "sweep." + key,
          "has too many values",
          fmt::format("{}", kMostAxisValues));
      return {};
    }
    return *array;
  }

  /// An end of a range.
  static std::optional<Amount> end_of(TableReader& reader, const char* name) {
    const Value* value = reader.find(name);
    const auto allowed = "a number, or a text with a unit such as \"10 ms\"";
    if (value == nullptr) {
      reader.error("", fmt::format("has no `{}`", name), allowed);
      return std::nullopt;
    }
    const auto end = amount_of(*value);
    if (!end || std::holds_alternative<bool>(value->data) || !std::isfinite(end->value)) {
      reader.error(name, "is not a quantity", allowed);
      return std::nullopt;
    }
    return end;
  }

  std::vector<Value> range(const Value& value, const std::string& key) {
    TableReader reader(value, "sweep." + key, diagnostics_);
    const auto from = end_of(reader, "from"), to = end_of(reader, "to");
    reader.require("steps", "the number of values, at least 2");
    const auto steps = reader.integer("steps");
    const auto scale = reader.choice("scale").value_or("linear");
    const bool whole = reader.boolean("whole").value_or(false);
    reader.finish();
    std::vector<Value> only_from =
        from ? std::vector{value_with(*from, value.location)} : std::vector<Value>{};
    if (!from || !to || !steps) return only_from;
    if (from->unit != to->unit) {
      reader.error("to", "has another kind of unit than `from`", "both durations, both sizes, …");
      return only_from;
    }
    if (from->value == to->value) {
      reader.error("to", "equals `from`", "two different ends");
      return only_from;
    }
    const bool logarithmic = scale == "log";
    if (logarithmic && !(from->value > 0 && to->value > 0)) {
      reader.error("scale", "needs ends above 0", "ends above 0, or scale = \"linear\"");
      return only_from;
    }
    std::vector<Value> values;
    for (std::int64_t i = 0; i < *steps; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(*steps - 1);
      double x =
          i == 0            ? from->value
          : i == *steps - 1 ? to->value
          : logarithmic
              ? rounded(from->value * math::exp(share * math::log(to->value / from->value)), 4)
              : rounded(from->value + share * (to->value - from->value), 12);
      if (whole) x = std::round(x);
      auto next = value_with({x, from->unit}, value.location);
      if (values.empty() || next.data.index() != values.back().data.index() ||
          inline_toml(next) != inline_toml(values.back()))
        values.push_back(std::move(next));
    }
    return values;
  }

  void read_lock_step(const Value& value, std::vector<bool>& grouped) {
    const auto allowed =
        "[[\"population.clients\", \"server.quorum\"]]: lists of keys of this sweep";
    const Array* groups = value.array();
    if (groups == nullptr)
      return add(value.location, "sweep.lock_step", "is not a list", allowed, describe(value));
    for (const auto& entry : *groups) {
      const Array* keys = entry.array();
      if (keys == nullptr || keys->size() < 2) {
        add(entry.location, "sweep.lock_step", "needs two or more keys in each list", allowed);
        continue;
      }
      std::vector<std::size_t> group;
      for (const auto& key : *keys) {
        const auto axis = find_axis(key);
        if (!axis) continue;
        if (grouped[*axis]) {
          add(key.location, "sweep.lock_step", "names a key twice", allowed, describe(key));
          continue;
        }
        grouped[*axis] = true;
        group.push_back(*axis);
      }
      if (group.empty()) continue;
      const auto& first = sweep_.axes[group.front()];
      for (const auto axis : group)
        if (const auto& other = sweep_.axes[axis]; other.values.size() != first.values.size())
          add(keys->front().location,
              "sweep.lock_step",
              fmt::format("keys have different numbers of values: {} has {}, {} has {}",
                          first.key,
                          first.values.size(),
                          other.key,
                          other.values.size()),
              "equally many values");
      std::sort(group.begin(), group.end());
      sweep_.groups.push_back(std::move(group));
    }
  }

  /// Of keys in lock-step, all values together may not be there twice.
  void reject_repeated(const std::vector<std::size_t>& group) {
    std::set<std::vector<std::string>> seen;
    const auto& first = sweep_.axes[group.front()];
    for (std::size_t i = 0; i < first.values.size(); ++i) {
      std::vector<std::string> together;
      for (const auto axis : group)
        if (i < sweep_.axes[axis].values.size())
          together.push_back(inline_toml(sweep_.axes[axis].values[i]));
      if (together.size() < group.size() || seen.insert(together).second) continue;
      return add(
          first.values[i].location,
          "sweep." + first.key,
          group.size() == 1 ? "has a value twice" : "has the same values twice, in lock-step",
          "different values",
          describe(first.values[i]));
    }
  }

  std::optional<std::size_t> find_axis(const Value& key) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sweep_.axes.size(); ++i) {
      names.push_back(sweep_.axes[i].key);
      if (const auto* text = std::get_if<std::string>(&key.data);
          text != nullptr && *text == names.back())
        return i;
    }
    const auto* text = std::get_if<std::string>(&key.data);
    diagnostics_.add({key.location,
                      "sweep.lock_step",
                      "names a key that doesn't vary",
                      describe(key),
                      fmt::format("{}", fmt::join(names, ", ")),
                      text == nullptr ? "" : nearest_name(*text, names)});
    return std::nullopt;
  }

  Diagnostics& diagnostics_;
  SweepSection sweep_;
  std::vector<Found> found_;
};

}  // namespace

bool is_main_parameter(std::string_view parameter) {
  return parameter == "value" || parameter == "mean" || parameter == "median" || parameter == "p";
}

std::string value_text(const Value& value) {
  if (const auto* words = std::get_if<std::string>(&value.data)) return *words;
  const Table* table = value.table();
  if (table == nullptr) return inline_toml(value);
  auto kind = table->find("kind");
  if (kind == table->end()) kind = table->find("policy");
  if (kind == table->end()) return inline_toml(value);
  std::string text = value_text(kind->second), rest;
  for (const auto& [key, entry] : *table) {
    if (key == kind->first) continue;
    const auto part = value_text(entry);
    if (is_main_parameter(key))
      text += " " + part;
    else
      rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", key, part);
  }
  return rest.empty() ? text : fmt::format("{} ({})", text, rest);
}

std::string SweepAxis::text(std::size_t position) const {
  return names.empty() ? value_text(values[position]) : names[position];
}

std::vector<std::pair<std::string, Value>> SweepAxis::assignments(std::size_t position) const {
  if (names.empty()) return {{key, values[position]}};
  const Table& table = *values[position].table();
  return {table.begin(), table.end()};
}

std::uint64_t SweepSection::combinations() const {
  std::uint64_t product = 1;
  for (const auto& group : groups)
    if (__builtin_mul_overflow(product, axes[group.front()].values.size(), &product))
      return std::numeric_limits<std::uint64_t>::max();
  return product;
}

void reject_overlaps(const SweepSection& sweep, const Value& root, Diagnostics& diagnostics) {
  struct Setter {
    std::size_t axis = 0, position = 0;
  };
  std::map<std::string, Setter> setters;  // by path
  const auto clashes = [](const Setter& a, const Setter& b) {
    return a.axis != b.axis || a.position == b.position;
  };
  for (std::size_t a = 0; a < sweep.axes.size(); ++a)
    for (std::size_t i = 0; i < sweep.axes[a].values.size(); ++i)
      for (const auto& [path, value] : sweep.axes[a].assignments(i))
        for (const auto& selected : selected_paths(root, path)) {
          const Setter now{a, i};
          const auto reject = [&](const std::string& words, const Setter& other) {
            diagnostics.add(
                {value.location,
                 "sweep." + sweep.axes[a].key,
                 fmt::format("sets {}, {} {}, too",
                             path,
                             words,
                             other.axis == a ? "it sets" : sweep.axes[other.axis].key + " sets"),
                 "",
                 "each key once",
                 ""});
          };
          for (auto end = selected.size(); end != std::string::npos && end > 0;
               end = selected.rfind('.', end - 1)) {
            const auto it = setters.find(selected.substr(0, end));
            if (it != setters.end() && clashes(it->second, now)) return reject("which", it->second);
          }
          const auto below = setters.lower_bound(selected + ".");
          if (below != setters.end() && below->first.starts_with(selected + ".") &&
              clashes(below->second, now))
            return reject("of which a part", below->second);
          setters[selected] = now;
        }
}

void nest_quoted_keys(Value& section, Diagnostics& diagnostics) {
  auto* table = std::get_if<Table>(&section.data);
  if (table == nullptr) return;
  std::vector<std::string> quoted;
  for (const auto& [key, value] : *table)
    if (key.find('.') != std::string::npos) quoted.push_back(key);
  for (const auto& key : quoted) {
    const Value value = table->extract(key).mapped();
    if (has_leaf(section, key) || !set_value(section, key, value))
      diagnostics.add({value.location,
                       "sweep." + key,
                       "is there twice, or is a part of another key",
                       "",
                       "each key once",
                       ""});
  }
}

SweepSection read_sweep(const Value& section, Diagnostics& diagnostics) {
  return SweepReader(diagnostics).read(section);
}

}  // namespace posse
