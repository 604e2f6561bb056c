// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/constraint.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "program/sweep/amount.hpp"

namespace posse {
namespace {

constexpr std::array<std::string_view, 5> kConstraintFunctions{"abs", "min", "max", "sqrt", "rint"};
constexpr auto kConstraintForms =
    "keys, numbers, + - * / ( ) < <= > >= == != && || ?: abs min max sqrt rint, e.g. "
    "\"clients * 2 <= 128\"";

/// The paths of all numbers below `value`.
void add_keys(const Value& value, const std::string& path, std::vector<std::string>& keys) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if (const auto* table = value.table()) {
    for (const auto& [name, entry] : *table) add_keys(entry, prefix + name, keys);
  } else if (const auto* array = value.array()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      if ((*array)[i].table() != nullptr) add_keys((*array)[i], prefix + std::to_string(i), keys);
  } else if (amount_of(value)) {
    keys.push_back(path);
  }
}

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c));
}

}  // namespace

struct Constraint::Compiled {
  std::vector<double> values;
  mu::Parser parser;
};

Constraint::Constraint(std::string name,
                       std::string text,
                       const SourceLocation& location,
                       const std::vector<SweepAxis>& axes,
                       const Value& root,
                       Diagnostics& diagnostics)
    : name_(std::move(name)), text_(std::move(text)), location_(location) {
  if (!text_.empty()) compile(axes, root, diagnostics);
}

void Constraint::compile(const std::vector<SweepAxis>& axes,
                         const Value& root,
                         Diagnostics& diagnostics) {
  bool failed = false;
  const auto reject = [&](std::string problem, std::string allowed, std::string nearest = "") {
    if (!std::exchange(failed, true))
      diagnostics.add({location_,
                       name_,
                       std::move(problem),
                       fmt::format("\"{}\"", text_),
                       std::move(allowed),
                       std::move(nearest)});
  };
  std::vector<std::string> swept, all;
  for (const auto& axis : axes)
    if (axis.names.empty()) swept.push_back(axis.key);
  add_keys(root, "", all);
  const auto with_last_part = [](const std::vector<std::string>& keys, std::string_view name) {
    std::vector<std::string> found;
    for (const auto& key : keys)
      if (last_part(key) == name) found.push_back(key);
    return found;
  };
  const auto variable = [&](const std::string& key) {
    const auto it = std::find(keys_.begin(), keys_.end(), key);
    const auto number = static_cast<std::size_t>(it - keys_.begin());
    if (it == keys_.end()) keys_.push_back(key);
    return fmt::format("v{}", number);
  };
  const auto named = [&](const std::string& name) -> std::string {
    auto found = with_last_part(swept, name);
    if (found.empty()) found = with_last_part(all, name);
    if (found.size() == 1) return variable(found.front());
    if (!found.empty()) {
      reject(fmt::format("'{}' is the end of several keys", name),
             fmt::format("one of them in quotes: '{}'", fmt::join(found, "', '")));
      return "0";
    }
    std::vector<std::string> names;
    for (const auto& key : all) names.emplace_back(last_part(key));
    reject(fmt::format("'{}' is not a number in this scenario", name),
           kConstraintForms,
           nearest_name(name, names));
    return "0";
  };
  std::string inner;
  for (std::size_t i = 0; i < text_.size();) {
    const char c = text_[i];
    if (c == '"' || c == '\'') {
      const auto end = text_.find(c, i + 1);
      if (end == std::string::npos) return reject("has a quote without its end", kConstraintForms);
      const auto key = text_.substr(i + 1, end - i - 1);
      const auto* value = find_value(root, key);
      if (value == nullptr || !amount_of(*value))
        reject(fmt::format("'{}' is not a number in this scenario", key),
               kConstraintForms,
               nearest_name(key, all));
      inner += variable(key);
      i = end + 1;
    } else if (begins_name(c)) {
      auto end = i;
      while (end < text_.size() && continues_name(text_[end])) ++end;
      const auto name = text_.substr(i, end - i);
      const bool function =
          std::find(kConstraintFunctions.begin(), kConstraintFunctions.end(), name) !=
          kConstraintFunctions.end();
      inner += function ? name : named(name);
      i = end;
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      auto end = i;  // a number, with its exponent
      while (end < text_.size() &&
             (std::isdigit(static_cast<unsigned char>(text_[end])) || text_[end] == '.' ||
              ((text_[end] == 'e' || text_[end] == 'E') && end > i) ||
              ((text_[end] == '-' || text_[end] == '+') &&
               (text_[end - 1] == 'e' || text_[end - 1] == 'E'))))
        ++end;
      inner += text_.substr(i, end - i);
      i = end;
    } else {
      const bool assignment =
          c == '=' &&
          (i == 0 || std::string_view("<>!=").find(text_[i - 1]) == std::string_view::npos) &&
          (i + 1 == text_.size() || text_[i + 1] != '=');
      if (assignment) return reject("'=' assigns", "'==' to compare");
      if (c == '^') return reject("'^' is not allowed here", kConstraintForms);
      inner += c;
      ++i;
    }
  }
  if (failed) return;
  auto compiled = std::make_unique<Compiled>();
  compiled->values.assign(keys_.size(), 1.0);
  try {
    mu::Parser& parser = compiled->parser;
    parser.ClearConst();
    for (std::size_t i = 0; i < keys_.size(); ++i)
      parser.DefineVar(fmt::format("v{}", i), &compiled->values[i]);
    parser.SetExpr(inner);
    parser.Eval();
    if (parser.GetNumResults() != 1) return reject("has several results", kConstraintForms);
  } catch (const mu::Parser::exception_type& error) {
    std::string message = error.GetMsg();
    message.resize(std::min(message.size(), message.find(" at ")));
    message.resize(std::min(message.size(), message.find(" found at ")));
    return reject(fmt::format("can't be understood: {}", message), kConstraintForms);
  }
  compiled_ = std::move(compiled);
}

Constraint::~Constraint() = default;
Constraint::Constraint(Constraint&&) noexcept = default;

bool Constraint::holds(const Value& setting, Diagnostics& diagnostics) {
  if (!compiled_) return true;
  const auto reject = [&](std::string problem) {
    diagnostics.add({location_, name_, std::move(problem), "", kConstraintForms, ""});
    return true;
  };
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const Value* value = find_value(setting, keys_[i]);
    const auto amount = value == nullptr ? std::nullopt : amount_of(*value);
    if (!amount) return reject(fmt::format("'{}' is not always a number", keys_[i]));
    compiled_->values[i] = amount->value;
  }
  const double result = compiled_->parser.Eval();
  if (std::isnan(result)) return reject("is undefined for some setting (0 / 0?)");
  return result != 0;
}

}  // namespace posse
