// SPDX-License-Identifier: Apache-2.0
// The resolved scenario as TOML.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "core/base/overload.hpp"
#include "core/network/wire.hpp"
#include "program/base/units.hpp"
#include "program/scenario/network_reader.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

class ScenarioWriter {
 public:
  explicit ScenarioWriter(const Scenario& scenario) : s_(scenario) {}

  std::string write() {
    line("name", toml_string(s_.name));
    if (!s_.label.empty()) line("label", toml_string(s_.label));
    for (const auto& sentence : s_.left_out) comment(sentence);
    line("seed", fmt::format("{}", s_.seed));
    line("repeat", fmt::format("{}", s_.repeat));
    for (const auto& entry : s_.algorithms) algorithm(entry);
    if (s_.clients) {
      table("[population]");
      line("clients", fmt::format("{}", *s_.clients));
    }
    if (s_.problem) problem(*s_.problem);
    if (s_.arms) arms(*s_.arms);
    network();
    compute();
    if (s_.policy) policy(*s_.policy);
    for (const auto& each : s_.faults) fault(each);
    limits();
    thresholds();
    return std::move(out_);
  }

  std::string write_workload() {
    line("seed", fmt::format("{}", s_.seed));
    line("clients", fmt::format("{}", s_.algorithms.front().clients));
    if (s_.problem) problem(*s_.problem);
    if (s_.arms) arms(*s_.arms);
    return std::move(out_);
  }

 private:
  void table(std::string_view heading) { out_ += fmt::format("\n{}\n", heading); }
  void line(std::string_view key, std::string_view value) {
    out_ += fmt::format("{} = {}\n", key, value);
  }

  void comment(std::string_view text) { out_ += fmt::format("# {}\n", text); }

  void parameters(const Parameters& parameters, const std::vector<ParameterSpec>& specs) {
    for (const auto& spec : specs) {
      const auto& value = parameters.all().find(spec.name)->second;
      if (std::holds_alternative<std::monostate>(value))
        out_ += fmt::format("# {} = auto: {}\n", spec.name, spec.help);
      else
        line(spec.name, format_value(spec, value));
    }
  }

  std::string inline_table(const Component& component) const {
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

  void algorithm(const AlgorithmEntry& entry) {
    table("[[algorithm]]");
    line("kind", toml_string(entry.spec->kind));
    line("label", toml_string(entry.label));
    if (entry.own_clients) line("clients", fmt::format("{}", entry.clients));
    parameters(entry.parameters, entry.spec->parameters);
  }

  void problem(const ProblemConfig& problem) {
    table("[objective]");
    line("kind", toml_string(problem.objective.kind));
    parameters(problem.objective.parameters, *problem.objective.specs);
    line("heterogeneity", inline_table(problem.heterogeneity));
    line("noise", inline_table(problem.noise));
    table("[budget]");
    line("evaluations_per_client", fmt::format("{}", problem.budget));
  }

  void arms(const ArmsConfig& arms) {
    for (const auto& entry : arms.entries) {
      table("[[arm]]");
      line("kind", toml_string(entry.arms.kind));
      parameters(entry.arms.parameters, *entry.arms.specs);
    }
    table("[budget]");
    line("pulls", fmt::format("{}", arms.budget));
  }

  static std::string texts(const std::vector<std::string>& all) {
    std::vector<std::string> quoted;
    quoted.reserve(all.size());
    for (const auto& text : all) quoted.push_back(toml_string(text));
    return fmt::format("[{}]", fmt::join(quoted, ", "));
  }

  void algorithms_of(const RuleScope& scope) {
    const auto& labels = scope.algorithms;
    if (!labels.empty())
      line("algorithm", labels.size() == 1 ? toml_string(labels.front()) : texts(labels));
  }

  void link(const LinkConfig& link) {
    if (link.latency) line("latency", inline_table(*link.latency));
    if (link.latency_factor)
      line("latency_factor",
           trace(link.latency_factor->source, link.latency_factor->factors.period()));
    if (link.loss_by_type) {
      std::string p;
      for (const auto& [type, chance] : link.loss_by_type->p)
        p += fmt::format("{}{} = {}", p.empty() ? "" : ", ", type, format_real(chance));
      line("loss", fmt::format("{{ kind = \"by-type\", p = {{ {} }} }}", p));
    } else if (link.loss) {
      line("loss", inline_table(*link.loss));
    }
    if (link.duplication) line("duplication", format_real(*link.duplication));
    if (link.fifo) line("order", *link.fifo ? "\"fifo\"" : "\"free\"");
    if (link.rate) rate("rate", *link.rate, true);
    if (link.timeout) line("timeout", toml_string(text_of(*link.timeout)));
  }

  static std::string trace(const InputText& file, const std::optional<Duration>& period) {
    return fmt::format("{{ file = {}{} }}",
                       toml_string(file.stored),
                       period ? ", period = " + toml_string(format_duration(*period)) : "");
  }

  void rate(std::string_view key, const Rate& rate, bool with_queue) {
    line(key,
         rate.trace ? trace(rate.trace->source(), rate.trace->steps().period())
                    : toml_string(format_rate(rate.bits_per_second)));
    if (with_queue && rate.queue_bytes != Rate{}.queue_bytes)
      line("queue", toml_string(format_size(rate.queue_bytes)));
  }

  void network() {
    const auto& n = s_.network;
    table("[network]");
    if (n.topology) line("topology", toml_string(to_string(*n.topology)));
    comment("latency is one way: a round trip takes two");
    link(n.defaults);
    line("transport", n.transport == Transport::reliable ? "\"reliable\"" : "\"datagram\"");
    if (n.transport == Transport::reliable) {
      const auto& r = n.retransmission;
      std::string text = fmt::format("timeout = {}", toml_string(text_of(r.timeout)));
      const auto add = [&text](std::string_view key, const std::string& value) {
        text += fmt::format(", {} = {}", key, value);
      };
      const auto add_time = [&add](std::string_view key, Duration time) {
        add(key, toml_string(format_duration(time)));
      };
      if (r.min_timeout) add_time("min_timeout", *r.min_timeout);
      if (r.granularity != Retransmission{}.granularity) add_time("granularity", r.granularity);
      add("backoff", format_real(r.backoff));
      add_time("max_timeout", r.max_timeout);
      add("max_tries", fmt::format("{}", r.max_tries));
      line("retransmission", fmt::format("{{ {} }}", text));
    }
    if (n.wire)
      line("wire", toml_string(wire_format(*n.wire).name));
    else
      line("header_bytes", toml_string(format_size(n.header_bytes)));
    if (n.ties.rule == Ties::Rule::keyed)
      line("ties", text_of(n.ties));
    else if (n.ties != Ties{})
      line("ties", toml_string(text_of(n.ties)));
    for (const auto& rule : n.links) {
      table("[[network.link]]");
      line("from", toml_string(rule.from));
      line("to", toml_string(rule.to));
      link(rule);
      algorithms_of(rule.scope);
    }
    for (const auto& [scope, rule] : n.nodes) {
      table("[[network.node]]");
      line("nodes", toml_string(rule.nodes));
      if (rule.rate_up) rate("rate_up", *rule.rate_up, true);
      if (rule.rate_down) rate("rate_down", *rule.rate_down, !rule.rate_up);
      algorithms_of(scope);
    }
    for (const auto& [scope, drop] : n.drops) {
      table("[[network.drop]]");
      if (drop.type) line("type", toml_string(*drop.type));
      if (drop.round) line("round", fmt::format("{}", drop.round->value));
      if (drop.from) line("from", toml_string(*drop.from));
      if (drop.to) line("to", toml_string(*drop.to));
      if (drop.transmission) line("transmission", fmt::format("{}", *drop.transmission));
      algorithms_of(scope);
    }
  }

  void compute() {
    if (!s_.evaluation && s_.stragglers.empty() && s_.service.empty()) return;
    table("[compute]");
    if (s_.evaluation) line("evaluation", inline_table(*s_.evaluation));
    for (const auto& [scope, rule] : s_.stragglers) {
      table("[[compute.stragglers]]");
      line("nodes", toml_string(rule.nodes));
      line("factor", format_real(*rule.straggler));
      if (rule.share) line("share", format_real(*rule.share));
      algorithms_of(scope);
    }
    for (const auto& rule : s_.service) {
      table("[[compute.service]]");
      line("nodes", toml_string(rule.nodes));
      line("type", toml_string(rule.type));
      if (rule.sends) line("sends", *rule.sends ? "true" : "false");
      if (rule.dispatch) line("dispatch", inline_table(*rule.dispatch));
      if (rule.decode) line("decode", inline_table(*rule.decode));
      if (rule.compute) line("compute", inline_table(*rule.compute));
      if (rule.per_evaluation)
        line("per_evaluation", toml_string(format_duration(*rule.per_evaluation)));
      if (rule.encode) line("encode", inline_table(*rule.encode));
      algorithms_of(rule.scope);
    }
  }

  void policy(const PolicyConfig& policy) {
    table("[server]");
    line("policy", toml_string(to_string(policy.kind)));
    if (policy.quorum) line("quorum", fmt::format("{}", *policy.quorum));
    if (policy.quorum_share)
      line("quorum", toml_string(fmt::format("{:.12g}%", *policy.quorum_share * 100)));
    if (policy.kind == PolicyKind::deadline)
      line("deadline", toml_string(format_duration(policy.deadline)));
    if (policy.aggregate == Aggregate::mean) return;
    line("aggregate", toml_string(to_string(policy.aggregate)));
    if (policy.aggregate == Aggregate::trimmed_mean) line("trim", format_real(policy.trim));
  }

  void times(const FaultTimes& when) {
    const auto duration = [&](const char* key, Duration value) {
      line(key, toml_string(format_duration(value)));
    };
    duration("at", Duration{when.at.ns});
    if (when.lasting) duration(when.mean_gap ? "mean_for" : "for", *when.lasting);
    if (when.every) duration("every", *when.every);
    if (when.mean_gap) duration("mean_between", *when.mean_gap);
    if (when.until) duration("until", Duration{when.until->ns});
  }

  void fault(const FaultConfig& fault) {
    table("[[fault]]");
    std::visit(Overload{[&](const LinkFault& links) {
                          std::vector<std::string> groups;
                          for (const auto& group : links.groups) groups.push_back(texts(group));
                          line("kind", toml_string(to_string(links.kind)));
                          line("groups", fmt::format("[{}]", fmt::join(groups, ", ")));
                          if (links.one_way) line("one_way", "true");
                          times(links.when);
                        },
                        [&](const NodeFault& nodes) {
                          if (fault.trace) {
                            line("kind", "\"availability\"");
                            line("file", toml_string(fault.trace->stored));
                          } else {
                            line("kind", toml_string(to_string(nodes.kind)));
                            line("nodes", texts(nodes.nodes));
                            times(nodes.when);
                          }
                          if (nodes.loses_state) line("state", "\"lost\"");
                        },
                        [&](const CorruptFault& nodes) {
                          line("kind", "\"corrupt\"");
                          line("nodes", texts(nodes.nodes));
                          line("how", toml_string(to_string(nodes.how)));
                          if (nodes.how == Corruption::constant)
                            line("value", format_real(nodes.value));
                          if (nodes.how == Corruption::noise) line("sd", format_real(nodes.value));
                          times(nodes.when);
                        }},
               fault.what);
    algorithms_of(fault.scope);
    if (fault.repetition) line("repetition", fmt::format("{}", *fault.repetition));
  }

  void limits() {
    const Limits& l = s_.limits;
    if (l.virtual_time == Time::max() && l.events == Limits{}.events && l.wall_seconds == 0) return;
    table("[limits]");
    if (l.virtual_time != Time::max())
      line("virtual_time", toml_string(format_duration(Duration{l.virtual_time.ns})));
    if (l.events != Limits{}.events) line("events", fmt::format("{}", l.events));
    if (l.wall_seconds > 0)
      line("wall_time", toml_string(format_duration(Duration::seconds(l.wall_seconds))));
  }

  void thresholds() {
    if (s_.thresholds.empty()) return;
    table("[thresholds]");
    std::map<std::string, std::vector<std::string>> conditions;
    for (const auto& threshold : s_.thresholds)
      conditions[threshold.algorithm ? toml_string(*threshold.algorithm + "." + threshold.measure)
                                     : threshold.measure]
          .push_back(toml_string(threshold.condition));
    for (const auto& [key, texts] : conditions)
      line(key, texts.size() == 1 ? texts.front() : fmt::format("[{}]", fmt::join(texts, ", ")));
  }

  const Scenario& s_;
  std::string out_;
};

}  // namespace

std::string to_toml(const Scenario& scenario) { return ScenarioWriter(scenario).write(); }
std::string workload_toml(const Scenario& scenario) {
  return ScenarioWriter(scenario).write_workload();
}

}  // namespace posse
