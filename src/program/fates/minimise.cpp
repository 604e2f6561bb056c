// SPDX-License-Identifier: Apache-2.0
#include "program/fates/minimise.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/overload.hpp"
#include "program/base/units.hpp"
#include "program/fates/properties.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

/// Simpler values than this one, the simplest first.
std::vector<Value> simpler(const Value& value) {
  std::vector<Value> all;
  const auto propose = [&](Value other) {
    if (toml_text(table_value({{"v", other}})) != toml_text(table_value({{"v", value}})))
      all.push_back(std::move(other));
  };
  std::visit(Overload{[&](std::int64_t number) {
                        for (const std::int64_t other : {std::int64_t{1}, number / 2, number - 1})
                          if (other >= 0 && other < number) propose({{}, other});
                      },
                      [&](double number) {
                        for (const double other : {0.0, 1.0, 0.5, std::round(number * 10) / 10}) {
                          if (number == other) break;  // those that follow are no simpler
                          propose(real_value(other));
                        }
                      },
                      [&](const std::string& text) {
                        if (const auto duration = parse_duration(text); duration.value) {
                          const std::int64_t ns = duration.value->ns;
                          for (const std::int64_t other : {std::int64_t{10'000'000},
                                                           ns / 2 / 1'000'000 * 1'000'000,
                                                           ns / 1'000'000 * 1'000'000})
                            if (other < ns && other > 0)
                              propose(text_value(format_duration({other})));
                        }
                      },
                      [&](const Table& table) {
                        // A distribution or a model: its simplest form.
                        if (table.contains("kind")) {
                          propose(text_value("10 ms"));
                          propose(table_value({{"kind", text_value("none")}}));
                          propose(real_value(0.5));
                        }
                      },
                      [](const auto&) {}},
             value.data);
  return all;
}

/// The seed draws everything; without limits some changes would give runs without end; input files
/// go when nothing names them.
bool is_kept(std::string_view key) {
  return key == "name" || key == "seed" || key == "limits" || key == "inputs";
}

class Minimiser {
 public:
  Minimiser(Value root, const StillFails& fails) : root_(std::move(root)), fails_(fails) {}

  std::string run() {
    do {
      changed_ = false;
      deletions(root_, true);
      simplifications(root_);
    } while (changed_);
    return present();
  }

 private:
  std::string present() const {
    Value root = root_;
    remove_unused_inputs(root);
    return toml_text(root);
  }

  /// Keeps the present tree if it fails; says so.
  bool keeps_failing() {
    if (!fails_(present())) return false;
    changed_ = true;
    return true;
  }

  /// Deletes what can be deleted in `value`, large parts first.
  void deletions(Value& value, bool top = false) {
    if (auto* table = std::get_if<Table>(&value.data)) {
      std::vector<std::string> keys;
      for (const auto& entry : *table) keys.push_back(entry.first);
      for (const auto& key : keys) {
        if (top && is_kept(key)) continue;
        auto node = table->extract(key);
        if (!keeps_failing()) table->insert(std::move(node));
      }
      for (auto& entry : *table)
        if (!top || !is_kept(entry.first)) deletions(entry.second);
    } else if (auto* array = std::get_if<Array>(&value.data)) {
      for (std::size_t i = array->size(); i-- > 0;) {
        const auto at = array->begin() + static_cast<std::ptrdiff_t>(i);
        Value removed = std::move(*at);
        array->erase(at);
        if (!keeps_failing())
          array->insert(array->begin() + static_cast<std::ptrdiff_t>(i), std::move(removed));
      }
      for (auto& element : *array) deletions(element);
    }
  }

  void simplifications(Value& value, const std::string& key = {}) {
    if (is_kept(key)) return;
    for (Value& other : simpler(value)) {
      std::swap(value, other);
      if (keeps_failing()) break;
      std::swap(value, other);
    }
    if (auto* table = std::get_if<Table>(&value.data))
      for (auto& entry : *table) simplifications(entry.second, entry.first);
    if (auto* array = std::get_if<Array>(&value.data))
      for (auto& element : *array) simplifications(element);
  }

  Value root_;
  const StillFails& fails_;
  bool changed_ = false;
};

}  // namespace

std::string minimise(const std::string& text, const StillFails& fails) {
  if (!fails(text)) return text;
  Diagnostics diagnostics;
  Value root = parse_toml(text, "", diagnostics);
  if (!diagnostics.empty()) return text;
  return Minimiser(std::move(root), fails).run();
}

MinimisedScenario minimise_violation(const std::string& text,
                                     std::string_view property,
                                     const std::atomic<bool>* stop) {
  const auto first = violations_of(make_trial(text), property);
  if (first.empty()) return {{}, {}, text};
  const std::string name = first.front().property;
  // What the reader says is as short as it can be, and other mistakes are easily made.
  if (name == run_properties().front().name) return {name, first.front().what, text};
  std::string what = first.front().what;
  const auto smallest = minimise(text, [&](const std::string& other) {
    if (stop != nullptr && *stop) return false;
    const auto violations = violations_of(make_trial(other), name);
    if (violations.empty()) return false;
    what = violations.front().what;
    return true;
  });
  return {name, what, with_violation({name, what}, smallest)};
}

}  // namespace posse
