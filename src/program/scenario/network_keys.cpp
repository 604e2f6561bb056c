// SPDX-License-Identifier: Apache-2.0
#include "core/network/wire.hpp"
#include "program/scenario/fields.hpp"
#include "program/scenario/sections.hpp"

namespace posse {
namespace {

using OfLink = FieldsOf<LinkConfig>;

auto latency_factor_field() {
  return OfLink::own(
      [](auto& reader, const auto& key, LinkConfig& link, const ReadContext& context) {
        link.rule.latency_factor = read_latency_factor(reader, key.name, context);
      },
      [](const auto&, const LinkConfig& link) {
        return link.rule.latency_factor ? latency_factor_toml(*link.rule.latency_factor) : "";
      });
}

auto loss_field() {
  return OfLink::own(
      [](auto& reader, const auto&, LinkConfig& link, const ReadContext& context) {
        read_loss(reader, link, context);
      },
      [](const auto&, const LinkConfig& link) { return loss_toml(link); });
}

auto queue_field() {
  return OfLink::own(
      [](auto& reader, const auto& key, LinkConfig& link, const auto&) {
        const auto bytes = reader.size(key.name);
        if (link.rule.rate && bytes) link.rule.rate->queue_bytes = *bytes;
      },
      [](const auto&, const LinkConfig& link) {
        return link.rule.rate ? queue_toml(*link.rule.rate) : "";
      });
}

/// The queue of both lines of a node.
auto node_queue_field() {
  return FieldsOf<NodeConfig>::own(
      [](auto& reader, const auto& key, NodeConfig& node, const auto&) {
        const auto bytes = reader.size(key.name);
        for (auto* rate : {&node.rule.rate_up, &node.rule.rate_down})
          if (*rate && bytes) (*rate)->queue_bytes = *bytes;
      },
      [](const auto&, const NodeConfig& node) {
        const auto& rate = node.rule.rate_up ? node.rule.rate_up : node.rule.rate_down;
        return rate ? queue_toml(*rate) : "";
      });
}

template <class Object, class Access>
auto time_out_field(Access access) {
  return FieldsOf<Object>::own(
      [access](auto& reader, const auto&, Object& to, const auto&) {
        if (const auto given = read_time_out(reader)) std::invoke(access, to) = *given;
      },
      [access](const auto&, const Object& from) {
        const std::optional<TimeOut> time_out = std::invoke(access, from);
        return time_out ? toml_string(text_of(*time_out)) : "";
      });
}

auto ties_field() {
  return FieldsOf<NetworkScenario>::own(
      [](auto& reader, const auto&, NetworkScenario& network, const auto&) {
        if (const auto given = read_ties(reader)) network.ties = *given;
      },
      [](const auto&, const NetworkScenario& network) -> std::string {
        if (network.ties == Ties{}) return "";
        const auto text = text_of(network.ties);
        return network.ties.rule == Ties::Rule::keyed ? text : toml_string(text);
      });
}

auto wires() {
  std::vector<std::pair<std::string_view, Wire>> names;
  for (const Wire wire : kWires) names.emplace_back(wire_format(wire).name, wire);
  return names;
}

/// The round of dropped messages, which is kept in the rule's scope.
auto round_field() {
  return FieldsOf<DropConfig>::own(
      [](auto& reader, const auto& key, DropConfig& of, const auto&) {
        const auto round = reader.integer(key.name);
        if (!round) return;
        of.drop.round = Round{static_cast<std::uint32_t>(*round)};
        keep_name(reader, key.name, NameInRule::Of::round, fmt::format("{}", *round), of.scope);
      },
      [](const auto&, const DropConfig& of) {
        return of.drop.round ? fmt::format("{}", of.drop.round->value) : "";
      });
}

/// The keys that [network], of all links, and [[network.link]] share.
std::vector<KeySpec> link_keys(Durations which) {
  return {
      {.name = "latency",
       .type = KeyType::distribution,
       .meaning = "time on a link, one way",
       .values = "a duration, or a [distribution](#distributions-of-durations)",
       .otherwise = "`\"0 s\"`",
       .field = OfLink::distribution(&LinkConfig::latency, which)},
      {.name = "latency_factor",
       .type = KeyType::factor,
       .meaning = "factor on every latency, which changes over virtual time",
       .values = "a [trace](#traces) with the column `factor`",
       .otherwise = "1",
       .field = latency_factor_field()},
      {.name = "loss",
       .type = KeyType::loss,
       .meaning = "loss of transmissions",
       .values = "a probability, or a [loss model](#loss-models)",
       .otherwise = "`{ kind = \"none\" }`",
       .field = loss_field()},
      {.name = "duplication",
       .type = KeyType::number,
       .meaning = "probability that the network duplicates a transmission",
       .min = 0,
       .max = 1,
       .field = OfLink::value(in_rule(&LinkRule::duplication))},
      {.name = "order",
       .type = KeyType::choice,
       .meaning = "`fifo`: a message never overtakes an earlier one on its link; `free`: it may",
       .field = OfLink::named(in_rule(&LinkRule::fifo), {{"free", false}, {"fifo", true}})},
      {.name = "rate",
       .type = KeyType::rate_or_trace,
       .meaning = "rate of each link",
       .values = "a rate, or a [trace](#traces) with the column `bits_per_second`",
       .otherwise = "unlimited",
       .field = OfLink::rate(in_rule(&LinkRule::rate))},
      {.name = "queue",
       .type = KeyType::size,
       .meaning = "queue capacity of the link: a message is dropped if more bytes than "
                  "this are waiting; needs `rate`",
       .otherwise = "unlimited",
       .field = queue_field()}};
}

SectionSpec network_section() {
  using Of = FieldsOf<NetworkScenario>;
  std::vector<KeySpec> keys = link_keys(Durations::of_all_links);
  for (auto& key : keys)
    key.field = Of::within(&NetworkScenario::defaults, field_of<LinkConfig>(key));
  for (auto& key : std::vector<KeySpec>{
           {.name = "transport",
 .type = KeyType::choice,
 .meaning = "`datagram`: a lost message stays lost; `reliable`: acknowledgements, "
            "retransmissions, no duplicates delivered",
 .field = Of::named(&NetworkScenario::transport,
                    {{"datagram", Transport::datagram}, {"reliable", Transport::reliable}})},
           {.name = "retransmission",
           .type = KeyType::table,
           .meaning = "table: timing of the reliable transport",
           .values = "see below",
           .field = Of::written([](const auto&, const auto& network) {
             return network.transport == Transport::reliable
                        ? inline_table(
                              written_keys("network.retransmission", network.retransmission))
                        : "";
           })},
           {.name = "header_bytes",
           .type = KeyType::size,
           .meaning = "added to every transmission, acknowledgements included",
           .field = Of::only_if([](const auto& network) { return !network.wire; },
                                Of::value(&NetworkScenario::header_bytes))},
           {.name = "wire",
           .type = KeyType::choice,
           .meaning = "protocol stack whose headers are added to every transmission, in place of "
                      "`header_bytes`; `udp` with `datagram`, the others with `reliable`",
           .note = ": [wire formats](#wire-formats)",
           .otherwise = "none",
           .field = Of::named(&NetworkScenario::wire, wires())},
           {.name = "ties",
           .type = KeyType::choice_or_whole,
           .meaning = "order of messages that reach a node from several nodes at one "
                      "instant, where it can decide something, as under a quorum: `fair`: "
                      "drawn at random; a number: drawn anew with this key; `source`, "
                      "`reversed`: by the senders' numbers, which favours some nodes",
           .values = "`\"fair\"`, `\"source\"`, `\"reversed\"`, or a whole number of at least 0",
           .note = ": [equal times](#equal-times)",
           .otherwise = "`\"fair\"`",
           .min = 0,
           .choices = {"fair", "source", "reversed"},
           .field = ties_field()},
           {.name = "topology",
           .type = KeyType::choice,
           .meaning = "checks the algorithms' topology; it does not change it. Algorithms "
                      "with the parameter `edges` run on a star, or on a hierarchy of the "
                      "nodes `server`, `edge-0`, … and `client-0`, …",
           .otherwise = "each algorithm has its own",
           .field = Of::named(&NetworkScenario::topology,
                              {{"star", Topology::star}, {"full-mesh", Topology::full_mesh}})},
           {.name = "link", .type = KeyType::tables},
           {.name = "node", .type = KeyType::tables},
           {.name = "drop", .type = KeyType::tables}})
    keys.push_back(std::move(key));
  return {.path = "network",
          .summary = "latency, loss, duplication, order, rates, transport",
          .keys = std::move(keys)};
}

SectionSpec network_retransmission_section() {
  using Of = FieldsOf<Retransmission>;
  return {
      .path = "network.retransmission",
      .summary = "timing of the reliable transport",
      .keys = {{.name = "timeout",
                .type = KeyType::choice_or_duration,
                .meaning = "time without an acknowledgement before the first retransmission. A "
                           "duration: the same for all links, from the moment of sending. "
                           "`derived`: of each link and size, `measured`: from the link's round "
                           "trips, both from the moment at which the copy has left its sender's "
                           "lines",
                .values = "`\"derived\"`, `\"measured\"`, or a duration above 0",
                .note = ": [time-outs](#time-outs)",
                .otherwise = "`\"derived\"`",
                .min = 0,
                .min_open = true,
                .choices = {"derived", "measured"},
                .field = time_out_field<Retransmission>(&Retransmission::timeout)},
               {.name = "min_timeout",
                .type = KeyType::duration,
                .meaning = "smallest time-out that is `derived` or `measured`",
                .otherwise = "1 ms if `derived`, 200 ms if `measured`",
                .min = 0,
                .min_open = true,
                .field = Of::value(&Retransmission::min_timeout)},
               {.name = "granularity",
                .type = KeyType::duration,
                .meaning = "the clock's G in RFC 6298: `measured` waits at least this much longer "
                           "than the mean round trip",
                .min = 0,
                .min_open = true,
                .field = Of::if_unusual(Of::value(&Retransmission::granularity))},
               {.name = "backoff",
                .type = KeyType::number,
                .meaning = "factor on the time-out after each retransmission",
                .min = 1,
                .max = 100,
                .field = Of::value(&Retransmission::backoff)},
               {.name = "max_timeout",
                .type = KeyType::duration,
                .meaning = "largest time-out; a `derived` one that is longer from the start "
                           "does not grow",
                .note = ", at least `timeout`",
                .otherwise = "60 s, or `timeout` if that is longer",
                .field = Of::value(&Retransmission::max_timeout)},
               {.name = "max_tries",
                .type = KeyType::whole,
                .meaning = "transmissions of a message before it is given up",
                .min = 1,
                .max = 1e9,
                .field = Of::value(&Retransmission::max_tries)}}};
}

SectionSpec network_link_section() {
  using Of = FieldsOf<LinkConfig>;
  std::vector<KeySpec> keys{{.name = "from",
                             .type = KeyType::selector,
                             .meaning = "the links, by sender and receiver",
                             .values = "selectors",
                             .field = Of::nodes(in_rule(&LinkRule::from))},
                            {.name = "to",
                             .type = KeyType::selector,
                             .meaning = "the links, by sender and receiver",
                             .values = "selectors",
                             .field = Of::nodes(in_rule(&LinkRule::to))}};
  for (auto& key : link_keys(Durations::of_links)) {
    key.meaning = "as in `[network]`; at least one of them";
    key.values = "as there, without `matrix`";
    key.note = "";
    key.otherwise = "as in `[network]`";
    keys.push_back(std::move(key));
  }
  keys.push_back({.name = "timeout",
                  .type = KeyType::choice_or_duration,
                  .meaning = "time-out of the reliable transport on these links",
                  .values = "as in `[network.retransmission]`",
                  .otherwise = "as there",
                  .min = 0,
                  .min_open = true,
                  .choices = {"derived", "measured"},
                  .field = time_out_field<LinkConfig>(in_rule(&LinkRule::timeout))});
  keys.push_back(algorithm_of_rule<LinkConfig>());
  return {.path = "network.link",
          .summary = "exceptions for some links",
          .array = true,
          .keys = std::move(keys)};
}

SectionSpec network_node_section() {
  using Of = FieldsOf<NodeConfig>;
  return {.path = "network.node",
          .summary = "lines of nodes, which all their messages share",
          .array = true,
          .keys = {{.name = "nodes",
                    .type = KeyType::selector,
                    .meaning = "the nodes",
                    .otherwise = "must be given",
                    .required = true,
                    .field = Of::nodes(in_rule(&NodeRule::nodes))},
                   {.name = "rate_up",
                    .type = KeyType::rate_or_trace,
                    .meaning = "rates of sending and of receiving; at least one of them",
                    .values = "rates, or [traces](#traces) with the column `bits_per_second`",
                    .otherwise = "unlimited",
                    .field = Of::rate(in_rule(&NodeRule::rate_up))},
                   {.name = "rate_down",
                    .type = KeyType::rate_or_trace,
                    .meaning = "rates of sending and of receiving; at least one of them",
                    .values = "rates, or [traces](#traces) with the column `bits_per_second`",
                    .otherwise = "unlimited",
                    .field = Of::rate(in_rule(&NodeRule::rate_down))},
                   {.name = "queue",
                    .type = KeyType::size,
                    .meaning = "largest number of waiting bytes before each of the two lines",
                    .otherwise = "unlimited",
                    .field = node_queue_field()},
                   algorithm_of_rule<NodeConfig>()}};
}

SectionSpec network_drop_section() {
  using Of = FieldsOf<DropConfig>;
  return {
      .path = "network.drop",
      .summary = "messages that are dropped",
      .array = true,
      .keys = {{.name = "type",
                .type = KeyType::text,
                .meaning = "message type, as `describe` lists it for the algorithm",
                .otherwise = "any",
                .field = Of::message([](auto& of) -> auto& { return of.drop.type; })},
               {.name = "round",
                .type = KeyType::whole,
                .meaning = "round of the message, as in `messages.csv.gz` (`--trace messages`)",
                .otherwise = "any",
                .min = 0,
                .max = 4294967295,
                .field = round_field()},
               {.name = "from",
                .type = KeyType::selector,
                .meaning = "sender and receiver",
                .otherwise = "any",
                .field = Of::nodes([](auto& of) -> auto& { return of.drop.from; })},
               {.name = "to",
                .type = KeyType::selector,
                .meaning = "sender and receiver",
                .otherwise = "any",
                .field = Of::nodes([](auto& of) -> auto& { return of.drop.to; })},
               {.name = "transmission",
                .type = KeyType::whole,
                .meaning = "number of the message copy on its link, as in `messages.csv.gz`: with "
                           "`from` and `to` it selects a single message",
                .otherwise = "any",
                .min = 0,
                .max = 4294967295,
                .field = Of::value([](auto& of) -> auto& { return of.drop.transmission; })},
               algorithm_of_rule<DropConfig>()}};
}

}  // namespace

std::vector<SectionSpec> network_sections() {
  return {network_section(),
          network_retransmission_section(),
          network_link_section(),
          network_node_section(),
          network_drop_section()};
}

}  // namespace posse
