// SPDX-License-Identifier: Apache-2.0
#include "core/sim/service_times.hpp"

#include <algorithm>
#include <map>

#include "core/base/check.hpp"

namespace posse {

ServiceCause service_cause(const Stimulus& stimulus, const MessageTypes& types) {
  switch (stimulus.kind) {
    case Stimulus::Kind::message:
      return types.number_of(stimulus.message.payload.type());
    case Stimulus::Kind::timer:
      return static_cast<ServiceCause>(types.size() + 1);
    case Stimulus::Kind::start:
    case Stimulus::Kind::restart:
    case Stimulus::Kind::restart_anew:
      break;
  }
  return static_cast<ServiceCause>(types.size());
}

ReactionSize size_of(const Reaction& reaction) {
  ReactionSize size;
  for (const Effect& effect : reaction.effects()) {
    if (const auto* send = std::get_if<SendEffect>(&effect))
      size.sends = size.sends || send->count > 0;
    if (const auto* evaluate = std::get_if<EvaluateEffect>(&effect))
      size.evaluations += evaluate->count;
  }
  return size;
}

ServiceTimes::ServiceTimes(const std::vector<ServiceRule>& rules,
                           const Nodes& nodes,
                           const MessageTypes& types,
                           Seed seed)
    : types_(types), rules_(rules) {
  if (rules_.empty()) return;
  std::vector<Nodes::Range> ranges;
  ranges.reserve(rules_.size());
  for (const ServiceRule& rule : rules_) ranges.push_back(nodes.select(rule.nodes));
  // Nodes to which the same rules apply share a profile.
  std::map<std::vector<bool>, std::uint16_t> known;
  std::vector<bool> applies(rules_.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t r = 0; r < rules_.size(); ++r)
      applies[r] = n >= ranges[r].first && n < ranges[r].last;
    const auto [it, added] =
        known.try_emplace(applies, static_cast<std::uint16_t>(profiles_.size()));
    if (added) {
      POSSE_CHECK(profiles_.size() < 65535, "too many different nodes");
      Profile& profile = profiles_.emplace_back(types.size());
      for (std::size_t r = 0; r < rules_.size(); ++r)
        if (applies[r]) apply(rules_[r], profile);
    }
    profile_of_.push_back(it->second);
    streams_.push_back(stream_key(seed, "service", nodes.name_hash(NodeId{n})));
  }
  draws_.resize(nodes.size());
}

void ServiceTimes::apply(const ServiceRule& rule, Profile& profile) const {
  const bool all = rule.type == "*";
  const auto set = [](const std::optional<DurationDistribution>& time, Chosen& chosen) {
    if (time) chosen = &*time;
  };
  const auto set_cause = [&](std::size_t cause) {
    set(rule.dispatch, profile.dispatch[cause]);
    for (const bool sends : {false, true}) {
      if (rule.sends.value_or(sends) != sends) continue;
      Computing& computing = profile.compute[cause][sends ? 1 : 0];
      set(rule.compute, computing.time);
      if (rule.per_evaluation) computing.per_evaluation = *rule.per_evaluation;
    }
  };
  const auto types = static_cast<std::uint16_t>(types_.size());
  for (std::uint16_t type = 0; type < types; ++type) {
    if (!all && types_.name(type) != rule.type) continue;
    set(rule.encode, profile.encode[type]);
    set(rule.decode, profile.decode[type]);
    set_cause(type);
  }
  if (all || rule.type == kServiceOfStart) set_cause(types_.size());
  if (all || rule.type == kServiceOfTimer) set_cause(types_.size() + 1);
}

std::vector<Duration> typical_handling(const ComputeConfig& compute,
                                       const Nodes& nodes,
                                       const MessageTypes& types,
                                       const Network& network) {
  const ServiceTimes service(compute.service, nodes, types, Seed{});
  const double evaluation_s = typical(compute.evaluation).to_seconds();
  std::vector<Duration> handling;
  handling.reserve(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const Duration stated = service.any() ? service.typical_handling({n}) : Duration{};
    handling.push_back(
        stated.ns > 0 ? stated : Duration::seconds(evaluation_s * network.straggler_factor({n})));
  }
  return handling;
}

Duration ServiceTimes::typical_handling(NodeId node) const {
  const Profile& own = profile(node);
  const auto time = [](Chosen chosen) { return chosen ? typical(*chosen) : Duration{}; };
  Duration longest;
  for (std::size_t type = 0; type < types_.size(); ++type) {
    const auto& [silent, sending] = own.compute[type];
    const Duration reaction = std::max(time(silent.time), time(sending.time));
    longest = std::max(longest, time(own.dispatch[type]) + time(own.decode[type]) + reaction);
  }
  return longest;
}

Duration ServiceTimes::draw(NodeId node, Chosen time) {
  if (time == nullptr) return {};
  return sample(*time, {streams_[node.value], draws_[node.value]++});
}

Duration ServiceTimes::before_reaction(NodeId node, const Stimulus& stimulus) {
  const Profile& own = profile(node);
  const ServiceCause cause = service_cause(stimulus, types_);
  Duration time = draw(node, own.dispatch[cause]);
  if (cause < types_.size()) time += draw(node, own.decode[cause]);
  return time;
}

Duration ServiceTimes::of_reaction(NodeId node,
                                   const Stimulus& stimulus,
                                   const Reaction& reaction) {
  const ReactionSize size = size_of(reaction);
  const ServiceCause cause = service_cause(stimulus, types_);
  const Computing& computing = profile(node).compute[cause][size.sends ? 1 : 0];
  return draw(node, computing.time) + computing.per_evaluation * size.evaluations;
}

}  // namespace posse
