// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/network_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/role/outcome.hpp"
#include "program/base/units.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/latency_files.hpp"

namespace posse {
namespace {

/// Reports a conflict between the parameters. False if there is none.
template <class Spec>
bool report_conflict(TableReader& reader, const Spec& spec, const Parameters& parameters) {
  if (spec.find_conflict == nullptr) return false;
  const auto conflict = spec.find_conflict(parameters);
  if (conflict) reader.error(conflict->parameter, conflict->problem, conflict->allowed);
  return conflict.has_value();
}

/// The names of the algorithms' messages; of the whole catalogue if one of them is unknown.
std::set<std::string_view> message_names(const ReadContext& context) {
  std::set<std::string_view> names{kAcknowledgement};
  const auto add = [&](const AlgorithmSpec& spec) {
    for (const auto* type : spec.messages) names.insert(type->name);
  };
  for (const auto& entry : context.scenario.algorithms) add(*entry.spec);
  if (!context.known.kinds)
    for (const auto* spec : algorithms()) add(*spec);
  return names;
}

/// What `make` gives for the file and the period of the trace at `key`; null if there is none.
template <class Make>
auto read_trace(TableReader& parent,
                std::string_view key,
                const std::vector<ParameterSpec>& specs,
                const ReadContext& context,
                const Make& make) -> decltype(make(Parameters{})) {
  const Value* value = parent.find(key);
  if (value == nullptr) return nullptr;
  TableReader reader(*value, parent.path_of(key), context.diagnostics);
  if (value->table() == nullptr) return nullptr;
  const std::size_t before = context.diagnostics.all().size();
  const auto parameters = reader.parameters(specs, &context.scenario.inputs);
  reader.finish();
  if (context.diagnostics.all().size() != before) return nullptr;
  try {
    return make(parameters);
  } catch (const InputError& problem) {
    reader.error(problem.parameter().empty() ? "file" : problem.parameter(), problem.what());
    return nullptr;
  }
}

/// A trace's file and period.
std::string trace_toml(const InputText& file, const std::optional<Duration>& period) {
  return fmt::format("{{ file = {}{} }}",
                     toml_string(file.stored),
                     period ? ", period = " + toml_string(format_duration(*period)) : "");
}

}  // namespace

std::optional<Component> read_duration(TableReader& parent,
                                       std::string_view key,
                                       Durations which,
                                       Scenario& scenario,
                                       Diagnostics& diagnostics) {
  const Value* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  // A plain duration means a constant.
  if (std::holds_alternative<std::string>(value->data)) {
    const auto constant = parent.duration(key);
    return constant ? std::optional(constant_duration(*constant)) : std::nullopt;
  }
  if (value->table() == nullptr) {
    const bool number = std::holds_alternative<std::int64_t>(value->data) ||
                        std::holds_alternative<double>(value->data);
    parent.error(key,
                 number ? "has no unit" : "is neither a duration nor a distribution",
                 "\"50 ms\" or { kind = \"exponential\", mean = \"50 ms\" }");
    return std::nullopt;
  }
  TableReader reader(*value, parent.path_of(key), diagnostics);
  auto kinds = kinds_of(duration_specs());
  if (which != Durations::of_all_links) std::erase(kinds, "matrix");
  if (which == Durations::of_work) std::erase(kinds, "trace");
  reader.require("kind", fmt::format("{}", fmt::join(kinds, ", ")));
  const auto kind = reader.choice("kind", kinds);
  if (!kind) return std::nullopt;
  const DurationSpec& spec = *find_duration_spec(*kind);
  const std::size_t before = diagnostics.all().size();
  Component component{
      *kind, &spec.parameters, reader.parameters(spec.parameters, &scenario.inputs)};
  reader.finish();
  if (diagnostics.all().size() != before) return std::nullopt;
  if (report_conflict(reader, spec, component.parameters)) return std::nullopt;
  try {
    (void)spec.make(component.parameters);
    if (*kind == "matrix")
      scenario.network.matrix = std::make_shared<const LatencyMatrix>(
          parse_latency_matrix(component.parameters.file("file")));
  } catch (const InputError& problem) {
    reader.error(problem.parameter().empty() ? "file" : problem.parameter(), problem.what());
  }
  if (diagnostics.all().size() != before) return std::nullopt;
  return component;
}

Component constant_duration(Duration duration) {
  const DurationSpec& spec = *find_duration_spec("constant");
  Component component{"constant", &spec.parameters, default_parameters(spec.parameters)};
  component.parameters.set("value", duration);
  return component;
}

void read_loss(TableReader& parent, LinkConfig& link, const ReadContext& context) {
  Diagnostics& diagnostics = context.diagnostics;
  const Value* value = parent.find("loss");
  if (value == nullptr) return;
  // A plain number means a probability.
  if (std::holds_alternative<double>(value->data) ||
      std::holds_alternative<std::int64_t>(value->data)) {
    if (const auto p = parent.probability("loss")) {
      const LossSpec& spec = *find_loss_spec("bernoulli");
      link.loss = Component{"bernoulli", &spec.parameters, default_parameters(spec.parameters)};
      link.loss->parameters.set("p", *p);
    }
    return;
  }
  if (value->table() == nullptr)
    return parent.error("loss",
                        "is neither a number nor a table",
                        "a probability from 0 to 1, such as 0.05 for 5 %, or a table with `kind`");
  TableReader reader(*value, parent.path_of("loss"), diagnostics);
  reader.require("kind", fmt::format("{}", fmt::join(kinds_of(loss_specs()), ", ")));
  const auto kind = reader.choice("kind", kinds_of(loss_specs()));
  if (!kind) return;
  const LossSpec& spec = *find_loss_spec(*kind);
  if (spec.make != nullptr) {
    const std::size_t before = diagnostics.all().size();
    Component loss{*kind, &spec.parameters, reader.parameters(spec.parameters)};
    if (diagnostics.all().size() == before) {
      report_conflict(reader, spec, loss.parameters);
      link.loss = std::move(loss);
    }
    reader.finish();
    return;
  }
  reader.require("p", "a table of message types, e.g. { LocalMeans = 0.1 }");
  LossByType by_type;
  if (const Value* p = reader.find("p")) {
    TableReader types(*p, reader.path_of("p"), diagnostics);
    for (const auto name : message_names(context))
      if (const auto x = types.probability(name)) by_type.p.insert_or_assign(std::string(name), *x);
    types.finish();
  }
  link.loss.reset();
  link.rule.loss = std::move(by_type);
  reader.finish();
}

std::string loss_toml(const LinkConfig& link) {
  const LossByType* by_type = link.loss_by_type();
  if (by_type == nullptr) return link.loss ? component_toml(*link.loss) : "";
  std::vector<std::string> chances;
  for (const auto& [type, chance] : by_type->p)
    chances.push_back(fmt::format("{} = {}", type, format_real(chance)));
  return fmt::format("{{ kind = \"by-type\", p = {{ {} }} }}", fmt::join(chances, ", "));
}

std::shared_ptr<const LatencyFactor> read_latency_factor(TableReader& reader,
                                                         std::string_view key,
                                                         const ReadContext& context) {
  return read_trace(reader, key, factor_trace_parameters(), context, make_latency_factor);
}

std::string latency_factor_toml(const LatencyFactor& factor) {
  return trace_toml(factor.source, factor.factors.period());
}

std::optional<Rate> read_rate(TableReader& reader,
                              std::string_view key,
                              const ReadContext& context) {
  const Value* value = reader.find(key);
  Rate rate;
  if (value != nullptr && value->table() != nullptr) {
    rate.trace = read_trace(reader, key, rate_trace_parameters(), context, make_rate_trace);
    if (!rate.trace) return std::nullopt;
  } else if (const auto bits = reader.rate(key)) {
    rate.bits_per_second = *bits;
  } else {
    return std::nullopt;
  }
  return rate;
}

std::string rate_toml(const Rate& rate) {
  return rate.trace ? trace_toml(rate.trace->source(), rate.trace->steps().period())
                    : toml_string(format_rate(rate.bits_per_second));
}

std::string queue_toml(const Rate& rate) {
  return rate.queue_bytes == Rate{}.queue_bytes ? "" : toml_string(format_size(rate.queue_bytes));
}

std::optional<TimeOut> read_time_out(TableReader& reader) {
  const Value* value = reader.find("timeout");
  if (value == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(&value->data);
  if (text == nullptr || text->empty() || (text->front() >= '0' && text->front() <= '9')) {
    const auto stated = reader.duration("timeout");
    return stated ? std::optional(TimeOut(*stated)) : std::nullopt;
  }
  std::vector<std::string> names;
  for (const auto& [name, rule] : kTimeOutRules) names.emplace_back(name);
  const auto chosen = reader.choice("timeout", names, " or a duration such as \"200 ms\"");
  for (const auto& [name, rule] : kTimeOutRules)
    if (chosen == name) return TimeOut(rule);
  return std::nullopt;
}

std::optional<Ties> read_ties(TableReader& reader) {
  const Value* given = reader.find("ties");
  if (given == nullptr) return std::nullopt;
  constexpr auto kOrKey = "a whole number of at least 0";
  if (const auto* key = std::get_if<std::int64_t>(&given->data)) {
    if (*key >= 0) return Ties{Ties::Rule::keyed, static_cast<std::uint64_t>(*key)};
    reader.error("ties", "is below 0", kOrKey);
  } else if (std::holds_alternative<std::string>(given->data)) {
    std::vector<std::string> names;
    for (const auto& [name, rule] : kTieRules) names.emplace_back(name);
    const auto chosen = reader.choice("ties", names, kOrKey);
    for (const auto& [name, rule] : kTieRules)
      if (chosen == name) return Ties{rule};
  } else {
    reader.error("ties",
                 "is neither a string nor a whole number",
                 "fair, source, reversed; a whole number of at least 0");
  }
  return std::nullopt;
}

std::string component_toml(const Component& component) {
  std::string text = fmt::format("{{ kind = {}", toml_string(component.kind));
  for (const auto& spec : *component.specs) {
    const auto it = component.parameters.all().find(spec.name);
    if (it == component.parameters.all().end() ||
        std::holds_alternative<std::monostate>(it->second))
      continue;
    text += fmt::format(", {} = {}", spec.name, format_value(spec, it->second));
  }
  return text + " }";
}

}  // namespace posse
