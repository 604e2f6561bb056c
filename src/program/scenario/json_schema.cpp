// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/json_schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/fault_reader.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

using Schema = Json;

constexpr auto kUnitPattern = R"(^ *[0-9.]+([eE][-+]?[0-9]+)? *({}) *$)";

Schema with_unit(std::string_view units) {
  return {{"type", "string"}, {"pattern", fmt::format(fmt::runtime(kUnitPattern), units)}};
}
Schema duration_schema() { return with_unit("ns|us|µs|μs|ms|s|min|h"); }
Schema size_schema() { return with_unit("B|kB|MB|GB|KiB|MiB|GiB"); }
Schema rate_schema() { return with_unit("bit/s|kbit/s|Mbit/s|Gbit/s|B/s|kB/s|MB/s|GB/s"); }
Schema text_schema() { return {{"type", "string"}}; }

Schema any_of(std::vector<Schema> schemas) {
  Schema schema;
  for (auto& each : schemas) schema["anyOf"].push_back(std::move(each));
  return schema;
}
Schema list_of(Schema element, std::size_t least = 1) {
  return {{"type", "array"}, {"items", std::move(element)}, {"minItems", least}};
}
Schema one_of(const std::vector<std::string>& names) { return {{"enum", names}}; }

/// Whole numbers without a point.
Schema schema_number(double x) {
  constexpr double kExact = 9007199254740992;
  if (std::rint(x) == x && std::abs(x) <= kExact) return static_cast<std::int64_t>(x);
  return x;
}

/// KeySpec and ParameterSpec alike.
template <class Spec>
Schema number_schema(const Spec& spec, const char* type) {
  Schema schema{{"type", type}};
  if (!std::isinf(spec.min))
    schema[spec.min_open ? "exclusiveMinimum" : "minimum"] = schema_number(spec.min);
  if (!std::isinf(spec.max))
    schema[spec.max_open ? "exclusiveMaximum" : "maximum"] = schema_number(spec.max);
  return schema;
}

Schema parameter_schema(const ParameterSpec& spec) {
  Schema schema;
  switch (spec.type) {
    case ParameterType::boolean:
      schema = {{"type", "boolean"}};
      break;
    case ParameterType::integer:
      schema = number_schema(spec, "integer");
      break;
    case ParameterType::real:
      schema = number_schema(spec, "number");
      break;
    case ParameterType::numbers:
      schema = any_of({number_schema(spec, "number"), list_of(number_schema(spec, "number"))});
      break;
    case ParameterType::duration:
      schema = duration_schema();
      break;
    case ParameterType::size_bytes:
      schema = size_schema();
      break;
    case ParameterType::text:
      schema =
          spec.choices.empty() ? text_schema() : one_of({spec.choices.begin(), spec.choices.end()});
      break;
    case ParameterType::file:
    case ParameterType::folder:
      schema = text_schema();
      break;
  }
  const bool may_be_auto = std::holds_alternative<std::monostate>(spec.default_value);
  if (may_be_auto) schema = any_of({std::move(schema), {{"const", "auto"}}});
  schema["description"] = fmt::format(
      "{} ({}{}; {})",
      spec.help,
      range_text(spec),
      spec.unit.empty() ? "" : fmt::format("; in {}", spec.unit),
      spec.required ? "must be given" : "default: " + format_value(spec, spec.default_value));
  return schema;
}

/// A kind that a section or an inline table may have, and what it is.
struct NamedKind {
  std::string name;
  std::string_view summary;
  const std::vector<ParameterSpec>* parameters;
};
template <class Specs>
std::vector<NamedKind> named(const Specs& specs) {
  std::vector<NamedKind> kinds;
  for (const auto& spec : specs) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(spec)>>)
      kinds.push_back({std::string(spec->kind), spec->summary, &spec->parameters});
    else
      kinds.push_back({std::string(spec.kind), spec.summary, &spec.parameters});
  }
  return kinds;
}

/// A table with `kind`, that kind's parameters, and `common` keys. Editors propose all keys of the
/// first level; which of them a kind has, its condition says.
Schema table_with_kind(const std::vector<NamedKind>& kinds, const Schema& common) {
  std::vector<std::string> names, lines;
  Schema properties = Schema::object(), conditions = Schema::array();
  for (const auto& kind : kinds) {
    names.push_back(kind.name);
    Schema own = Schema::object();
    std::vector<std::string> allowed{"kind"}, required;
    for (const auto& [key, schema] : common.items()) allowed.push_back(key);
    for (const auto& parameter : *kind.parameters) {
      const std::string key(parameter.name);
      own[key] = parameter_schema(parameter);
      if (!properties.contains(key)) properties[key] = {{"description", parameter.help}};
      allowed.push_back(key);
      if (parameter.required) required.push_back(key);
    }
    Schema then{{"description", kind.summary},
                {"properties", std::move(own)},
                {"propertyNames", one_of(allowed)}};
    if (!required.empty()) then["required"] = required;
    conditions.push_back(
        {{"if", {{"properties", {{"kind", {{"const", kind.name}}}}}}}, {"then", std::move(then)}});
  }
  Schema all{{"kind", one_of(names)}};
  all.update(common);
  for (const auto& [key, schema] : properties.items())
    if (!all.contains(key)) all[key] = schema;
  return {{"type", "object"},
          {"properties", std::move(all)},
          {"required", {"kind"}},
          {"additionalProperties", false},
          {"allOf", std::move(conditions)}};
}

Schema trace_schema(const std::vector<ParameterSpec>& parameters) {
  Schema schema{{"type", "object"}, {"additionalProperties", false}};
  for (const auto& parameter : parameters) {
    schema["properties"][std::string(parameter.name)] = parameter_schema(parameter);
    if (parameter.required) schema["required"].push_back(parameter.name);
  }
  return schema;
}

/// `network`: the section [network] itself; of all links there may be a matrix.
Schema distribution_schema(std::string_view section) {
  auto kinds = named(duration_specs());
  std::erase_if(kinds, [&](const NamedKind& kind) {
    return (kind.name == "matrix" && section != "network") ||
           (kind.name == "trace" && section.starts_with("compute"));
  });
  return any_of({duration_schema(), table_with_kind(kinds, Schema::object())});
}

Schema loss_schema() {
  const Schema probability{{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
  auto kinds = named(loss_specs());
  auto table = table_with_kind(kinds, Schema::object());
  for (auto& condition : table["allOf"])  // the one whose parameter is a table
    if (condition["if"]["properties"]["kind"]["const"] == "by-type")
      condition["then"] = {
          {"properties", {{"p", {{"type", "object"}, {"additionalProperties", probability}}}}},
          {"propertyNames", one_of({"kind", "p"})},
          {"required", {"p"}}};
  return any_of({probability, std::move(table)});
}

Schema selectors_schema() {
  const Schema share{{"type", "object"},
                     {"properties",
                      {{"nodes", text_schema()},
                       {"share", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}}}}},
                     {"required", {"share"}},
                     {"additionalProperties", false}};
  return list_of(any_of({text_schema(), share}));
}

Schema section_schema(const SectionSpec& section);

Schema key_schema(const SectionSpec& section, const KeySpec& key) {
  switch (key.type) {
    case KeyType::text:
    case KeyType::selector:
      return text_schema();
    case KeyType::choice:
      return one_of({key.choices.begin(), key.choices.end()});
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::whole:
      return number_schema(key, "integer");
    case KeyType::choice_or_whole:
      return any_of(
          {one_of({key.choices.begin(), key.choices.end()}), number_schema(key, "integer")});
    case KeyType::number:
      return number_schema(key, "number");
    case KeyType::duration:
      return duration_schema();
    case KeyType::choice_or_duration:
      return any_of({one_of({key.choices.begin(), key.choices.end()}), duration_schema()});
    case KeyType::size:
      return size_schema();
    case KeyType::selectors:
      return any_of({text_schema(), selectors_schema()});
    case KeyType::groups:
      return list_of(selectors_schema(), 2);
    case KeyType::labels:
      return any_of({text_schema(), list_of(text_schema())});
    case KeyType::answers:
      return any_of({{{"type", "integer"}, {"minimum", 1}}, with_unit("%")});
    case KeyType::kind: {  // of [[fault]]; others are part of table_with_kind
      std::vector<std::string> names;
      for (const auto& kind : fault_kinds()) names.emplace_back(kind.name);
      return one_of(names);
    }
    case KeyType::distribution:
      return distribution_schema(section.path);
    case KeyType::loss:
      return loss_schema();
    case KeyType::factor:
      return trace_schema(factor_trace_parameters());
    case KeyType::rate_or_trace:
      return any_of({rate_schema(), trace_schema(rate_trace_parameters())});
    case KeyType::heterogeneity:
      return table_with_kind(named(heterogeneity_specs()), Schema::object());
    case KeyType::noise:
      return table_with_kind(named(noise_specs()), Schema::object());
    case KeyType::amount:
      return {{"type", {"number", "string"}}};
    case KeyType::texts:
      return list_of(text_schema());
    case KeyType::lists:
      return list_of(list_of(text_schema(), 2));
    case KeyType::table:
    case KeyType::tables: {
      const auto path =
          fmt::format("{}{}{}", section.path, section.path.empty() ? "" : ".", key.name);
      auto schema = section_schema(*find_section(path));
      return key.type == KeyType::table ? schema : list_of(std::move(schema));
    }
  }
  return {};
}

std::string description(const SectionSpec& section, const KeySpec& key) {
  const auto values = values_text(section, key);
  std::string text(key.meaning);
  const auto add = [&](std::string_view more) {
    text += fmt::format("{}{}", text.empty() ? "" : "; ", more);
  };
  if (!values.empty()) add(values);
  if (!key.otherwise.empty())
    add(key.otherwise.starts_with("must") ? key.otherwise
                                          : fmt::format("default: {}", key.otherwise));
  return text;
}

Schema thresholds_schema() {
  const Schema condition{{"type", "string"}, {"pattern", "^ *(min|mean|max|p *\\(.*\\)) *[<>]"}};
  const Schema conditions = any_of({condition, list_of(condition)});
  Schema measures = Schema::object();
  std::string names;
  for (const auto& name : quantity_names()) {
    measures[name] = conditions;
    names += fmt::format("{}{}", names.empty() ? "" : "|", name);
  }
  const Schema of_one{
      {"type", "object"}, {"properties", measures}, {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties", measures},
          {"patternProperties", {{fmt::format("^.+\\.({})$", names), conditions}}},
          {"additionalProperties", of_one}};
}

bool has_quantities(KeyType type) {
  return type == KeyType::whole || type == KeyType::number || type == KeyType::duration ||
         type == KeyType::size || type == KeyType::distribution || type == KeyType::loss ||
         type == KeyType::rate_or_trace || type == KeyType::amount;
}

/// The values of a key, as a list or, of quantities, as a range.
Schema axis_schema(const SectionSpec& section, const KeySpec& key) {
  std::vector<Schema> forms{list_of(key_schema(section, key))};
  if (has_quantities(key.type)) forms.push_back({{"$ref", "#/definitions/range"}});
  auto schema = any_of(std::move(forms));
  if (const auto text = description(section, key); !text.empty()) schema["description"] = text;
  return schema;
}

/// The swept keys of a section, and of those below it.
Schema swept_section(const SectionSpec& section) {
  Schema any_axis{{"$ref", "#/definitions/axis"}};
  if (section.array || section.has_parameters) return any_axis;
  Schema properties = Schema::object();
  for (const auto& key : section.keys) {
    const bool below = key.type == KeyType::table || key.type == KeyType::tables;
    properties[std::string(key.name)] = below ? any_axis : axis_schema(section, key);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", any_axis}};
}

/// Keys are paths, in quotes or as tables in tables. Each has a list of its values or a range; of
/// the paths into arrays and components the values aren't known here.
Schema sweep_schema(Schema own) {
  Schema any_axis{{"$ref", "#/definitions/axis"}};
  auto& properties = own["properties"];
  std::string sections;
  const auto& top = *find_section("");
  for (const auto& key : top.keys) {
    const std::string name(key.name);
    const SectionSpec* section = find_section(name);
    if (section == nullptr) {
      properties[name] = axis_schema(top, key);
      continue;
    }
    if (section->any_key) continue;
    sections += (sections.empty() ? "" : "|") + name;
    const Schema swept = swept_section(*section);
    const Schema whole_sections{{"type", "array"}, {"minItems", 1}};
    properties[name] = swept.contains("properties") ? any_of({swept, whole_sections}) : swept;
    if (swept.contains("properties"))
      for (const auto& [part, axis] : swept["properties"].items())
        properties[fmt::format("{}.{}", name, part)] = axis;
  }
  const Schema table{{"type", "object"}};
  const auto tables_in = [](Schema inner) {
    return Schema{{"type", "object"}, {"additionalProperties", std::move(inner)}};
  };
  auto& named = properties["named"];
  named = {{"description", named["description"]},
           {"type", "object"},
           {"additionalProperties", tables_in(table)}};
  auto& where = properties["exclude"]["items"]["properties"]["where"];
  where = {{"description", where["description"]}, {"anyOf", {{{"type", "string"}}, table}}};
  own["patternProperties"] = {{fmt::format("^({})\\..", sections), any_axis}};
  own["definitions"] = {{"range", section_schema(*find_section("sweep.*"))},
                        {"axis",
                         {{"anyOf",
                           {{{"type", "array"}, {"minItems", 1}},
                            {{"$ref", "#/definitions/range"}},
                            {{"type", "object"},
                             {"propertyNames", {{"not", one_of({"from", "to"})}}},
                             {"additionalProperties", any_axis}}}}}}};
  return own;
}

Schema section_schema(const SectionSpec& section) {
  Schema properties = Schema::object(), required = Schema::array();
  for (const auto& key : section.keys) {
    const bool of_component = section.has_parameters && key.type == KeyType::kind;
    if (of_component) continue;
    auto schema = key_schema(section, key);
    if (const auto text = description(section, key); !text.empty()) schema["description"] = text;
    properties[std::string(key.name)] = std::move(schema);
    if (key.required) required.push_back(key.name);
  }
  if (section.path == "thresholds") {
    auto schema = thresholds_schema();
    schema["description"] = section.summary;
    return schema;
  }
  if (section.has_parameters) {
    auto schema = table_with_kind(section.path == "algorithm" ? named(algorithms())
                                  : section.path == "arm"     ? named(arm_family_specs())
                                                              : named(objectives()),
                                  properties);
    schema["description"] = section.summary;
    return schema;
  }
  Schema schema{{"type", "object"},
                {"description", section.summary},
                {"properties", std::move(properties)},
                {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (section.path == "inputs") schema["additionalProperties"] = text_schema();
  return schema;
}

constexpr std::string_view name_of(KeyType type) {
  switch (type) {
    case KeyType::text:
      return "text";
    case KeyType::choice:
      return "choice";
    case KeyType::boolean:
      return "boolean";
    case KeyType::whole:
      return "whole";
    case KeyType::choice_or_whole:
      return "choice_or_whole";
    case KeyType::number:
      return "number";
    case KeyType::duration:
      return "duration";
    case KeyType::choice_or_duration:
      return "choice_or_duration";
    case KeyType::size:
      return "size";
    case KeyType::selector:
      return "selector";
    case KeyType::selectors:
      return "selectors";
    case KeyType::groups:
      return "groups";
    case KeyType::labels:
      return "labels";
    case KeyType::answers:
      return "answers";
    case KeyType::kind:
      return "kind";
    case KeyType::distribution:
      return "distribution";
    case KeyType::loss:
      return "loss";
    case KeyType::factor:
      return "factor";
    case KeyType::rate_or_trace:
      return "rate_or_trace";
    case KeyType::heterogeneity:
      return "heterogeneity";
    case KeyType::noise:
      return "noise";
    case KeyType::amount:
      return "amount";
    case KeyType::texts:
      return "texts";
    case KeyType::lists:
      return "lists";
    case KeyType::table:
      return "table";
    case KeyType::tables:
      return "tables";
  }
  return "";
}

constexpr std::string_view name_of(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "boolean";
    case ParameterType::integer:
      return "whole";
    case ParameterType::real:
      return "number";
    case ParameterType::text:
      return "text";
    case ParameterType::duration:
      return "duration";
    case ParameterType::size_bytes:
      return "size";
    case ParameterType::file:
      return "file";
    case ParameterType::numbers:
      return "numbers";
    case ParameterType::folder:
      return "folder";
  }
  return "";
}

template <class Spec>
void add_range(const Spec& spec, Schema& row) {
  if (!std::isinf(spec.min)) row[spec.min_open ? "above" : "min"] = schema_number(spec.min);
  if (!std::isinf(spec.max)) row[spec.max_open ? "below" : "max"] = schema_number(spec.max);
  if (!spec.choices.empty()) row["choices"] = spec.choices;
}

}  // namespace

Schema scenario_json_schema() {
  Schema schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "Scenario of Posse"}};
  schema.update(section_schema(*find_section("")));
  auto& sweep = schema["properties"]["sweep"];
  sweep = sweep_schema(std::move(sweep));
  schema["definitions"] = std::move(sweep["definitions"]);
  sweep.erase("definitions");
  schema["required"] = {"algorithm"};
  return schema;
}

Schema section_json(const SectionSpec& section) {
  Schema keys = Schema::array();
  for (const auto& key : section.keys) {
    Schema row{{"name", key.name}, {"type", name_of(key.type)}};
    if (!key.meaning.empty()) row["meaning"] = key.meaning;
    if (const auto values = values_text(section, key); !values.empty()) row["values"] = values;
    if (!key.otherwise.empty()) row["default"] = key.otherwise;
    row["required"] = key.required;
    add_range(key, row);
    keys.push_back(std::move(row));
  }
  return {{"name", section.path},
          {"summary", section.summary},
          {"array", section.array},
          {"has_parameters", section.has_parameters},
          {"any_key", section.any_key},
          {"keys", std::move(keys)}};
}

Schema parameters_json(const std::vector<ParameterSpec>& parameters) {
  Schema rows = Schema::array();
  for (const auto& parameter : parameters) {
    Schema row{{"name", parameter.name},
               {"type", name_of(parameter.type)},
               {"meaning", parameter.help},
               {"values", range_text(parameter)}};
    if (!parameter.required) row["default"] = format_value(parameter, parameter.default_value);
    row["required"] = parameter.required;
    if (!parameter.unit.empty()) row["unit"] = parameter.unit;
    add_range(parameter, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace posse
