// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/network_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/network/wire.hpp"
#include "program/base/units.hpp"
#include "program/scenario/latency_files.hpp"
#include "program/scenario/rule_scope.hpp"

namespace posse {
namespace {

void check_distribution(TableReader& reader, const Component& component) {
  if (component.kind == "uniform" &&
      component.parameters.duration("max") < component.parameters.duration("min"))
    reader.error("max", "is below min");
  if (component.kind == "lognormal" &&
      component.parameters.is_auto("median") == component.parameters.is_auto("mean"))
    reader.error("", "needs either median or mean", "median = \"50 ms\", or mean = \"50 ms\"");
}

void check_bursts(TableReader& reader, const Component& component) {
  const Parameters& p = component.parameters;
  if (component.kind != "bursts") return;
  if (p.is_auto("mean_good") == p.is_auto("average"))
    return reader.error(
        "", "needs either average or mean_good", "average = 0.01, or mean_good = \"7.5 s\"");
  if (!p.is_auto("average") &&
      !(p.real("loss_good") < p.real("average") && p.real("average") < p.real("loss_bad")))
    return reader.error(
        "average",
        "is not between loss_good and loss_bad",
        fmt::format("more than {} and less than {}", p.real("loss_good"), p.real("loss_bad")));
  const auto loss = std::get<BurstLoss>(find_loss_spec("bursts")->make(p));
  if (loss.mean_good.ns < 1)
    reader.error("average", "leaves less than 1 ns between two bursts", "a longer mean_bad");
}

/// The names of the algorithms' messages; of the whole catalogue if one of them is unknown.
std::set<std::string_view> message_names(const Scenario& scenario, bool every_kind) {
  std::set<std::string_view> names{"Ack"};
  const auto add = [&](const AlgorithmSpec& spec) {
    for (const auto* type : spec.messages) names.insert(type->name);
  };
  for (const auto& entry : scenario.algorithms) add(*entry.spec);
  if (!every_kind)
    for (const auto* spec : algorithms()) add(*spec);
  return names;
}

void read_loss(TableReader& parent,
               LinkConfig& link,
               Diagnostics& diagnostics,
               const Scenario& s,
               bool every_kind) {
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
      check_bursts(reader, loss);
      link.loss = std::move(loss);
    }
    reader.finish();
    return;
  }
  reader.require("p", "a table of message types, e.g. { LocalMeans = 0.1 }");
  LossByType by_type;
  if (const Value* p = reader.find("p")) {
    TableReader types(*p, reader.path_of("p"), diagnostics);
    for (const auto name : message_names(s, every_kind))
      if (const auto x = types.probability(name)) by_type.p.insert_or_assign(std::string(name), *x);
    types.finish();
  }
  link.loss_by_type = std::move(by_type);
  reader.finish();
}

/// What `make` gives for the file and the period of the trace at `key`; null if there is none.
template <class Make>
auto read_trace(TableReader& parent,
                std::string_view key,
                const std::vector<ParameterSpec>& specs,
                Scenario& scenario,
                Diagnostics& diagnostics,
                const Make& make) -> decltype(make(Parameters{})) {
  const Value* value = parent.find(key);
  if (value == nullptr) return nullptr;
  TableReader reader(*value, parent.path_of(key), diagnostics);
  if (value->table() == nullptr) return nullptr;
  const std::size_t before = diagnostics.all().size();
  const auto parameters = reader.parameters(specs, &scenario.inputs);
  reader.finish();
  if (diagnostics.all().size() != before) return nullptr;
  try {
    return make(parameters);
  } catch (const InputError& problem) {
    reader.error(problem.parameter().empty() ? "file" : problem.parameter(), problem.what());
    return nullptr;
  }
}

/// A rate, or a table with a trace.
std::optional<Rate> read_rate(TableReader& reader,
                              std::string_view key,
                              Scenario& scenario,
                              Diagnostics& diagnostics) {
  const Value* value = reader.find(key);
  Rate rate;
  if (value != nullptr && value->table() != nullptr) {
    rate.trace =
        read_trace(reader, key, rate_trace_parameters(), scenario, diagnostics, make_rate_trace);
    if (!rate.trace) return std::nullopt;
  } else if (const auto bits = reader.rate(key)) {
    rate.bits_per_second = *bits;
  } else {
    return std::nullopt;
  }
  return rate;
}

/// The properties that [network] and [[network.link]] share.
void read_link(TableReader& reader,
               LinkConfig& link,
               bool with_matrix,
               bool every_kind,
               Scenario& scenario,
               Diagnostics& diagnostics) {
  link.latency = read_duration(reader,
                               "latency",
                               with_matrix ? Durations::of_all_links : Durations::of_links,
                               scenario,
                               diagnostics);
  link.latency_factor = read_trace(reader,
                                   "latency_factor",
                                   factor_trace_parameters(),
                                   scenario,
                                   diagnostics,
                                   make_latency_factor);
  read_loss(reader, link, diagnostics, scenario, every_kind);
  link.duplication = reader.real("duplication");
  if (const auto order = reader.choice("order")) link.fifo = *order == "fifo";
  link.rate = read_rate(reader, "rate", scenario, diagnostics);
  const auto queue = reader.size("queue");
  if (link.rate && queue) link.rate->queue_bytes = *queue;
  if (reader.has("queue") && !reader.has("rate"))
    reader.error("queue", "does nothing without a rate", "add rate = \"10 Mbit/s\"");
}

/// A wire format, which must suit the transport, if that is known.
void read_wire(TableReader& reader, bool transport_known, NetworkScenario& network) {
  std::vector<std::string> allowed, unsuited;
  for (const Wire wire : kWires) {
    const auto& format = wire_format(wire);
    (format.transport == network.transport ? allowed : unsuited).emplace_back(format.name);
  }
  std::vector<std::string> all = allowed;
  all.insert(all.end(), unsuited.begin(), unsuited.end());
  const auto name = reader.choice("wire", all);
  if (!name) return;
  for (const Wire wire : kWires)
    if (wire_format(wire).name == *name) network.wire = wire;
  const auto transport_of = [](Transport t) {
    return t == Transport::reliable ? "reliable" : "datagram";
  };
  if (transport_known && wire_format(*network.wire).transport != network.transport)
    reader.error("wire",
                 fmt::format("doesn't go with transport = \"{}\"", transport_of(network.transport)),
                 fmt::format("{}; or transport = \"{}\"",
                             fmt::join(allowed, ", "),
                             transport_of(wire_format(*network.wire).transport)));
  if (reader.has("header_bytes"))
    reader.error("header_bytes",
                 fmt::format("does nothing: wire = \"{}\" has its own headers", *name),
                 "wire or header_bytes");
}

DropConfig read_drop(TableReader& reader, RuleScope scope) {
  DropConfig rule{std::move(scope), {}};
  ListedLoss& drop = rule.drop;
  drop.type = reader.text("type");
  if (drop.type) keep_name(reader, "type", NameInRule::Of::message, *drop.type, rule.scope);
  if (const auto round = reader.integer("round")) {
    drop.round = Round{static_cast<std::uint32_t>(*round)};
    keep_name(reader, "round", NameInRule::Of::round, fmt::format("{}", *round), rule.scope);
  }
  drop.from = read_nodes_of_rule(reader, "from", rule.scope);
  drop.to = read_nodes_of_rule(reader, "to", rule.scope);
  if (const auto transmission = reader.integer("transmission"))
    drop.transmission = static_cast<std::uint32_t>(*transmission);
  const auto given = [&](const char* key) { return reader.has(key); };
  constexpr std::array kKeys{"type", "round", "from", "to", "transmission"};
  if (std::none_of(kKeys.begin(), kKeys.end(), given))
    reader.error("",
                 "has no key that selects messages",
                 "type, round, from, to, transmission: at least one of them");
  reader.finish();
  return rule;
}

/// True if a link with this loss never delivers some message, however often it is retransmitted.
bool loses_for_ever(const LinkConfig& link) {
  if (link.loss_by_type) {
    return std::any_of(link.loss_by_type->p.begin(), link.loss_by_type->p.end(), [](const auto& p) {
      return p.second >= 1;
    });
  }
  if (!link.loss) return false;
  const auto& p = link.loss->parameters;
  if (link.loss->kind == "bernoulli") return p.real("p") >= 1;
  if (link.loss->kind == "gilbert-elliott")
    return p.real("loss_bad") >= 1 &&
           (p.real("loss_good") >= 1 || (p.real("p") > 0 && p.real("r") <= 0));
  if (link.loss->kind == "bursts") return p.real("loss_good") >= 1 && p.real("loss_bad") >= 1;
  return false;
}

/// A duration or a rule.
std::optional<TimeOut> read_timeout(TableReader& reader) {
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

void read_retransmission(TableReader& network,
                         bool transport_known,
                         Scenario& scenario,
                         Diagnostics& diagnostics) {
  auto& r = scenario.network.retransmission;
  const Value* value = network.find("retransmission");
  const bool reliable = scenario.network.transport == Transport::reliable;
  r.timeout = TimeOut::Rule::derived;
  bool max_given = false;
  if (value != nullptr) {
    if (!reliable && transport_known)
      network.error("retransmission",
                    "does nothing with transport = \"datagram\"",
                    "transport = \"reliable\"");
    TableReader reader(*value, network.path_of("retransmission"), diagnostics);
    if (const auto timeout = read_timeout(reader)) r.timeout = *timeout;
    const bool stated = r.timeout.rule == TimeOut::Rule::stated;
    r.min_timeout = reader.duration("min_timeout");
    if (const auto granularity = reader.duration("granularity")) r.granularity = *granularity;
    if (const auto backoff = reader.real("backoff")) r.backoff = *backoff;
    if (const auto max = reader.duration("max_timeout")) {
      r.max_timeout = *max;
      max_given = true;
    }
    if (const auto tries = reader.integer("max_tries"))
      r.max_tries = static_cast<std::uint32_t>(*tries);
    if (max_given && stated && r.max_timeout < r.timeout.stated)
      reader.error("max_timeout", "is below timeout");
    if (max_given && r.min_timeout && r.max_timeout < *r.min_timeout)
      reader.error("max_timeout", "is below min_timeout");
    const bool any_measured = has_time_out(scenario.network, TimeOut::Rule::measured);
    const bool any_derived = has_time_out(scenario.network, TimeOut::Rule::derived);
    if (r.min_timeout && !any_measured && !any_derived)
      reader.error("min_timeout", "does nothing with a stated timeout", "timeout or min_timeout");
    if (reader.has("granularity") && !any_measured)
      reader.error(
          "granularity", "does nothing without measured time-outs", "timeout = \"measured\"");
    reader.finish();
  }
  if (!max_given && r.timeout.rule == TimeOut::Rule::stated)
    r.max_timeout = std::max(r.max_timeout, r.timeout.stated);
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
    if (!constant) return std::nullopt;
    const DurationSpec& spec = *find_duration_spec("constant");
    Component component{"constant", &spec.parameters, default_parameters(spec.parameters)};
    component.parameters.set("value", *constant);
    return component;
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
  check_distribution(reader, component);
  if (diagnostics.all().size() != before) return std::nullopt;
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

void default_network(Scenario& scenario) {
  auto& defaults = scenario.network.defaults;
  if (!defaults.latency) {
    const DurationSpec& spec = *find_duration_spec("constant");
    defaults.latency = Component{"constant", &spec.parameters, default_parameters(spec.parameters)};
    defaults.latency->parameters.set("value", Duration{});
  }
  if (!defaults.loss && !defaults.loss_by_type)
    defaults.loss = Component{"none", &find_loss_spec("none")->parameters, {}};
  if (!defaults.duplication) defaults.duplication = 0.0;
  if (!defaults.fifo) defaults.fifo = false;
}

Ties read_ties(TableReader& reader) {
  const Value* given = reader.find("ties");
  if (given == nullptr) return {};
  constexpr auto kOrKey = "a whole number of at least 0";
  if (const auto* key = std::get_if<std::int64_t>(&given->data)) {
    if (*key >= 0) return {Ties::Rule::keyed, static_cast<std::uint64_t>(*key)};
    reader.error("ties", "is below 0", kOrKey);
  } else if (std::holds_alternative<std::string>(given->data)) {
    std::vector<std::string> names;
    for (const auto& [name, rule] : kTieRules) names.emplace_back(name);
    const auto chosen = reader.choice("ties", names, kOrKey);
    for (const auto& [name, rule] : kTieRules)
      if (chosen == name) return {rule};
  } else {
    reader.error("ties",
                 "is neither a string nor a whole number",
                 "fair, source, reversed; a whole number of at least 0");
  }
  return {};
}

void read_network(const Value& value,
                  const KnownAlgorithms& known,
                  Scenario& scenario,
                  Diagnostics& diagnostics) {
  NetworkScenario& network = scenario.network;
  TableReader reader(value, "network", diagnostics);
  network.defaults.scope.path = "network";
  network.defaults.scope.location = reader.location();
  read_link(reader, network.defaults, true, known.kinds, scenario, diagnostics);
  default_network(scenario);
  if (const auto topology = reader.choice("topology")) {
    network.topology = *topology == "star" ? Topology::star : Topology::full_mesh;
    for (const auto& algorithm : scenario.algorithms) {
      if (algorithm.spec->topology != *network.topology)
        reader.error(
            "topology",
            fmt::format("{} runs on {}", algorithm.label, to_string(algorithm.spec->topology)),
            "no topology: every algorithm has its own");
    }
  }
  const auto transport = reader.choice("transport");
  const bool transport_known = transport || !reader.has("transport");
  if (transport == "reliable") network.transport = Transport::reliable;
  if (const auto header = reader.size("header_bytes")) network.header_bytes = *header;
  read_wire(reader, transport_known, network);
  network.ties = read_ties(reader);

  const auto reject_lost_acks = [&](TableReader& of, const LinkConfig& link) {
    if (transport_known && network.transport == Transport::datagram && link.loss_by_type &&
        link.loss_by_type->p.contains("Ack"))
      of.error("loss",
               "loses Ack, which transport = \"datagram\" doesn't have",
               "other messages, or transport = \"reliable\"");
  };
  reject_lost_acks(reader, network.defaults);
  const auto links = reader.tables("link");
  for (std::size_t i = 0; i < links.size(); ++i) {
    TableReader link_reader(links[i], fmt::format("network.link.{}", i), diagnostics);
    LinkConfig link;
    link.scope = read_scope(link_reader, scenario, known);
    link.from = read_nodes_of_rule(link_reader, "from", link.scope).value_or("*");
    link.to = read_nodes_of_rule(link_reader, "to", link.scope).value_or("*");
    read_link(link_reader, link, false, known.kinds, scenario, diagnostics);
    link.timeout = read_timeout(link_reader);
    if (link.timeout && transport_known && network.transport != Transport::reliable)
      link_reader.error(
          "timeout", "does nothing with transport = \"datagram\"", "transport = \"reliable\"");
    link_reader.finish();
    constexpr std::array kProperties{
        "latency", "latency_factor", "loss", "duplication", "order", "rate", "queue", "timeout"};
    if (std::none_of(kProperties.begin(), kProperties.end(), [&](const char* key) {
          return link_reader.has(key);
        }))
      link_reader.error("",
                        "sets no property",
                        "latency, latency_factor, loss, duplication, order, rate, timeout");
    reject_lost_acks(link_reader, link);
    if (network.transport == Transport::reliable && loses_for_ever(link))
      link_reader.error("loss",
                        "loses everything for ever: a reliable transport can't finish",
                        "a probability below 1, or transport = \"datagram\"");
    network.links.push_back(std::move(link));
  }
  if (network.transport == Transport::reliable && loses_for_ever(network.defaults))
    reader.error("loss",
                 "loses everything for ever: a reliable transport can't finish",
                 "a probability below 1, or transport = \"datagram\"");

  const auto nodes = reader.tables("node");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    TableReader node(nodes[i], fmt::format("network.node.{}", i), diagnostics);
    NodeConfig config{read_scope(node, scenario, known), {}};
    NodeRule& rule = config.rule;
    node.require("nodes", "a node's name, a group or \"*\"");
    rule.nodes = read_nodes_of_rule(node, "nodes", config.scope).value_or("*");
    const auto queue = node.size("queue");
    for (const auto& [key, target] :
         {std::pair{"rate_up", &rule.rate_up}, {"rate_down", &rule.rate_down}}) {
      *target = read_rate(node, key, scenario, diagnostics);
      if (*target && queue) (*target)->queue_bytes = *queue;
    }
    if (!node.has("rate_up") && !node.has("rate_down"))
      node.error("", "sets no rate", "rate_up, rate_down");
    node.finish();
    network.nodes.push_back(std::move(config));
  }

  const auto drops = reader.tables("drop");
  for (std::size_t i = 0; i < drops.size(); ++i) {
    TableReader drop(drops[i], fmt::format("network.drop.{}", i), diagnostics);
    network.drops.push_back(read_drop(drop, read_scope(drop, scenario, known)));
  }
  read_retransmission(reader, transport_known, scenario, diagnostics);
  reader.finish();
}

}  // namespace posse
