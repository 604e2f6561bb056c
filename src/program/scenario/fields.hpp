// SPDX-License-Identifier: Apache-2.0
// How a key's value gets from a table of the scenario into an object, and back: the field of the
// key's row in the schema. What is read is therefore written, and a default is said once, where the
// object's type says it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "program/base/units.hpp"
#include "program/scenario/network_values.hpp"
#include "program/scenario/rule_scope.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// A key and its value as TOML.
using WrittenKey = std::pair<std::string_view, std::string>;
/// `{ a = b, … }`
std::string inline_table(const std::vector<WrittenKey>& keys);
/// `["a", "b"]`
std::string texts_toml(const std::vector<std::string>& texts);
/// One text, or a list of several; "" without texts.
std::string one_or_several_toml(const std::vector<std::string>& texts);

template <class T>
struct OptionalOf : std::false_type {
  using Value = T;
};
template <class T>
struct OptionalOf<std::optional<T>> : std::true_type {
  using Value = T;
};

/// The value of a key by its type in the schema; nothing if it is absent or wrong.
template <class T>
std::optional<T> read_as(TableReader& reader, const KeySpec& key) {
  if constexpr (std::is_same_v<T, std::string>) {
    return reader.text(key.name);
  } else if constexpr (std::is_same_v<T, bool>) {
    return reader.boolean(key.name);
  } else if constexpr (std::is_same_v<T, Duration>) {
    return reader.duration(key.name);
  } else if constexpr (std::is_same_v<T, Time>) {
    const auto time = reader.duration(key.name);
    return time ? std::optional(Time{time->ns}) : std::nullopt;
  } else if constexpr (std::is_same_v<T, double>) {
    if (key.type != KeyType::duration) return reader.real(key.name);
    const auto time = reader.duration(key.name);
    return time ? std::optional(time->to_seconds()) : std::nullopt;
  } else {
    static_assert(std::is_unsigned_v<T>);
    if (key.type == KeyType::size) return reader.size(key.name);
    const auto number = reader.integer(key.name);
    return number ? std::optional(static_cast<T>(*number)) : std::nullopt;
  }
}

/// A value as TOML, by the key's type in the schema.
template <class T>
std::string toml_of(const KeySpec& key, const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return toml_string(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, Duration>) {
    return toml_string(format_duration(value));
  } else if constexpr (std::is_same_v<T, Time>) {
    return toml_string(format_duration(Duration{value.ns}));
  } else if constexpr (std::is_same_v<T, double>) {
    return key.type == KeyType::duration ? toml_string(format_duration(Duration::seconds(value)))
                                         : format_real(value);
  } else {
    static_assert(std::is_unsigned_v<T>);
    return key.type == KeyType::size ? toml_string(format_size(value)) : fmt::format("{}", value);
  }
}

/// The field of a key in an `Object`.
template <class Object>
struct FieldOf : Field {
  std::function<void(TableReader&, const KeySpec&, Object&, const ReadContext&)> read;
  std::function<std::string(const KeySpec&, const Object&)> write;  // TOML; "": it isn't written
  std::function<std::string(const KeySpec&)> usual;                 // TOML; empty: no default

  std::string default_toml(const KeySpec& key) const override { return usual ? usual(key) : ""; }
};

/// Access to a member of the rule that is a member of an object, which may be const.
template <class Rule, class Member>
auto in_rule(Member Rule::*member) {
  return [member](auto& object) -> auto& { return object.rule.*member; };
}

/// Fields of keys in an `Object`. An `access` is a pointer to a member, or a function that returns
/// a reference to something in an object, which may be const.
template <class Object>
struct FieldsOf {
  using One = FieldOf<Object>;
  using Condition = std::function<bool(const Object&)>;

  template <class Access>
  using At = std::remove_cvref_t<std::invoke_result_t<Access, const Object&>>;

  /// A text, truth, number, duration or size, or an optional one, which is written if present.
  template <class Access>
  static std::shared_ptr<One> value(Access access) {
    using Present = typename OptionalOf<At<Access>>::Value;
    auto field = std::make_shared<One>();
    field->read = [access](auto& reader, const auto& key, Object& to, const auto&) {
      if (auto given = read_as<Present>(reader, key)) std::invoke(access, to) = std::move(*given);
    };
    field->write = [access](const auto& key, const Object& from) {
      return present(std::invoke(access, from),
                     [&](const Present& it) { return toml_of(key, it); });
    };
    field->usual = [access](const auto& key) {
      static const Object made{};
      return present(std::invoke(access, made),
                     [&](const Present& it) { return toml_of(key, it); });
    };
    return field;
  }

  /// One of a few values, or an optional one, each with its name, which are the key's choices.
  template <class Access>
  static std::shared_ptr<One> named(
      Access access,
      std::vector<std::pair<std::string_view, typename OptionalOf<At<Access>>::Value>> names) {
    using Present = typename OptionalOf<At<Access>>::Value;
    auto field = std::make_shared<One>();
    for (const auto& [name, each] : names) field->choices.push_back(name);
    field->read = [access, names](auto& reader, const auto& key, Object& to, const auto&) {
      const auto given = reader.choice(key.name);
      for (const auto& [name, each] : names)
        if (given == name) std::invoke(access, to) = each;
    };
    const auto text = [names](const Present& it) {
      for (const auto& [name, each] : names)
        if (each == it) return toml_string(name);
      return std::string();
    };
    field->write = [access, text](const auto&, const Object& from) {
      return present(std::invoke(access, from), text);
    };
    field->usual = [access, text](const auto&) {
      static const Object made{};
      return present(std::invoke(access, made), text);
    };
    return field;
  }

  /// A selector of nodes, or an optional one, whose name is kept in the object's scope.
  template <class Access>
  static std::shared_ptr<One> nodes(Access access) {
    auto field = value(access);
    field->read = [access](auto& reader, const auto& key, Object& to, const auto&) {
      if (auto given = read_nodes_of_rule(reader, key.name, to.scope))
        std::invoke(access, to) = std::move(*given);
    };
    return field;
  }

  /// The name of a message type, which is kept in the object's scope, or one of the `others`.
  template <class Access>
  static std::shared_ptr<One> message(Access access, std::vector<std::string_view> others = {}) {
    auto field = value(access);
    field->read = [access, others](auto& reader, const auto& key, Object& to, const auto&) {
      const auto given = reader.text(key.name);
      if (!given) return;
      std::invoke(access, to) = *given;
      if (std::ranges::find(others, *given) == others.end())
        keep_name(reader, key.name, NameInRule::Of::message, *given, to.scope);
    };
    return field;
  }

  /// An optional rate.
  template <class Access>
  static std::shared_ptr<One> rate(Access access) {
    return own(
        [access](auto& reader, const auto& key, Object& to, const ReadContext& of) {
          std::invoke(access, to) = read_rate(reader, key.name, of);
        },
        [access](const auto&, const Object& from) {
          return present(std::invoke(access, from), rate_toml);
        });
  }

  /// A duration or a distribution of durations.
  template <class Access>
  static std::shared_ptr<One> distribution(Access access, Durations which) {
    return own(
        [access, which](auto& reader, const auto& key, Object& to, const ReadContext& of) {
          if (auto given = read_duration(reader, key.name, which, of.scenario, of.diagnostics))
            std::invoke(access, to) = std::move(*given);
        },
        [access](const auto&, const Object& from) {
          return present(std::invoke(access, from), component_toml);
        });
  }

  /// The algorithms that a rule is for; read_scope reads them.
  static std::shared_ptr<One> algorithms() {
    return written(
        [](const auto&, const Object& from) { return one_or_several_toml(from.scope.algorithms); });
  }

  /// Reads and writes in its own way.
  template <class Read, class Write>
  static std::shared_ptr<One> own(Read read, Write write) {
    auto field = std::make_shared<One>();
    field->read = std::move(read);
    field->write = std::move(write);
    return field;
  }

  /// Written by this; the section's reader reads it.
  template <class Write>
  static std::shared_ptr<One> written(Write write) {
    return own(nullptr, std::move(write));
  }

  /// The field, but written only where the condition holds.
  static std::shared_ptr<One> only_if(Condition condition, std::shared_ptr<One> field) {
    field->write = [condition = std::move(condition), write = std::move(field->write)](
                       const auto& key, const Object& from) {
      return condition(from) ? write(key, from) : std::string();
    };
    return field;
  }

  /// The field, but written only where its value is not the default.
  static std::shared_ptr<One> if_unusual(std::shared_ptr<One> field) {
    field->write = [usual = field->usual, write = std::move(field->write)](const auto& key,
                                                                           const Object& from) {
      auto text = write(key, from);
      return text == usual(key) ? std::string() : text;
    };
    return field;
  }

  /// A field of a part of the object.
  template <class Part>
  static std::shared_ptr<One> within(Part Object::*part,
                                     std::shared_ptr<const FieldOf<Part>> field) {
    auto outer = own(
        [part, field](auto& reader, const auto& key, Object& to, const ReadContext& of) {
          field->read(reader, key, to.*part, of);
        },
        [part, field](const auto& key, const Object& from) {
          return field->write(key, from.*part);
        });
    outer->choices = field->choices;
    outer->usual = [part, field](const auto& key) {
      static const Object made{};
      return field->write(key, made.*part);
    };
    return outer;
  }

 private:
  template <class T, class Text>
  static std::string present(const T& it, const Text& text) {
    if constexpr (OptionalOf<T>::value)
      return it ? text(*it) : std::string();
    else
      return text(it);
  }
};

/// The row of `algorithm` in every rule.
template <class Rule>
KeySpec algorithm_of_rule() {
  return {.name = "algorithm",
          .type = KeyType::labels,
          .meaning = "only in runs of this algorithm, or of these",
          .values = "a label, or a list of labels",
          .otherwise = "all algorithms",
          .field = FieldsOf<Rule>::algorithms()};
}

/// The key's field, which must be one of an `Object`; null if it has none.
template <class Object>
std::shared_ptr<const FieldOf<Object>> field_of(const KeySpec& key) {
  if (key.field == nullptr) return nullptr;
  auto field = std::dynamic_pointer_cast<const FieldOf<Object>>(key.field);
  POSSE_CHECK(field != nullptr, "the field of {} is one of another object", key.name);
  return field;
}

/// Reads the keys of a section that have fields, in the schema's order.
template <class Object>
void read_fields(TableReader& reader, Object& to, const ReadContext& context) {
  for (const auto& key : reader.section().keys)
    if (const auto field = field_of<Object>(key))
      if (field->read) field->read(reader, key, to, context);
}

/// Reads the rules at `key`, a list of tables; `keep(reader, rule)` checks each and moves it to
/// where it belongs.
template <class Rule, class Keep>
void read_rules(TableReader& parent,
                std::string_view key,
                const ReadContext& context,
                const Keep& keep) {
  const auto tables = parent.tables(key);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TableReader reader(
        tables[i], fmt::format("{}.{}", parent.path_of(key), i), context.diagnostics);
    Rule rule;
    rule.scope = read_scope(reader, context.scenario, context.known);
    read_fields(reader, rule, context);
    keep(reader, rule);
    reader.finish();
  }
}

/// What is written of an object, in the schema's order.
template <class Object>
std::vector<WrittenKey> written_keys(std::string_view section, const Object& from) {
  std::vector<WrittenKey> keys;
  for (const auto& key : find_section(section)->keys)
    if (const auto field = field_of<Object>(key))
      if (auto text = field->write(key, from); !text.empty())
        keys.emplace_back(key.name, std::move(text));
  return keys;
}

}  // namespace posse
