// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/network_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/wire.hpp"
#include "core/role/outcome.hpp"
#include "program/scenario/fields.hpp"

namespace posse {
namespace {

/// True if a link with this loss never delivers some message, however often it is retransmitted.
bool loses_for_ever(const LinkConfig& link) {
  if (const LossByType* by_type = link.loss_by_type())
    return std::ranges::any_of(by_type->p, [](const auto& p) { return p.second >= 1; });
  if (!link.loss) return false;
  const auto& p = link.loss->parameters;
  if (link.loss->kind == "bernoulli") return p.real("p") >= 1;
  if (link.loss->kind == "gilbert-elliott")
    return p.real("loss_bad") >= 1 &&
           (p.real("loss_good") >= 1 || (p.real("p") > 0 && p.real("r") <= 0));
  if (link.loss->kind == "bursts") return p.real("loss_good") >= 1 && p.real("loss_bad") >= 1;
  return false;
}

bool has_any(const TableReader& reader, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](auto key) { return reader.has(key); });
}

class NetworkReader {
 public:
  NetworkReader(const Value& value, const ReadContext& context)
      : context_(context),
        network_(context.scenario.network),
        reader_(value, "network", context.diagnostics) {}

  void read() {
    network_.defaults.scope.path = "network";
    network_.defaults.scope.location = reader_.location();
    read_fields(reader_, network_, context_);
    transport_known_ = !reader_.is_wrong("transport");
    check_topology();
    check_wire();
    check_link(reader_, network_.defaults);
    read_rules<LinkConfig>(reader_, "link", context_, [&](TableReader& reader, LinkConfig& link) {
      if (link.rule.timeout && transport_known_ && !is_reliable())
        reader.error(
            "timeout", "does nothing with transport = \"datagram\"", "transport = \"reliable\"");
      check_sets_property(reader);
      check_link(reader, link);
      network_.links.push_back(std::move(link));
    });
    read_rules<NodeConfig>(reader_, "node", context_, [&](TableReader& reader, NodeConfig& node) {
      reader.require("nodes", "a node's name, a group or \"*\"");
      if (!has_any(reader, {"rate_up", "rate_down"}))
        reader.error("", "sets no rate", "rate_up, rate_down");
      network_.nodes.push_back(std::move(node));
    });
    read_rules<DropConfig>(reader_, "drop", context_, [&](TableReader& reader, DropConfig& drop) {
      if (!has_any(reader, {"type", "round", "from", "to", "transmission"}))
        reader.error("",
                     "has no key that selects messages",
                     "type, round, from, to, transmission: at least one of them");
      network_.drops.push_back(std::move(drop));
    });
    read_retransmission();
    reader_.finish();
  }

 private:
  bool is_reliable() const { return network_.transport == Transport::reliable; }

  void check_topology() {
    if (!network_.topology) return;
    for (const auto& algorithm : context_.scenario.algorithms) {
      if (algorithm.spec->topology != *network_.topology)
        reader_.error(
            "topology",
            fmt::format("{} runs on {}", algorithm.label, to_string(algorithm.spec->topology)),
            "no topology: every algorithm has its own");
    }
  }

  /// A wire format must suit the transport, if that is known.
  void check_wire() {
    if (!network_.wire) return;
    const auto& format = wire_format(*network_.wire);
    const auto transport_of = [](Transport t) {
      return t == Transport::reliable ? "reliable" : "datagram";
    };
    if (transport_known_ && format.transport != network_.transport) {
      std::vector<std::string_view> suited;
      for (const Wire wire : kWires)
        if (wire_format(wire).transport == network_.transport)
          suited.push_back(wire_format(wire).name);
      reader_.error(
          "wire",
          fmt::format("doesn't go with transport = \"{}\"", transport_of(network_.transport)),
          fmt::format("{}; or transport = \"{}\"",
                      fmt::join(suited, ", "),
                      transport_of(format.transport)));
    }
    if (reader_.has("header_bytes"))
      reader_.error("header_bytes",
                    fmt::format("does nothing: wire = \"{}\" has its own headers", format.name),
                    "wire or header_bytes");
  }

  static void check_sets_property(TableReader& reader) {
    std::vector<std::string_view> properties;
    for (const KeySpec& key : reader.section().keys)
      if (!key.selects()) properties.push_back(key.name);
    if (std::ranges::any_of(properties, [&](auto key) { return reader.has(key); })) return;
    std::erase(properties, "queue");  // does nothing alone
    reader.error("", "sets no property", fmt::format("{}", fmt::join(properties, ", ")));
  }

  void check_link(TableReader& reader, const LinkConfig& link) {
    if (reader.has("queue") && !reader.has("rate"))
      reader.error("queue", "does nothing without a rate", "add rate = \"10 Mbit/s\"");
    if (transport_known_ && !is_reliable() && link.loss_by_type() != nullptr &&
        link.loss_by_type()->p.contains(std::string(kAcknowledgement)))
      reader.error("loss",
                   "loses Ack, which transport = \"datagram\" doesn't have",
                   "other messages, or transport = \"reliable\"");
    if (is_reliable() && loses_for_ever(link))
      reader.error("loss",
                   "loses everything for ever: a reliable transport can't finish",
                   "a probability below 1, or transport = \"datagram\"");
  }

  void read_retransmission() {
    auto& r = network_.retransmission;
    const Value* value = reader_.find("retransmission");
    bool max_given = false;
    if (value != nullptr) {
      if (!is_reliable() && transport_known_)
        reader_.error("retransmission",
                      "does nothing with transport = \"datagram\"",
                      "transport = \"reliable\"");
      TableReader reader(*value, reader_.path_of("retransmission"), context_.diagnostics);
      read_fields(reader, r, context_);
      max_given = reader.has("max_timeout") && !reader.is_wrong("max_timeout");
      if (max_given && r.timeout.rule == TimeOut::Rule::stated && r.max_timeout < r.timeout.stated)
        reader.error("max_timeout", "is below timeout");
      if (max_given && r.min_timeout && r.max_timeout < *r.min_timeout)
        reader.error("max_timeout", "is below min_timeout");
      const bool any_measured = has_time_out(network_, TimeOut::Rule::measured);
      const bool any_derived = has_time_out(network_, TimeOut::Rule::derived);
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

  const ReadContext& context_;
  NetworkScenario& network_;
  TableReader reader_;
  bool transport_known_ = true;
};

}  // namespace

void read_network(const Value& value, const ReadContext& context) {
  NetworkReader(value, context).read();
}

}  // namespace posse
