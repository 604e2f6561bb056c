// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/fields.hpp"
#include "program/scenario/sections.hpp"

namespace posse {
namespace {

/// A number of answers, or a share of the clients. Whether a policy has one is checked elsewhere.
auto quorum_field() {
  return FieldsOf<PolicyConfig>::own(
      [](auto& reader, const auto& key, PolicyConfig& policy, const auto&) {
        const Value* value = reader.find(key.name);
        if (value == nullptr) return;
        const auto reject = [&](std::string problem) {
          reader.error(key.name, std::move(problem), kAllowedQuorum);
        };
        if (const auto* text = std::get_if<std::string>(&value->data)) {
          const auto share = parse_share(*text);
          if (!share.value) return reject(share.problem);
          policy.quorum_share = share.value;
        } else if (const auto* count = std::get_if<std::int64_t>(&value->data)) {
          constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
          if (*count < 1) return reject("is below 1");
          policy.quorum = static_cast<std::uint32_t>(std::min(*count, kMost));
        } else {
          reject("is neither a whole number nor a share");
        }
      },
      [](const auto&, const PolicyConfig& policy) -> std::string {
        if (policy.quorum) return fmt::format("{}", *policy.quorum);
        return policy.quorum_share
                   ? toml_string(fmt::format("{:.12g}%", *policy.quorum_share * 100))
                   : "";
      });
}

SectionSpec compute_section() {
  using Of = FieldsOf<Scenario>;
  return {.path = "compute",
          .summary = "time of an evaluation and of handling messages, stragglers",
          .keys = {{.name = "evaluation",
                    .type = KeyType::distribution,
                    .meaning = "virtual time of one evaluation or pull",
                    .values = "a duration, or a [distribution](#distributions-of-durations) except "
                              "`matrix` and `trace`",
                    .otherwise = "`\"0 s\"`",
                    .field = Of::distribution(&Scenario::evaluation, Durations::of_work)},
                   {.name = "stragglers", .type = KeyType::tables},
                   {.name = "service", .type = KeyType::tables}}};
}

SectionSpec compute_stragglers_section() {
  using Of = FieldsOf<NodeConfig>;
  return {
      .path = "compute.stragglers",
      .summary = "slow nodes",
      .array = true,
      .keys = {{.name = "nodes",
                .type = KeyType::selector,
                .meaning = "the nodes",
                .field = Of::nodes(in_rule(&NodeRule::nodes))},
               {.name = "factor",
                .type = KeyType::number,
                .meaning = "factor on all of their computing time: 10 is ten times slower",
                .otherwise = "must be given",
                .min = 0,
                .max = 1e9,
                .min_open = true,
                .required = true,
                .field = Of::value(in_rule(&NodeRule::straggler))},
               {.name = "share",
                .type = KeyType::number,
                .meaning = "probability with which each of the nodes is slow, drawn once per run",
                .otherwise = "all are",
                .min = 0,
                .max = 1,
                .field = Of::value(in_rule(&NodeRule::share))},
               algorithm_of_rule<NodeConfig>()}};
}

SectionSpec compute_service_section() {
  using Of = FieldsOf<ServiceConfig>;
  const auto type =
      Of::message(in_rule(&ServiceRule::type), {"*", kServiceOfStart, kServiceOfTimer});
  return {
      .path = "compute.service",
      .summary = "time to handle messages",
      .array = true,
      .keys = {{.name = "nodes",
                .type = KeyType::selector,
                .meaning = "the nodes",
                .field = Of::nodes(in_rule(&ServiceRule::nodes))},
               {.name = "type",
                .type = KeyType::text,
                .meaning = "message type, as `describe` lists it for the algorithm; `\"start\"` "
                           "and `\"timer\"`: what a node does at the beginning, or when a timer "
                           "expires; `\"*\"`: all of these",
                .field = type},
               {.name = "sends",
                .type = KeyType::boolean,
                .meaning = "restricts `compute` and `per_evaluation` to reactions that send "
                           "(`true`) or don't (`false`)",
                .otherwise = "both",
                .field = Of::value(in_rule(&ServiceRule::sends))},
               {.name = "dispatch",
                .type = KeyType::distribution,
                .meaning = "from the end of the link to the node's algorithm",
                .values = "as `evaluation`",
                .otherwise = "`\"0 s\"`",
                .field = Of::distribution(&ServiceConfig::dispatch, Durations::of_work)},
               {.name = "decode",
                .type = KeyType::distribution,
                .meaning = "to decode a message that came",
                .values = "as `evaluation`",
                .otherwise = "`\"0 s\"`",
                .field = Of::distribution(&ServiceConfig::decode, Durations::of_work)},
               {.name = "compute",
                .type = KeyType::distribution,
                .meaning = "the node's reaction; if its evaluations take longer, their time "
                           "counts instead",
                .values = "as `evaluation`",
                .otherwise = "`\"0 s\"`",
                .field = Of::distribution(&ServiceConfig::compute, Durations::of_work)},
               {.name = "per_evaluation",
                .type = KeyType::duration,
                .meaning = "added to `compute` for each evaluation or pull",
                .otherwise = "`\"0 s\"`",
                .field = Of::value(in_rule(&ServiceRule::per_evaluation))},
               {.name = "encode",
                .type = KeyType::distribution,
                .meaning = "to encode a message for one receiver, before it leaves",
                .values = "as `evaluation`",
                .otherwise = "`\"0 s\"`",
                .field = Of::distribution(&ServiceConfig::encode, Durations::of_work)},
               algorithm_of_rule<ServiceConfig>()}};
}

SectionSpec server_section() {
  using Of = FieldsOf<PolicyConfig>;
  return {
      .path = "server",
      .summary = "when a server stops waiting for answers",
      .keys = {
          {.name = "policy",
           .type = KeyType::choice,
           .meaning = "`all`: when all answers are there; `quorum`: when `quorum` answers "
                      "are; `deadline`: when `deadline` has passed, or all answers are there",
           .field = Of::named(in_rule(&Policy::kind),
                              {{"all", PolicyKind::all},
                               {"quorum", PolicyKind::quorum},
                               {"deadline", PolicyKind::deadline}})},
          {.name = "quorum",
           .type = KeyType::answers,
           .meaning = "number of answers, or a share of the clients, rounded up. With "
                      "`deadline`: the round stays open until so many are there",
           .values = "whole number, or a share such as `\"80%\"`",
           .otherwise = "must be given with `quorum`; 1 with `deadline`",
           .field = quorum_field()},
          {.name = "deadline",
           .type = KeyType::duration,
           .meaning = "time after the round's messages left",
           .otherwise = "must be given with `deadline`",
           .min = 0,
           .min_open = true,
           .field = Of::only_if(
               [](const auto& policy) { return policy.rule.kind == PolicyKind::deadline; },
               Of::value(in_rule(&Policy::deadline)))},
          {.name = "aggregate",
           .type = KeyType::choice,
           .meaning = "how an averaging server combines the clients' values, element by "
                      "element: mean, median, or the mean without a share of them at either "
                      "end. Experimental except for `mean`: bounds then do not apply",
           .field = Of::if_unusual(Of::named(in_rule(&Policy::aggregate),
                                             {{"mean", Aggregate::mean},
                                              {"median", Aggregate::median},
                                              {"trimmed-mean", Aggregate::trimmed_mean}}))},
          {.name = "trim",
           .type = KeyType::number,
           .meaning = "`trimmed-mean`: the share left out at either end, rounded down to "
                      "whole answers; at least one, unless 0",
           .min = 0,
           .max = 0.5,
           .max_open = true,
           .field = Of::only_if(
               [](const auto& policy) { return policy.rule.aggregate == Aggregate::trimmed_mean; },
               Of::value(in_rule(&Policy::trim)))}}};
}

}  // namespace

std::vector<SectionSpec> compute_sections() {
  return {
      compute_section(), compute_stragglers_section(), compute_service_section(), server_section()};
}

}  // namespace posse
