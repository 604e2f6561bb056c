// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// "exponential (mean 40 ms, floor 10 ms)".
std::string in_words(const Component& component, bool with_defaults = false) {
  std::vector<std::string> parts;
  for (const auto& spec : *component.specs) {
    const auto it = component.parameters.all().find(spec.name);
    if (it == component.parameters.all().end() ||
        std::holds_alternative<std::monostate>(it->second) ||
        std::holds_alternative<InputText>(it->second))
      continue;
    if (!with_defaults && it->second == spec.default_value) continue;
    auto value = format_value(spec, it->second);
    std::erase(value, '"');
    if (component.kind == "constant" && spec.name == "value") return value;
    parts.push_back(fmt::format("{} {}", spec.name, value));
  }
  if (component.kind == "lognormal" && !component.parameters.is_auto("median"))
    parts.push_back(fmt::format(
        "mean {}", pretty(rounded(typical(make_duration(component)).to_seconds(), 3), "s")));
  return parts.empty() ? component.kind
                       : fmt::format("{} ({})", component.kind, fmt::join(parts, ", "));
}

/// "2 rules for links".
std::string counted(std::size_t n, std::string_view what) {
  const auto noun = what.substr(0, what.find(' '));
  return fmt::format("{} {}{}{}", n, noun, n == 1 ? "" : "s", what.substr(noun.size()));
}

std::string policy_text(const PolicyConfig& policy) {
  std::string text;
  const Policy& rule = policy.rule;
  if (rule.kind != PolicyKind::all) text = fmt::format("server policy {}", to_string(rule.kind));
  if (policy.quorum) text += fmt::format(" of {}", *policy.quorum);
  if (policy.quorum_share) text += fmt::format(" of {} %", rounded(100 * *policy.quorum_share, 4));
  if (rule.deadline > Duration{}) text += fmt::format(" {}", format_duration(rule.deadline));
  if (rule.aggregate != Aggregate::mean)
    text += fmt::format("{}{} of answers", text.empty() ? "" : ", ", to_string(rule.aggregate));
  return text;
}

bool is_lossless(const LinkConfig& link) {
  if (link.loss_by_type() != nullptr) return false;
  return !link.loss || link.loss->kind == "none" ||
         (link.loss->kind == "bernoulli" && link.loss->parameters.real("p") == 0);
}

std::string loss_text(const LinkConfig& link) {
  if (link.loss_by_type() != nullptr) return "loss by type";
  return is_lossless(link) ? "no loss" : "loss " + in_words(*link.loss);
}

/// Where something may be lost.
std::string time_outs_in_words(const Scenario& scenario) {
  const NetworkScenario& network = scenario.network;
  if (network.transport != Transport::reliable ||
      (is_lossless(network.defaults) && network.drops.empty() && scenario.faults.empty() &&
       std::ranges::all_of(network.links, is_lossless)))
    return "";
  const TimeOut& timeout = network.retransmission.timeout;
  switch (timeout.rule) {
    case TimeOut::Rule::stated:
      return "time-outs of " + format_duration(timeout.stated);
    case TimeOut::Rule::measured:
      return "time-outs measured";
    case TimeOut::Rule::derived:
      return "time-outs derived from the latency (Linux TCP: at least 200 ms)";
  }
  return "";
}

/// "10 clients"; empty if the algorithms don't have as many, or if arms are pulled.
std::string clients_text(const Scenario& scenario) {
  if (scenario.arms || scenario.algorithms.empty()) return "";
  const auto clients = scenario.algorithms.front().clients;
  const auto has_as_many = [&](const AlgorithmEntry& entry) { return entry.clients == clients; };
  return std::ranges::all_of(scenario.algorithms, has_as_many) ? counted(clients, "client") : "";
}

std::string budget_text(const Scenario& scenario) {
  if (scenario.problem)
    return pretty(static_cast<double>(scenario.problem->budget), "") + " evaluations each";
  return scenario.arms ? pretty(static_cast<double>(scenario.arms->budget), "") + " pulls" : "";
}

}  // namespace

void Conditions::add(const Scenario& scenario) {
  std::size_t next = 0;
  // Parts of a group are separated by commas. `absent` is told where other scenarios have one.
  const auto part = [&](bool begins_group, std::string text, std::string absent = {}) {
    if (next == parts_.size()) parts_.push_back({begins_group, std::move(absent), {}});
    auto& texts = parts_[next++].texts;
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  };
  const auto count = [&](std::size_t n, std::string_view what, bool begins_group) {
    part(begins_group, n == 0 ? "" : counted(n, what), fmt::format("no {}", what));
  };
  const ProblemConfig* problem = scenario.problem ? &*scenario.problem : nullptr;
  part(true, problem == nullptr ? "" : problem->objective.kind);
  const bool differ = problem != nullptr && problem->heterogeneity.kind != "none";
  part(false,
       differ ? "clients differ by " + in_words(problem->heterogeneity, true) : "",
       "all clients alike");
  part(false,
       problem == nullptr              ? ""
       : problem->noise.kind == "none" ? "no noise"
                                       : "noise " + in_words(problem->noise, true));
  part(true, clients_text(scenario));
  part(false, budget_text(scenario));
  const auto time = scenario.evaluation ? in_words(*scenario.evaluation) : "";
  part(true,
       time.empty()                          ? ""
       : time == "constant" || time == "0 s" ? "evaluations take no time"
                                             : "evaluation " + time);
  const NetworkScenario& network = scenario.network;
  const LinkConfig& all = network.defaults;
  const std::optional<Rate>& rate = all.rule.rate;
  const auto latency = all.latency ? in_words(*all.latency) : "constant";
  part(
      true,
      latency == "constant" || latency == "0 s" ? "no latency" : "latency " + latency + " one way");
  part(false,
       !rate         ? ""
       : rate->trace ? "rates of links from a file"
                     : format_rate(rate->bits_per_second) + " on each link by itself",
       "no limit of rates");
  part(false, loss_text(all));
  part(false, network.transport == Transport::reliable ? "reliable transport" : "datagrams");
  part(false, time_outs_in_words(scenario));
  count(network.links.size(), "rule for links", false);
  count(network.nodes.size(), "rate of nodes", false);
  count(network.drops.size(), "rule for losses", false);
  part(true, scenario.policy ? policy_text(*scenario.policy) : "", "server policy all");
  count(scenario.stragglers.size(), "rule for stragglers", true);
  count(scenario.service.size(), "rule for service times", true);
  std::set<std::string> faults;  // a [[fault]] may stand for several
  for (const auto& fault : scenario.faults) faults.insert(fault.scope.path);
  count(faults.size(), "fault", true);
}

namespace {

/// What is in parentheses is one word.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ' ' && depth == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// How many words all texts begin with (or end with, where they are reversed). No text is all of
/// it.
std::size_t shared_words(const std::vector<std::vector<std::string>>& texts) {
  std::size_t shared = 0;
  for (;; ++shared)
    for (const auto& words : texts)
      if (shared + 1 >= words.size() || words[shared] != texts.front()[shared]) return shared;
}

/// "latency 5, 20 or 40 ms one way".
std::string alternatives(const std::vector<std::string>& texts) {
  constexpr std::size_t kMostTold = 3;
  if (texts.size() == 1) return texts.front();
  std::vector<std::vector<std::string>> words;
  for (const auto& text : texts) words.push_back(words_of(text));
  std::string begin, end;
  for (auto n = shared_words(words); n > 0; --n) {
    begin += words.front().front() + " ";
    for (auto& own : words) own.erase(own.begin());
  }
  for (auto& own : words) std::ranges::reverse(own);
  for (auto n = shared_words(words); n > 0; --n) {
    end = " " + words.front().front() + end;
    for (auto& own : words) own.erase(own.begin());
  }
  std::vector<std::string> middles;
  for (auto& own : words) {
    std::ranges::reverse(own);
    middles.push_back(fmt::format("{}", fmt::join(own, " ")));
  }
  const auto last = middles.back();
  if (middles.size() > kMostTold) return begin + middles.front() + " … " + last + end;
  middles.pop_back();
  return fmt::format("{}{} or {}{}", begin, fmt::join(middles, ", "), last, end);
}

}  // namespace

std::string Conditions::text() const {
  std::string out;
  bool group_begins = false;
  for (const Part& part : parts_) {
    group_begins = group_begins || part.begins_group;
    auto texts = part.texts;
    for (auto& text : texts)
      if (text.empty() && texts.size() > 1) text = part.absent;
    std::erase(texts, "");
    if (texts.empty()) continue;
    if (!out.empty()) out += group_begins ? "; " : ", ";
    out += alternatives(texts);
    group_begins = false;
  }
  return out;
}

std::string conditions_text(const Scenario& scenario) {
  Conditions conditions;
  conditions.add(scenario);
  return conditions.text();
}

}  // namespace posse
